/* SPDX-License-Identifier: Apache-2.0 */
/* What the odometry and the mount of a recording were made with: the record of its run (run.json)
 * against the bindings of a calibration. */
#ifndef DOPPEL_CALIBRATE_RECORDED_BINDINGS_H
#define DOPPEL_CALIBRATE_RECORDED_BINDINGS_H

#include "calibration.h"

struct dpl_app;

/* 0; -EINVAL with reterr: scales, axle or mount of the run differ from those of the target, so that
 * what is found would be multiplied with the wrong numbers. `path`: a folder, or a file in one. A
 * recording without a record has nothing to compare: 0. */
int recorded_bindings_check(const char *path, const struct calibration_target *target,
                            struct dpl_diag *reterr);

/* Warns of other drivers and properties of the recorded run that change what is found: each with
 * both values, and what the difference does. They may be meant, as a correction is. `app`: with the
 * bindings of the calibration. */
void recorded_bindings_warn(const char *path, const struct dpl_app *app,
                            const struct calibration_target *target, struct dpl_diags *diags);

#endif
