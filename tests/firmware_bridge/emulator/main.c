/* The emulated box. `box-emulator step FIRMWARE.hex [BOOTLOADER.hex]` runs when it is told to, in emulated time;
   `box-emulator live LINK FIRMWARE.hex [BOOTLOADER.hex]` runs by the clock behind a pseudo-terminal, which LINK names.
   Commands come on standard input, a line each; what happens is told on standard output.

   both: press A 40 | pin A LEVEL AFTER_US | reset | power | edges 0|1 | stack | quit
   step: feed HEX | run US            (answered by `ok US` when it has run)
   live: freeze | thaw | unplug | plug [LINK] | resets 0|1 (reset when opened, as a USB board does) | noise HEX
         damage PPM SEED (of all bytes, both ways) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chip.h"
#include "port.h"

static bool live;

static void step_byte(uint64_t us, uint8_t byte) { printf("tx %llu %02x\n", (unsigned long long)us, byte); }

static void feed_hex(const char *hex, void (*take)(uint8_t)) {
    unsigned value;
    for (; sscanf(hex, "%2x", &value) == 1; hex += 2) take((uint8_t)value);
}

static void obey(const char *text) {
    char word[32] = "", name = 0;
    char rest[4096 * 4];
    unsigned long long a = 0, b = 0;
    int high = 0;
    rest[0] = 0;
    sscanf(text, "%31s %16383s", word, rest);
    if (sscanf(text, "press %c %llu", &name, &a) == 2) {
        chip_pin(name, 0, chip_us());
        chip_pin(name, 1, chip_us() + a * 1000);
    } else if (sscanf(text, "pin %c %d %llu", &name, &high, &a) == 3) {
        chip_pin(name, high, chip_us() + a);
    } else if (!strcmp(word, "reset") || !strcmp(word, "power")) {
        chip_feed_clear();
        chip_reset(word[0] == 'p');
    } else if (!strcmp(word, "edges")) {
        chip_edges(atoi(rest));
    } else if (!strcmp(word, "stack")) {
        printf("stack %llu %u\n", (unsigned long long)chip_us(), chip_stack());
    } else if (!strcmp(word, "quit")) {
        port_close();
        exit(0);
    } else if (!live && !strcmp(word, "feed")) {
        feed_hex(rest, chip_feed);
    } else if (!live && sscanf(text, "run %llu", &a) == 1) {
        chip_run(chip_us() + a);
        printf("ok %llu\n", (unsigned long long)chip_us());
    } else if (live && sscanf(text, "damage %llu %llu", &a, &b) == 2) {
        port_damage((uint32_t)a, (uint32_t)b);
    } else if (live && !strcmp(word, "noise")) {
        feed_hex(rest, port_send);
    } else if (!live || !port_obey(word, rest)) {
        printf("unknown %s\n", text);
    }
    fflush(stdout);
}

/* Reads what stands on standard input; false when whoever spoke has gone. */
static bool listen_to_people(void) {
    static char text[4096 * 4];
    static size_t used;
    ssize_t n = read(0, text + used, sizeof text - 1 - used);
    if (n <= 0) return n < 0;
    used += (size_t)n;
    text[used] = 0;
    for (char *end; (end = strchr(text, '\n'));) {
        *end = 0;
        obey(text);
        used -= (size_t)(end + 1 - text);
        memmove(text, end + 1, used + 1);
    }
    if (used == sizeof text - 1) used = 0;
    return true;
}

int main(int count, char **words) {
    live = count > 3 && !strcmp(words[1], "live");
    int files = live ? 3 : 2;
    if (count <= files || (!live && strcmp(words[1], "step"))) {
        fprintf(stderr, "usage: box-emulator step FIRMWARE.hex [BOOTLOADER.hex] | live LINK FIRMWARE.hex [BOOTLOADER.hex]\n");
        return 2;
    }
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    chip_start(words[files], count > files + 1 ? words[files + 1] : 0, live ? port_sent : step_byte);
    if (!live) {
        while (listen_to_people()) {}
        return 0;
    }
    port_open(words[2]);
    printf("ready %s\n", words[2]);
    fflush(stdout);
    while (port_wait(listen_to_people)) {
        port_run();
        fflush(stdout);
    }
    port_close();
    return 0;
}
