/* The four buttons without their bounces: edges, each with the millisecond at which it was certain. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t button; /* 0 = A … 3 = D */
    bool down;
    uint32_t at; /* ms since power on */
} edge_t;

void buttons_start(void);
/* Called from the clock's interrupt, once a millisecond. */
void buttons_sample(uint32_t now);
/* The oldest edge that was not taken yet; false where there is none. */
bool buttons_take(edge_t *edge);
/* What is down by the edges that were taken: bit 0 = A … bit 3 = D. An edge that was not taken yet does not show in it, so that
   the host never hears of a release in any way but as an event. */
uint8_t buttons_held(void);

#endif
