/* SPDX-License-Identifier: Apache-2.0 */
/* A Linux joystick's events (struct js_event of linux/joystick.h: time in ms, value, type, number;
 * 8 bytes, the machine's byte order) as forces. Pure logic. */
#ifndef FORCE_SENSOR_JS_EVENTS_H
#define FORCE_SENSOR_JS_EVENTS_H

#include <stdint.h>

#include "force_source.h"

#define JS_EVENT_BYTES 8
#define JS_AXES_MAX    32
#define JS_ROWS_MAX    32

/* Maps an axis of the joystick to one degree of freedom; several may be mapped to the same one. */
struct js_row {
    unsigned axis; /* of the joystick */
    size_t dof;
    double scale; /* N or N m at full deflection */
};

struct js_map {
    struct js_row rows[JS_ROWS_MAX];
    size_t n;
    double dead_zone; /* part of the full deflection, 0 to below 1; outside of it the force begins
                         at 0 */
};

struct js_parser {
    uint8_t record[JS_EVENT_BYTES];
    size_t n;                 /* number of bytes in it */
    double axes[JS_AXES_MAX]; /* deflections, -1 to 1 */
    /* events that are neither axis nor button, or of an axis with a too high number */
    uint64_t n_events, n_unknown;
};

/* Reads rows "JS AXIS scale": the joystick's axis 0 to 31, then x y z roll pitch yaw, N or N m.
 * Returns 0, or -EINVAL with reterr: a bad row, or more than JS_ROWS_MAX. */
int js_map_parse(const char *text, struct js_map *ret_map, struct force_error *reterr);

/* Takes received bytes, in pieces of any size. Returns the number of completed records. */
size_t js_parser_feed(struct js_parser *parser, const uint8_t *bytes, size_t n);

/* Resets: no deflection, and no partial record. The counters stay. */
void js_parser_rest(struct js_parser *parser);

void js_map_apply(const struct js_map *map, const struct js_parser *parser,
                  double ret_wrench[DPL_SIX]);

#endif
