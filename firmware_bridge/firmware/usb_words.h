/* What the Pro Micro says of itself on USB: one serial port (CDC-ACM). */
#ifndef USB_WORDS_H
#define USB_WORDS_H

#include <avr/pgmspace.h>
#include <stdint.h>

#define CONTROL_SIZE 64
#define NOTICE_ENDPOINT 1 /* wanted by the standard, never used */
#define NOTICE_SIZE 16
#define OUT_ENDPOINT 2 /* from the host */
#define IN_ENDPOINT 3  /* to the host */
#define BULK_SIZE 64

/* The descriptor of that type and index, in flash; NULL where there is none. */
const uint8_t *usb_words(uint8_t type, uint8_t index, uint8_t *length);

#endif
