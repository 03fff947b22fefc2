#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

#define MOMENT_MS 1
#define LATE_US 500000 /* further behind than this, the clock is set anew: the machine slept */

static int master = -1;
static char name[1024];
static bool opened, frozen, resets;
static uint64_t begun; /* what the clock showed at emulated time 0 */
static uint32_t ppm, state;
static uint8_t out[4096];
static size_t out_count;

static uint64_t clock_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void port_open(const char *link) {
    int slave;
    struct termios raw;
    cfmakeraw(memset(&raw, 0, sizeof raw));
    raw.c_cflag |= CS8 | CREAD | CLOCAL;
    if (openpty(&master, &slave, 0, &raw, 0) != 0) {
        fprintf(stderr, "box-emulator: no pseudo-terminal: %s\n", strerror(errno));
        exit(3);
    }
    fcntl(master, F_SETFL, O_NONBLOCK);
    snprintf(name, sizeof name, "%s", link);
    unlink(name);
    if (symlink(ptsname(master), name) != 0) {
        fprintf(stderr, "box-emulator: %s: %s\n", name, strerror(errno));
        exit(3);
    }
    close(slave); /* from now on a hang-up says that nobody has it open */
    opened = false;
    if (!begun) begun = clock_us() - chip_us();
}

void port_close(void) {
    if (master < 0) return;
    unlink(name);
    close(master);
    master = -1;
    opened = false;
    out_count = 0;
}

static uint32_t chance(void) { /* xorshift: the same faults each time */
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static uint8_t spoilt(uint8_t byte) {
    return ppm && chance() % 1000000 < ppm ? byte ^ (uint8_t)(1 + chance() % 255) : byte;
}

void port_damage(uint32_t parts, uint32_t seed) {
    ppm = parts;
    state = seed ? seed : 1;
}

void port_send(uint8_t byte) {
    if (opened && out_count < sizeof out) out[out_count++] = spoilt(byte); /* USB keeps nothing for a later opener */
}

void port_sent(uint64_t us, uint8_t byte) {
    (void)us;
    port_send(byte);
}

bool port_obey(const char *word, const char *rest) {
    if (!strcmp(word, "freeze")) frozen = true;
    else if (!strcmp(word, "thaw")) {
        frozen = false;
        begun = clock_us() - chip_us();
    } else if (!strcmp(word, "unplug")) port_close();
    else if (!strcmp(word, "plug")) {
        char same[sizeof name];
        snprintf(same, sizeof same, "%s", *rest ? rest : name);
        port_close();
        chip_feed_clear();
        chip_reset(true);
        frozen = false;
        begun = clock_us() - chip_us();
        port_open(same);
    } else if (!strcmp(word, "resets")) resets = atoi(rest);
    else return false;
    return true;
}

static void flush_out(void) {
    if (master < 0 || !opened || !out_count) return;
    ssize_t n = write(master, out, out_count);
    if (n <= 0) return;
    out_count -= (size_t)n;
    memmove(out, out + n, out_count);
}

static void take_in(void) {
    uint8_t bytes[512];
    struct pollfd port = {.fd = master, .events = POLLIN};
    if (master < 0 || poll(&port, 1, 0) < 0) return;
    bool now_open = !(port.revents & POLLHUP);
    if (now_open && !opened) {
        opened = true;
        out_count = 0;
        if (resets) chip_reset(false);
        printf("opened %llu\n", (unsigned long long)chip_us());
    } else if (!now_open && opened) {
        opened = false;
        out_count = 0;
        printf("closed %llu\n", (unsigned long long)chip_us());
    }
    if (!(port.revents & POLLIN)) return;
    ssize_t n = read(master, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++)
        if (!frozen) chip_feed(spoilt(bytes[i]));
}

bool port_wait(bool (*people)(void)) {
    struct pollfd words = {.fd = 0, .events = POLLIN};
    if (poll(&words, 1, MOMENT_MS) > 0) return people();
    return true;
}

void port_run(void) {
    take_in();
    uint64_t now = clock_us() - begun;
    if (!frozen) {
        if (now > chip_us() + LATE_US) begun += now - chip_us() - LATE_US / 2;
        now = clock_us() - begun;
        if (now > chip_us()) chip_run(now);
    }
    flush_out();
}
