/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements from the packets of a WitMotion sensor: see witmotion_host.h. */
#include "witmotion_host.h"

enum { SEEN_ACCELERATION = 1, SEEN_RATE = 2, SEEN_ALL = 3 };

void witmotion_host_opened(struct witmotion_host *host)
{
    struct dpl_witmotion_parser *parser = &host->parser;
    parser->dropped_bytes += parser->filled;
    parser->filled = 0;
    host->seen = 0;
}

static void begin(struct witmotion_host *host, dpl_ns now)
{
    if (host->seen == 0) {
        host->next.stamp = now;
    }
}

/* Whether the packet ends a measurement. */
static bool apply_packet(struct witmotion_host *host, const struct dpl_witmotion_packet *packet,
                         dpl_ns now)
{
    struct witmotion_measurement *next = &host->next;
    switch (packet->type) {
    case DPL_WITMOTION_ACCELERATION:
        host->seen = 0;
        begin(host, now);
        dpl_witmotion_vector(packet, next->acceleration_m_s2);
        next->temperature_c = dpl_witmotion_celsius(packet);
        host->seen |= SEEN_ACCELERATION;
        return false;
    case DPL_WITMOTION_RATE:
        begin(host, now);
        dpl_witmotion_vector(packet, next->rate_rad_s);
        host->seen |= SEEN_RATE;
        return false;
    case DPL_WITMOTION_ANGLES: {
        bool is_whole = host->seen == SEEN_ALL;
        dpl_witmotion_vector(packet, next->angles_rad);
        host->seen = is_whole ? 0 : host->seen;
        return is_whole;
    }
    default: return false;
    }
}

bool witmotion_host_next(struct witmotion_host *host, struct dpl_byte_view *input, dpl_ns now,
                         struct witmotion_measurement *ret_measurement)
{
    struct dpl_witmotion_packet packet;
    while (dpl_witmotion_next(&host->parser, input, &packet)) {
        if (apply_packet(host, &packet, now)) {
            host->measurements++;
            *ret_measurement = host->next;
            return true;
        }
    }
    return false;
}

const char *witmotion_host_lack(const struct witmotion_host *host)
{
    if (host->parser.packets == 0) {
        return "nothing on this port speaks as a WitMotion sensor does";
    }
    if (host->measurements > 0) {
        return "the sensor has stopped sending";
    }
    return "the sensor does not send acceleration, angular velocity and angles, all three";
}
