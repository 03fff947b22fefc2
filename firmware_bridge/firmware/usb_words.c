#include "usb_words.h"

#define WORD(value) (uint8_t)((value) & 255), (uint8_t)((value) >> 8)
#define CONFIGURATION_LENGTH 67

/* The numbers are those under which SparkFun's Pro Micro runs programs: the box is one, and hosts know it as such. */
static const uint8_t device[] PROGMEM = {18, 1, WORD(0x0200), 2, 0, 0, CONTROL_SIZE, WORD(0x1B4F), WORD(0x9206),
                                         WORD(0x0100), 1, 2, 0, 1};

static const uint8_t configuration[] PROGMEM = {
    9, 2, WORD(CONFIGURATION_LENGTH), 2, 1, 0, 0x80, 50, /* two interfaces; powered by the cable, 100 mA at most */
    9, 4, 0, 0, 1, 2, 2, 1, 0,                           /* control: abstract modem */
    5, 0x24, 0, WORD(0x0110),                            /* CDC 1.10 */
    5, 0x24, 1, 0, 1,                                    /* no calls */
    4, 0x24, 2, 2,                                       /* line coding and line state are taken */
    5, 0x24, 6, 0, 1,                                    /* control 0, data 1 */
    7, 5, 0x80 | NOTICE_ENDPOINT, 3, WORD(NOTICE_SIZE), 64,
    9, 4, 1, 0, 2, 10, 0, 0, 0,                          /* data */
    7, 5, OUT_ENDPOINT, 2, WORD(BULK_SIZE), 0,
    7, 5, 0x80 | IN_ENDPOINT, 2, WORD(BULK_SIZE), 0,
};
_Static_assert(sizeof configuration == CONFIGURATION_LENGTH, "the configuration names its own length");

static const uint8_t languages[] PROGMEM = {4, 3, WORD(0x0409)};
static const uint8_t maker[] PROGMEM = {14, 3, 'B', 0, 'o', 0, 'B', 0, 'i', 0, 'n', 0, 'g', 0};
static const uint8_t product[] PROGMEM = {22, 3, 'B', 0, 'u', 0, 't', 0, 't', 0, 'o', 0,
                                          'n', 0, ' ', 0, 'b', 0, 'o', 0, 'x', 0};

const uint8_t *usb_words(uint8_t type, uint8_t index, uint8_t *length) {
    const uint8_t *found = 0;
    if (type == 1) found = device;
    if (type == 2) {
        *length = sizeof configuration;
        return configuration;
    }
    if (type == 3) found = index == 0 ? languages : index == 1 ? maker : index == 2 ? product : 0;
    if (found) *length = pgm_read_byte(found);
    return found;
}
