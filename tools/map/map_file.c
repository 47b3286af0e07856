/* SPDX-License-Identifier: Apache-2.0 */
#include "map_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "svg.h"

#define DOTS_MAX 8000 /* of each picture: the file stays below 400 kB */

/* ---- world ---- */

/* Two hyphens would end the comment. */
static void write_comment_text(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool plain = (unsigned char)*c >= ' ' && !(*c == '-' && (c[1] == '-' || c[1] == '\0'));
        fputc(plain ? *c : '_', out);
    }
}

static void write_wall(FILE *out, const struct wall *wall, size_t number)
{
    double back = -0.5 * MAP_WALL_THICKNESS; /* the middle is behind the visible surface */
    fprintf(out,
            "  <wall name=\"wall %zu\" x1=\"%.3f\" y1=\"%.3f\" x2=\"%.3f\" y2=\"%.3f\" "
            "thickness=\"%g\"/>\n",
            number, wall->x1 + back * wall->nx, wall->y1 + back * wall->ny,
            wall->x2 + back * wall->nx, wall->y2 + back * wall->ny, MAP_WALL_THICKNESS);
}

void map_file_write_world(FILE *out, const struct map_world *world)
{
    const struct quality *q = world->quality;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- A map of ");
    write_comment_text(out, world->recording);
    fprintf(out,
            ", written by doppel map. The origin is the base at the first scan. Walls are what the "
            "laser saw\n     at its height, the longest first; %zu scans%s: a beam ends %.0f mm "
            "from a wall (median; 90 %%: %.0f mm). Only small loops are closed. -->\n"
            "<world name=\"",
            q->n_scans, q->of_held_out ? " that are not in the map" : "", 1e3 * q->median_m,
            1e3 * q->ninety_m);
    xml_print(out, "%s\" step_ms=\"1\">\n  <ground friction=\"1\"/>\n", world->name);
    for (size_t i = 0; i < world->walls->n; i++) {
        write_wall(out, &world->walls->items[i], i + 1);
    }
    xml_print(out, "  <robot name=\"avatar\" model=\"%s\"/>\n</world>\n", world->robot_model);
}

/* ---- picture ---- */

struct dots {
    double *x, *y;
    size_t n;
};

struct picture {
    struct dots raw, matched, walls, way;
};

static bool alloc_dots(struct dots *dots, size_t most)
{
    dots->x = calloc(most + 1, sizeof *dots->x);
    dots->y = calloc(most + 1, sizeof *dots->y);
    return dots->x && dots->y;
}

static void add(struct dots *dots, double x, double y)
{
    dots->x[dots->n] = x;
    dots->y[dots->n++] = y;
}

static void add_scan(struct dots *dots, const struct mapper *mapper, size_t n, size_t stride,
                     struct dpl_pose2 pose)
{
    double c = cos(pose.theta), s = sin(pose.theta);
    for (size_t k = 0; k < n && dots->n < DOTS_MAX; k += stride) {
        const struct scan_point *p = &mapper->points[k];
        add(dots, pose.x + c * p->x - s * p->y, pose.y + s * p->x + c * p->y);
    }
}

static void fill(struct picture *picture, struct mapper *mapper, const struct walls *walls)
{
    const struct recording *recording = mapper->recording;
    size_t stride = recording->n_ranges / DOTS_MAX + 1;
    for (size_t i = 0; i < recording->n; i++) {
        size_t n = mapper_points(mapper, i);
        add_scan(&picture->raw, mapper, n, stride, mapper_odometry(recording, i));
        add_scan(&picture->matched, mapper, n, stride, mapper->poses[i]);
        add(&picture->way, mapper->poses[i].x, mapper->poses[i].y);
    }
    for (size_t i = 0; i < walls->n; i++) {
        const struct wall *w = &walls->items[i];
        add(&picture->walls, w->x1, w->y1);
        add(&picture->walls, w->x2, w->y2);
        add(&picture->walls, (double)NAN, (double)NAN);
    }
}

static void draw(FILE *out, const struct picture *p)
{
    const struct chart chart = {.title = "",
                                .x_label = "x, m",
                                .y_label = "y, m",
                                .width = 820,
                                .height = 560,
                                .equal_scale = true};
    const struct series raw[] = {
        {"scans by odometry", "#9aa0a6", p->raw.x, p->raw.y, p->raw.n, .dots = true, .width = 1.2}};
    const struct series map[] = {
        {"scans, matched", "#9aa0a6", p->matched.x, p->matched.y, p->matched.n, .dots = true,
         .width = 1.2},
        {"walls", "#d93025", p->walls.x, p->walls.y, p->walls.n, .width = 2.0},
        {"way", "#1a73e8", p->way.x, p->way.y, p->way.n, .width = 1.4},
    };
    struct panel panels[] = {{chart, raw, 1}, {chart, map, 3}};
    panels[0].chart.title = "Scans by odometry alone";
    panels[1].chart.title = "The map";
    svg_panels(out, panels, 2);
}

int map_file_write_picture(FILE *out, struct mapper *mapper, const struct walls *walls)
{
    struct picture picture = {0};
    bool has_memory = alloc_dots(&picture.raw, DOTS_MAX);
    has_memory = alloc_dots(&picture.matched, DOTS_MAX) && has_memory;
    has_memory = alloc_dots(&picture.walls, 3 * walls->n) && has_memory;
    has_memory = alloc_dots(&picture.way, mapper->recording->n) && has_memory;
    if (has_memory) {
        fill(&picture, mapper, walls);
        draw(out, &picture);
    }
    struct dots *const all[] = {&picture.raw, &picture.matched, &picture.walls, &picture.way};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]->x);
        free(all[i]->y);
    }
    return has_memory ? 0 : -ENOMEM;
}
