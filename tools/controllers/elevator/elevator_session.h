/* SPDX-License-Identifier: Apache-2.0 */
/* A unit at work: scans over a line, in the time of the elevator's world. */
#ifndef ELEVATOR_SESSION_H
#define ELEVATOR_SESSION_H

#include "elevator_line.h"
#include "elevator_unit.h"

struct elevator_session {
    struct elevator_line line;
    struct elevator_unit unit;
    bool is_verbose;
    /* state */
    bool has_scanned;
    uint32_t first_ms, last_ms; /* of the world, of scans */
    long n_scans;
    uint32_t longest_ms; /* between two scans */
    uint16_t watchdog;
    struct elevator_outputs outputs; /* last written */
};

/* Checks that the elevator has as many floors as the unit was told, and finds its calls. 0, -EINVAL
 * with line.error, or an error of the line. */
int elevator_session_begin(struct elevator_session *session);

/* Reads the world's time; if a scan is due, makes it. `asks_reset`: as if the reset was pressed.
 * Returns 1: scanned; 0: not due yet; or an error of the line. */
int elevator_session_poll(struct elevator_session *session, bool asks_reset);

/* Commands the safe state. 0 or an error of the line. */
int elevator_session_end(struct elevator_session *session);

/* World's seconds since the first scan. */
double elevator_session_seconds(const struct elevator_session *session);

#endif
