/* SPDX-License-Identifier: Apache-2.0 */
#include "strangers.h"

#include <math.h>
#include <string.h>

#define NEAR_M   0.1
#define SEEN_S   2.5
#define SPAN_S   15.0
#define MOVED_M  0.3
#define FADES_S  60.0 /* while out of sight */
#define RECENT_S 10.0

void strangers_init(struct strangers *strangers)
{
    memset(strangers, 0, sizeof *strangers);
    strangers->last_s = (double)NAN;
}

/* Once is enough: a thing stops the beams whenever they are aimed at it. */
static void forget(struct strangers *strangers, const struct strangers_view *view)
{
    for (size_t i = 0; i < STRANGERS_MAX && view->looks_through; i++) {
        struct stranger *place = &strangers->place[i];
        if (place->seen > 0 && place->last_s < strangers->last_s &&
            view->looks_through(view->context, place->x, place->y)) {
            place->seen = 0;
        }
    }
}

/* The place of the point; else one that is free, else the one that was seen least and has not been
 * seen in this scan. NULL: none. */
static struct stranger *find(struct strangers *strangers, double stamp_s, const double point[2])
{
    struct stranger *least = NULL;
    for (size_t i = 0; i < STRANGERS_MAX; i++) {
        struct stranger *place = &strangers->place[i];
        double dx = place->x - point[0], dy = place->y - point[1];
        if (place->seen > 0 && fabs(dx) < NEAR_M && hypot(dx, dy) < NEAR_M) {
            return place;
        }
        if (place->last_s < stamp_s && (!least || place->seen < least->seen)) {
            least = place;
        }
    }
    if (least) {
        least->seen = 0;
    }
    return least;
}

static void see(struct strangers *strangers, double stamp_s, const double point[2],
                const double from[2])
{
    struct stranger *place = find(strangers, stamp_s, point);
    if (place && place->seen == 0) {
        *place = (struct stranger){.x = point[0],
                                   .y = point[1],
                                   .first_s = stamp_s,
                                   .last_s = stamp_s,
                                   .from = {from[0], from[1]},
                                   .seen = 1};
    } else if (place && place->last_s < stamp_s) {
        double absent_s = stamp_s - place->last_s;
        double moved_m = hypot(from[0] - place->from[0], from[1] - place->from[1]);
        place->last_s = stamp_s;
        place->seen_s = exp(-absent_s / FADES_S) * place->seen_s + strangers->scans_s;
        place->moved_m = fmax(place->moved_m, moved_m);
        place->seen++;
    }
}

void strangers_add(struct strangers *strangers, double stamp_s, const struct strangers_view *view)
{
    double since = stamp_s - strangers->last_s;
    if (since > 0.0) {
        strangers->scans_s += (strangers->scans_s > 0.0 ? 0.1 : 1.0) * (since - strangers->scans_s);
    }
    strangers->last_s = stamp_s;
    for (size_t i = 0; i < view->n_points; i++) {
        if (isfinite(view->points[i][0]) && isfinite(view->points[i][1])) {
            see(strangers, stamp_s, view->points[i], view->from);
        }
    }
    forget(strangers, view);
}

static bool is_object(const struct strangers *strangers, const struct stranger *place)
{
    return place->seen > 0 && place->seen_s >= SEEN_S && place->moved_m >= MOVED_M &&
           place->last_s - place->first_s >= SPAN_S &&
           strangers->last_s - place->last_s <= RECENT_S;
}

const struct stranger *strangers_oldest(const struct strangers *strangers)
{
    const struct stranger *oldest = NULL;
    for (size_t i = 0; i < STRANGERS_MAX; i++) {
        const struct stranger *place = &strangers->place[i];
        if (is_object(strangers, place) && (!oldest || place->first_s < oldest->first_s)) {
            oldest = place;
        }
    }
    return oldest;
}
