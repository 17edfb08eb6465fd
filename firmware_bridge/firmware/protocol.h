/* Made by `python -m firmware_bridge.headers`; changes here are lost. */
#pragma once

#define PROTOCOL 1
#define MOST_PAYLOAD 112
#define CRC_START 0xFFFF
#define BAUD 115200
#define RETRY_MS 80
#define TRIES 5
#define DEAD_MAN_MS 400
#define NO_HOPPER 65535
#define ANSWER 128
#define WHO "UNO?"
#define HERE "UNO!"

enum Kind {
    KIND_HELLO = 1,
    KIND_CONFIG = 2,
    KIND_ARM = 3,
    KIND_FIRE = 4,
    KIND_STOP = 5,
    KIND_RESET_FAULT = 6,
    KIND_STATUS = 7,
    KIND_PING = 8,
    KIND_SHOW = 9,
    KIND_EVENT = 16,
};

enum Result {
    RESULT_OK = 0,
    RESULT_UNKNOWN = 1,
    RESULT_LENGTH = 2,
    RESULT_FIGURE = 3,
    RESULT_UNCONFIGURED = 4,
    RESULT_DISARMED = 5,
    RESULT_FAULT = 6,
    RESULT_FIRING = 7,
    RESULT_RESTING = 8,
    RESULT_COOLING = 9,
    RESULT_STANDING = 10,
    RESULT_BEAM = 11,
};

enum Told {
    TOLD_LEVEL = 1,
    TOLD_CARD = 2,
    TOLD_ENDED = 3,
    TOLD_FAULT = 4,
};

enum Input {
    INPUT_LID = 1,
    INPUT_STOP = 2,
    INPUT_BEAM = 4,
    INPUT_BEAM2 = 8,
    INPUT_BUTTON = 16,
};

enum Output {
    OUTPUT_ENABLE = 1,
    OUTPUT_IN1 = 2,
    OUTPUT_IN2 = 4,
    OUTPUT_LAMP = 8,
    OUTPUT_BUZZER = 16,
    OUTPUT_LED = 32,
};

enum Wired {
    WIRED_BEAM = 1,
    WIRED_BEAM2 = 2,
    WIRED_STOP = 4,
};

enum State {
    STATE_CONFIGURED = 1,
    STATE_ARMED = 2,
    STATE_MOTOR = 4,
    STATE_DEAF = 8,
    STATE_COOLING = 16,
};

enum Phase {
    PHASE_READY = 0,
    PHASE_PRESSED = 1,
    PHASE_ARMING = 2,
    PHASE_SPINNING = 3,
    PHASE_COUNTING = 4,
    PHASE_KICKING = 5,
    PHASE_BRAKING = 6,
    PHASE_RETRACTING = 7,
    PHASE_CLEARING = 8,
    PHASE_REVERSING = 9,
    PHASE_SETTLING = 10,
    PHASE_SETTLED = 11,
};

enum End {
    END_DONE = 0,
    END_EMPTY = 1,
    END_JAMMED = 2,
    END_STOPPED = 3,
    END_VOID = 4,
};

enum Sure {
    SURE_EXACT = 0,
    SURE_AT_LEAST = 1,
    SURE_UNKNOWN = 2,
};

enum Trouble {
    TROUBLE_NONE = 0,
    TROUBLE_LID_OPEN = 1,
    TROUBLE_STOP_PRESSED = 2,
    TROUBLE_BEAM_BLOCKED = 3,
    TROUBLE_JAMMED = 4,
    TROUBLE_EDGES_LOST = 5,
    TROUBLE_HALTED = 6,
    TROUBLE_EXPIRED = 7,
    TROUBLE_HOST_LOST = 8,
    TROUBLE_LATE = 9,
};

enum Cause {
    CAUSE_NONE = 0,
    CAUSE_TIME_OVER = 1,
    CAUSE_BLOCKED = 2,
    CAUSE_NO_CARD = 3,
    CAUSE_NO_CARD_AGAIN = 4,
    CAUSE_EMPTY = 5,
    CAUSE_SHOULD_BE_EMPTY = 6,
    CAUSE_LEFT_STICKING = 7,
    CAUSE_REFUSED = 8,
    CAUSE_FAULT = 64,
};

enum Board {
    BOARD_HOST = 0,
    BOARD_ATMEGA328P = 1,
};

/* sizes of payloads */
#define HELLO_SIZE 17
#define STATUS_SIZE 20
#define FIRE_SIZE 11
#define SWITCH_SIZE 1
#define EVENT_SIZE 16
