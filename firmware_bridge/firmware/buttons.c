#include "buttons.h"

#include <util/atomic.h>

#include "board.h"

/* A press counts after 3 ms, so that it is felt at once; a release only after 20 ms, since worn contacts open briefly. */
#define DOWN_SAMPLES 3
#define UP_SAMPLES 20
/* The main loop takes edges within a millisecond or two; an EEPROM write holds it up for seven. */
#define ROOM 8

static uint8_t run[BUTTONS]; /* samples in a row that differ from what is held */
static volatile uint8_t held;
static uint8_t taken; /* as `held`, by the edges that the main loop has taken */
static edge_t edges[ROOM];
static volatile uint8_t first, count;

void buttons_start(void) { PULL_UP_BUTTONS(); }

void buttons_sample(uint32_t now) {
    uint8_t low = READ_BUTTONS();
    for (uint8_t i = 0; i < BUTTONS; i++) {
        uint8_t bit = 1 << i;
        if (!((low ^ held) & bit)) {
            run[i] = 0;
            continue;
        }
        if (++run[i] < ((low & bit) ? DOWN_SAMPLES : UP_SAMPLES)) continue;
        if (count == ROOM) { /* never so far; the edge stays due, and is told a millisecond later */
            run[i]--;
            continue;
        }
        run[i] = 0;
        held ^= bit;
        edge_t *edge = &edges[(first + count) % ROOM];
        edge->button = i;
        edge->down = (held & bit) != 0;
        edge->at = now;
        count++;
    }
}

bool buttons_take(edge_t *edge) {
    bool some = false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (count) {
            *edge = edges[first];
            taken ^= 1 << edge->button;
            first = (first + 1) % ROOM;
            count--;
            some = true;
        }
    }
    return some;
}

uint8_t buttons_held(void) { return taken; }
