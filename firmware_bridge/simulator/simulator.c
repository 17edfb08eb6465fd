/* Runs the firmware on a simulated ATmega328P: its UART on a pty, its pins on a simple launcher and a control socket.

usage: simulator FIRMWARE.elf SOCKET [PTY]

With PTY (a symbolic link that is made) time keeps to the wall clock, and opening the port resets the chip, as DTR does
on a real board. Without it time stands still until it is told to go on, and the UART is read and written by commands.

One client at a time speaks lines over the Unix socket SOCKET; each is answered by one line, `ok ...` or `no ...`:

    set PIN 0|1       drive an input, as in `set D3 1`          get PIN        the level of a pin
    press MS          a finger on the button for so long        run US         let time pass (virtual time only)
    hopper N          put N cards into the launcher             out            cards that left it for good
    jam soft|hard     the next card sticks; soft: until pulled back       free      a person frees it
    reset             the chip's reset pin                      unplug, plug   the pty goes, and comes back
    power             its supply goes, and comes back           dip            so briefly that it only says brown-out,
                                                                               and yet its memory is lost
    noise in|out N    flip a bit of every Nth byte (0: none)    send HEX       bytes to the UART (virtual time only)
    time              microseconds since the start              stack          bytes of RAM never written
    hang              the loop stands still: only interrupts run (the CPU is held in an endless loop)

Unasked it says `edge PIN LEVEL US` for every output that changes, and in virtual time `uart HEX US` for every byte. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_time.h>

#define FREQUENCY 16000000
#define CYCLES (FREQUENCY / 1000000) /* in a microsecond */
#define SLICE 200     /* microseconds between two looks at the world */
#define BYTE 87       /* microseconds of a byte at 115200 baud */
#define MACHINE 100   /* microseconds of a step of the launcher */
#define PAINT 0xC5    /* RAM that was never written */
#define BEHIND 100000 /* microseconds we may be behind the wall clock before we stop catching up */

static avr_t *avr;
static int control = -1, listening = -1, master = -1;
static const char *link_path;
static bool is_open;

static uint64_t microseconds(void) { return avr->cycle / CYCLES; }

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[256];
    va_list rest;
    if (control < 0)
        return;
    va_start(rest, format);
    int size = vsnprintf(line, sizeof line, format, rest);
    va_end(rest);
    if (send(control, line, (size_t)size, MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
        close(control);
        control = -1;
    }
}

/* --- pins ------------------------------------------------------------------------------------------------------ */

static uint8_t driven[2]; /* what the world puts on the inputs of ports B and D */
static uint8_t outputs[2];
static const char ports[] = "BD";
static const uint8_t inputs[] = {0x00, 0x7C}, watched[] = {0x2F, 0x80};

enum { BUTTON = 2, LID, BEAM, BEAM2, STOP };

static void put_inputs(int port, int bit)
{
    avr_ioport_external_t outside = {.name = (unsigned long)ports[port], .mask = inputs[port], .value = driven[port]};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(ports[port]), &outside);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port]), bit), driven[port] >> bit & 1);
}

static void set_pin(int port, int bit, bool level)
{
    driven[port] = (uint8_t)((driven[port] & ~(1u << bit)) | (unsigned)level << bit);
    put_inputs(port, bit);
}

static void pin_changed(avr_irq_t *irq, uint32_t value, void *parameter)
{
    intptr_t pin = (intptr_t)parameter;
    int port = (int)(pin >> 3), bit = (int)(pin & 7);
    (void)irq;
    if ((outputs[port] >> bit & 1) == (value & 1))
        return;
    outputs[port] ^= (uint8_t)(1u << bit);
    say("edge %c%d %d %llu\n", ports[port], bit, (int)(value & 1), (unsigned long long)microseconds());
}

/* --- the launcher at the other end of the pins ----------------------------------------------------------------- */

#define SPIN_UP 60000 /* microseconds of forward until the first card's front is at the beam */
#define INTERVAL 90000
#define CARD 43000
#define GAP 12400 /* a card's front from the first beam to the second */
#define PULLED_BACK 20000

static struct {
    int hopper, out;
    int64_t ahead;        /* of forward, until the next card's front */
    uint64_t front, left; /* when the front of the last card was at the first beam, and when its end is */
    bool forward, passing;
    enum { NO_JAM, SOFT, HARD } jam, stuck;
    int64_t pulled;
    uint32_t chance;
} machine = {.hopper = 112, .ahead = SPIN_UP, .chance = 7};

