/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorded laser may have seen: the outlines of what stands still in the world of the
 * Localizer's device, at the height of the robot's laser. It is the plan that the device gives in a
 * run; no device is opened here. */
#ifndef DOPPEL_CALIBRATE_PLAN_H
#define DOPPEL_CALIBRATE_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/host/catalog.h>

#include "raycast.h"

struct dpl_app;
struct dpl_app_device;

struct calibration_plan {
    struct dpl_raycast_outline *outlines; /* [n_outlines], m; `owner`: number of the object */
    size_t n_outlines, n_objects;
    double range_min_m, range_max_m; /* of the laser in the robot's model */
};

/* Reads the world that `device`, an avatar's floor plan, means: its own or the application's with
 * the changes of bindings, and what `seed` scatters in it. 0; -EINVAL: the device has no world that
 * can be read from a file, or there is no such laser; or what loading a world gives, with its
 * place. Allocates; opens files. */
int calibration_plan_read(const struct dpl_app *app, const struct dpl_app_device *device,
                          uint64_t seed, struct dpl_catalog *catalog,
                          struct calibration_plan *ret_plan, struct dpl_diag *reterr);

void calibration_plan_finish(struct calibration_plan *plan);

#endif
