/* Milliseconds since power on, from timer 0; the buttons are sampled at each of them. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

#endif
