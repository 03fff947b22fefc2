#include "events.h"

#include "line.h"

#define ROOM 7
#define RESEND_MS 60 /* constant: there is no traffic to avoid, and growing pauses lost presses at 2 % damage */
#define STALE_MS 3000
#define LAST_SEQ 9999

static edge_t waiting[ROOM];
static uint8_t first, count;
static uint16_t seq = 1, dropped;
static bool sent;
static uint32_t sent_at;

void events_clear(void) {
    first = count = 0;
    seq = 1;
    sent = false;
}

void events_add(const edge_t *edge) {
    if (count == ROOM) {
        dropped++;
        return;
    }
    waiting[(first + count) % ROOM] = *edge;
    count++;
}

static void advance(void) {
    first = (first + 1) % ROOM;
    count--;
    seq = seq == LAST_SEQ ? 1 : seq + 1;
    sent = false;
}

void events_taken(uint16_t taken) {
    if (count && sent && taken == seq) advance();
}

void events_tick(uint32_t now, bool linked) {
    while (count && now - waiting[first].at > STALE_MS) {
        dropped++;
        advance();
    }
    if (!count || !linked || (sent && now - sent_at < RESEND_MS)) return;
    const edge_t *edge = &waiting[first];
    line_begin("EV");
    line_number(seq);
    line_char((char)('A' + edge->button));
    line_char(edge->down ? 'D' : 'U');
    line_number(now - edge->at);
    if (line_send(sent)) {
        sent = true;
        sent_at = now;
    }
}

uint8_t events_waiting(void) { return count; }

uint16_t events_dropped(void) { return dropped; }
