/* SPDX-License-Identifier: Apache-2.0 */
/* A calibration from a recording, without a robot. */
#ifndef DOPPEL_CALIBRATE_CALIBRATION_RECORDED_H
#define DOPPEL_CALIBRATE_CALIBRATION_RECORDED_H

#include "calibration.h"
#include "recorded_run.h"

struct dpl_catalog;

/* Runs the application's Localizer over a recording in its world, and fits the drive if the
 * recording has commands. `target`: of the same application, with the values that the recorded run
 * had. `seed`: of the world, if the recording has no summary that tells it. Without a trace the
 * delay of the scans is not judged: it is NAN, not identified. 0, or -errno with reterr, whose
 * place borrows ret_file[size]. Allocates; blocks. */
int calibration_from_recording(const struct dpl_app *app, const struct calibration_target *target,
                               struct dpl_catalog *catalog, const char *path, uint64_t seed,
                               char *ret_file, size_t size,
                               struct calibration_findings *ret_findings, struct dpl_diag *reterr);

#endif
