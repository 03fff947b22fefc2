/* Which pin is what, on each chip. The numbers D2, D3 … are those printed on the board (docs/box.md). */
#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>

#define BUTTONS 4

/* One bit of one port, as three registers and a mask. */
#define IS_LOW(pin) (!(PIN_##pin & _BV(BIT_##pin)))

#if defined(__AVR_ATmega328P__)

/* D2 big button A; D4, D5, D6 small buttons B, C, D */
#define READ_BUTTONS() \
    ((PIND & _BV(2) ? 0 : 1) | (PIND & _BV(4) ? 0 : 2) | (PIND & _BV(5) ? 0 : 4) | (PIND & _BV(6) ? 0 : 8))
#define PULL_UP_BUTTONS() (PORTD |= _BV(2) | _BV(4) | _BV(5) | _BV(6))

#define LAMP_PORT PORTD /* D3: the lamp in the big button */
#define LAMP_DDR DDRD
#define LAMP_BIT 3
#define LAMP2_PORT PORTB /* D10: a second lamp, for those who want one */
#define LAMP2_DDR DDRB
#define LAMP2_BIT 2
#define LINK_PORT PORTB /* D13: the lamp on the board itself */
#define LINK_DDR DDRB
#define LINK_BIT 5
#define PIEZO_PORT PORTB /* D9, output A of timer 1 */
#define PIEZO_DDR DDRB
#define PIEZO_BIT 1

#elif defined(__AVR_ATmega32U4__)

/* The same numbers on a Pro Micro: D2 = PD1, D4 = PD4, D5 = PC6, D6 = PD7. */
#define READ_BUTTONS() \
    ((PIND & _BV(1) ? 0 : 1) | (PIND & _BV(4) ? 0 : 2) | (PINC & _BV(6) ? 0 : 4) | (PIND & _BV(7) ? 0 : 8))
#define PULL_UP_BUTTONS() (PORTD |= _BV(1) | _BV(4) | _BV(7), PORTC |= _BV(6))

#define LAMP_PORT PORTD /* D3 = PD0 */
#define LAMP_DDR DDRD
#define LAMP_BIT 0
#define LINK_PORT PORTB /* a Pro Micro has no lamp on D13: D10 = PB6 tells the link, and there is no second lamp */
#define LINK_DDR DDRB
#define LINK_BIT 6
#define PIEZO_PORT PORTB /* D9 = PB5, output A of timer 1 here too */
#define PIEZO_DDR DDRB
#define PIEZO_BIT 5

#else
#error "built for the ATmega328P (Uno, Nano) and the ATmega32U4 (Pro Micro)"
#endif

#endif
