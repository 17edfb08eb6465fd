#include "bridge.h"

#include <string.h>

#define LOST_MS 20 /* a beam that showed something nobody was told for so long has lost its edges */
#define APART __attribute__((noinline)) /* not on the stack of whoever calls it while it does other things */
#define MOTOR (OUTPUT_ENABLE | OUTPUT_IN1 | OUTPUT_IN2)

/* --- words to the host --------------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, uint32_t value, uint8_t size)
{
    while (size--) {
        *at++ = (uint8_t)value;
        value >>= 8;
    }
    return at;
}

static uint32_t get(const uint8_t *at, uint8_t size)
{
    uint32_t value = 0;
    while (size--)
        value = value << 8 | at[size];
    return value;
}

/* Time goes on; never back. */
static void reach(Bridge *bridge, Moment now)
{
    if (now > bridge->now)
        bridge->now = now;
    while (bridge->now - bridge->ms_since >= 1000) {
        bridge->ms_since += 1000;
        bridge->ms++;
    }
}

/* A moment of not long ago. */
static uint32_t in_ms(const Bridge *bridge, Moment moment)
{
    return moment >= bridge->ms_since ? bridge->ms : bridge->ms - ((uint32_t)(bridge->ms_since - moment) + 999) / 1000;
}

/* A frame that finds no room is lost: whoever waits for it asks again. */
static void send(Bridge *bridge, uint8_t kind, uint8_t sequence, const uint8_t *payload, uint8_t size)
{
    uint8_t frame[FRAME_HEAD + 1 + HELLO_SIZE + STATUS_SIZE + FRAME_TAIL + 2];
    uint8_t length = frame_write(frame, kind, sequence, payload, size);
    uint8_t used = (uint8_t)(bridge->wire_in - bridge->wire_out) % WIRE_SIZE;
    if (length >= WIRE_SIZE - used)
        return;
    for (uint8_t at = 0; at < length; at++) { /* an interrupt may take what is in already */
        bridge->wire[bridge->wire_in] = frame[at];
        bridge->wire_in = (uint8_t)((bridge->wire_in + 1) % WIRE_SIZE);
    }
}

int16_t bridge_say(Bridge *bridge)
{
    if (bridge->wire_in == bridge->wire_out)
        return -1;
    uint8_t byte = bridge->wire[bridge->wire_out];
    bridge->wire_out = (uint8_t)((bridge->wire_out + 1) % WIRE_SIZE);
    return byte;
}

APART static void say_hello(Bridge *bridge, uint8_t sequence)
{
    uint8_t hello[1 + HELLO_SIZE] = {RESULT_OK}, *at = hello + 1;
    memcpy(at, HERE, 4);
    at = put(at + 4, FIRMWARE_MAJOR, 1);
    at = put(at, FIRMWARE_MINOR, 1);
    at = put(at, bridge->board, 1);
    at = put(at, INPUT_LID | INPUT_STOP | INPUT_BEAM | INPUT_BEAM2 | INPUT_BUTTON, 1);
    at = put(at, bridge->reset, 1);
    at = put(at, LIMITS_CRC, 2);
    at = put(at, bridge->config_crc, 2);
    put(at, bridge->ms, 4);
    send(bridge, KIND_HELLO | ANSWER, sequence, hello, sizeof hello);
}

static uint8_t cards_of(const Bridge *bridge)
{
    return bridge->shot.timed ? bridge->shot.guess : bridge->counter.cards;
}

