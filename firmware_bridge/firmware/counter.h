/* Counts cards from the time they block the exit beam: hardware/counter.py, judgement by judgement. */
#pragma once

#include "core.h"

#define RECENT 80 /* blocks a card's time is learned from */

/* How long one card blocks the beam: as calibrated at first, then as the cards show it. In microseconds. */
typedef struct {
    uint32_t recent[RECENT];
    uint8_t first, count; /* of a ring */
    bool known;
    float calibrated;
    float time;
    float least, most; /* bounds of the true time, as shares of `time` */
    float spread;
} CardTime;

/* When something was at the second beam; `there`: it was. */
typedef struct {
    Moment at;
    bool there;
} Second;

/* The block before, and the count without it. */
typedef struct {
    Moment start, end;
    Second front2;
    uint8_t cards, sure;
    bool there;
} PastBlock;

typedef struct {
    CardTime *card;
    float gap; /* from the first beam to the second as a share of a card's length; 0: there is no second one */
    Moment blocked_since, last_change;
    Second front2, free2;
    PastBlock past;
    float pair_least, pair_most; /* of the blocks taken for two cards, as long as no other came */
    uint8_t cards, sure, pairs, singles;
    bool blocked, left2, is_stuck;
} Counter;

void card_time_start(CardTime *card, uint16_t card_ms);
void counter_start(Counter *counter, CardTime *card, Moment at, float gap);
void counter_block(Counter *counter, Moment at);
void counter_clear(Counter *counter, Moment at, bool backwards);
void counter_block2(Counter *counter, Moment at);
void counter_clear2(Counter *counter, Moment at);
void counter_stuck(Counter *counter);
void counter_doubt(Counter *counter, uint8_t at_best);
