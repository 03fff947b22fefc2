/* The lamp in the big button, perhaps a second one, and the small one that tells whether a host listens. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

enum { LAMP_OFF, LAMP_ON, LAMP_SLOW, LAMP_FAST, LAMP_MODES };

void lamps_start(void);
/* number 1 or 2; false where this board has no such lamp or there is no such mode. */
bool lamps_set(uint8_t number, uint8_t mode);
void lamps_link(uint8_t mode);
void lamps_tick(uint32_t now);

#endif
