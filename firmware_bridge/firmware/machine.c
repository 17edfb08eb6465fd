#include "machine.h"

#include <string.h>

#define MARGIN_MS 2 /* the machine ends so much before its permit does */

static Moment sooner(Moment one, Moment other) { return one < other ? one : other; }
static Moment later(Moment one, Moment other) { return one > other ? one : other; }

static bool go(Shot *shot, uint8_t phase, Moment now, uint8_t drive, Moment deadline)
{
    shot->phase = phase;
    shot->since = now;
    shot->drive = drive;
    shot->deadline = deadline;
    return true;
}

static bool make_void(Shot *shot, Moment now, uint8_t cause)
{
    shot->end = END_VOID;
    shot->cause = cause;
    return go(shot, PHASE_SETTLED, now, DRIVE_OFF, FOREVER);
}

static bool settle(const Settings *set, Shot *shot, Moment now)
{
    return go(shot, PHASE_SETTLING, now, DRIVE_OFF, now + MS(set->settle_ms));
}

static bool forward(Shot *shot, Moment now)
{
    /* When to give up is worked out at the next step: the motor turns first. */
    return go(shot, PHASE_SPINNING, now, DRIVE_FORWARD, now);
}

/* --- calibrated times ---------------------------------------------------------------------------------------- */

/* How much later than usual cards come, in shares of light_ms times light_cards, when `left` are in the pile. */
static uint16_t lateness(const Settings *set, int16_t left)
{
    int16_t light = (int16_t)set->light_cards;
    if (left == NOT_KNOWN || left >= light)
        return 0;
    return (uint16_t)(light - ((left > 1 ? left : 1) - 1));
}

static Moment late(const Settings *set, uint32_t lateness)
{
    if (!lateness)
        return 0;
    uint32_t whole = set->light_ms * 1000ul, cards = set->light_cards; /* divided first: the product may be too large */
    return whole / cards * lateness + whole % cards * lateness / cards;
}

/* When the front of the shot's `card`-th card is at the exit, from forward on, with `hopper` cards at first. */
static Moment front(const Settings *set, uint8_t card, int16_t hopper)
{
    uint32_t sum = 0;
    for (uint8_t before = 0; before < card; before++) {
        int16_t left = hopper == NOT_KNOWN ? NOT_KNOWN : hopper > before ? (int16_t)(hopper - before) : 0;
        sum += lateness(set, left);
    }
    return MS(set->spin_up_ms) + MS(set->pace_ms) * (card - 1) + late(set, sum);
}

static uint8_t within(uint8_t wanted, int16_t hopper)
{
    return hopper != NOT_KNOWN && hopper < wanted ? (uint8_t)hopper : wanted;
}

static void guess(const Settings *set, Shot *shot, Moment now)
{
    if (!shot->timed || shot->phase != PHASE_SPINNING)
        return;
    Moment turned = now - shot->since + MS(set->stop_lag_ms);
    uint8_t most = within(shot->wanted, shot->hopper);
    shot->guess = 0;
    for (uint8_t card = 1; card <= most; card++)
        if (front(set, card, shot->hopper) <= turned)
            shot->guess++;
}

/* --- limits -------------------------------------------------------------------------------------------------- */

/* Time the motor may be on in this shot, both tries together. */
static Moment motor_time(const Settings *set, const Shot *shot)
{
    return sooner(MS(on_ms(set, shot->wanted)), shot->most);
}

/* When that is used up, a little before the permit expires. */
static Moment must_be_off(const Settings *set, const Shot *shot)
{
    return shot->pulse_from + motor_time(set, shot) - MS(MARGIN_MS) - shot->spent;
}

/* When forward must end so that coming to rest still fits in. A second try may leave the pulling back out. */
static Moment last_forward(const Settings *set, const Shot *shot)
{
    uint16_t tail = shot->retried ? set->brake_ms : (uint16_t)(set->brake_ms + set->retract_ms);
    return must_be_off(set, shot) - MS(tail);
}

/* --- transitions --------------------------------------------------------------------------------------------- */