APART static void answer(Bridge *bridge, uint8_t kind, uint8_t sequence, uint8_t result)
{
    uint8_t status[1 + STATUS_SIZE] = {result}, *at = status + 1;
    const Shot *shot = &bridge->shot;
    uint16_t resting = budget_resting_ms(&bridge->budget, bridge->now);
    uint16_t cooling = bridge->configured ? budget_cooling_ms(&bridge->budget, &bridge->set, bridge->now) : 0;
    at = put(at, (bridge->configured ? STATE_CONFIGURED : 0) | (bridge->armed ? STATE_ARMED : 0) |
                     (bridge->outputs & OUTPUT_ENABLE ? STATE_MOTOR : 0) | (bridge->deaf ? STATE_DEAF : 0) |
                     (cooling > resting ? STATE_COOLING : 0), 1);
    at = put(at, bridge->levels, 1);
    at = put(at, bridge->trouble, 1);
    at = put(at, shot->phase, 1);
    at = put(at, bridge->shot_id, 4);
    at = put(at, shot_moved(shot) ? cards_of(bridge) : 0, 1);
    at = put(at, shot->timed ? SURE_UNKNOWN : bridge->counter.sure, 1);
    at = put(at, shot->end, 1);
    at = put(at, shot->cause, 1);
    at = put(at, budget_used_ms(&bridge->budget, bridge->now), 2);
    at = put(at, cooling > resting ? cooling : resting, 2);
    put(at, bridge->ms, 4);
    send(bridge, kind | ANSWER, sequence, status, sizeof status);
}

/* A new event: `size` bytes follow what it tells and when. */
static void tell(Bridge *bridge, uint8_t told, Moment at, const uint8_t *rest, uint8_t size)
{
    if (bridge->deaf || !bridge->configured)
        return;
    if (bridge->event_count == EVENTS) {
        bridge->deaf = true;
        bridge_trip(bridge, bridge->now, TROUBLE_HOST_LOST);
        return;
    }
    Event *event = &bridge->events[(bridge->event_first + bridge->event_count) % EVENTS];
    memcpy(put(put(event->bytes, told, 1), in_ms(bridge, at), 4), rest, size);
    event->size = (uint8_t)(5 + size);
    if (bridge->event_count++ == 0)
        bridge->event_due = bridge->now;
}

static void tell_level(Bridge *bridge, Moment at, uint8_t input, bool active)
{
    uint8_t rest[2] = {input, active};
    tell(bridge, TOLD_LEVEL, at, rest, sizeof rest);
}

static void send_event(Bridge *bridge)
{
    if (bridge->event_count == 0 || bridge->now < bridge->event_due)
        return;
    if (bridge->event_tries == TRIES) {
        bridge->deaf = true;
        bridge->event_count = 0;
        if (bridge->armed)
            bridge_trip(bridge, bridge->now, TROUBLE_HOST_LOST);
        return;
    }
    const Event *event = &bridge->events[bridge->event_first];
    send(bridge, KIND_EVENT, bridge->event_sequence, event->bytes, event->size);
    bridge->event_tries++;
    bridge->event_due = bridge->now + MS(RETRY_MS);
}

static void next_event(Bridge *bridge)
{
    bridge->event_first = (uint8_t)((bridge->event_first + 1) % EVENTS);
    bridge->event_count--;
    bridge->event_sequence++;
    bridge->event_tries = 0;
    bridge->event_due = bridge->now;
}

/* --- the motor ----------------------------------------------------------------------------------------------- */

static void motor_off(Bridge *bridge)
{
    bool was_on = bridge->outputs & OUTPUT_ENABLE;
    bridge->outputs &= (uint8_t)~MOTOR;
    bridge->unheard[0] = bridge->unheard[1] = FOREVER;
    if (was_on) {
        bridge->motor_time += bridge->now - bridge->on_since;
        budget_book(&bridge->budget, &bridge->set, bridge->on_since, bridge->now);
    }
}

void bridge_trip(Bridge *bridge, Moment now, uint8_t trouble)
{
    reach(bridge, now);
    motor_off(bridge);
    if (trouble == TROUBLE_HOST_LOST)
        bridge->armed = false;
    if (bridge->trouble)
        return;
    bridge->trouble = trouble;
    uint8_t rest[2] = {trouble, trouble == TROUBLE_JAMMED ? bridge->shot.cause : CAUSE_NONE};
    tell(bridge, TOLD_FAULT, bridge->now, rest, sizeof rest);
}

