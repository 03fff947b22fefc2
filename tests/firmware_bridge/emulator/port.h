/* The box's serial port for the host: a pseudo-terminal, by the clock, with what can go wrong on a cable. */
#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stdint.h>

/* link: the name under which the port is found. Ends the program where there is no pseudo-terminal. */
void port_open(const char *link);
void port_close(void);
/* A byte that the chip has sent. */
void port_sent(uint64_t us, uint8_t byte);
/* A byte to the host that the chip did not send. */
void port_send(uint8_t byte);
void port_damage(uint32_t ppm, uint32_t seed);
/* freeze, thaw, unplug, plug, resets; false where it is none of these. */
bool port_obey(const char *word, const char *rest);
/* Waits a moment; `people` is called where somebody has written on standard input. False when they have gone. */
bool port_wait(bool (*people)(void));
/* Takes what the host has written, and lets the chip run up to the present. */
void port_run(void);

#endif
