#include "box.h"

#include <avr/eeprom.h>
#include <stdbool.h>
#include <string.h>

#include "buttons.h"
#include "clock.h"
#include "events.h"
#include "lamps.h"
#include "line.h"
#include "serial.h"
#include "tone.h"

#define PROTOCOL 1
#define SILENCE_MS 3500 /* without a valid line for so long, nobody listens */
#define BEAT_MS 1000
#define UNHEARD_HZ 110 /* a press that nobody hears answers so: it did not count */
#define UNHEARD_MS 60

enum { UNKNOWN = 1, BAD_VALUE = 2 };

static uint16_t EEMEM stored_id = 0xFFFF;

static char session[5] = "-"; /* "-": none since power on or BY */
static bool linked;           /* somebody listens */
static bool strict;           /* they use checksums: nothing is taken without one */
static uint32_t heard_at, beat_at;

static uint16_t last_command; /* number of the command that was answered last, 0 = none in this session */
static uint8_t last_answer;   /* 0 = OK, else the code of a NO */

static void hello(char kind) {
    line_begin("HELLO");
    line_text(session);
    line_number(PROTOCOL);
    line_text(FW_VERSION);
    line_text("DICEBOX");
    line_hex(eeprom_read_word(&stored_id), 4);
    line_number(clock_ms());
    line_char(kind);
    line_send(false);
}

static void beat(uint32_t now) {
    line_begin("HB");
    line_number(now);
    line_hex(buttons_held(), 1);
    line_number(events_waiting());
    line_number(line_bad());
    line_number(events_dropped());
    line_send(false);
    beat_at = now;
}

static void answer(uint16_t seq, uint8_t code) {
    line_begin(code ? "NO" : "OK");
    line_number(seq);
    if (code) line_number(code);
    line_send(false);
}

/* Takes the next field off a line; an empty one where it has no more. */
static char *field(char **rest) {
    char *start = *rest;
    char *end = strchr(start, ' ');
    if (end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = start + strlen(start);
    }
    return start;
}

/* A decimal number of 1 to 5 digits, at most `most`; -1 where the text is none. */
static int32_t number(const char *text, uint16_t most) {
    uint32_t value = 0;
    uint8_t n = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || ++n > 5) return -1;
        value = value * 10 + (uint8_t)(*text - '0');
    }
    return n && value <= most ? (int32_t)value : -1;
}

static bool is_hex4(const char *text) {
    return strlen(text) == 4 && strspn(text, "0123456789ABCDEF") == 4;
}

static uint16_t hex4(const char *text) {
    uint16_t value = 0;
    for (; *text; text++) value = value << 4 | (uint16_t)(*text <= '9' ? *text - '0' : *text - 'A' + 10);
    return value;
}

static void greeted(char *rest, bool checked, uint32_t now) {
    char *name = field(&rest);
    int32_t proto = number(field(&rest), 0xFFFF);
    if (!is_hex4(name) || proto < 0 || *rest) {
        line_count_bad();
        return;
    }
    if (proto != PROTOCOL) { /* they see in the answer which one this box speaks */
        hello('?');
        return;
    }
    char kind = 'R';
    if (strcmp(name, session) != 0) {
        kind = 'N';
        strcpy(session, name);
        events_clear();
        last_command = 0;
    }
    linked = true;
    strict = checked;
    heard_at = beat_at = now;
    hello(kind);
}

/* Does a command; 0 or the code of the refusal. */
static uint8_t done(const char *verb, char *rest, uint32_t now) {
    if (strcmp(verb, "BZ") == 0) {
        int32_t hz = number(field(&rest), TONE_HIGHEST), ms = number(field(&rest), TONE_LONGEST);
        if (hz < 0 || (hz && hz < TONE_LOWEST) || ms < 0 || *rest) return BAD_VALUE;
        tone_play((uint16_t)hz, (uint16_t)ms, now);
        return 0;
    }
    if (strcmp(verb, "TN") == 0) {
        int32_t tune = number(field(&rest), TUNES - 1);
        if (tune < 0 || *rest) return BAD_VALUE;
        tone_tune((uint8_t)tune, now);
        return 0;
    }
    if (strcmp(verb, "LD") == 0) {
        int32_t lamp = number(field(&rest), 9), mode = number(field(&rest), 9);
        if (lamp < 0 || mode < 0 || *rest) return BAD_VALUE;
        return lamps_set((uint8_t)lamp, (uint8_t)mode) ? 0 : BAD_VALUE;
    }
    if (strcmp(verb, "ID") == 0) {
        char *id = field(&rest);
        if (!is_hex4(id) || *rest) return BAD_VALUE;
        eeprom_update_word(&stored_id, hex4(id));
        return 0;
    }
    return UNKNOWN;
}

static void commanded(const char *verb, char *rest, uint32_t now) {
    int32_t seq = number(field(&rest), 9999);
    if (seq < 1) {
        line_count_bad();
        return;
    }
    if ((uint16_t)seq != last_command) { /* else it was asked again: the answer was lost, not the command */
        last_answer = done(verb, rest, now);
        last_command = (uint16_t)seq;
    }
    answer((uint16_t)seq, last_answer);
}

static void parted(void) {
    linked = strict = false;
    strcpy(session, "-");
    events_clear();
    last_command = 0;
}

static void obey(line_t *line, uint32_t now) {
    if (strict && !line->checked) {
        line_count_bad();
        return;
    }
    char *rest = line->body;
    const char *verb = field(&rest);
    if (strcmp(verb, "HI") == 0) {
        greeted(rest, line->checked, now);
        return;
    }
    if (strcmp(verb, "?") == 0) {
        hello('?');
    } else if (strcmp(verb, "BY") == 0) {
        parted();
        return;
    } else if (strcmp(verb, "AK") == 0) {
        int32_t seq = number(field(&rest), 9999);
        if (seq > 0) events_taken((uint16_t)seq);
    } else if (strcmp(verb, "PG") == 0) {
        if (session[0] == '-') hello('?'); /* our banner was lost: they must greet again before a press can be told */
        beat(now);
    } else {
        commanded(verb, rest, now);
    }
    heard_at = now;
    if (session[0] != '-' && line->checked && !linked) linked = strict = true; /* they were away for a while */
}

void box_start(void) { hello('B'); }

void box_tick(uint32_t now) {
    static line_t line;
    edge_t edge;
    for (int16_t byte = serial_get(); byte >= 0; byte = serial_get())
        if (line_byte((uint8_t)byte, &line)) obey(&line, now);
    if (linked && now - heard_at > SILENCE_MS) linked = strict = false; /* what waits is kept until it is stale */
    while (buttons_take(&edge)) {
        if (linked) events_add(&edge);
        else if (edge.down) tone_play(UNHEARD_HZ, UNHEARD_MS, now);
    }
    now = clock_ms(); /* anew: an edge may be younger than the clock was at the top, and must not look four billion ms old */
    events_tick(now, linked);
    if (linked && now - beat_at >= BEAT_MS) beat(now);
    lamps_link(linked ? LAMP_ON : LAMP_SLOW);
    lamps_tick(now);
    tone_tick(now);
}