static int64_t jitter(int64_t value) /* 5 % either way, the same every time */
{
    machine.chance = machine.chance * 1664525u + 1013904223u;
    return value * (950 + (int64_t)(machine.chance >> 16) % 101) / 1000;
}

static void run_machine(uint64_t now)
{
    bool in1 = outputs[0] & 1, in2 = outputs[0] & 2, powered = outputs[1] & 0x80 && in1 != in2;
    if (powered && in1) {
        if (!machine.forward && machine.ahead < SPIN_UP)
            machine.ahead = SPIN_UP;
        if (!machine.stuck && (machine.ahead -= MACHINE) <= 0 && machine.hopper > 0) {
            machine.ahead = jitter(INTERVAL);
            if (machine.jam) {
                machine.stuck = machine.jam;
                machine.jam = NO_JAM;
            } else {
                machine.hopper--;
                machine.front = now;
                machine.left = now + (uint64_t)jitter(CARD);
                machine.passing = true;
            }
        }
    } else if (powered && machine.stuck == SOFT && (machine.pulled += MACHINE) >= PULLED_BACK) {
        machine.stuck = NO_JAM;
        machine.pulled = 0;
    }
    machine.forward = powered && in1;
    if (machine.passing && now >= machine.left + GAP) {
        machine.passing = false;
    }
    static bool counted = true;
    bool first = machine.passing && now < machine.left, second = machine.passing && now >= machine.front + GAP;
    if (first)
        counted = false;
    else if (!counted) {
        counted = true;
        machine.out++;
    }
    bool low = first || machine.stuck;
    static bool was, was2;
    if (low != was)
        set_pin(1, BEAM, !(was = low));
    if (second != was2)
        set_pin(1, BEAM2, !(was2 = second));
}

/* --- the UART --------------------------------------------------------------------------------------------------- */

static uint8_t waiting[4096];
static size_t waiting_from, waiting_to;
static unsigned noise_in, noise_out, count_in, count_out;

static uint8_t spoil(uint8_t byte, unsigned every, unsigned *count)
{
    return every && ++*count % every == 0 ? byte ^ (uint8_t)(1u << *count % 8) : byte;
}

static void hear(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size && (waiting_to + 1) % sizeof waiting != waiting_from; at++) {
        waiting[waiting_to] = bytes[at];
        waiting_to = (waiting_to + 1) % sizeof waiting;
    }
}

static void next_byte(void)
{
    uint8_t byte = spoil(waiting[waiting_from], noise_in, &count_in);
    waiting_from = (waiting_from + 1) % sizeof waiting;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

static void byte_said(avr_irq_t *irq, uint32_t value, void *parameter)
{
    uint8_t byte = spoil((uint8_t)value, noise_out, &count_out);
    (void)irq, (void)parameter;
    if (!link_path)
        say("uart %02x %llu\n", byte, (unsigned long long)microseconds());
    else if (is_open && write(master, &byte, 1) < 0 && errno != EAGAIN && errno != EIO)
        perror("pty");
}

static void plug(void)
{
    int slave;
    char name[128];
    struct termios raw;
    if (openpty(&master, &slave, name, NULL, NULL) < 0) {
        perror("openpty");
        exit(1);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    unlink(link_path);
    if (symlink(name, link_path) < 0) {
        perror(link_path);
        exit(1);
    }
    is_open = false;
}

static void unplug(void)
{
    close(master);
    master = -1;
    unlink(link_path);
    is_open = false;
}

/* --- the chip --------------------------------------------------------------------------------------------------- */

static void wire(void)
{
    for (int port = 0; port < 2; port++)
        for (int bit = 0; bit < 8; bit++) {
            avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port]), bit);
            if (watched[port] >> bit & 1)
                avr_irq_register_notify(irq, pin_changed, (void *)(intptr_t)(port << 3 | bit));
            if (inputs[port] >> bit & 1)
                put_inputs(port, bit);
        }
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_said, NULL);
    uint32_t flags = 0; /* neither to the terminal, nor sleeping while the chip polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}

static void (*chip_reset)(avr_t *);

/* External interrupts are not used; while they wait for a low level, simavr looks at their pins in every cycle. */
static void calm(void) { avr->data[0x69] = 0x05; /* EICRA: edges */ }

