/* One shot as a pure machine: hardware/shot_machine.py, transition by transition. No pins, no permits. */
#pragma once

#include "core.h"

#define NOT_KNOWN (-1)

/* What the motor is asked to do, as bits of Output. */
enum Drive {
    DRIVE_OFF = 0,
    DRIVE_ARMED = OUTPUT_ENABLE,
    DRIVE_FORWARD = OUTPUT_ENABLE | OUTPUT_IN1,
    DRIVE_REVERSE = OUTPUT_ENABLE | OUTPUT_IN2,
    DRIVE_BRAKE = OUTPUT_ENABLE | OUTPUT_IN1 | OUTPUT_IN2,
};

/* What is known at one moment. */
typedef struct {
    Moment blocked_since; /* something has been in the beam since then, where `blocked` */
    Moment last_change;   /* the last edge at the beam */
    Moment motor_left;    /* time the motor may be on; looked at only at the reveal */
    uint8_t cards;        /* that have left so far */
    bool blocked;
    uint8_t refusal; /* a Cause why the shot may not begin, or 0; looked at only at the reveal */
} Seen;

typedef struct {
    Moment since;
    Moment reveal_at;
    Moment deadline; /* when to step again at the latest; FOREVER: nothing to wait for */
    Moment pulse_from;
    Moment most;
    Moment spent;
    int16_t hopper; /* cards thought to be in the machine, or NOT_KNOWN */
    uint8_t phase;
    uint8_t wanted;
    uint8_t drive;
    uint8_t guess; /* of a timed shot: the cards that should have come */
    uint8_t end;
    uint8_t cause;
    bool retried;
    bool kicked;
    bool timed; /* no beam: forward for the calibrated time */
} Shot;

/* A shot that waits for its reveal. */
void shot_press(Shot *shot, uint8_t wanted, Moment reveal_at, Moment now, int16_t hopper, bool timed);

/* At most one transition. False when nothing was due; the deadline may have moved all the same. */
bool shot_step(const Settings *set, Shot *shot, Moment now, const Seen *seen);

/* Lid, stop, fault: motor off, what is under way is counted. VOID when nothing moved yet. False: nothing to stop. */
bool shot_stop(const Settings *set, Shot *shot, Moment now, uint8_t cause);

/* The same without waiting for late cards. */
bool shot_cut_short(const Settings *set, Shot *shot, Moment now, uint8_t cause);

/* Nothing more will happen; the motor was asked to move at some time. */
bool shot_over(const Shot *shot);
bool shot_moved(const Shot *shot);
