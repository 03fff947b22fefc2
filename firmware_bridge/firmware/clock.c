#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "buttons.h"

#define PRESCALER 64

static volatile uint32_t now;

void clock_start(void) {
    TCCR0A = _BV(WGM01); /* count to OCR0A, then from 0 */
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / PRESCALER / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
}

uint32_t clock_ms(void) {
    uint32_t ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { ms = now; }
    return ms;
}

ISR(TIMER0_COMPA_vect) {
    now++;
    buttons_sample(now);
}
