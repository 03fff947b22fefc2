/* An emulated chip with the box's wiring: pins, piezo, lamps, serial line. Time is emulated microseconds. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*chip_byte_t)(uint64_t us, uint8_t byte);

/* firmware: an Intel hex file; bootloader: another one, run first, or NULL. Ends the program where a file can't be read. */
void chip_start(const char *firmware, const char *bootloader, chip_byte_t sent);
uint64_t chip_us(void);
/* Runs on until that time. */
void chip_run(uint64_t us);
/* The chip's own reset pin (external) or its power. What flash and EEPROM hold stays. */
void chip_reset(bool power);
/* A byte for the chip's receiver; they follow each other in character times. */
void chip_feed(uint8_t byte);
void chip_feed_clear(void);
/* Pin of button 'A' … 'D' high (1) or low (0) at a time from now on; false where too many wait. */
bool chip_pin(char button, int level, uint64_t us);
/* How many bytes of stack have ever been used. */
unsigned chip_stack(void);
/* Print each rising edge at the piezo, too. */
void chip_edges(bool on);

#endif
