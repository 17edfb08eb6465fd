/* The shell around the core on an ATmega328P at 16 MHz: pins, time, UART, watchdogs. docs/bridge.md has the wiring.

Every output is low before anything else happens. Whatever hangs, something below it lets go of the motor: the interrupt
that sees lid and stop, the one every millisecond that misses the loop, and the hardware watchdog that misses all. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../bridge.h"

/* Port D: inputs with pull-ups, and enable. */
#define BUTTON _BV(PD2) /* low = down */
#define LID _BV(PD3)    /* low = closed */
#define BEAM _BV(PD4)   /* low = blocked */
#define BEAM2 _BV(PD5)
#define STOP _BV(PD6) /* normally closed to ground: high = pressed, or its wire is off */
#define INPUTS (BUTTON | LID | BEAM | BEAM2 | STOP)
#define ENABLE _BV(PD7)
/* Port B: the other outputs. */
#define IN1 _BV(PB0)
#define IN2 _BV(PB1)
#define LAMP _BV(PB2)
#define BUZZER _BV(PB3)
#define LED _BV(PB5)
#define OUTPUTS (IN1 | IN2 | LAMP | BUZZER | LED)

#define LATE_MS 50 /* the loop did not come round for so long while the motor is on */
#define EDGES 16
#define HEARD 64

static uint8_t reset_cause __attribute__((section(".noinit")));

/* The motor's time in the minute before a reset: opening the port resets, and a host that has just started knows nothing.
Volatile, for nobody here reads what is written last. */
static volatile struct {
    uint16_t used_ms, check;
} kept __attribute__((section(".noinit")));

#define CHECK 0xA5C3 /* neither all zeros nor all ones are right by chance */

static inline void keep(uint16_t used_ms)
{
    kept.used_ms = used_ms;
    kept.check = used_ms ^ CHECK; /* a reset in between: nobody knows */
}

/* Runs before any variable is set up. The watchdog stays on through its own reset, with its shortest time, and an old
bootloader does not turn it off: here, or it would bite again and again. */
void before_all(void) __attribute__((naked, used, section(".init3")));
void before_all(void)
{
    uint8_t from_bootloader;
    __asm__ volatile("mov %0, r2" : "=r"(from_bootloader)); /* where a bootloader that cleared MCUSR leaves it */
    PORTD = INPUTS; /* pull-ups; enable low */
    PORTB = 0;
    DDRD = ENABLE;
    DDRB = OUTPUTS;
    reset_cause = MCUSR ? MCUSR : from_bootloader & 0x0F;
    /* Memory that lost what it held: for want of power, and then nothing was used; or nobody knows what was. */
    if (kept.check != (uint16_t)(kept.used_ms ^ CHECK))
        keep(reset_cause & _BV(PORF) ? 0 : ALL_USED);
    MCUSR = 0; /* not before that: another reset may come at once */
    wdt_disable();
}

static Bridge bridge;

static volatile uint32_t overflows; /* of timer 1, which counts half microseconds */
static volatile struct {
    uint32_t ticks;
    uint8_t pins;
} edges[EDGES];
static volatile uint8_t edge_in, edge_out;
static volatile uint8_t heard[HEARD], heard_in, heard_out;
static volatile uint8_t cutting; /* pins that are high when the motor must be off */
static volatile uint8_t silent_ms;
static volatile bool cut, late; /* enable was dropped by an interrupt, and the loop does not know yet */

/* --- time ----------------------------------------------------------------------------------------------------- */

ISR(TIMER1_OVF_vect) { overflows++; }

/* With interrupts off. */
static uint32_t high_ticks(uint16_t *low)
{
    uint32_t high = overflows;
    *low = TCNT1;
    if (TIFR1 & _BV(TOV1) && *low < 0x8000)
        high++; /* the overflow is not counted yet */
    return high;
}

static uint64_t now_ticks(void)
{
    uint16_t low;
    uint32_t high;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { high = high_ticks(&low); }
    return (uint64_t)high << 16 | low;
}

static Moment now(void) { return (Moment)(now_ticks() >> 1); }

/* --- what the interrupts do ------------------------------------------------------------------------------------ */

static inline void drop(void)
{
    PORTD &= (uint8_t)~ENABLE;
    cut = true;
}

