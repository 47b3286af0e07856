/* SPDX-License-Identifier: Apache-2.0 */
/* Places where beams end before the plan's surfaces: what is at its place in the world whenever the
 * laser looks there is an object that the plan does not have; a place through which the laser looks
 * later is one where people were. Places are remembered while they are out of sight. Pure. */
#ifndef STRANGERS_H
#define STRANGERS_H

#include <stdbool.h>
#include <stddef.h>

#define STRANGERS_MAX 128

struct stranger {
    double x, y; /* m, in the world; where it was seen first */
    double first_s, last_s;
    double from[2]; /* where the laser was when it was seen first, */
    double moved_m; /* and how far from there it has seen it, at most */
    double seen_s;  /* how long it has been in sight, in all; it fades */
    unsigned seen;  /* in so many scans; 0: the place is free */
};

struct strangers {
    struct stranger place[STRANGERS_MAX];
    double scans_s; /* mean time between scans */
    double last_s;
};

/* What a scan shows: where strange things are, and how far it looks. */
struct strangers_view {
    const double (*points)[2]; /* [n_points] m in the world; borrowed */
    size_t n_points;
    double from[2]; /* where the laser is */
    /* Whether beams go beyond that point of the world; NULL: nothing is looked through. */
    bool (*looks_through)(const void *context, double x, double y);
    const void *context;
};

void strangers_init(struct strangers *strangers);

/* A place that shows nothing any more is forgotten; when there is no room, the one that was seen
 * least. */
void strangers_add(struct strangers *strangers, double stamp_s, const struct strangers_view *view);

/* The one that is known longest of those that have been in sight for 2.5 s in all, over 15 s or
 * more, from places of the laser that are 0.3 m apart, and for the last time less than 10 s ago;
 * NULL: none. Sight before an absence counts less: a part of e for each minute. */
const struct stranger *strangers_oldest(const struct strangers *strangers);

#endif
