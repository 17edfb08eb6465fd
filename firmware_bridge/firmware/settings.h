/* Made by `python -m firmware_bridge.headers`; changes here are lost. */
#pragma once

/* name, lowest, highest: hardware/settings.py. */
#define FIGURES(X) \
    X(rest_ms, 0, 10000) \
    X(first_card_ms, 100, 2000) \
    X(jam_ms, 100, 2000) \
    X(card_ms, 5, 500) \
    X(card_mm, 40, 150) \
    X(beam_gap_mm, 5, 80) \
    X(spin_up_ms, 20, 1000) \
    X(pace_ms, 5, 1000) \
    X(stop_lag_ms, 0, 100) \
    X(light_cards, 0, 112) \
    X(light_ms, 0, 500) \
    X(interval_ms, 5, 1000) \
    X(max_on_ms, 100, 4000) \
    X(max_on_base_ms, 0, 4000) \
    X(max_on_card_ms, 0, 4000) \
    X(most_cards, 1, 108) \
    X(duty_ms, 100, 30000) \
    X(watchdog_ms, 50, 1000) \
    X(arming_ms, 0, 50) \
    X(brake_ms, 0, 200) \
    X(retract_ms, 0, 300) \
    X(kick_after_ms, 0, 1000) \
    X(kick_ms, 5, 100) \
    X(settle_ms, 10, 500) \
    X(lockout_ms, 5, 200) \
    X(burst_pause_ms, 200, 5000) \
    X(dry_ms, 500, 10000)

#define FIGURE_COUNT 27
#define LIMITS_CRC 0x7F57
#define DUTY_WINDOW_MS 60000
