#include "budget.h"

static void advance(Budget *budget, Moment now)
{
    while (now - budget->since >= MS(1000)) {
        budget->since += MS(1000);
        budget->newest = (uint8_t)((budget->newest + 1) % BUCKETS);
        budget->used_ms[budget->newest] = 0;
    }
}

void budget_start(Budget *budget, uint16_t used_ms)
{
    budget->used_ms[budget->newest] = used_ms < ALL_USED ? used_ms : ALL_USED;
}

void budget_book(Budget *budget, const Settings *set, Moment from, Moment now)
{
    advance(budget, now);
    budget->used_ms[budget->newest] += (uint16_t)((uint32_t)(now - from + 999) / 1000);
    budget_rest(budget, set, now);
}

void budget_rest(Budget *budget, const Settings *set, Moment now) { budget->rest_until = now + MS(set->rest_ms); }

uint16_t budget_used_ms(Budget *budget, Moment now)
{
    uint16_t sum = 0;
    advance(budget, now);
    for (uint8_t at = 0; at < BUCKETS; at++)
        sum += budget->used_ms[at];
    return sum;
}

uint16_t budget_left_ms(Budget *budget, const Settings *set, Moment now)
{
    uint16_t used = budget_used_ms(budget, now);
    return used < set->duty_ms ? (uint16_t)(set->duty_ms - used) : 0;
}

/* The motor time the longest shot takes when all goes well. */
static uint16_t reserve_ms(const Settings *set)
{
    uint32_t slowest = (uint32_t)set->arming_ms + set->first_card_ms + (uint32_t)set->interval_ms * set->most_cards +
                       set->brake_ms + set->retract_ms;
    uint16_t longest = on_ms(set, (uint8_t)set->most_cards);
    return slowest < longest ? (uint16_t)slowest : longest;
}

bool budget_is_enough(const Settings *set, uint16_t left_ms)
{
    uint16_t reserve = reserve_ms(set);
    return left_ms >= (reserve < set->duty_ms ? reserve : set->duty_ms);
}

uint16_t budget_cooling_ms(Budget *budget, const Settings *set, Moment now)
{
    uint16_t used = budget_used_ms(budget, now), reserve = reserve_ms(set);
    uint16_t most = set->duty_ms > reserve ? (uint16_t)(set->duty_ms - reserve) : 0; /* with less used it is enough */
    if (used <= most)
        return 0;
    for (uint8_t after = 1; after <= BUCKETS; after++) {
        used -= budget->used_ms[(budget->newest + after) % BUCKETS]; /* the oldest first */
        if (used <= most)
            return (uint16_t)(after * 1000 - (uint16_t)((uint32_t)(now - budget->since) / 1000));
    }
    return DUTY_WINDOW_MS;
}

uint16_t budget_resting_ms(const Budget *budget, Moment now)
{
    return now < budget->rest_until ? (uint16_t)((uint32_t)(budget->rest_until - now + 999) / 1000) : 0;
}