static bool running(const Bridge *bridge)
{
    return bridge->has_shot && bridge->shot.phase != PHASE_READY && !shot_over(&bridge->shot);
}

static void start_counting(Bridge *bridge)
{
    float gap = bridge->wired & WIRED_BEAM2 ? (float)bridge->set.beam_gap_mm / bridge->set.card_mm : 0;
    counter_start(&bridge->counter, &bridge->card, bridge->now, gap);
}

/* Set the outputs as the machine wants them; false when there is no permit for that. */
static bool drive(Bridge *bridge, uint8_t wanted)
{
    if (wanted == DRIVE_OFF) {
        motor_off(bridge);
        return true;
    }
    if (bridge->trouble || !bridge->armed)
        return false;
    if (!(bridge->outputs & OUTPUT_ENABLE)) {
        Moment left = bridge->permitted - bridge->motor_time;
        Moment in_minute = MS(budget_left_ms(&bridge->budget, &bridge->set, bridge->now));
        if (in_minute < left)
            left = in_minute;
        if (left <= 0 || bridge->now < bridge->budget.rest_until)
            return false;
        if (!bridge->shot.retried)
            start_counting(bridge);
        bridge->on_since = bridge->now;
        bridge->permit = bridge->now + left;
    }
    bridge->outputs = (uint8_t)((bridge->outputs & ~MOTOR) | wanted);
    return true;
}

static void finish(Bridge *bridge)
{
    Shot *shot = &bridge->shot;
    bool moved = shot_moved(shot);
    Counter *counter = &bridge->counter;
    uint8_t cards = 0, sure = SURE_EXACT;
    if (moved) {
        if (counter->blocked)
            counter_doubt(counter, SURE_AT_LEAST);
        if (bridge->trouble == TROUBLE_EDGES_LOST)
            counter_doubt(counter, SURE_UNKNOWN);
        cards = cards_of(bridge);
        sure = shot->timed ? SURE_UNKNOWN : counter->sure;
    } else if (shot->end == END_DONE) {
        budget_rest(&bridge->budget, &bridge->set, bridge->now);
    }
    if (shot->end == END_JAMMED)
        bridge_trip(bridge, bridge->now, TROUBLE_JAMMED);
    uint8_t rest[EVENT_SIZE - 5], *at = put(rest, bridge->shot_id, 4);
    *at++ = cards;
    *at++ = sure;
    *at++ = shot->end;
    *at++ = shot->cause;
    *at++ = moved;
    put(at, (uint32_t)(bridge->motor_time + 999) / 1000, 2);
    tell(bridge, TOLD_ENDED, bridge->now, rest, sizeof rest);
}

/* Make the machine's transition true. */
static void follow(Bridge *bridge, uint8_t phase, uint8_t driven)
{
    Shot *shot = &bridge->shot;
    if (shot->drive != driven && !drive(bridge, shot->drive))
        shot_cut_short(&bridge->set, shot, bridge->now, bridge->trouble ? CAUSE_FAULT + bridge->trouble : CAUSE_REFUSED);
    if (shot->drive == DRIVE_OFF)
        motor_off(bridge);
    if (shot->phase == phase)
        return;
    if (shot->end == END_JAMMED || shot->phase == PHASE_CLEARING)
        counter_stuck(&bridge->counter);
    if (shot_over(shot))
        finish(bridge);
}

static void step(Bridge *bridge)
{
    while (running(bridge)) {
        Shot *shot = &bridge->shot;
        uint8_t phase = shot->phase, driven = shot->drive;
        Seen seen = {.cards = bridge->counter.cards,
                     .blocked = bridge->counter.blocked,
                     .blocked_since = bridge->counter.blocked_since,
                     .last_change = bridge->counter.last_change,
                     .motor_left = bridge->permitted};
        bool moved = bridge->trouble && shot_stop(&bridge->set, shot, bridge->now, CAUSE_FAULT + bridge->trouble);
        if (!moved)
            moved = shot_step(&bridge->set, shot, bridge->now, &seen);
        if (!moved)
            break;
        follow(bridge, phase, driven);
    }
    if (running(bridge) && bridge->shot.drive != DRIVE_OFF && bridge->counter.cards > bridge->told_cards) {
        bridge->told_cards = bridge->counter.cards;
        uint8_t rest[5];
        *put(rest, bridge->shot_id, 4) = bridge->told_cards;
        tell(bridge, TOLD_CARD, bridge->now, rest, sizeof rest);
    }
}

