/* One voice: a tone on the piezo by timer 1, or a tune of several. */
#ifndef TONE_H
#define TONE_H

#include <stdbool.h>
#include <stdint.h>

#define TONE_LOWEST 31
#define TONE_HIGHEST 8000
#define TONE_LONGEST 5000
#define TUNES 6

void tone_start(void);
/* hz 0 = silence; what sounds is broken off. */
void tone_play(uint16_t hz, uint16_t ms, uint32_t now);
/* A tune of those in tone.c, from 0. */
void tone_tune(uint8_t number, uint32_t now);
/* Ends what is over and begins the next note. */
void tone_tick(uint32_t now);

#endif
