#include "tone.h"

#include <avr/io.h>
#include <avr/pgmspace.h>

#include "board.h"

typedef struct {
    uint16_t hz; /* 0 = a rest */
    uint16_t ms; /* 0 = the end */
} note_t;

/* Pitches of the equal-tempered scale, rounded: C5 523, E5 659, G5 784, C6 1047, E6 1319, G6 1568. */
static const note_t accepted[] PROGMEM = {{1047, 70}, {1319, 110}, {0, 0}};
static const note_t refused[] PROGMEM = {{220, 120}, {0, 50}, {165, 220}, {0, 0}};
static const note_t next_player[] PROGMEM = {{784, 90}, {0, 40}, {784, 90}, {0, 0}};
static const note_t undo[] PROGMEM = {{1047, 70}, {784, 70}, {523, 120}, {0, 0}};
static const note_t jump[] PROGMEM = {{523, 180}, {494, 180}, {466, 180}, {440, 420}, {0, 0}};
static const note_t champion[] PROGMEM = {{523, 110}, {659, 110}, {784, 110}, {1047, 220}, {0, 30},
                                          {784, 110}, {1047, 140}, {1319, 140}, {1568, 480}, {0, 0}};
static const note_t *const tunes[TUNES] PROGMEM = {accepted, refused, next_player, undo, jump, champion};

static const note_t *next; /* in flash; NULL = a single tone */
static bool sounding;
static uint32_t since;
static uint16_t lasts;

void tone_start(void) { PIEZO_DDR |= _BV(PIEZO_BIT); }

static void silence(void) {
    TCCR1A = 0;
    TCCR1B = 0;
    PIEZO_PORT &= ~_BV(PIEZO_BIT); /* no direct current through the piezo */
}

static void sound(uint16_t hz) {
    /* The pin toggles at each match: two matches a wave. Undivided below 123 Hz the count would not fit in 16 bits. */
    uint8_t divided = hz < 123;
    uint32_t counts = F_CPU / 2 / (divided ? 8 : 1);
    silence();
    TCNT1 = 0;
    OCR1A = (counts + hz / 2) / hz - 1;
    TCCR1A = _BV(COM1A0);
    TCCR1B = _BV(WGM12) | (divided ? _BV(CS11) : _BV(CS10));
}

static void begin(uint16_t hz, uint16_t ms, uint32_t now) {
    if (hz) sound(hz); else silence();
    since = now;
    lasts = ms;
    sounding = true;
}

void tone_play(uint16_t hz, uint16_t ms, uint32_t now) {
    next = 0;
    begin(hz, ms, now);
}

void tone_tune(uint8_t number, uint32_t now) {
    next = (const note_t *)pgm_read_word(&tunes[number]);
    sounding = true;
    lasts = 0;
    since = now;
    tone_tick(now);
}

void tone_tick(uint32_t now) {
    if (!sounding || now - since < lasts) return;
    uint16_t hz = 0, ms = 0;
    if (next) {
        hz = pgm_read_word(&next->hz);
        ms = pgm_read_word(&next->ms);
        next++;
    }
    if (ms) {
        begin(hz, ms, now);
        return;
    }
    silence();
    next = 0;
    sounding = false;
}
