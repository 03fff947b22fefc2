/* The 32U4's own USB as a serial port. It has run on an emulated chip only (docs/box.md). */
#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "usb_words.h"

#define OUT 256 /* the index is a byte and wraps by itself */

static char out[OUT];
static uint8_t out_head, out_tail;
static volatile uint8_t configured, listened; /* listened: a program has the port open (DTR) */
static uint8_t coding[7] = {0, 0xC2, 1, 0, 0, 0, 8}; /* 115200 8N1; over USB it is only remembered */

/* Bootloaders of the 32U4 look here after a watchdog reset for a wish to be flashed. */
#define WISH (*(volatile uint16_t *)0x0800)

void serial_start(void) {
    UHWCON = _BV(UVREGE);
    USBCON = _BV(USBE) | _BV(FRZCLK);
    PLLCSR = _BV(PINDIV) | _BV(PLLE); /* 16 MHz to 48 */
    while (!(PLLCSR & _BV(PLOCK))) {}
    USBCON = _BV(USBE) | _BV(OTGPADE);
    UDIEN = _BV(EORSTE);
    UDCON = 0; /* full speed, attached */
}

static void endpoint(uint8_t number, uint8_t kind, uint8_t shape) {
    UENUM = number;
    UECONX = _BV(EPEN);
    UECFG0X = kind;
    UECFG1X = shape;
}

ISR(USB_GEN_vect) {
    uint8_t happened = UDINT;
    UDINT = 0;
    if (!(happened & _BV(EORSTI))) return;
    endpoint(0, 0, _BV(EPSIZE1) | _BV(EPSIZE0) | _BV(ALLOC)); /* control, 64 bytes */
    UEIENX = _BV(RXSTPE);
    configured = listened = 0;
}

static void sent(void) { UEINTX = (uint8_t)~_BV(TXINI); }

static void wait_for_room(void) {
    while (!(UEINTX & _BV(TXINI))) {}
}

/* Answers from flash or RAM, as much as was asked for; the host may break off with an OUT. */
static void tell(const uint8_t *bytes, uint8_t length, uint8_t in_flash, uint16_t asked) {
    uint8_t left = asked < length ? (uint8_t)asked : length;
    uint8_t in_packet;
    do {
        uint8_t state;
        do state = UEINTX;
        while (!(state & (_BV(TXINI) | _BV(RXOUTI))));
        if (state & _BV(RXOUTI)) return;
        for (in_packet = 0; left && in_packet < CONTROL_SIZE; in_packet++, left--, bytes++)
            UEDATX = in_flash ? pgm_read_byte(bytes) : *bytes;
        sent();
    } while (left || (in_packet == CONTROL_SIZE && length < asked));
}

static void configure(uint8_t value) {
    if (value) {
        endpoint(NOTICE_ENDPOINT, _BV(EPTYPE1) | _BV(EPTYPE0) | _BV(EPDIR), _BV(EPSIZE0) | _BV(ALLOC));
        endpoint(OUT_ENDPOINT, _BV(EPTYPE1), _BV(EPSIZE1) | _BV(EPSIZE0) | _BV(EPBK0) | _BV(ALLOC));
        endpoint(IN_ENDPOINT, _BV(EPTYPE1) | _BV(EPDIR), _BV(EPSIZE1) | _BV(EPSIZE0) | _BV(EPBK0) | _BV(ALLOC));
        UERST = 0x0E;
        UERST = 0;
    }
    configured = value;
}

/* A program has opened or closed the port. Closed at 1200 baud, it asks for the bootloader. */
static void line_state(uint8_t ready) {
    listened = ready;
    if (!ready) out_tail = out_head; /* what nobody read is not for the next one */
    if (!ready && coding[0] == 0xB0 && coding[1] == 4 && !coding[2] && !coding[3]) {
        WISH = 0x7777;
        wdt_enable(WDTO_120MS);
        for (;;) {}
    }
}

ISR(USB_COM_vect) {
    uint8_t before = UENUM;
    UENUM = 0;
    if (UEINTX & _BV(RXSTPI)) {
        uint8_t kind = UEDATX, request = UEDATX, value = UEDATX, value_high = UEDATX, index = UEDATX;
        (void)UEDATX;
        uint16_t asked = UEDATX;
        asked |= (uint16_t)(UEDATX << 8);
        UEINTX = (uint8_t)~(_BV(RXSTPI) | _BV(RXOUTI) | _BV(TXINI));
        uint8_t length = 0;
        uint8_t two[2] = {0, 0};
        const uint8_t *words = request == 6 && kind == 0x80 ? usb_words(value_high, value, &length) : 0;
        if (words) {
            tell(words, length, 1, asked);
        } else if (kind == 0x00 && request == 5) { /* SET_ADDRESS: from the next packet on */
            sent();
            wait_for_room();
            UDADDR = value | _BV(ADDEN);
        } else if (kind == 0x00 && request == 9) { /* SET_CONFIGURATION */
            configure(value);
            UENUM = 0;
            sent();
        } else if (kind == 0x80 && request == 8) { /* GET_CONFIGURATION */
            two[0] = configured;
            tell(two, 1, 0, asked);
        } else if ((kind & 0xE0) == 0x80 && request == 0) { /* GET_STATUS */
            tell(two, 2, 0, asked);
        } else if (kind == 0x02 && request == 1 && !value) { /* CLEAR_FEATURE: a halted endpoint goes on */
            sent();
            UENUM = index & 7;
            UECONX = _BV(STALLRQC) | _BV(RSTDT) | _BV(EPEN);
        } else if (kind == 0xA1 && request == 0x21) { /* GET_LINE_CODING */
            tell(coding, sizeof coding, 0, asked);
        } else if (kind == 0x21 && request == 0x20) { /* SET_LINE_CODING */
            while (!(UEINTX & _BV(RXOUTI))) {}
            for (uint8_t i = 0; i < sizeof coding; i++) coding[i] = UEDATX;
            UEINTX = (uint8_t)~_BV(RXOUTI);
            sent();
        } else if (kind == 0x21 && request == 0x22) { /* SET_CONTROL_LINE_STATE */
            sent();
            wait_for_room();
            line_state(value & 1);
        } else {
            UECONX = _BV(STALLRQ) | _BV(EPEN);
        }
    }
    UENUM = before;
}

int16_t serial_get(void) {
    int16_t byte = -1;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (configured) {
            UENUM = OUT_ENDPOINT;
            if (UEINTX & _BV(RWAL)) byte = UEDATX;
            /* an empty bank is given back, so that the host may fill it */
            if (!(UEINTX & _BV(RWAL)) && (UEINTX & _BV(FIFOCON))) UEINTX = (uint8_t)~(_BV(FIFOCON) | _BV(RXOUTI));
        }
    }
    return byte;
}

bool serial_put(const char *bytes, uint8_t length) {
    if (!configured || !listened || length > (uint8_t)(OUT - 1 - (uint8_t)(out_head - out_tail))) return false;
    while (length--) out[out_head++] = *bytes++;
    return true;
}

void serial_tick(uint32_t now) {
    (void)now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (configured && out_head != out_tail) {
            UENUM = IN_ENDPOINT;
            if (UEINTX & _BV(RWAL)) {
                while (out_head != out_tail && (UEINTX & _BV(RWAL))) UEDATX = out[out_tail++];
                UEINTX = (uint8_t)~(_BV(FIFOCON) | _BV(TXINI));
            }
        }
    }
}