/* Whatever resets the chip: its pins let go, and the world is still on its inputs. */
static void on_reset(avr_t *chip)
{
    chip_reset(chip);
    calm();
    for (int port = 0; port < 2; port++)
        for (int bit = 0; bit < 8; bit++) {
            if (outputs[port] >> bit & 1)
                pin_changed(NULL, 0, (void *)(intptr_t)(port << 3 | bit));
            if (inputs[port] >> bit & 1) { /* a level that is not another one would not be passed on */
                avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port]), bit), !(driven[port] >> bit & 1));
                put_inputs(port, bit);
            }
        }
}

/* While the chip sleeps, its time goes on at once: keeping to the wall clock is `pace`'s. */
static void sleep_not(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip, (void)cycles;
}

enum { POWER_ON = 1, RESET_PIN = 2, BROWN_OUT = 4 }; /* bits of MCUSR */

static void reset(uint8_t cause)
{
    uint8_t before = cause == POWER_ON ? 0 : avr->data[0x54]; /* stands until the firmware has seen it */
    avr_reset(avr);
    if (cause != RESET_PIN)
        memset(avr->data + 0x100, PAINT, avr->ramend - 0xFFu);
    avr->data[0x54] = before | cause;
    waiting_from = waiting_to = 0;
}

static uint64_t until; /* in cycles */
static uint64_t machine_due, byte_due;
static uint64_t let_go = UINT64_MAX; /* when the finger leaves the button, in cycles */

/* So that a chip that sleeps does not sleep past what happens to it. */
static avr_cycle_count_t wake(avr_t *chip, avr_cycle_count_t when, void *parameter)
{
    (void)chip, (void)when, (void)parameter;
    return 0;
}