static bool brake(const Settings *set, Shot *shot, Moment now)
{
    Moment end = sooner(now + MS(set->brake_ms), must_be_off(set, shot));
    return end > now ? go(shot, PHASE_BRAKING, now, DRIVE_BRAKE, end) : settle(set, shot, now);
}

static bool retract(const Settings *set, Shot *shot, Moment now)
{
    Moment end = sooner(now + MS(set->retract_ms), must_be_off(set, shot));
    return end > now ? go(shot, PHASE_RETRACTING, now, DRIVE_REVERSE, end) : settle(set, shot, now);
}

static bool jam(const Settings *set, Shot *shot, Moment now, uint8_t cause)
{
    Moment spent = shot->spent + now - shot->pulse_from;
    /* The second try must still be able to pull back, move a card and come to rest within the shot's motor time. */
    Moment needed = MS(set->retract_ms + set->card_ms + set->brake_ms);
    if (shot->retried || motor_time(set, shot) - spent <= needed) {
        shot->end = END_JAMMED;
        shot->cause = cause;
        return settle(set, shot, now);
    }
    shot->retried = true;
    shot->spent = spent;
    return go(shot, PHASE_CLEARING, now, DRIVE_OFF, now + MS(set->rest_ms));
}

static bool no_card(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    if (shot->hopper != NOT_KNOWN && seen->cards >= shot->hopper) {
        shot->end = END_EMPTY;
        shot->cause = CAUSE_EMPTY;
        return brake(set, shot, now);
    }
    return jam(set, shot, now, shot->retried ? CAUSE_NO_CARD_AGAIN : CAUSE_NO_CARD);
}

static bool reveal(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    if (now < shot->reveal_at)
        return false;
    if (seen->refusal)
        return make_void(shot, now, seen->refusal);
    if (shot->wanted == 0)
        return go(shot, PHASE_SETTLED, now, DRIVE_OFF, FOREVER);
    shot->most = seen->motor_left;
    shot->pulse_from = now;
    if (set->arming_ms)
        return go(shot, PHASE_ARMING, now, DRIVE_ARMED, now + MS(set->arming_ms));
    return forward(shot, now);
}

static bool running_timed(const Settings *set, Shot *shot, Moment now)
{
    uint8_t wanted = within(shot->wanted, shot->hopper);
    Moment time = shot->since + front(set, wanted ? wanted : 1, shot->hopper) + (Moment)set->pace_ms * 500 -
                  MS(set->stop_lag_ms);
    Moment last = last_forward(set, shot);
    shot->deadline = sooner(time, last);
    if (now < shot->deadline)
        return false;
    guess(set, shot, now);
    if (last < time) {
        shot->cause = CAUSE_TIME_OVER;
    } else if (wanted < shot->wanted) {
        shot->end = END_EMPTY;
        shot->cause = CAUSE_SHOULD_BE_EMPTY;
    }
    return brake(set, shot, now);
}

static bool running(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    if (shot->timed)
        return running_timed(set, shot, now);
    if (seen->cards >= shot->wanted && !seen->blocked)
        return brake(set, shot, now);
    Moment last = last_forward(set, shot), patience;
    if (seen->blocked) {
        /* A second try has as long as the first, though the card has been stuck since then. */
        patience = later(shot->since, seen->blocked_since) + MS(set->jam_ms);
        if (now >= patience)
            return jam(set, shot, now, CAUSE_BLOCKED);
    } else {
        int16_t left = shot->hopper == NOT_KNOWN      ? NOT_KNOWN
                       : shot->hopper > seen->cards ? (int16_t)(shot->hopper - seen->cards)
                                                      : 0;
        patience = later(shot->since, seen->last_change) + MS(set->first_card_ms) + late(set, lateness(set, left));
        if (now >= patience)
            return no_card(set, shot, now, seen);
    }
    if (now >= last) {
        if (shot->retried && seen->cards == 0)
            return seen->blocked ? jam(set, shot, now, CAUSE_BLOCKED) : no_card(set, shot, now, seen);
        shot->cause = CAUSE_TIME_OVER;
        return brake(set, shot, now);
    }
    Moment deadline = sooner(last, patience);
    bool changed = false;
    if (shot->phase == PHASE_SPINNING) {
        if (seen->cards || seen->blocked) {
            shot->phase = PHASE_COUNTING;
            changed = true;
        } else if (set->kick_after_ms && !shot->kicked) {
            Moment slow = shot->since + MS(set->kick_after_ms);
            if (now >= slow) {
                shot->kicked = true;
                return go(shot, PHASE_KICKING, now, DRIVE_REVERSE, sooner(now + MS(set->kick_ms), last));
            }
            deadline = sooner(deadline, slow);
        }
    }
    shot->deadline = deadline;
    return changed;
}

