/* The controller: answers its host, drives the motor, enforces every limit on its own. No hardware here.

The shell calls `bridge_edge` for every change of an input with its time, `bridge_hear` for every byte, `bridge_tick` as
often as it can, and puts `outputs` on the pins after each. */
#pragma once

#include "budget.h"
#include "counter.h"
#include "frames.h"
#include "machine.h"

#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#define WIRE_SIZE 128 /* bytes on their way out */
#define EVENTS 16     /* events on their way out */

typedef struct {
    uint8_t size;
    uint8_t bytes[EVENT_SIZE];
} Event;

typedef struct Bridge {
    Settings set;
    uint8_t wired;
    uint16_t config_crc;
    uint8_t board, reset;
    bool configured, armed, deaf;

    Moment now, ms_since; /* `ms` milliseconds were over at ms_since */
    uint32_t ms;
    uint8_t inputs;  /* as heard of by edges */
    uint8_t levels;  /* as they are now */
    uint8_t outputs; /* bits of Output: what the shell puts on the pins */
    uint8_t shown;   /* what the host wants to be shown */

    Shot shot;
    uint32_t shot_id;
    bool has_shot, told_ended;
    uint8_t told_cards;
    Moment on_since;   /* where enable is high */
    Moment permit;     /* when enable must be low again */
    Moment permitted;  /* for this shot, both tries together */
    Moment motor_time; /* of this shot, so far */
    Counter counter;
    CardTime card;
    Budget budget;
    uint8_t trouble;

    Moment unheard[2]; /* since when a beam shows what nobody told; FOREVER: it does not */
    bool button_down;
    Moment button_due; /* when the button's level is looked at */

    FrameReader reader;
    Moment heard_at; /* the last word of the host */
    bool has_sequence;
    uint8_t sequence, kind, result; /* of the last question */
    volatile uint8_t wire[WIRE_SIZE], wire_in, wire_out; /* read by an interrupt */

    Event events[EVENTS];
    uint8_t event_first, event_count, event_sequence, event_tries;
    Moment event_due;
} Bridge;

/* `reset`: bits of MCUSR; `levels`: active inputs; `used_ms`: of the minute's budget, before the start. Says HELLO. */
void bridge_start(Bridge *bridge, uint8_t board, uint8_t reset, uint8_t levels, uint16_t used_ms);

void bridge_edge(Bridge *bridge, Moment at, uint8_t levels);
void bridge_hear(Bridge *bridge, Moment now, uint8_t byte);
void bridge_tick(Bridge *bridge, Moment now, uint8_t levels);

/* What a start that came now would have to count as used: while the motor is on, all that it is permitted. */
uint16_t bridge_used_ms(Bridge *bridge);

/* Latches a fault, motor off. */
void bridge_trip(Bridge *bridge, Moment now, uint8_t trouble);

/* The next byte for the host, or -1. May be called by an interrupt. */
int16_t bridge_say(Bridge *bridge);
