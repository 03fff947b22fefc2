/* Bytes to and from the host: the UART of the 328P (serial_uart.c) or the native USB of the 32U4 (serial_usb.c). */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stdint.h>

void serial_start(void);
/* What USB wants done outside interrupts; the UART needs nothing. */
void serial_tick(uint32_t now);
/* The next byte received, or -1. */
int16_t serial_get(void);
/* All of it or nothing: a line that does not fit is not sent, and nobody ever waits. */
bool serial_put(const char *bytes, uint8_t length);

#endif
