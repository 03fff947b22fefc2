/* The box in protocol 1: who listens, what they want done, what is told to them. */
#ifndef BOX_H
#define BOX_H

#include <stdint.h>

void box_start(void);
void box_tick(uint32_t now);

#endif
