/* The Pro Micro's firmware on an emulated ATmega32U4, seen from the other end of its USB cable. Commands on standard input:
   get TYPE REQUEST VALUE INDEX LENGTH (hex) | set TYPE REQUEST VALUE [DATA] (hex) | say HEX | hear MS | pin A LEVEL | quit
   Answers: `got HEX`, `done`, `stalled`, `heard HEX`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_extint.h"
#include "avr_ioport.h"
#include "avr_usb.h"
#include "sim_avr.h"

#define MHZ 16
#define TRIES 400
#define OUT_PIPE 2
#define IN_PIPE 3

static avr_t *avr;

static void idle(avr_t *chip, avr_cycle_count_t cycles) { (void)chip, (void)cycles; }

static avr_cycle_count_t nothing(avr_t *chip, avr_cycle_count_t when, void *param) {
    (void)chip, (void)when, (void)param;
    return 0;
}

static void run(unsigned us) {
    avr_cycle_count_t end = avr->cycle + us * MHZ;
    avr_cycle_timer_register(avr, us * MHZ, nothing, 0);
    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) exit(3);
    }
}

/* One packet, asked for again while the chip is not ready; its length, or the fault. */
static int packet(uint32_t direction, int pipe, uint8_t *bytes, unsigned size) {
    for (int i = 0; i < TRIES; i++) {
        struct avr_io_usb wanted = {(uint8_t)pipe, size, bytes};
        int result = avr_ioctl(avr, direction, &wanted);
        if (result == AVR_IOCTL_USB_OK) return (int)wanted.sz;
        if (result == AVR_IOCTL_USB_STALL) return AVR_IOCTL_USB_STALL;
        run(100);
    }
    return AVR_IOCTL_USB_NAK;
}

static void setup(const unsigned *v, unsigned length) {
    uint8_t words[8] = {(uint8_t)v[0], (uint8_t)v[1], (uint8_t)v[2], (uint8_t)(v[2] >> 8),
                        (uint8_t)v[3], (uint8_t)(v[3] >> 8), (uint8_t)length, (uint8_t)(length >> 8)};
    struct avr_io_usb wanted = {0, sizeof words, words};
    avr_ioctl(avr, AVR_IOCTL_USB_SETUP, &wanted);
    run(200);
}

static void tell(const char *what, const uint8_t *bytes, int count) {
    printf("%s ", what);
    for (int i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static unsigned unhex(const char *text, uint8_t *bytes) {
    unsigned n = 0, value;
    for (; sscanf(text, "%2x", &value) == 1; text += 2) bytes[n++] = (uint8_t)value;
    return n;
}

static void get(const unsigned *v) {
    uint8_t bytes[512];
    int count = 0;
    setup(v, v[4]);
    while (count < (int)v[4]) {
        int got = packet(AVR_IOCTL_USB_READ, 0, bytes + count, 64);
        if (got < 0) {
            printf("stalled\n");
            return;
        }
        count += got;
        if (got < 64) break;
    }
    packet(AVR_IOCTL_USB_WRITE, 0, bytes, 0);
    run(300);
    tell("got", bytes, count);
}

static void set(const unsigned *v, const char *data) {
    uint8_t bytes[64];
    unsigned count = unhex(data, bytes);
    setup(v, count);
    if (count) packet(AVR_IOCTL_USB_WRITE, 0, bytes, count);
    int status = packet(AVR_IOCTL_USB_READ, 0, bytes, 64);
    run(500);
    printf(status < 0 ? "stalled\n" : "done\n");
}

static void hear(unsigned ms) {
    uint8_t bytes[64];
    printf("heard ");
    while (ms--) {
        struct avr_io_usb wanted = {IN_PIPE, sizeof bytes, bytes};
        if (avr_ioctl(avr, AVR_IOCTL_USB_READ, &wanted) == AVR_IOCTL_USB_OK)
            for (unsigned i = 0; i < wanted.sz; i++) printf("%02x", bytes[i]);
        run(1000);
    }
    printf("\n");
}

static void pin(char button, int level) {
    static const struct { char port; int bit; } places[4] = {{'D', 1}, {'D', 4}, {'C', 6}, {'D', 7}};
    static int levels[4] = {1, 1, 1, 1};
    levels[button - 'A'] = level;
    for (const char *port = "CD"; *port; port++) {
        avr_ioport_external_t external = {.name = *port};
        for (int i = 0; i < 4; i++)
            if (places[i].port == *port) {
                external.mask |= 1 << places[i].bit;
                external.value |= levels[i] << places[i].bit;
            }
        avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(*port), &external);
    }
    for (int i = 0; i < 4; i++) {
        avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(places[i].port), places[i].bit);
        avr_raise_irq(irq, !levels[i]);
        avr_raise_irq(irq, levels[i]);
    }
}

static void start(const char *name) {
    char line[600];
    unsigned size, at, kind, value;
    FILE *file = fopen(name, "r");
    if (!file) exit(2);
    avr = avr_make_mcu_by_name("atmega32u4");
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = MHZ * 1000000;
    avr->sleep = idle;
    avr->run_cycle_limit = 50 * MHZ;
    avr->codeend = avr->flashend;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, ":%2x%4x%2x", &size, &at, &kind) != 3 || kind) continue;
        for (unsigned i = 0; i < size && sscanf(line + 9 + 2 * i, "%2x", &value) == 1; i++) avr->flash[at + i] = (uint8_t)value;
    }
    fclose(file);
    avr_reset(avr);
    for (uint8_t i = 0; i < 5; i++) avr_extint_set_strict_lvl_trig(avr, i, 0);
    pin('A', 1);
    run(5000);
    avr_ioctl(avr, AVR_IOCTL_USB_RESET, 0);
    run(2000);
}

int main(int count, char **words) {
    char text[2048], data[1024];
    unsigned v[5];
    char button;
    int level;
    if (count != 2) return 2;
    start(words[1]);
    while (fgets(text, sizeof text, stdin)) {
        data[0] = 0;
        if (sscanf(text, "get %x %x %x %x %x", &v[0], &v[1], &v[2], &v[3], &v[4]) == 5) get(v);
        else if (v[3] = 0, sscanf(text, "set %x %x %x %1023s", &v[0], &v[1], &v[2], data) >= 3) set(v, data);
        else if (sscanf(text, "say %1023s", data) == 1) {
            uint8_t bytes[512];
            int sent = packet(AVR_IOCTL_USB_WRITE, OUT_PIPE, bytes, unhex(data, bytes));
            printf(sent < 0 ? "stalled\n" : "done\n");
        } else if (sscanf(text, "hear %u", &v[0]) == 1) hear(v[0]);
        else if (sscanf(text, "pin %c %d", &button, &level) == 2) {
            pin(button, level);
            printf("done\n");
        } else break;
        fflush(stdout);
    }
    return 0;
}
