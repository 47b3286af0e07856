/* SPDX-License-Identifier: Apache-2.0 */
/* The motor of a wheel. Its settings are a struct dpl_sim_wheel; its joint holds a speed. */
#ifndef DOPPEL_SIM_WHEEL_MOTOR_H
#define DOPPEL_SIM_WHEEL_MOTOR_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_wheel_motor;

#endif