/* --- what is sensed ------------------------------------------------------------------------------------------- */

static uint8_t beams(const Bridge *bridge)
{
    return (bridge->wired & WIRED_BEAM ? INPUT_BEAM : 0) | (bridge->wired & WIRED_BEAM2 ? INPUT_BEAM2 : 0);
}

static uint8_t sensed(const Bridge *bridge, uint8_t levels)
{
    uint8_t wired = INPUT_LID | INPUT_BUTTON | beams(bridge);
    if (bridge->wired & WIRED_STOP)
        wired |= INPUT_STOP;
    return levels & wired;
}

/* The fault that stands against moving anything, or none. */
static uint8_t standing(uint8_t levels)
{
    if (!(levels & INPUT_LID))
        return TROUBLE_LID_OPEN;
    if (levels & INPUT_STOP)
        return TROUBLE_STOP_PRESSED;
    return TROUBLE_NONE;
}

static void feel_button(Bridge *bridge, Moment at, bool down)
{
    /* Down again without any edge up in between: that edge was lost, so this is a press all the same. */
    if (down && (!bridge->button_down || bridge->button_due == FOREVER)) {
        bridge->button_down = true;
        tell_level(bridge, at, INPUT_BUTTON, true);
    }
    bridge->button_due = at + MS(bridge->set.lockout_ms);
}

static void settle_button(Bridge *bridge)
{
    if (bridge->now < bridge->button_due)
        return;
    bool down = bridge->levels & INPUT_BUTTON;
    if (!down && bridge->button_down) {
        bridge->button_down = false;
        tell_level(bridge, bridge->button_due - MS(bridge->set.lockout_ms), INPUT_BUTTON, false);
    }
    bridge->button_due = FOREVER;
}

void bridge_edge(Bridge *bridge, Moment at, uint8_t levels)
{
    reach(bridge, at);
    levels = sensed(bridge, levels);
    uint8_t changed = bridge->inputs ^ levels;
    bridge->inputs = bridge->levels = levels;
    if (!bridge->configured)
        return;
    if (changed & INPUT_LID)
        tell_level(bridge, at, INPUT_LID, levels & INPUT_LID);
    if (changed & INPUT_STOP)
        tell_level(bridge, at, INPUT_STOP, levels & INPUT_STOP);
    if (changed & INPUT_BUTTON)
        feel_button(bridge, at, levels & INPUT_BUTTON);
    if (changed & INPUT_BEAM) {
        bridge->unheard[0] = FOREVER;
        if (levels & INPUT_BEAM)
            counter_block(&bridge->counter, at);
        else
            counter_clear(&bridge->counter, at, bridge->shot.drive == DRIVE_REVERSE);
    }
    if (changed & INPUT_BEAM2) {
        bridge->unheard[1] = FOREVER;
        if (levels & INPUT_BEAM2)
            counter_block2(&bridge->counter, at);
        else
            counter_clear2(&bridge->counter, at);
    }
    if (!running(bridge) && changed & beams(bridge)) {
        uint8_t beam = changed & INPUT_BEAM ? INPUT_BEAM : INPUT_BEAM2;
        tell_level(bridge, at, beam, levels & beam);
    }
    uint8_t still = standing(levels);
    if (still)
        bridge_trip(bridge, at, still);
    step(bridge);
    send_event(bridge);
}

