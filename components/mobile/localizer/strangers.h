/* SPDX-License-Identifier: Apache-2.0 */
/* Places where beams end before the plan's surfaces: what stays at its place in the world is an
 * object that the plan does not have; what does not is people. Pure. */
#ifndef STRANGERS_H
#define STRANGERS_H

#include <stdbool.h>
#include <stddef.h>

#define STRANGERS_MAX 64

struct stranger {
    double x, y; /* m, in the world; where it was seen first */
    double first_s, last_s;
    unsigned seen; /* in so many scans; 0: the place is free */
};

struct strangers {
    struct stranger place[STRANGERS_MAX];
    double scans_s; /* mean time between scans */
    double last_s;
};

void strangers_init(struct strangers *strangers);

/* The ends of a scan's short beams, m in the world. Places that are not seen for 1 s are forgotten;
 * points beyond the number of places are left out. */
void strangers_add(struct strangers *strangers, double stamp_s, const double (*points)[2],
                   size_t n_points);

/* The one that has been seen longest at its place, at least 8 s and in most scans; NULL: none. */
const struct stranger *strangers_oldest(const struct strangers *strangers);

#endif
