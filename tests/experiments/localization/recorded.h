/* SPDX-License-Identifier: Apache-2.0 */
/* A real robot's log in place of a simulated robot: every second scan becomes a map (tools/map),
 * the others are localized in it. Nobody knows the truth, so the poses are compared with those that
 * the mapping run gives the same scans: consistency, not accuracy. */
#ifndef LOCALIZATION_RECORDED_H
#define LOCALIZATION_RECORDED_H

#include <stdbool.h>

struct recorded_options {
    const char *log;   /* tools/recorded/log_player.h */
    double seconds;    /* 0: the whole log */
    bool verbose;      /* a line a start */
    const char *trace; /* NULL, or a file for a row a scan */
};

/* Drives the log once from each of several wrong starts and prints the worst against the limits. 0;
 * -ERANGE: a limit is missed; or -errno after a message on standard error. */
int recorded_run(const struct recorded_options *options);

#endif