static void listen_for_lost(Bridge *bridge)
{
    for (uint8_t at = 0; at < 2; at++) {
        uint8_t beam = at ? INPUT_BEAM2 : INPUT_BEAM;
        if (!(beams(bridge) & beam))
            continue;
        if (bridge->unheard[at] == FOREVER) {
            if ((bridge->levels ^ bridge->inputs) & beam)
                bridge->unheard[at] = bridge->now;
        } else if (bridge->now >= bridge->unheard[at] + MS(LOST_MS)) {
            bridge_trip(bridge, bridge->now, TROUBLE_EDGES_LOST);
        }
    }
}

/* --- words of the host ---------------------------------------------------------------------------------------- */

static bool between(int32_t low, int32_t value, int32_t high) { return low <= value && value <= high; }

APART static uint8_t configure(Bridge *bridge, const uint8_t *payload)
{
    const uint8_t *at = payload + 1;
#define X(name, low, high)                                                                                             \
    if (!between(low, (int32_t)get(at, 2), high))                                                                      \
        return RESULT_FIGURE;                                                                                          \
    at += 2;
    FIGURES(X)
#undef X
    if (running(bridge)) { /* of a host that is gone; nobody waits for its end any more */
        bridge_trip(bridge, bridge->now, TROUBLE_HOST_LOST);
        shot_cut_short(&bridge->set, &bridge->shot, bridge->now, CAUSE_FAULT + TROUBLE_HOST_LOST);
    }
    uint16_t card_ms = bridge->set.card_ms, *figures = (uint16_t *)&bridge->set;
    for (uint8_t figure = 0; figure < FIGURE_COUNT; figure++)
        figures[figure] = (uint16_t)get(payload + 1 + 2 * figure, 2);
    bridge->wired = payload[0];
    bridge->config_crc = crc16(CRC_START, payload, 1 + 2 * FIGURE_COUNT);
    bridge->configured = true;
    bridge->armed = false;
    bridge->has_shot = false;
    bridge->inputs = bridge->levels = sensed(bridge, bridge->levels);
    if (card_ms != bridge->set.card_ms) /* what was learned of another card is worth nothing */
        card_time_start(&bridge->card, bridge->set.card_ms);
    start_counting(bridge);
    bridge->button_down = bridge->levels & INPUT_BUTTON;
    bridge->button_due = bridge->button_down ? bridge->now : FOREVER;
    return RESULT_OK;
}

static uint8_t arm(Bridge *bridge, bool on)
{
    if (!on) {
        bridge->armed = false;
        if (running(bridge))
            bridge_trip(bridge, bridge->now, TROUBLE_HALTED);
        return RESULT_OK;
    }
    if (!bridge->configured)
        return RESULT_UNCONFIGURED;
    if (bridge->trouble)
        return RESULT_FAULT;
    uint8_t still = standing(bridge->levels);
    if (!still && bridge->levels & beams(bridge))
        still = TROUBLE_BEAM_BLOCKED;
    if (still && !bridge->armed) {
        bridge_trip(bridge, bridge->now, still);
        return RESULT_STANDING;
    }
    bridge->armed = true;
    return RESULT_OK;
}

static uint8_t reset_fault(Bridge *bridge)
{
    if (running(bridge))
        return RESULT_FIRING;
    bool of_beam = bridge->trouble == TROUBLE_JAMMED || bridge->trouble == TROUBLE_BEAM_BLOCKED;
    if (standing(bridge->levels) || (of_beam && bridge->levels & beams(bridge)))
        return RESULT_STANDING;
    bridge->trouble = TROUBLE_NONE;
    return RESULT_OK;
}

