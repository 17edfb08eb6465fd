#include "counter.h"

#include <math.h>

/* As shares of one card; what each means is said in hardware/counter.py. */
#define NOISE 0.3f
#define SHORT 0.7f
#define WHOLE 0.93f
#define CLOSE 0.5f
#define PAIR 1.15f
#define TWO 2.1f
#define SPREAD 0.05f
#define LENGTH_SPREAD 0.025f
#define EARLIEST 0.4f
#define FLICKER 3000 /* microseconds */
#define SPARK 1000
#define TRUST 0.03f
#define CHANGED 0.15f
#define DRIFT 0.015f
#define ENOUGH 8
#define FAR 0.4f

typedef struct {
    uint8_t cards, sure;
} Judgement;

static uint8_t worse(uint8_t one, uint8_t other) { return one > other ? one : other; }

/* --- one card's time ----------------------------------------------------------------------------------------- */

/* The next place of the ring. Not by its remainder: all of them are gone through some twenty times for a card, and a
division for each of them would take longer than the loop may. */
static uint8_t after(uint8_t at) { return at + 1 == RECENT ? 0 : (uint8_t)(at + 1); }

static uint32_t lowest_but_one(const CardTime *card)
{
    uint32_t lowest = UINT32_MAX, next = UINT32_MAX;
    uint8_t at = card->first;
    for (uint8_t left = card->count; left; left--, at = after(at)) {
        uint32_t here = card->recent[at];
        if (here < lowest) {
            next = lowest;
            lowest = here;
        } else if (here < next) {
            next = here;
        }
    }
    return next;
}

