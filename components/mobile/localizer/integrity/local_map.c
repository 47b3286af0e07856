/* SPDX-License-Identifier: Apache-2.0 */
#include "local_map.h"

#include <string.h>

#define RAD_A_METRE (DPL_PI / 3.0)

void local_map_init(struct local_map *map)
{
    memset(map, 0, sizeof *map);
}

static void add_frame(struct local_map *map, const struct loc_scan *scan)
{
    struct keyframe *frame = &map->frames[map->next];
    map->next = (map->next + 1) % LOCAL_MAP_KEPT;
    map->n += map->n < LOCAL_MAP_KEPT;
    frame->pose = map->odometry;
    frame->way_m = map->way_m;
    frame->n = scan->n < LOCAL_MAP_BEAMS ? scan->n : LOCAL_MAP_BEAMS;
    for (size_t k = 0; k < frame->n; k++) {
        size_t i = (2 * k + 1) * scan->n / (2 * frame->n);
        frame->beams[k] =
            (struct map_beam){scan->x[i], scan->y[i], scan->dx[i], scan->dy[i], scan->range[i]};
    }
}

static const struct keyframe *frame_before(const struct local_map *map, size_t k)
{
    return &map->frames[(map->next + LOCAL_MAP_KEPT - 1 - k) % LOCAL_MAP_KEPT];
}

void local_map_scan(struct local_map *map, const struct loc_scan *scan, struct dpl_pose2 moved)
{
    map->odometry = dpl_pose2_compose(map->odometry, moved);
    map->way_m += hypot(moved.x, moved.y) + fabs(moved.theta) / RAD_A_METRE;
    map->range_max = scan->range_max;
    if (map->n == 0 || map->way_m - frame_before(map, 0)->way_m >= LOCAL_MAP_STEP_M) {
        add_frame(map, scan);
    }
}

void local_map_empty(struct local_map *map)
{
    map->n = 0;
    map->emptied_m = map->way_m;
}

double local_map_length(const struct local_map *map)
{
    return map->n > 0 ? map->way_m - map->emptied_m : 0.0;
}

void local_map_look(const struct local_map *map, double length_m, struct local_map_view *ret_view)
{
    double length = fmin(length_m, local_map_length(map)), from_m = map->way_m,
           taken_m = (double)INFINITY;
    size_t k = 0;
    ret_view->n = 0;
    ret_view->range_max = map->range_max;
    for (int tenth = 0; tenth < LOCAL_MAP_FRAMES; tenth++) {
        double wanted_m = from_m - length * tenth / LOCAL_MAP_FRAMES;
        while (k + 1 < map->n && frame_before(map, k)->way_m > wanted_m + 1e-9) {
            k++;
        }
        if (k < map->n && frame_before(map, k)->way_m < taken_m) {
            taken_m = frame_before(map, k)->way_m;
            ret_view->frames[ret_view->n++] = *frame_before(map, k);
        }
    }
}
