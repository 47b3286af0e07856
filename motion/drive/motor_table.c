/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, and interpolation. */
#include "motor_table.h"

#include <errno.h>
#include <math.h>

/* ---- rows ---- */

static int refuse(int error, const char *what, const char **reterr_what)
{
    if (reterr_what) {
        *reterr_what = what;
    }
    return error;
}

/* Whether a row begins a new speed; NULL, or what is wrong with the row. */
static const char *breach_of(const struct dpl_motor_table *table, double current_a,
                             double torque_nm, double speed_rad_s, int *ret_begins)
{
    size_t n = table->n_in_speed, s = table->n_speeds;
    int begins = s == 0 || speed_rad_s != table->speed_rad_s[s - 1];
    *ret_begins = begins;
    if (!isfinite(current_a) || !isfinite(torque_nm) || !isfinite(speed_rad_s)) {
        return "a number is not finite";
    }
    if (begins && s > 0 && speed_rad_s < table->speed_rad_s[s - 1]) {
        return "the speeds are not strictly increasing";
    }
    if (begins && s > 0 && n != table->n_currents) {
        return "the speed before has fewer currents than the first speed";
    }
    if (begins && (current_a != 0.0 || torque_nm != 0.0)) {
        return "the first row of a speed is not 0 A with 0 Nm";
    }
    if (begins) {
        return NULL;
    }
    if (s == 1 && !(current_a > table->current_a[n - 1])) {
        return "the currents are not strictly increasing";
    }
    if (s > 1 && (n == table->n_currents || current_a != table->current_a[n])) {
        return "the currents are not those of the first speed";
    }
    return NULL;
}

int dpl_motor_table_add(struct dpl_motor_table *table, double current_a, double torque_nm,
                        double speed_rad_s, const char **reterr_what)
{
    int begins;
    const char *breach = breach_of(table, current_a, torque_nm, speed_rad_s, &begins);
    if (breach) {
        return refuse(-EINVAL, breach, reterr_what);
    }
    if (begins && table->n_speeds == DPL_MOTOR_MAX_SPEEDS) {
        return refuse(-ENOSPC, "there are more than 16 speeds", reterr_what);
    }
    if (!begins && table->n_in_speed == DPL_MOTOR_MAX_CURRENTS) {
        return refuse(-ENOSPC, "there are more than 64 currents", reterr_what);
    }
    if (begins) {
        table->speed_rad_s[table->n_speeds] = speed_rad_s;
        table->n_speeds++;
        table->n_in_speed = 0;
    }
    size_t row = table->n_in_speed;
    table->torque_nm[table->n_speeds - 1][row] = torque_nm;
    table->n_in_speed++;
    if (table->n_speeds == 1) {
        table->current_a[row] = current_a;
        table->n_currents = table->n_in_speed;
    }
    return 0;
}

int dpl_motor_table_finish(const struct dpl_motor_table *table, const char **reterr_what)
{
    if (table->n_currents < 2) {
        return refuse(-EINVAL, "the table has fewer than two currents", reterr_what);
    }
    if (table->n_in_speed != table->n_currents) {
        return refuse(-EINVAL, "the last speed has fewer currents than the first speed",
                      reterr_what);
    }
    return 0;
}

/* ---- interpolation ---- */

/* Between entries `low` and `low + 1`, or at `low` with share 0. */
struct spot {
    size_t low;
    double share;
};

static struct spot spot_of(const double *axis, size_t n, double x)
{
    if (!(x > axis[0])) {
        return (struct spot){0, 0.0};
    }
    for (size_t i = 1; i < n; i++) {
        if (x < axis[i]) {
            return (struct spot){i - 1, (x - axis[i - 1]) / (axis[i] - axis[i - 1])};
        }
    }
    return (struct spot){n - 1, 0.0};
}

static double between(double a, double b, double share)
{
    return a + share * (b - a);
}

/* The torque of one current of the table at a speed. */
static double torque_at(const struct dpl_motor_table *table, size_t current, struct spot speed)
{
    double low = table->torque_nm[speed.low][current];
    return speed.share > 0.0 ? between(low, table->torque_nm[speed.low + 1][current], speed.share)
                             : low;
}

double dpl_motor_torque(const struct dpl_motor_table *table, double current_a, double speed_rad_s)
{
    if (!isfinite(current_a) || !isfinite(speed_rad_s)) {
        return 0.0;
    }
    double sign = current_a < 0.0 ? -1.0 : 1.0;
    struct spot speed = spot_of(table->speed_rad_s, table->n_speeds, sign * speed_rad_s);
    struct spot current = spot_of(table->current_a, table->n_currents, sign * current_a);
    double torque = torque_at(table, current.low, speed);
    if (current.share > 0.0) {
        torque = between(torque, torque_at(table, current.low + 1, speed), current.share);
    }
    return sign * torque;
}

double dpl_motor_current(const struct dpl_motor_table *table, double torque_nm, double speed_rad_s)
{
    if (!isfinite(torque_nm) || !isfinite(speed_rad_s)) {
        return 0.0;
    }
    double sign = torque_nm < 0.0 ? -1.0 : 1.0, wanted = sign * torque_nm;
    struct spot speed = spot_of(table->speed_rad_s, table->n_speeds, sign * speed_rad_s);
    double before = 0.0, best = 0.0, best_current = 0.0;
    for (size_t i = 0; i < table->n_currents; i++) {
        double here = torque_at(table, i, speed);
        if (here >= wanted) {
            double step = i > 0 ? table->current_a[i] - table->current_a[i - 1] : 0.0;
            double share = here > before ? (here - wanted) / (here - before) : 0.0;
            return sign * (table->current_a[i] - share * step);
        }
        if (here > best) {
            best = here;
            best_current = table->current_a[i];
        }
        before = here;
    }
    return sign * best_current;
}
