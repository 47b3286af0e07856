/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a world: what stands in it, and the footprints of its robots, seen from above. */
#ifndef DOPPEL_REPORT_REPORT_PLAN_H
#define DOPPEL_REPORT_REPORT_PLAN_H

#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/host/catalog.h>
#include <doppel/math/geometry.h>

#include "result.h"

enum { REPORT_PLAN_CORNERS_MAX = 64 };

/* The outline of a robot in its own frame, counter-clockwise, in m. */
struct footprint {
    char robot[ROBOT_NAME_SIZE]; /* its name in the world */
    double x[REPORT_PLAN_CORNERS_MAX], y[REPORT_PLAN_CORNERS_MAX];
    size_t n;
};

struct report_plan {
    char name[ROBOT_NAME_SIZE]; /* of the world; "": there is no plan */
    double *x, *y;              /* [n] outlines of objects, a NaN after each, in m */
    size_t n, n_objects;
    struct footprint footprints[ROBOTS_MAX];
    size_t n_footprints;
    double finish[4]; /* x1 y1 x2 y2, in m */
    bool has_finish;
};

/* Reads the plan of a world's file. Of more robots than ROBOTS_MAX the others are left out. -errno
 * with reterr. Allocates. */
int report_plan_read(const char *file, struct dpl_catalog *catalog, struct report_plan *ret_plan,
                     struct dpl_diag *reterr);

/* The world of a run's robots: the file that its record names, found in the catalogue if it is no
 * path. NULL: the record names none. Borrowed from record or catalogue. */
const char *report_plan_file(const struct result *result, struct dpl_catalog *catalog);

void report_plan_finish(struct report_plan *plan);

/* The footprint of a robot of the run, of the avatar or of what stands for it; NULL: unknown. */
const struct footprint *report_plan_footprint(const struct report_plan *plan,
                                              const struct robot *robot);

#endif