/* Run until the chip's time is `until`. False when it is dead. */
static bool run(void)
{
    while (avr->cycle < until) {
        if (avr->cycle >= machine_due) {
            machine_due += MACHINE * CYCLES;
            run_machine(microseconds());
            avr_cycle_timer_register(avr, MACHINE * CYCLES, wake, NULL);
        }
        if (avr->cycle >= byte_due && waiting_from != waiting_to) {
            byte_due = avr->cycle + BYTE * CYCLES;
            next_byte();
        }
        if (avr->cycle >= let_go) {
            let_go = UINT64_MAX;
            set_pin(1, BUTTON, true);
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
    }
    return true;
}

static unsigned never_written(void)
{
    unsigned longest = 0, here = 0;
    for (unsigned at = 0x100; at <= avr->ramend; at++) {
        here = avr->data[at] == PAINT ? here + 1 : 0;
        longest = here > longest ? here : longest;
    }
    return longest;
}

/* --- the control socket ------------------------------------------------------------------------------------------ */

static void obey(char *line)
{
    char word[16] = "", name[16] = "";
    unsigned long long number = 0;
    int port, bit;
    sscanf(line, "%15s %15s %llu", word, name, &number);
    port = name[0] == 'D';
    bit = name[1] & 7;
    if (!strcmp(word, "set")) {
        set_pin(port, bit, number != 0);
    } else if (!strcmp(word, "get")) {
        say("ok %d\n", ((inputs[port] >> bit & 1 ? driven[port] : outputs[port]) >> bit) & 1);
        return;
    } else if (!strcmp(word, "press")) {
        set_pin(1, BUTTON, false);
        let_go = avr->cycle + strtoull(name, NULL, 10) * 1000 * CYCLES;
    } else if (!strcmp(word, "run") && !link_path) {
        until = avr->cycle + strtoull(name, NULL, 10) * CYCLES;
        if (!run()) {
            say("no the chip is dead\n");
            return;
        }
    } else if (!strcmp(word, "send") && !link_path) {
        for (char *hex = strchr(line, ' ') + 1; hex[0] && hex[1] && hex[0] != '\n'; hex += 2) {
            unsigned byte;
            sscanf(hex, "%2x", &byte);
            hear(&(uint8_t){(uint8_t)byte}, 1);
        }
    } else if (!strcmp(word, "hopper")) {
        machine.hopper = atoi(name);
    } else if (!strcmp(word, "out")) {
        say("ok %d\n", machine.out);
        return;
    } else if (!strcmp(word, "jam")) {
        machine.jam = strcmp(name, "hard") ? SOFT : HARD;
    } else if (!strcmp(word, "free")) {
        machine.jam = machine.stuck = NO_JAM;
    } else if (!strcmp(word, "reset")) {
        reset(RESET_PIN);
    } else if (!strcmp(word, "power")) {
        reset(POWER_ON);
    } else if (!strcmp(word, "dip")) {
        reset(BROWN_OUT);
    } else if (!strcmp(word, "unplug") && link_path) {
        unplug();
    } else if (!strcmp(word, "plug") && link_path) {
        plug();
    } else if (!strcmp(word, "noise")) {
        *(strcmp(name, "in") ? &noise_out : &noise_in) = (unsigned)number;
    } else if (!strcmp(word, "hang")) {
        avr->data[avr->ramend] = PAINT;
        avr->flash[avr->pc] = 0xFF; /* rjmp .-2 */
        avr->flash[avr->pc + 1] = 0xCF;
    } else if (!strcmp(word, "stack")) {
        say("ok %u\n", never_written());
        return;
    } else if (strcmp(word, "time")) {
        say("no such command: %s\n", word);
        return;
    }
    say("ok %llu\n", (unsigned long long)microseconds());
}

static void attend(int patience)
{
    static char line[512];
    static size_t size;
    struct pollfd news[3] = {{listening, POLLIN, 0}, {control, POLLIN, 0}, {master, POLLIN, 0}};
    if (poll(news, 3, patience) <= 0 && !link_path)
        return;
    if (news[0].revents) {
        if (control >= 0)
            close(control);
        control = accept(listening, NULL, NULL);
        size = 0;
        return;
    }
    if (control >= 0 && news[1].revents) {
        ssize_t got = recv(control, line + size, sizeof line - 1 - size, 0);
        if (got <= 0) {
            close(control);
            control = -1;
            return;
        }
        size += (size_t)got;
        line[size] = 0;
        for (char *end; (end = strchr(line, '\n')); size = strlen(line)) {
            *end = 0;
            obey(line);
            memmove(line, end + 1, strlen(end + 1) + 1);
        }
    }
    if (master < 0 || !link_path)
        return;
    bool now_open = !(news[2].revents & POLLHUP);
    if (now_open && !is_open)
        reset(RESET_PIN); /* as DTR does */
    is_open = now_open;
    if (news[2].revents & POLLIN) {
        uint8_t bytes[256];
        ssize_t got = read(master, bytes, sizeof bytes);
        if (got > 0)
            hear(bytes, (size_t)got);
    }
}

static uint64_t wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void pace(void)
{
    uint64_t start = wall() - microseconds();
    for (;;) {
        attend(0);
        until = avr->cycle + SLICE * CYCLES;
        if (!run()) {
            fprintf(stderr, "the chip is dead\n");
            exit(1);
        }
        int64_t ahead = (int64_t)(microseconds() + start - wall());
        if (ahead > 0)
            usleep((useconds_t)ahead);
        else if (ahead < -BEHIND)
            start = wall() - microseconds();
    }
}

int main(int count, char **words)
{
    static elf_firmware_t firmware;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count < 3 || count > 4 || strlen(words[2]) >= sizeof address.sun_path) {
        fprintf(stderr, "usage: simulator FIRMWARE.elf SOCKET [PTY]\n");
        return 2;
    }
    link_path = count == 4 ? words[3] : NULL;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* whoever started us must not leave us behind */
    if (elf_read_firmware(words[1], &firmware) < 0)
        return 1;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = FREQUENCY;
    avr_load_firmware(avr, &firmware);
    avr->log = LOG_NONE;
    memset(avr->data + 0x100, PAINT, avr->ramend - 0xFFu);
    driven[1] = 1 << BUTTON | 1 << BEAM | 1 << BEAM2; /* lid closed, stop not pressed */
    calm();
    wire();
    chip_reset = avr->reset;
    avr->reset = on_reset;
    avr->sleep = sleep_not;
    avr->run_cycle_limit = 10 * CYCLES;
    avr->data[0x54] = POWER_ON;
    strcpy(address.sun_path, words[2]);
    unlink(words[2]);
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) < 0 || listen(listening, 1) < 0) {
        perror(words[2]);
        return 1;
    }
    if (link_path) {
        plug();
        printf("ready\n");
        fflush(stdout);
        pace();
    }
    printf("ready\n");
    fflush(stdout);
    for (;;)
        attend(-1);
}