APART static uint8_t fire(Bridge *bridge, const uint8_t *payload)
{
    uint32_t id = get(payload, 4);
    if (bridge->has_shot && id == bridge->shot_id)
        return RESULT_OK; /* again: it is only reported */
    if (!bridge->configured)
        return RESULT_UNCONFIGURED;
    if (!bridge->armed)
        return RESULT_DISARMED;
    if (bridge->trouble)
        return RESULT_FAULT;
    if (running(bridge))
        return RESULT_FIRING;
    if (budget_resting_ms(&bridge->budget, bridge->now))
        return RESULT_RESTING;
    uint16_t most = on_ms(&bridge->set, payload[4]), max_ms = (uint16_t)get(payload + 5, 2);
    uint16_t duty_ms = (uint16_t)get(payload + 7, 2); /* the host may remember more than a controller that started anew */
    if (budget_cooling_ms(&bridge->budget, &bridge->set, bridge->now) || !budget_is_enough(&bridge->set, duty_ms))
        return RESULT_COOLING;
    uint8_t still = standing(bridge->levels);
    if (still) {
        bridge_trip(bridge, bridge->now, still);
        return RESULT_FAULT;
    }
    if (bridge->levels & beams(bridge))
        return RESULT_BEAM;
    uint8_t cards = payload[4];
    uint16_t hopper = (uint16_t)get(payload + 9, 2), left = budget_left_ms(&bridge->budget, &bridge->set, bridge->now);
    left = duty_ms < left ? duty_ms : left;
    most = max_ms < most ? max_ms : most;
    bridge->permitted = MS(left < most ? left : most);
    bridge->motor_time = 0;
    bridge->told_cards = 0;
    bridge->inputs = (uint8_t)((bridge->inputs & ~beams(bridge)) | (bridge->levels & beams(bridge)));
    bridge->shot_id = id;
    bridge->has_shot = true;
    start_counting(bridge);
    int16_t left_in = hopper > INT16_MAX ? NOT_KNOWN : (int16_t)hopper;
    shot_press(&bridge->shot, cards, bridge->now, bridge->now, left_in, !beams(bridge));
    return RESULT_OK;
}

static uint8_t obey(Bridge *bridge, uint8_t kind, const uint8_t *payload, uint8_t size)
{
    static const uint8_t sizes[] = {
        [KIND_CONFIG] = 1 + 2 * FIGURE_COUNT, [KIND_ARM] = SWITCH_SIZE, [KIND_FIRE] = FIRE_SIZE, [KIND_SHOW] = SWITCH_SIZE,
    };
    if (kind == KIND_HELLO || kind >= KIND_EVENT || kind > KIND_SHOW)
        return RESULT_UNKNOWN;
    if (size != sizes[kind])
        return RESULT_LENGTH;
    switch (kind) {
    case KIND_CONFIG:
        return configure(bridge, payload);
    case KIND_ARM:
        return arm(bridge, payload[0]);
    case KIND_FIRE:
        return fire(bridge, payload);
    case KIND_STOP:
        bridge_trip(bridge, bridge->now, TROUBLE_HALTED);
        return RESULT_OK;
    case KIND_RESET_FAULT:
        return reset_fault(bridge);
    case KIND_SHOW:
        bridge->shown = payload[0] & (OUTPUT_LAMP | OUTPUT_BUZZER);
        return RESULT_OK;
    case KIND_STATUS:
    case KIND_PING:
        return RESULT_OK;
    }
    return RESULT_UNKNOWN;
}

static void greet(Bridge *bridge, uint8_t sequence)
{
    if (running(bridge))
        bridge_trip(bridge, bridge->now, TROUBLE_HOST_LOST); /* whoever says HELLO knows nothing of it */
    bridge->armed = false;
    bridge->deaf = false;
    bridge->event_count = bridge->event_tries = 0;
    bridge->kind = KIND_HELLO;
    bridge->sequence = sequence;
    bridge->has_sequence = true;
    say_hello(bridge, sequence);
}

