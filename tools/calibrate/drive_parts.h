/* SPDX-License-Identifier: Apache-2.0 */
/* A fit of a drive as one piece, without a look at whether its parts agree. */
#ifndef DOPPEL_CALIBRATE_DRIVE_PARTS_H
#define DOPPEL_CALIBRATE_DRIVE_PARTS_H

#include "drive_fit.h"

/* As drive_fit. `has_ramp`: false: as if the ramp were not identified. */
int drive_fit_at_once(const struct drive_sample *samples, size_t n,
                      const struct drive_config *config, bool has_ramp, struct drive_fit *ret_fit);

#endif
