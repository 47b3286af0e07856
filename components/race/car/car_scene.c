/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the scene of a race. */
#include "car_scene.h"

#include <math.h>
#include <stdio.h>

#define ENDLESS_M 500.0

struct box {
    struct car_point low, high;
};

static void widen(struct box *box, struct car_point p)
{
    box->low = (struct car_point){fmin(box->low.x, p.x), fmin(box->low.y, p.y)};
    box->high = (struct car_point){fmax(box->high.x, p.x), fmax(box->high.y, p.y)};
}

static struct box bounds(const struct car *car)
{
    struct dpl_pose2 pose = car_pose(car);
    struct box box = {{pose.x, pose.y}, {pose.x, pose.y}};
    const struct car_surroundings *around = &car->config.around;
    for (size_t i = 0; i < around->n_walls; i++) {
        widen(&box, around->walls[i].a);
        widen(&box, around->walls[i].b);
    }
    return box;
}

/* A line without ends is stored as a segment far longer than the track. */
static bool is_endless(const struct car_segment *s, const struct box *box)
{
    struct box with = *box;
    widen(&with, s->a);
    widen(&with, s->b);
    return hypot(with.high.x - with.low.x, with.high.y - with.low.y) >
           ENDLESS_M + hypot(box->high.x - box->low.x, box->high.y - box->low.y);
}

static void write_segments(FILE *file, const char *name, const struct car_segment *s, size_t n)
{
    fprintf(file, "  \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        fprintf(file, "%s[%.9g, %.9g, %.9g, %.9g]", i > 0 ? ", " : "", s[i].a.x, s[i].a.y, s[i].b.x,
                s[i].b.y);
    }
    fputs("],\n", file);
}

static void write_sensors(FILE *file, const struct car_config *config)
{
    fputs("  \"sensors_deg\": [", file);
    for (size_t i = 0; i < config->n_sensors; i++) {
        fprintf(file, "%s%.9g", i > 0 ? ", " : "", config->sensor_deg[i]);
    }
    fputs("],\n", file);
}

/* The paper's car is a point without an outline. */
static void write_footprint(FILE *file, const struct car *car)
{
    size_t n = car->config.model == CAR_MODEL_PAPER ? 0 : car->body.footprint.n;
    fputs("  \"footprint\": [", file);
    for (size_t i = 0; i < n; i++) {
        const struct car_point *p = &car->body.footprint.corners[i];
        fprintf(file, "%s[%.9g, %.9g]", i > 0 ? ", " : "", p->x, p->y);
    }
    fputs("],\n", file);
}

void car_scene_write(const struct car *car, FILE *file)
{
    const struct car_surroundings *around = &car->config.around;
    struct box box = bounds(car);
    struct car_segment finish = around->finish;
    bool has_finish = around->has_finish;
    if (has_finish && is_endless(&finish, &box)) {
        has_finish = car_segment_clip(&around->finish, box.low, box.high, &finish);
    }
    struct dpl_pose2 end = car_pose(car);
    fputs("{\n", file);
    write_segments(file, "walls", around->walls, around->n_walls);
    write_segments(file, "finish", &finish, has_finish ? 1 : 0);
    write_sensors(file, &car->config);
    write_footprint(file, car);
    fprintf(file, "  \"end\": [%.9g, %.9g]\n}\n", end.x, end.y);
}
