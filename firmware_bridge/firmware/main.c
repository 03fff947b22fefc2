/* The button box of a Bo Bing table. Protocol 1 is described in docs/box.md; the pins are in board.h. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "box.h"
#include "buttons.h"
#include "clock.h"
#include "lamps.h"
#include "serial.h"
#include "tone.h"

/* A bootloader leaves through the watchdog, which then stays on and would restart the chip every 16 ms. */
__attribute__((naked, used, section(".init3"))) void no_watchdog(void);
void no_watchdog(void) {
    MCUSR = 0;
    wdt_disable();
}

int main(void) {
    buttons_start();
    lamps_start();
    tone_start();
    serial_start();
    clock_start();
    sei();
    box_start();
    for (;;) {
        uint32_t now = clock_ms();
        serial_tick(now);
        box_tick(now);
        sleep_mode(); /* until the next millisecond or byte; SLEEP_MODE_IDLE is the default */
    }
}
