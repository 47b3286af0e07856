/* SPDX-License-Identifier: Apache-2.0 */
/* A motor given by a table: the torque for a current, optionally for several speeds. Between the
 * numbers of the table the torque is linear (bilinear with speeds), outside of them it is that of
 * the nearest end. Pure: no allocation; a table is constant after dpl_motor_table_finish. */
#ifndef MOTION_DRIVE_MOTOR_TABLE_H
#define MOTION_DRIVE_MOTOR_TABLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MOTOR_MAX_CURRENTS 64
#define DPL_MOTOR_MAX_SPEEDS   16

/* Zero-initialised: empty. Fields are written by the functions below. */
struct dpl_motor_table {
    size_t n_currents; /* of the first speed */
    size_t n_speeds;
    size_t n_in_speed; /* rows of the newest speed */
    double current_a[DPL_MOTOR_MAX_CURRENTS];
    double speed_rad_s[DPL_MOTOR_MAX_SPEEDS];
    double torque_nm[DPL_MOTOR_MAX_SPEEDS][DPL_MOTOR_MAX_CURRENTS];
};

/* Adds a row, so that a reader of a file can tell the row of an error. The rows of a speed are
 * together and begin with 0 A and 0 Nm; their currents are strictly increasing; the speeds are
 * strictly increasing, and all have the same currents. A motor without a speed axis has one speed,
 * such as 0. Returns 0, -EINVAL, or -ENOSPC: there are too many currents or speeds; on error the
 * table is unchanged and `*reterr_what` (static text; may be NULL) is the reason. */
int dpl_motor_table_add(struct dpl_motor_table *table, double current_a, double torque_nm,
                        double speed_rad_s, const char **reterr_what);

/* After the last row: at least two currents, and as many rows for the last speed as for the first.
 * Returns 0, or -EINVAL as dpl_motor_table_add. */
int dpl_motor_table_finish(const struct dpl_motor_table *table, const char **reterr_what);

/* The torque at the motor's shaft, Nm. The table is odd: a negative current at a speed has the
 * negative torque of the positive current at the negative speed. 0 if an argument is not finite. */
double dpl_motor_torque(const struct dpl_motor_table *table, double current_a, double speed_rad_s);

/* The current of smallest magnitude with this torque; when the table does not reach it, the current
 * with the torque nearest to it. 0 if an argument is not finite. */
double dpl_motor_current(const struct dpl_motor_table *table, double torque_nm, double speed_rad_s);

#ifdef __cplusplus
}
#endif

#endif