static void heard(Bridge *bridge)
{
    const uint8_t *body = bridge->reader.body, *payload = body + FRAME_HEAD;
    uint8_t kind = body[1], sequence = body[2], size = body[3];
    if (kind == KIND_HELLO && size >= 4 && memcmp(payload, WHO, 4) == 0) {
        bridge->heard_at = bridge->now;
        greet(bridge, sequence); /* to a host of any version */
        return;
    }
    if (body[0] != PROTOCOL)
        return;
    bridge->heard_at = bridge->now;
    if (kind == (KIND_EVENT | ANSWER)) {
        if (bridge->event_count && bridge->event_tries && sequence == bridge->event_sequence)
            next_event(bridge);
        return;
    }
    if (kind == KIND_STOP) {
        answer(bridge, kind, sequence, obey(bridge, kind, payload, size));
        return;
    }
    if (!bridge->has_sequence)
        return; /* nobody has said HELLO since the start */
    if (sequence == bridge->sequence % 255 + 1) {
        bridge->sequence = sequence;
        bridge->kind = kind;
        bridge->result = obey(bridge, kind, payload, size);
    } else if (sequence != bridge->sequence || kind != bridge->kind) {
        return;
    }
    answer(bridge, kind, sequence, bridge->result);
}

/* --- time ----------------------------------------------------------------------------------------------------- */

static void watch_host(Bridge *bridge)
{
    if (bridge->now - bridge->heard_at < MS(DEAD_MAN_MS))
        return;
    bridge->shown = 0;
    if (bridge->armed)
        bridge_trip(bridge, bridge->now, TROUBLE_HOST_LOST);
}

/* The board's own light: steady while armed; else so many short flashes, and a pause. */
static bool led(const Bridge *bridge)
{
    if (bridge->armed && !bridge->trouble)
        return true;
    static const uint8_t flashes[] = {
        [TROUBLE_NONE] = 1, [TROUBLE_LID_OPEN] = 2, [TROUBLE_JAMMED] = 3, [TROUBLE_BEAM_BLOCKED] = 4,
        [TROUBLE_STOP_PRESSED] = 5, [TROUBLE_HALTED] = 6, [TROUBLE_EDGES_LOST] = 7, [TROUBLE_EXPIRED] = 7,
        [TROUBLE_LATE] = 7, [TROUBLE_HOST_LOST] = 8,
    };
    uint16_t count = flashes[bridge->trouble];
    uint16_t at = (uint16_t)(bridge->ms % (count * 400u + 1400u));
    return at < count * 400u && at % 400u < 150;
}

void bridge_start(Bridge *bridge, uint8_t board, uint8_t reset, uint8_t levels, uint16_t used_ms)
{
    memset(bridge, 0, sizeof *bridge);
    bridge->board = board;
    bridge->reset = reset;
    bridge->levels = levels;
    bridge->button_due = bridge->unheard[0] = bridge->unheard[1] = FOREVER;
    bridge->shot.deadline = FOREVER;
    budget_start(&bridge->budget, used_ms);
    say_hello(bridge, 0);
}

uint16_t bridge_used_ms(Bridge *bridge)
{
    uint16_t used = budget_used_ms(&bridge->budget, bridge->now);
    if (bridge->outputs & OUTPUT_ENABLE)
        used += (uint16_t)((uint32_t)(bridge->permit - bridge->on_since) / 1000);
    return used;
}

void bridge_hear(Bridge *bridge, Moment now, uint8_t byte)
{
    reach(bridge, now);
    if (frame_byte(&bridge->reader, byte)) {
        heard(bridge);
        step(bridge); /* not within `heard`: the stack would be too deep */
        send_event(bridge);
    }
}

void bridge_tick(Bridge *bridge, Moment now, uint8_t levels)
{
    reach(bridge, now);
    bridge->levels = sensed(bridge, levels);
    watch_host(bridge);
    if (bridge->configured) {
        uint8_t still = standing(bridge->levels);
        if (still)
            bridge_trip(bridge, bridge->now, still);
        if (bridge->outputs & OUTPUT_ENABLE)
            listen_for_lost(bridge);
        step(bridge);
        if (bridge->outputs & OUTPUT_ENABLE && bridge->now >= bridge->permit) {
            bridge_trip(bridge, bridge->now, TROUBLE_EXPIRED); /* the machine should have ended before */
            step(bridge);
        }
        settle_button(bridge);
    }
    send_event(bridge);
    bridge->outputs = (uint8_t)((bridge->outputs & MOTOR) | bridge->shown | (led(bridge) ? OUTPUT_LED : 0));
}
