/* The motor's time in the last minute, and its rest: what hardware/arbiter.py books, in the memory there is here.

Seconds are booked, not intervals: what was used counts until the whole of its second is a minute ago, so that the
budget is kept at least as strictly as the host keeps it. */
#pragma once

#include "core.h"

#define ALL_USED 0x7FFF /* more than duty_ms may be */
#define BUCKETS (DUTY_WINDOW_MS / 1000 + 1)

typedef struct {
    uint16_t used_ms[BUCKETS]; /* by second, modulo */
    Moment since;              /* when the newest second began */
    uint8_t newest;            /* its bucket */
    Moment rest_until;
} Budget;

/* The motor has been on for so long in the minute before the start; ALL_USED: nobody knows. Counts as used just now. */
void budget_start(Budget *budget, uint16_t used_ms);

/* Books the motor's time of a pulse that ends now; the rest begins. */
void budget_book(Budget *budget, const Settings *set, Moment from, Moment now);
void budget_rest(Budget *budget, const Settings *set, Moment now);

uint16_t budget_used_ms(Budget *budget, Moment now);
uint16_t budget_left_ms(Budget *budget, const Settings *set, Moment now);

/* So much is enough for the longest shot the odds can bring, when all goes well. */
bool budget_is_enough(const Settings *set, uint16_t left_ms);

/* Milliseconds until there is enough left in the minute. */
uint16_t budget_cooling_ms(Budget *budget, const Settings *set, Moment now);
uint16_t budget_resting_ms(const Budget *budget, Moment now);
