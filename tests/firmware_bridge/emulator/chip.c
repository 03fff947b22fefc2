#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_extint.h"
#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"

#define MHZ 16
#define CHARACTER 1360 /* cycles: what the firmware's divider makes of 115200 */
#define SILENT_US 40000
#define PINS 4096
#define PAINT 0xA5 /* what memory holds that nobody has written */
#define FEED (1 << 20)

static avr_t *avr;
static avr_irq_t *button[4], *receiver;
static const uint8_t button_bit[4] = {2, 4, 5, 6}; /* of port D */
static int level[4] = {1, 1, 1, 1};
static chip_byte_t on_byte;
static bool was_reset, edges;

static struct { uint64_t at; uint8_t pin, level; } pins[PINS];
static int pin_count;
static uint8_t feed[FEED];
static uint32_t feed_head, feed_tail;
static uint64_t feed_at;

static uint64_t cycles(void) { return avr->cycle; }
uint64_t chip_us(void) { return cycles() / MHZ; }

static void report(const char *what, int value) { printf("%s %llu %d\n", what, (unsigned long long)chip_us(), value); }

/* What the piezo sounds: told when its pitch changes by more than 2 %, and when it falls silent. */
static struct { uint64_t last; int hz; } sound;

static void piezo(struct avr_irq_t *irq, uint32_t value, void *param) {
    static uint32_t old;
    (void)irq, (void)param;
    bool rise = value && !old;
    old = value;
    if (!rise) return;
    uint64_t now = cycles();
    if (edges) printf("edge %llu\n", (unsigned long long)now);
    if (!sound.last) report("buzz", 1);
    else {
        int hz = (int)(MHZ * 1e6 / (double)(now - sound.last) + 0.5);
        if (abs(hz - sound.hz) * 50 > sound.hz) report("tone", sound.hz = hz);
    }
    sound.last = now;
}

static void fall_silent(void) {
    if (!sound.last || cycles() - sound.last < SILENT_US * MHZ) return;
    sound.last = 0;
    sound.hz = 0;
    report("tone", 0);
}

static void lamp(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    report(param, value != 0);
}

static void spoken(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    on_byte(chip_us(), (uint8_t)value);
}

/* The pull-ups of the real box: without this each write to the port would undo a pin that is held low. */
static void drive(void) {
    avr_ioport_external_t external = {.name = 'D'};
    for (int i = 0; i < 4; i++) {
        external.mask |= 1 << button_bit[i];
        if (level[i]) external.value |= 1 << button_bit[i];
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &external);
    for (int i = 0; i < 4; i++) {
        avr_raise_irq(button[i], !level[i]); /* a value that it has already is not passed on */
        avr_raise_irq(button[i], level[i]);
    }
}

static void idle(avr_t *chip, avr_cycle_count_t cycles) { (void)chip, (void)cycles; }

static void on_reset(avr_t *chip) {
    (void)chip;
    was_reset = true;
}

static avr_cycle_count_t nothing(avr_t *chip, avr_cycle_count_t when, void *param) {
    (void)chip, (void)when, (void)param;
    return 0;
}

/* Intel hex into the flash; returns the lowest address. Optiboot's file has a record that libsimavr's own reader refuses. */
static uint32_t load(const char *name) {
    char line[600];
    unsigned size, at, kind, value;
    uint32_t lowest = avr->flashend + 1;
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, ":%2x%4x%2x", &size, &at, &kind) != 3) continue;
        for (unsigned i = 0; kind == 0 && i < size; i++) {
            if (at + i > avr->flashend || sscanf(line + 9 + 2 * i, "%2x", &value) != 1) break;
            avr->flash[at + i] = (uint8_t)value;
            if (at < lowest) lowest = at;
        }
    }
    if (file) fclose(file);
    if (lowest > avr->flashend) {
        fprintf(stderr, "box-emulator: %s: no Intel hex for this chip\n", name);
        exit(2);
    }
    return lowest;
}

