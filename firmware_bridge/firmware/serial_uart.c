#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#define BAUD_RATE 115200UL
#define DOUBLED ((F_CPU + BAUD_RATE * 4) / (BAUD_RATE * 8) - 1) /* 16: 117 647 baud, 2.1 % fast, within what a UART bears */
#define IN 128  /* powers of two; 128 bytes are 11 ms, an EEPROM write takes 7 */
#define OUT 128

static char in[IN], out[OUT];
static volatile uint8_t in_head, in_tail, out_head, out_tail;

void serial_start(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = DOUBLED;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

void serial_tick(uint32_t now) { (void)now; }

ISR(USART_RX_vect) {
    char byte = UDR0;
    uint8_t head = (in_head + 1) % IN;
    if (head == in_tail) return; /* the line will not check, and is sent again */
    in[in_head] = byte;
    in_head = head;
}

ISR(USART_UDRE_vect) {
    uint8_t tail = out_tail;
    UDR0 = out[tail];
    tail = (tail + 1) % OUT;
    out_tail = tail;
    /* switched off together with the last byte: some emulated chips lose the interrupt otherwise */
    if (tail == out_head) UCSR0B &= ~_BV(UDRIE0);
}

int16_t serial_get(void) {
    if (in_head == in_tail) return -1;
    uint8_t byte = in[in_tail];
    in_tail = (in_tail + 1) % IN;
    return byte;
}

bool serial_put(const char *bytes, uint8_t length) {
    uint8_t used;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { used = (out_head - out_tail) % OUT; }
    if (length > OUT - 1 - used) return false;
    uint8_t head = out_head;
    for (uint8_t i = 0; i < length; i++) {
        out[head] = bytes[i];
        head = (head + 1) % OUT;
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        out_head = head;
        UCSR0B |= _BV(UDRIE0);
    }
    return true;
}
