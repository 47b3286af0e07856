/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of wrenches of six numbers (force x y z in N, torque x y z in N m) to and from
 * messages. */
#ifndef MOTION_WRENCH_H
#define MOTION_WRENCH_H

#include <stdbool.h>

#include <doppel/msg/force_sensor.h>

/* `ret_wrench`: 6. The caller must check whether the wrench is valid. */
static inline void dpl_wrench_get(const Doppel__Wrench *message, double *ret_wrench)
{
    ret_wrench[0] = message->force_x;
    ret_wrench[1] = message->force_y;
    ret_wrench[2] = message->force_z;
    ret_wrench[3] = message->torque_x;
    ret_wrench[4] = message->torque_y;
    ret_wrench[5] = message->torque_z;
}

/* `wrench`: 6. */
static inline void dpl_wrench_set(Doppel__Wrench *message, const double *wrench, bool valid)
{
    message->force_x = wrench[0];
    message->force_y = wrench[1];
    message->force_z = wrench[2];
    message->torque_x = wrench[3];
    message->torque_y = wrench[4];
    message->torque_z = wrench[5];
    message->valid = valid;
}

#endif
