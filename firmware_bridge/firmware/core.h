/* What all parts of the portable core share. No hardware here: time and levels are handed in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "settings.h"

/* Microseconds since the start. 64 bits, so that no evening is long enough for it to begin anew. */
typedef int64_t Moment;

#define FOREVER INT64_MAX

/* Divided here is only in 32 bits: for 64 an ATmega328P has neither the time nor the memory. */
#define MS(milliseconds) ((Moment)((uint32_t)(milliseconds) * 1000u)) /* up to an hour: 32 bits are quicker */

/* The launcher's figures, as hardware.settings.LauncherSettings has them. */
typedef struct {
#define X(name, low, high) uint16_t name;
    FIGURES(X)
#undef X
} Settings;

/* How long the motor may be on for a shot of so many cards; 0 for a dry one, never over max_on_ms. */
static inline uint16_t on_ms(const Settings *set, uint8_t cards)
{
    uint32_t most = set->max_on_base_ms + (uint32_t)set->max_on_card_ms * cards;
    if (cards == 0)
        return 0;
    return most < set->max_on_ms ? (uint16_t)most : set->max_on_ms;
}
