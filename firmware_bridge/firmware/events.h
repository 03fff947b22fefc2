/* Presses on their way to the host: in order, each once, none that is stale. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "buttons.h"

/* A new session: nothing waits, numbers begin at 1. */
void events_clear(void);
void events_add(const edge_t *edge);
/* The host has taken over the event of that number. */
void events_taken(uint16_t seq);
/* Drops what is stale; sends the oldest, or sends it again. Only where `linked` is anything sent. */
void events_tick(uint32_t now, bool linked);
uint8_t events_waiting(void);
/* Events that were never delivered, since power on. */
uint16_t events_dropped(void);

#endif
