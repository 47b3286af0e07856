/* SPDX-License-Identifier: Apache-2.0 */
/* Outlines of what stands still, exact and in straight pieces. */
#include <doppel/sim/outline.h>

#include <errno.h>
#include <math.h>

#include "laser_outline.h"

struct pieces {
    double (*list)[4];
    size_t n, most;
};

_Static_assert((int)DPL_OUTLINES_A_SHAPE == DPL_SIM_OUTLINES_A_SOLID, "a solid is a shape");

static int add(struct pieces *pieces, double x1, double y1, double x2, double y2)
{
    if (pieces->n == pieces->most) {
        return -ENOSPC;
    }
    double *to = pieces->list[pieces->n++];
    to[0] = x1;
    to[1] = y1;
    to[2] = x2;
    to[3] = y2;
    return 0;
}

/* A circle becomes the polygon around it. */
static int add_outline(struct pieces *pieces, const struct dpl_raycast_outline *outline)
{
    enum { CORNERS = 16 };
    if (outline->radius <= 0.0) {
        return add(pieces, outline->x, outline->y, outline->x + outline->dx,
                   outline->y + outline->dy);
    }
    double radius = outline->radius / cos(DPL_PI / CORNERS);
    int err = 0;
    for (int i = 0; i < CORNERS && err == 0; i++) {
        double from = 2.0 * DPL_PI * i / CORNERS, to = 2.0 * DPL_PI * (i + 1) / CORNERS;
        err = add(pieces, outline->x + radius * cos(from), outline->y + radius * sin(from),
                  outline->x + radius * cos(to), outline->y + radius * sin(to));
    }
    return err;
}

static int read_solid(const double values[DPL_SIM_SOLID_NUMBERS], struct dpl_sim_shape *ret)
{
    double kind = values[0];
    if (!(kind >= DPL_SIM_BOX && kind <= DPL_SIM_CAPSULE) || kind != floor(kind)) {
        return -EINVAL;
    }
    *ret = (struct dpl_sim_shape){
        .kind = (enum dpl_sim_kind)kind,
        .x = values[1],
        .y = values[2],
        .z = values[3],
        .yaw = values[4],
        .size_x = values[5],
        .size_y = values[6],
        .size_z = values[7],
        .radius = values[8],
        .height = values[9],
        .lying = values[10] != 0.0,
    };
    return 0;
}

/* The cross-section of one solid into outlines[DPL_OUTLINES_A_SHAPE]: how many, or -EINVAL. */
static int cut(const double solid[DPL_SIM_SOLID_NUMBERS], double height_m, int object,
               struct dpl_raycast_outline *outlines)
{
    struct dpl_sim_shape shape;
    int err = read_solid(solid, &shape);
    return err < 0
               ? err
               : (int)dpl__laser_outline(&shape, (struct dpl_pose2){0}, height_m, object, outlines);
}

int dpl_sim_outlines(const double (*solids)[DPL_SIM_SOLID_NUMBERS], size_t n, double height_m,
                     struct dpl_sim_outline *ret_outlines, size_t most)
{
    size_t n_outlines = 0;
    for (size_t i = 0; i < n; i++) {
        struct dpl_raycast_outline outlines[DPL_OUTLINES_A_SHAPE];
        int k = cut(solids[i], height_m, (int)i, outlines);
        if (k < 0 || (size_t)k > most - n_outlines) {
            return k < 0 ? k : -ENOSPC;
        }
        for (int j = 0; j < k; j++) {
            const struct dpl_raycast_outline *o = &outlines[j];
            ret_outlines[n_outlines++] =
                (struct dpl_sim_outline){o->x, o->y, o->dx, o->dy, o->radius, o->owner};
        }
    }
    return (int)n_outlines;
}

int dpl_sim_outline(const double (*solids)[DPL_SIM_SOLID_NUMBERS], size_t n, double height_m,
                    double (*ret_pieces)[4], size_t most)
{
    struct pieces pieces = {.list = ret_pieces, .most = most};
    for (size_t i = 0; i < n; i++) {
        struct dpl_raycast_outline outlines[DPL_OUTLINES_A_SHAPE];
        int k = cut(solids[i], height_m, (int)i, outlines);
        for (int j = 0; j < k; j++) {
            int err = add_outline(&pieces, &outlines[j]);
            if (err < 0) {
                return err;
            }
        }
        if (k < 0) {
            return k;
        }
    }
    return (int)pieces.n;
}
