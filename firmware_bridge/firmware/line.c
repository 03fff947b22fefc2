#include "line.h"

#include <string.h>
#include <util/crc16.h>

#include "serial.h"

static uint16_t bad;

uint16_t line_bad(void) { return bad; }

void line_count_bad(void) { bad++; }

static uint16_t checksum(const char *body, uint8_t length) {
    uint16_t crc = 0xFFFF;
    while (length--) crc = _crc_xmodem_update(crc, (uint8_t)*body++);
    return crc;
}

static char digit(uint8_t value) { return value < 10 ? '0' + value : 'A' + value - 10; }

/* The value of four upper-case hex digits, or -1. */
static int32_t hex4(const char *text) {
    uint16_t value = 0;
    for (uint8_t i = 0; i < 4; i++) {
        char c = text[i];
        if (c >= '0' && c <= '9') value = value << 4 | (uint16_t)(c - '0');
        else if (c >= 'A' && c <= 'F') value = value << 4 | (uint16_t)(c - 'A' + 10);
        else return -1;
    }
    return value;
}

/* Whether a whole line holds; takes its checksum off. */
static bool holds(line_t *line, uint8_t length) {
    char *star = memchr(line->body, '*', length);
    line->checked = star != 0;
    if (star) {
        if (star == line->body || length - (star - line->body) != 5) return false;
        uint8_t body = (uint8_t)(star - line->body);
        if (hex4(star + 1) != checksum(line->body, body)) return false;
        length = body;
    }
    if (length > BODY_MAX) return false;
    line->body[length] = 0;
    return true;
}

bool line_byte(uint8_t byte, line_t *line) {
    static uint8_t length;
    static bool spoiled, after_cr;
    if (byte == '\n') {
        bool whole = !spoiled && length && holds(line, length);
        if (!whole && (spoiled || length)) bad++;
        length = 0;
        spoiled = after_cr = false;
        return whole;
    }
    if (after_cr) spoiled = true; /* a CR is passed over before LF only */
    after_cr = byte == '\r';
    if (after_cr) return false;
    if (byte < 0x20 || byte > 0x7E || length == BODY_MAX + 5) spoiled = true;
    if (!spoiled) line->body[length++] = (char)byte;
    return false;
}

static char text[1 + BODY_MAX + 6]; /* LF of a resend, body, *HHHH, LF */
static uint8_t used;

static void add(char c) {
    if (used <= BODY_MAX) text[used++] = c;
}

void line_begin(const char *verb) {
    text[0] = '\n';
    used = 1;
    while (*verb) add(*verb++);
}

void line_char(char letter) {
    add(' ');
    add(letter);
}

void line_text(const char *more) {
    add(' ');
    while (*more) add(*more++);
}

void line_number(uint32_t value) {
    char digits[10];
    uint8_t n = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    add(' ');
    while (n) add(digits[--n]);
}

void line_hex(uint16_t value, uint8_t digits) {
    add(' ');
    while (digits--) add(digit(value >> (4 * digits) & 15));
}

bool line_send(bool again) {
    uint16_t crc = checksum(text + 1, used - 1);
    text[used] = '*';
    for (uint8_t i = 0; i < 4; i++) text[used + 1 + i] = digit(crc >> (12 - 4 * i) & 15);
    text[used + 5] = '\n';
    return again ? serial_put(text, used + 6) : serial_put(text + 1, used + 5);
}