ISR(PCINT2_vect)
{
    uint8_t pins = PIND, next = (uint8_t)((edge_in + 1) % EDGES);
    uint16_t low;
    uint32_t high = high_ticks(&low);
    if (pins & cutting)
        drop();
    if (next == edge_out)
        return; /* lost; the core sees that the level is another one */
    edges[edge_in].ticks = high << 16 | low;
    edges[edge_in].pins = pins;
    edge_in = next;
}

ISR(TIMER2_COMPA_vect) /* every millisecond */
{
    if (PIND & cutting)
        drop();
    if (silent_ms < LATE_MS) {
        silent_ms++;
    } else if (PORTD & ENABLE) {
        drop();
        late = true;
    }
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, next = (uint8_t)((heard_in + 1) % HEARD);
    if (next == heard_out)
        return; /* lost; the CRC sees it */
    heard[heard_in] = byte;
    heard_in = next;
}

ISR(USART_UDRE_vect)
{
    int16_t byte = bridge_say(&bridge);
    if (byte < 0)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    else
        UDR0 = (uint8_t)byte;
}

/* --- pins ------------------------------------------------------------------------------------------------------ */

static uint8_t active(uint8_t pins)
{
    return (pins & LID ? 0 : INPUT_LID) | (pins & STOP ? INPUT_STOP : 0) | (pins & BEAM ? 0 : INPUT_BEAM) |
           (pins & BEAM2 ? 0 : INPUT_BEAM2) | (pins & BUTTON ? 0 : INPUT_BUTTON);
}

static void apply(void)
{
    uint8_t out = bridge.outputs;
    uint8_t others = (out & OUTPUT_IN1 ? IN1 : 0) | (out & OUTPUT_IN2 ? IN2 : 0) | (out & OUTPUT_LAMP ? LAMP : 0) |
                     (out & OUTPUT_BUZZER ? BUZZER : 0) | (out & OUTPUT_LED ? LED : 0);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        if (!(out & OUTPUT_ENABLE))
            PORTD &= (uint8_t)~ENABLE; /* first: it alone stops the motor */
        PORTB = others;
        if (out & OUTPUT_ENABLE && !cut)
            PORTD |= ENABLE;
    }
}

/* --- the loop -------------------------------------------------------------------------------------------------- */

static void feel(void)
{
    while (edge_out != edge_in) {
        uint32_t ticks = edges[edge_out].ticks;
        uint8_t pins = edges[edge_out].pins;
        edge_out = (uint8_t)((edge_out + 1) % EDGES);
        uint64_t reached = now_ticks();
        bridge_edge(&bridge, (Moment)((reached - (uint32_t)((uint32_t)reached - ticks)) >> 1), active(pins));
    }
}

static void listen(void)
{
    while (heard_out != heard_in) {
        uint8_t byte = heard[heard_out];
        heard_out = (uint8_t)((heard_out + 1) % HEARD);
        bridge_hear(&bridge, now(), byte);
    }
}

int main(void)
{
    TCCR1B = _BV(CS11); /* 16 MHz / 8 */
    TIMSK1 = _BV(TOIE1);
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22); /* 16 MHz / 64 / 250 */
    OCR2A = 249;
    TIMSK2 = _BV(OCIE2A);
    PCMSK2 = INPUTS;
    PCICR = _BV(PCIE2);
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 16; /* 115200, 2.1 % fast: what an Arduino does, too */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    bridge_start(&bridge, BOARD_ATMEGA328P, reset_cause, active(PIND), kept.used_ms);
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_250MS);
    sei();
    for (;;) {
        bool was_late;
        wdt_reset();
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            was_late = late;
            cut = late = false; /* what it was for is in the edges and levels that are looked at now */
            silent_ms = 0;
        }
        if (was_late)
            bridge_trip(&bridge, now(), TROUBLE_LATE);
        feel();
        listen();
        bridge_tick(&bridge, now(), active(PIND));
        cutting = bridge.configured ? LID | (bridge.wired & WIRED_STOP ? STOP : 0) : 0;
        keep(bridge_used_ms(&bridge)); /* before enable goes up */
        apply();
        if (bridge.wire_in != bridge.wire_out)
            UCSR0B |= _BV(UDRIE0);
        cli();
        if (edge_in == edge_out && heard_in == heard_out && !cut) {
            sleep_enable();
            sei(); /* takes effect after the next instruction: nothing is slept through */
            sleep_cpu(); /* a millisecond at the longest */
            sleep_disable();
        }
        sei();
    }
}
