/* SPDX-License-Identifier: Apache-2.0 */
/* A calibration from the results of a run in which the Localizer identified. */
#ifndef DOPPEL_CALIBRATE_CALIBRATION_RUN_H
#define DOPPEL_CALIBRATE_CALIBRATION_RUN_H

#include "calibration.h"

/* Takes what the Localizer found from the folder of results, and fits the drive to its trace. 0, or
 * -errno with reterr, whose place borrows `folder`. Allocates; opens files. */
int calibration_from_run(const struct calibration_target *target, const char *folder,
                         struct calibration_findings *ret_findings, struct dpl_diag *reterr);

#endif
