/* SPDX-License-Identifier: Apache-2.0 */
/* The Localizer over a recorded run: the same calls as in the run, without a robot. The same
 * recording gives the same numbers. */
#ifndef DOPPEL_CALIBRATE_REPLAY_H
#define DOPPEL_CALIBRATE_REPLAY_H

#include "localizer.h"
#include "recorded_run.h"

struct replay_result {
    struct localizer_calibration calibration;
    bool fits;        /* the pose is known at the end, and the scans agreed with the world */
    double unknown_s; /* since when until the end the pose is not known; NAN: it is */
    double agreement; /* share of the beams that fitted, mean of the second half */
    double forgot_from_s, forgot_until_s; /* as localizer_forgetting; until NAN: never */
    double duration_s, distance_m;        /* times: since the first row */
};

/* `config`: with plan, axle and start. `range_min_m`, `range_max_m`: other ranges are no return. 0,
 * -ENOMEM, or -EINVAL: a number of the configuration is out of its range. Allocates; takes about a
 * second for three minutes of ten scans a second. */
int replay(const struct recorded_run *run, const struct localizer_config *config,
           double range_min_m, double range_max_m, struct replay_result *ret_result);

#endif
