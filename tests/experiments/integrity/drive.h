/* SPDX-License-Identifier: Apache-2.0 */
/* One drive through a world drawn by chance, in which something happens, with the Localizer and its
 * integrity monitor beside. */
#ifndef INTEGRITY_DRIVE_H
#define INTEGRITY_DRIVE_H

#include "integrity.h"
#include "localizer.h"
#include "worlds.h"

enum drive_case {
    DRIVE_RIGHT, /* nothing happens */
    DRIVE_WRONG, /* the told start is wrong */
    DRIVE_CARRIED,
    DRIVE_CARRIED_AGAIN, /* the same: it happens most */
    DRIVE_BLIND,
    DRIVE_SLIPS,
    DRIVE_PUSHED,
    DRIVE_CASES,
};

struct drive_options {
    double seconds, correlation;
    bool no_trust; /* the told start has to be proven */
};

/* Ten times a second. */
struct drive_row {
    double time_s, error_m;
    bool decided; /* as the Synchronizer takes it: TRACKING or DEGRADED */
    enum localizer_state state;
    struct integrity_verdict verdict;
};

struct drive_sink {
    void (*take)(void *user, const struct drive_row *row);
    void *user;
};

struct drive_about {
    enum world_kind kind;
    enum drive_case what;
    double survey_m, moved_share, event_s, carried_m;
    int people;
};

const char *drive_case_name(enum drive_case what);

/* Kind and case by the seed. `kind`, `what` negative: drawn. Exits with a message if it cannot. */
void drive_run(uint64_t seed, int kind, int what, const struct drive_options *options,
               const struct drive_sink *sink, struct drive_about *ret_about);

#endif