/* The one in the middle, the lower of two; found by halving, for there is no memory here to sort in. */
static uint32_t median(const CardTime *card)
{
    uint32_t least = 0, most = 0;
    uint8_t at = card->first, place = (uint8_t)((card->count - 1) / 2);
    for (uint8_t left = card->count; left; left--, at = after(at))
        if (card->recent[at] > most)
            most = card->recent[at];
    while (least < most) {
        uint32_t middle = least + (most - least) / 2;
        uint8_t not_above = 0;
        at = card->first;
        for (uint8_t left = card->count; left; left--, at = after(at))
            not_above += card->recent[at] <= middle;
        if (not_above > place)
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

static void learn(CardTime *card)
{
    if (card->count < ENOUGH) {
        card->time = card->calibrated;
        card->least = 1 - TRUST;
        card->most = 1 + CHANGED;
        card->spread = SPREAD;
        card->known = true;
        return;
    }
    float middle = (float)median(card);
    float below = 1 - (float)lowest_but_one(card) / middle;
    card->spread = below <= 1.25f * SPREAD ? SPREAD : 1.1f * below;
    float wide = 1.5f * card->spread;
    uint32_t sum = 0, low = (uint32_t)fmaxf(0, ceilf(middle * (1 - wide))), high = (uint32_t)(middle * (1 + wide));
    uint8_t singles = 0, at = card->first;
    for (uint8_t left = card->count; left; left--, at = after(at))
        if (low <= card->recent[at] && card->recent[at] <= high) {
            sum += card->recent[at];
            singles++;
        }
    card->time = (float)sum / singles;
    card->known = 2 * singles > card->count && fabsf(card->time / card->calibrated - 1) <= FAR;
    float error = fmaxf(DRIFT, 3 * card->spread / sqrtf(3.0f * singles));
    card->least = 1 - error;
    card->most = 1 + error;
}

void card_time_start(CardTime *card, uint16_t card_ms)
{
    card->calibrated = card_ms * 1000.0f;
    card->first = card->count = 0;
    learn(card);
}

static void saw(CardTime *card, Moment blocked)
{
    float share = (float)blocked / card->time;
    if (share < 0.5f || share > TWO)
        return;
    if (card->count == RECENT) { /* the oldest one goes */
        card->first = (uint8_t)((card->first + 1) % RECENT);
        card->count--;
    }
    card->recent[(card->first + card->count++) % RECENT] = (uint32_t)blocked;
    learn(card);
}

/* What was seen last was only a part of a block. */
static void forget(CardTime *card, Moment blocked)
{
    if (card->count && card->recent[(card->first + card->count - 1) % RECENT] == (uint32_t)blocked) {
        card->count--;
        learn(card);
    }
}

static Judgement judge_time(const CardTime *card, Moment blocked)
{
    float share = (float)blocked / card->time;
    if (share < NOISE)
        return (Judgement){0, SURE_EXACT};
    if (share < SHORT)
        return (Judgement){1, SURE_UNKNOWN};
    if (share > TWO)
        return (Judgement){(uint8_t)fminf(share + 0.1f, 100), SURE_UNKNOWN};
    uint8_t sure = card->known ? SURE_EXACT : SURE_UNKNOWN;
    if (share > (1 + card->spread) * card->most)
        return (Judgement){2, sure};
    return (Judgement){1, share < PAIR * (1 - card->spread) * card->least ? sure : worse(sure, SURE_AT_LEAST)};
}

/* The longest that one card may block the beam, as far as is known. */
static float longest(const CardTime *card) { return card->time * card->most * (1 + card->spread); }

/* --- one shot ------------------------------------------------------------------------------------------------ */

void counter_start(Counter *counter, CardTime *card, Moment at, float gap)
{
    *counter = (Counter){.card = card, .gap = gap, .last_change = at};
}

/* Between two pieces of one thing there is less. */
static bool are_close(const Counter *counter, Moment between)
{
    return counter->past.there && (float)between < CLOSE * counter->card->time;
}

static void take_back(Counter *counter)
{
    const PastBlock *past = &counter->past;
    forget(counter->card, past->end - past->start);
    counter->cards = past->cards;
    counter->sure = past->sure;
    counter->front2 = past->front2;
}

void counter_block(Counter *counter, Moment at)
{
    if (counter->blocked)
        return;
    counter->past.front2 = counter->front2; /* which may have come after its end */
    counter->blocked = true;
    if (counter->past.there && at - counter->past.end < FLICKER) {
        /* What was there has not left yet after all: take its count back and go on with its block. */
        take_back(counter);
        counter->blocked_since = counter->past.start;
    } else {
        counter->blocked_since = at;
        counter->front2.there = false;
    }
    counter->left2 = false;
    counter->last_change = at;
}

/* In cards, of what was in the first beam from `since` to `at` and in the second one from `front2` on. */
static float length_of(const Counter *counter, Moment since, Moment at, Moment front2)
{
    return (float)(at - since) * (counter->gap > 0 ? counter->gap : 1) / fmaxf((float)(front2 - since), 1);
}

/* The block that ends now and the one just before are pieces of one thing: alone each is too short for a card. */
static bool is_one_thing(const Counter *counter, Moment since, Moment at)
{
    const PastBlock *past = &counter->past;
    if (counter->gap <= 0) {
        float shorter = WHOLE * counter->card->time;
        return (float)(past->end - past->start) < shorter && (float)(at - since) < shorter &&
               (float)(at - past->start) <= longest(counter->card);
    }
    if (!past->front2.there) {
        if (!counter->front2.there)
            return false;
        float length = length_of(counter, past->start, at, counter->front2.at);
        return WHOLE <= length && length <= TWO;
    }
    /* Its end would have come by the second beam by now; a piece that never came there starts something new. */
    bool one = !counter->front2.there && (!counter->free2.there || counter->free2.at < past->front2.at) &&
               at - past->end > past->front2.at - past->start;
    one = one || length_of(counter, past->start, past->end, past->front2.at) < WHOLE;
    return one && length_of(counter, past->start, at, past->front2.at) <= TWO;
}

static bool is_piece(const Counter *counter, Moment blocked)
{
    return blocked > SPARK && (float)blocked < NOISE * counter->card->time;
}

static Judgement judge_length(Counter *counter, Moment since, Moment at, bool backwards)
{
    Moment blocked = at - since;
    if (backwards && counter->left2)
        return (Judgement){0, SURE_EXACT}; /* it was out so far, and went back */
    if (!counter->front2.there) {
        if (backwards || (float)blocked < SHORT * counter->card->time)
            return (Judgement){0, SURE_EXACT}; /* it never came as far as the second beam */
        return (Judgement){judge_time(counter->card, blocked).cards, SURE_UNKNOWN};
    }
    float length = length_of(counter, since, at, counter->front2.at);
    if (length < WHOLE)
        return (Judgement){1, SURE_UNKNOWN};
    if (length <= 1 + LENGTH_SPREAD) {
        saw(counter->card, blocked);
        return (Judgement){1, SURE_EXACT};
    }
    if (length <= TWO)
        return (Judgement){2, SURE_EXACT};
    return (Judgement){(uint8_t)fminf(length + 0.9f, 100), SURE_AT_LEAST};
}

/* Doubt a shot in which all that came looks like pairs, and like each other: rather these are slow cards. */
static uint8_t suspect(Counter *counter, float blocked, Judgement found)
{
    if (found.cards == 1) {
        counter->singles = 1;
    } else if (found.cards == 2 && !counter->singles) {
        counter->pair_least = counter->pairs ? fminf(counter->pair_least, blocked) : blocked;
        counter->pair_most = counter->pairs ? fmaxf(counter->pair_most, blocked) : blocked;
        if (counter->pairs < 2)
            counter->pairs++;
        float spread = counter->card->spread;
        if (counter->pairs > 1 && counter->pair_most <= counter->pair_least * (1 + spread) / (1 - spread))
            return SURE_UNKNOWN;
    }
    return found.sure;
}

static Judgement judge(Counter *counter, Moment since, Moment at, bool backwards)
{
    Moment blocked = at - since;
    if (counter->is_stuck)
        return (Judgement){backwards ? 0 : 1, SURE_AT_LEAST};
    if (counter->gap > 0)
        return judge_length(counter, since, at, backwards);
    if (backwards) /* pulled back in, or it just made it; a whole card's time says it made it */
        return (Judgement){(float)blocked >= SHORT * counter->card->time ? 1 : 0, SURE_AT_LEAST};
    Judgement found = judge_time(counter->card, blocked);
    saw(counter->card, blocked);
    found.sure = suspect(counter, (float)blocked, found);
    return found;
}

void counter_clear(Counter *counter, Moment at, bool backwards)
{
    if (!counter->blocked)
        return;
    const PastBlock *past = &counter->past;
    Moment since = counter->blocked_since;
    counter->blocked = false;
    counter->last_change = at;
    bool pieces = !counter->is_stuck && (counter->gap > 0 || !backwards) && since > past->end &&
                  are_close(counter, since - past->end);
    if (pieces && is_one_thing(counter, since, at)) {
        Second front2 = past->front2.there ? past->front2 : counter->front2;
        since = past->start;
        take_back(counter);
        counter->front2 = front2;
        pieces = false;
    }
    Judgement found = judge(counter, since, at, backwards);
    if (pieces && (is_piece(counter, past->end - past->start) || is_piece(counter, at - since)))
        found.sure = worse(found.sure, SURE_AT_LEAST);
    counter->past = (PastBlock){since, at, counter->front2, counter->cards, counter->sure, true};
    counter->cards = counter->cards > UINT8_MAX - found.cards ? UINT8_MAX : (uint8_t)(counter->cards + found.cards);
    counter_doubt(counter, found.sure);
    counter->is_stuck = false;
}

void counter_block2(Counter *counter, Moment at)
{
    const PastBlock *past = &counter->past;
    counter->left2 = false;
    if (counter->front2.there || counter->gap <= 0 || (!counter->blocked && !are_close(counter, at - past->end)))
        return;
    /* Where something has gone through before, a card cannot be there so soon: that is its end, flickering. */
    if (!counter->blocked || !past->front2.there ||
        (float)(at - counter->blocked_since) >= EARLIEST * counter->gap * counter->card->time)
        counter->front2 = (Second){at, true};
}

void counter_clear2(Counter *counter, Moment at)
{
    counter->free2 = (Second){at, true};
    /* The end of a card comes by the first beam before, unless it goes back. */
    counter->left2 = counter->blocked && counter->front2.there;
}

void counter_stuck(Counter *counter)
{
    counter->is_stuck = counter->blocked;
    counter_doubt(counter, SURE_AT_LEAST);
}

void counter_doubt(Counter *counter, uint8_t at_best) { counter->sure = worse(counter->sure, at_best); }