static void listen(char port, int bit, avr_irq_notify_t notify, void *param) {
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), notify, param);
}

void chip_start(const char *firmware, const char *bootloader, chip_byte_t sent) {
    on_byte = sent;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = MHZ * 1000000;
    avr->sleep = idle;
    avr->run_cycle_limit = 50 * MHZ;
    avr->codeend = avr->flashend;
    memset(avr->data + avr->ioend + 1, PAINT, avr->ramend - avr->ioend);
    memset(avr->flash, 0xFF, avr->flashend + 1);
    load(firmware);
    if (bootloader) avr->reset_pc = load(bootloader);
    avr->reset = on_reset;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    receiver = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), spoken, 0);
    for (int i = 0; i < 4; i++) button[i] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), button_bit[i]);
    listen('D', 3, lamp, "lamp");
    listen('B', 2, lamp, "lamp2");
    listen('B', 5, lamp, "link");
    listen('B', 1, piezo, 0);
    chip_reset(true);
}

void chip_reset(bool power) {
    avr_reset(avr);
    avr_regbit_set(avr, power ? avr->reset_flags.porf : avr->reset_flags.extrf);
    was_reset = true;
}

/* The chip has begun anew: its receiver is empty and its pins are as the outside holds them. */
static void after_reset(void) {
    was_reset = false;
    /* a low D2 or D3 would otherwise be polled at every cycle, for a level interrupt that nobody has switched on */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    feed_at = cycles();
    drive();
    report("reset", 0);
}

static void due(void) {
    for (int i = 0; i < pin_count; i++) {
        if (pins[i].at > cycles()) continue;
        level[pins[i].pin] = pins[i].level;
        drive();
        memmove(&pins[i], &pins[i + 1], sizeof pins[0] * (size_t)(--pin_count - i));
        i--;
    }
    if (feed_head != feed_tail && feed_at <= cycles()) {
        avr_raise_irq(receiver, feed[feed_tail]);
        feed_tail = (feed_tail + 1) % FEED;
        feed_at = cycles() + CHARACTER;
    }
}

void chip_run(uint64_t us) {
    uint64_t end = us * MHZ;
    while (cycles() < end) {
        if (was_reset) after_reset();
        due();
        uint64_t next = end;
        for (int i = 0; i < pin_count; i++)
            if (pins[i].at < next) next = pins[i].at;
        if (feed_head != feed_tail && feed_at < next) next = feed_at;
        /* a timer of our own, so that a sleeping chip does not sleep past it */
        if (next > cycles()) avr_cycle_timer_register(avr, next - cycles(), nothing, 0);
        while (cycles() < next && !was_reset) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                fprintf(stderr, "box-emulator: the chip has crashed\n");
                exit(3);
            }
        }
        fall_silent();
    }
}

void chip_feed(uint8_t byte) {
    if (feed_head == feed_tail && feed_at < cycles()) feed_at = cycles();
    feed[feed_head] = byte;
    feed_head = (feed_head + 1) % FEED;
}

void chip_feed_clear(void) { feed_tail = feed_head; }

bool chip_pin(char name, int high, uint64_t us) {
    if (pin_count == PINS || name < 'A' || name > 'D') return false;
    int place = pin_count++;
    while (place && pins[place - 1].at > us * MHZ) {
        pins[place] = pins[place - 1];
        place--;
    }
    pins[place].at = us * MHZ;
    pins[place].pin = (uint8_t)(name - 'A');
    pins[place].level = (uint8_t)high;
    return true;
}

unsigned chip_stack(void) {
    unsigned at = avr->ramend, clean = 0;
    while (clean < 32 && at > avr->ioend) clean = avr->data[at--] == PAINT ? clean + 1 : 0;
    return avr->ramend - at - clean;
}

void chip_edges(bool on) { edges = on; }