static bool settling(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    if (!seen->blocked) {
        shot->deadline = later(shot->since, seen->last_change) + MS(set->settle_ms);
        return now >= shot->deadline && go(shot, PHASE_SETTLED, now, DRIVE_OFF, FOREVER);
    }
    shot->deadline = later(seen->blocked_since, shot->since) + MS(set->jam_ms);
    if (now < shot->deadline)
        return false;
    if (shot->end == END_DONE || shot->end == END_EMPTY) {
        shot->end = END_JAMMED;
        shot->cause = CAUSE_LEFT_STICKING;
    }
    return go(shot, PHASE_SETTLED, now, DRIVE_OFF, FOREVER);
}

static bool retry(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    if (seen->cards >= shot->wanted && !seen->blocked)
        return settle(set, shot, now);
    shot->pulse_from = now;
    return go(shot, PHASE_REVERSING, now, DRIVE_REVERSE, now + MS(set->retract_ms));
}

void shot_press(Shot *shot, uint8_t wanted, Moment reveal_at, Moment now, int16_t hopper, bool timed)
{
    memset(shot, 0, sizeof *shot);
    go(shot, PHASE_PRESSED, now, DRIVE_OFF, reveal_at);
    shot->reveal_at = reveal_at;
    shot->wanted = wanted;
    shot->hopper = hopper;
    shot->most = FOREVER;
    shot->timed = timed;
}

bool shot_step(const Settings *set, Shot *shot, Moment now, const Seen *seen)
{
    switch (shot->phase) {
    case PHASE_PRESSED:
        return reveal(set, shot, now, seen);
    case PHASE_SPINNING:
    case PHASE_COUNTING:
        return running(set, shot, now, seen);
    case PHASE_SETTLING:
        return settling(set, shot, now, seen);
    }
    if (now < shot->deadline)
        return false;
    switch (shot->phase) {
    case PHASE_ARMING:
    case PHASE_REVERSING:
        return forward(shot, now);
    case PHASE_KICKING:
        forward(shot, now);
        shot->since = now - MS(set->kick_after_ms); /* what was waited for the first card so far still counts */
        return true;
    case PHASE_BRAKING:
        return retract(set, shot, now);
    case PHASE_RETRACTING:
        return settle(set, shot, now);
    case PHASE_CLEARING:
        return retry(set, shot, now, seen);
    }
    return false; /* ready or settled */
}

bool shot_stop(const Settings *set, Shot *shot, Moment now, uint8_t cause)
{
    if (shot->phase == PHASE_READY || shot->phase == PHASE_SETTLING || shot->phase == PHASE_SETTLED)
        return false;
    if (shot->phase == PHASE_PRESSED)
        return make_void(shot, now, cause);
    guess(set, shot, now);
    shot->end = END_STOPPED;
    shot->cause = cause;
    return settle(set, shot, now);
}

bool shot_cut_short(const Settings *set, Shot *shot, Moment now, uint8_t cause)
{
    if (shot->phase == PHASE_READY || shot->phase == PHASE_SETTLED)
        return false;
    if (shot->phase == PHASE_PRESSED)
        return make_void(shot, now, cause);
    guess(set, shot, now);
    shot->end = END_STOPPED;
    shot->cause = cause;
    return go(shot, PHASE_SETTLED, now, DRIVE_OFF, FOREVER);
}

bool shot_over(const Shot *shot) { return shot->phase == PHASE_SETTLED; }

bool shot_moved(const Shot *shot)
{
    return shot->phase != PHASE_READY && shot->phase != PHASE_PRESSED && shot->end != END_VOID && shot->wanted > 0;
}
