#include "lamps.h"

#include "board.h"

#define SLOW_HALF 512 /* ms lit, ms dark; powers of two, so that a bit of the clock says which */
#define FAST_HALF 128

static uint8_t big, second, link;

void lamps_start(void) {
    LAMP_DDR |= _BV(LAMP_BIT);
    LINK_DDR |= _BV(LINK_BIT);
#ifdef LAMP2_DDR
    LAMP2_DDR |= _BV(LAMP2_BIT);
#endif
}

bool lamps_set(uint8_t number, uint8_t mode) {
    if (mode >= LAMP_MODES) return false;
    if (number == 1) {
        big = mode;
        return true;
    }
#ifdef LAMP2_DDR
    if (number == 2) {
        second = mode;
        return true;
    }
#endif
    return false;
}

void lamps_link(uint8_t mode) { link = mode; }

static bool lit(uint8_t mode, uint32_t now) {
    switch (mode) {
        case LAMP_ON: return true;
        case LAMP_SLOW: return !(now & SLOW_HALF);
        case LAMP_FAST: return !(now & FAST_HALF);
        default: return false;
    }
}

#define SHOW(port, bit, on) \
    do { \
        if (on) (port) |= _BV(bit); \
        else (port) &= ~_BV(bit); \
    } while (0)

void lamps_tick(uint32_t now) {
    SHOW(LAMP_PORT, LAMP_BIT, lit(big, now));
    SHOW(LINK_PORT, LINK_BIT, lit(link, now));
#ifdef LAMP2_PORT
    SHOW(LAMP2_PORT, LAMP2_BIT, lit(second, now));
#else
    (void)second;
#endif
}
