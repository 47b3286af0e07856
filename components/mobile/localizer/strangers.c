/* SPDX-License-Identifier: Apache-2.0 */
#include "strangers.h"

#include <math.h>
#include <string.h>

#define NEAR_M   0.1
#define FORGET_S 1.0
#define STAYS_S  8.0
#define MOST     0.6

void strangers_init(struct strangers *strangers)
{
    memset(strangers, 0, sizeof *strangers);
    strangers->last_s = (double)NAN;
}

static void forget(struct strangers *strangers, double now_s)
{
    for (size_t i = 0; i < STRANGERS_MAX; i++) {
        if (now_s - strangers->place[i].last_s > FORGET_S) {
            strangers->place[i].seen = 0;
        }
    }
}

static struct stranger *find(struct strangers *strangers, const double point[2])
{
    struct stranger *unused = NULL;
    for (size_t i = 0; i < STRANGERS_MAX; i++) {
        struct stranger *place = &strangers->place[i];
        if (place->seen == 0) {
            unused = place;
        } else if (hypot(place->x - point[0], place->y - point[1]) < NEAR_M) {
            return place;
        }
    }
    return unused;
}

static void see(struct strangers *strangers, double stamp_s, const double point[2])
{
    struct stranger *place = find(strangers, point);
    if (place && place->seen == 0) {
        *place = (struct stranger){point[0], point[1], stamp_s, stamp_s, 1};
    } else if (place && place->last_s < stamp_s) {
        place->last_s = stamp_s;
        place->seen++;
    }
}

void strangers_add(struct strangers *strangers, double stamp_s, const double (*points)[2],
                   size_t n_points)
{
    double since = stamp_s - strangers->last_s;
    if (since > 0.0) {
        strangers->scans_s += (strangers->scans_s > 0.0 ? 0.1 : 1.0) * (since - strangers->scans_s);
    }
    strangers->last_s = stamp_s;
    forget(strangers, stamp_s);
    for (size_t i = 0; i < n_points; i++) {
        if (isfinite(points[i][0]) && isfinite(points[i][1])) {
            see(strangers, stamp_s, points[i]);
        }
    }
}

const struct stranger *strangers_oldest(const struct strangers *strangers)
{
    const struct stranger *oldest = NULL;
    for (size_t i = 0; i < STRANGERS_MAX; i++) {
        const struct stranger *place = &strangers->place[i];
        double stayed = place->last_s - place->first_s;
        bool counts = place->seen > 0 && stayed >= STAYS_S &&
                      place->seen * strangers->scans_s >= MOST * stayed;
        if (counts && (!oldest || place->first_s < oldest->first_s)) {
            oldest = place;
        }
    }
    return oldest;
}
