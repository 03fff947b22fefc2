/* Lines of protocol 1: `BODY*HHHH\n`, HHHH = CRC-16/CCITT-FALSE of BODY. */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

#define BODY_MAX 56

typedef struct {
    char body[BODY_MAX + 6]; /* *HHHH and the end */
    bool checked;            /* it came with a checksum, and that was right */
} line_t;

/* One byte from the host; true when it completes a line that holds. Lines that don't are counted. */
bool line_byte(uint8_t byte, line_t *line);
/* Lines that were dropped since power on. */
uint16_t line_bad(void);
void line_count_bad(void);

/* A line to the host is put together field by field. */
void line_begin(const char *verb);
void line_text(const char *text);
void line_char(char letter);
void line_number(uint32_t value);
void line_hex(uint16_t value, uint8_t digits);
/* Adds the checksum and sends; again: a resend, which begins with an empty line so that junk before it eats that. */
bool line_send(bool again);

#endif
