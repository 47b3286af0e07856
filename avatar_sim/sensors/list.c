/* SPDX-License-Identifier: Apache-2.0 */
/* The sensors that a robot may have: one line for each. */
#include "classes.h"

extern const struct dpl_sim_entry_class dpl_encoder, dpl_imu, dpl_laser, dpl_touch;

const struct dpl_sim_entry_class *const dpl__sensors[] = {
    &dpl_encoder, &dpl_imu, &dpl_laser, &dpl_touch, NULL,
};
