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
#define FLICKER 3000 /* microseconds */
#define TRUST 0.03f
#define CHANGED 0.15f
#define ENOUGH 8
#define FAR 0.25f

typedef struct {
    uint8_t cards, sure;
} Judgement;

/* --- one card's time ----------------------------------------------------------------------------------------- */

static float median(const CardTime *card)
{
    float sorted[RECENT];
    for (uint8_t at = 0; at < card->count; at++) {
        uint8_t place = at;
        for (; place && sorted[place - 1] > card->recent[at]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = card->recent[at];
    }
    uint8_t half = card->count / 2;
    return card->count % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

static void learn(CardTime *card)
{
    if (card->count < ENOUGH) {
        card->time = card->calibrated;
        card->least = 1 - TRUST;
        card->most = 1 + CHANGED;
        card->known = true;
        return;
    }
    float middle = median(card), sum = 0;
    uint8_t singles = 0;
    for (uint8_t at = 0; at < card->count; at++)
        if (fabsf(card->recent[at] / middle - 1) <= SPREAD * 1.5f) {
            sum += card->recent[at];
            singles++;
        }
    card->time = sum / singles;
    card->known = 2 * singles > card->count && fabsf(card->time / card->calibrated - 1) <= FAR;
    float error = 3 * SPREAD / sqrtf(3.0f * singles);
    card->least = 1 - error;
    card->most = 1 + error;
}

void card_time_start(CardTime *card, uint16_t card_ms)
{
    card->calibrated = card_ms * 1000.0f;
    card->count = card->next = 0;
    learn(card);
}

static void saw(CardTime *card, float blocked)
{
    float share = blocked / card->time;
    if (share < 0.5f || share > TWO)
        return;
    card->recent[card->next] = blocked;
    card->next = (uint8_t)((card->next + 1) % RECENT);
    if (card->count < RECENT)
        card->count++;
    learn(card);
}

/* What was seen last was only a part of a block. */
static void forget(CardTime *card, float blocked)
{
    uint8_t last = (uint8_t)((card->next + RECENT - 1) % RECENT);
    if (card->count == 0 || card->recent[last] != blocked)
        return;
    card->next = last;
    card->count--;
    /* The values lie from 0 on, in any order, as long as there are fewer than RECENT of them. */
    if (card->count == RECENT - 1 && last != RECENT - 1) {
        float turned[RECENT];
        for (uint8_t at = 0; at < card->count; at++)
            turned[at] = card->recent[(last + 1 + at) % RECENT];
        for (uint8_t at = 0; at < card->count; at++)
            card->recent[at] = turned[at];
        card->next = card->count;
    }
    learn(card);
}

static Judgement judge_time(const CardTime *card, float blocked)
{
    float share = blocked / card->time;
    if (share < NOISE)
        return (Judgement){0, SURE_EXACT};
    if (share < SHORT)
        return (Judgement){1, SURE_UNKNOWN};
    if (share > TWO)
        return (Judgement){(uint8_t)fminf(share + 0.1f, 100), SURE_UNKNOWN};
    uint8_t sure = card->known ? SURE_EXACT : SURE_UNKNOWN;
    if (share > (1 + SPREAD) * card->most)
        return (Judgement){2, sure};
    if (share >= PAIR * (1 - SPREAD) * card->least && sure < SURE_AT_LEAST)
        sure = SURE_AT_LEAST;
    return (Judgement){1, sure};
}

/* --- one shot ------------------------------------------------------------------------------------------------ */

void counter_start(Counter *counter, CardTime *card, Moment at, float gap)
{
    *counter = (Counter){.card = card, .gap = gap, .last_change = at};
}

static void take_back(Counter *counter)
{
    const PastBlock *past = &counter->past;
    forget(counter->card, (float)(past->end - past->start));
    counter->cards = past->cards;
    counter->sure = past->sure;
    counter->blocked = true;
    counter->blocked_since = past->start;
    counter->front2 = past->front2;
    counter->has_front2 = past->has_front2;
}

void counter_block(Counter *counter, Moment at)
{
    if (counter->blocked)
        return;
    if (counter->past.there && at - counter->past.end < FLICKER) {
        take_back(counter);
    } else {
        counter->blocked = true;
        counter->blocked_since = at;
        counter->has_front2 = false;
    }
    counter->left2 = false;
    counter->last_change = at;
}

/* When the block that ends now began: with the one before, if both are too short for cards and make one. */
static Moment join(Counter *counter, Moment since, Moment at)
{
    const PastBlock *past = &counter->past;
    float card = counter->card->time, shorter = WHOLE * card;
    if (!past->there || (float)(since - past->end) > CLOSE * card || (float)(at - since) >= shorter ||
        (float)(past->end - past->start) >= shorter)
        return since;
    if ((float)(at - past->start) > (1 + SPREAD) * counter->card->most * card)
        return since;
    take_back(counter);
    counter->blocked = false;
    return past->start;
}

static Judgement judge_length(const Counter *counter, float blocked, bool backwards)
{
    if (counter->left2) /* it was out so far, and went back */
        return (Judgement){0, backwards ? SURE_EXACT : SURE_AT_LEAST};
    if (!counter->has_front2) {
        if (backwards || blocked < SHORT * counter->card->time)
            return (Judgement){0, SURE_EXACT}; /* it never came as far as the second beam */
        return (Judgement){judge_time(counter->card, blocked).cards, SURE_UNKNOWN};
    }
    float between = fmaxf((float)(counter->front2 - counter->past.start), 1);
    float length = blocked * counter->gap / between;
    if (length < SHORT)
        return (Judgement){1, SURE_UNKNOWN};
    if (length <= 1 + LENGTH_SPREAD)
        return (Judgement){1, SURE_EXACT};
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
        if (counter->pairs > 1 && counter->pair_most <= counter->pair_least * (1 + SPREAD) / (1 - SPREAD))
            return SURE_UNKNOWN;
    }
    return found.sure;
}

static Judgement judge(Counter *counter, float blocked, bool backwards)
{
    if (counter->is_stuck)
        return (Judgement){backwards ? 0 : 1, SURE_AT_LEAST};
    if (counter->gap > 0)
        return judge_length(counter, blocked, backwards);
    if (backwards) /* pulled back in, or it just made it; a whole card's time says it made it */
        return (Judgement){blocked >= SHORT * counter->card->time ? 1 : 0, SURE_AT_LEAST};
    Judgement found = judge_time(counter->card, blocked);
    saw(counter->card, blocked);
    found.sure = suspect(counter, blocked, found);
    return found;
}

void counter_clear(Counter *counter, Moment at, bool backwards)
{
    if (!counter->blocked)
        return;
    Moment since = counter->blocked_since;
    counter->blocked = false;
    counter->last_change = at;
    if (!counter->is_stuck && !backwards)
        since = join(counter, since, at);
    counter->past = (PastBlock){since, at, counter->front2, counter->cards, counter->sure, counter->has_front2, true};
    Judgement found = judge(counter, (float)(at - since), backwards);
    counter->cards = counter->cards > UINT8_MAX - found.cards ? UINT8_MAX : (uint8_t)(counter->cards + found.cards);
    counter_doubt(counter, found.sure);
    counter->is_stuck = false;
}

void counter_block2(Counter *counter, Moment at)
{
    if (!counter->blocked)
        return;
    counter->left2 = false;
    if (!counter->has_front2) {
        counter->front2 = at;
        counter->has_front2 = true;
    }
}

void counter_clear2(Counter *counter)
{
    /* Before that comes the end of the card at the first beam, unless it goes back. */
    counter->left2 = counter->blocked && counter->has_front2;
}

void counter_stuck(Counter *counter)
{
    counter->is_stuck = counter->blocked;
    counter_doubt(counter, SURE_AT_LEAST);
}

void counter_doubt(Counter *counter, uint8_t at_best)
{
    if (at_best > counter->sure)
        counter->sure = at_best;
}
