/* SPDX-License-Identifier: Apache-2.0 */
/* Machines of models: what makes sense, and the same in the terms of kinematics and plant. */
#include "machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/math/linear.h>

#include "hexa_ik.h"
#include "machine_xml.h"

static const struct dpl_place nowhere;

/* For a world of this step an axis is computed in few enough substeps, else creating it fails. */
static const double usual_step_s = 1e-3;

void dpl__machine_geometry(const struct dpl_sim_machine *machine,
                           struct dpl_hexa_geometry *ret_geometry)
{
    struct dpl_hexa_geometry made = {.reserve = machine->reserve};
    memcpy(made.home, machine->home, sizeof made.home);
    memcpy(made.half_range, machine->half_range, sizeof made.half_range);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_sim_axis *axis = &machine->axes[i];
        for (size_t c = 0; c < 3; c++) {
            made.joint_m[c][i] = axis->joint[c];
            made.rail_m[c][i] = axis->rail[c];
            made.axis[c][i] = axis->direction[c];
        }
        made.branch[i] = axis->branch;
        made.link_m[i] = axis->link;
        made.low_m[i] = axis->low;
        made.high_m[i] = axis->high;
    }
    *ret_geometry = made;
}

void dpl__machine_plant(const struct dpl_sim_axis *axis, struct dpl_axis_plant_config *ret_config)
{
    const struct dpl_sim_drive *drive = &axis->drive;
    *ret_config = (struct dpl_axis_plant_config){
        .motor_kg = drive->motor_mass,
        .load_kg = drive->load_mass,
        .lag_s = drive->lag_s,
        .coulomb_n = drive->coulomb,
        .viscous_n_s_m = drive->viscous,
        .friction_speed_m_s = drive->friction_speed,
        .screw_n_m = drive->screw_stiffness,
        .screw_n_s_m = drive->screw_damping,
        .effort_max_n = drive->max_effort,
        .low_m = axis->low,
        .high_m = axis->high,
    };
}

/* The solution of [A | b]; of a singular A none is written. */
static void solve(double rows[DPL_SIX][DPL_SIX + 1], double ret_x[DPL_AXES_N])
{
    if (dpl_eliminate(rows[0], DPL_SIX, DPL_SIX + 1, 1e-12) < 0) {
        return;
    }
    for (size_t k = DPL_SIX; k-- > 0;) {
        ret_x[k] = rows[k][DPL_SIX];
        for (size_t c = k + 1; c < DPL_SIX; c++) {
            ret_x[k] -= rows[k][c] * ret_x[c];
        }
        ret_x[k] /= rows[k][k];
    }
}

void dpl__machine_weight(const struct dpl_sim_machine *machine,
                         const struct dpl_hexa_geometry *geometry, const double pose[DPL_SIX],
                         double ret_force_n[DPL_AXES_N])
{
    static const double gravity_m_s2 = 9.80665;
    double rate[DPL_SIX][DPL_AXES_N], rows[DPL_SIX][DPL_SIX + 1];
    double weight = machine->weight_mass * gravity_m_s2;
    const double *c = machine->weight_at;
    double sr = sin(pose[3]), cr = cos(pose[3]), sp = sin(pose[4]), cp = cos(pose[4]);
    /* minus the gradient of weight times height of the centre of mass */
    double force[DPL_SIX] = {
        0.0,
        0.0,
        -weight,
        -weight * cp * (cr * c[1] - sr * c[2]),
        weight * (cp * c[0] + sp * (sr * c[1] + cr * c[2])),
        0.0,
    };
    memset(ret_force_n, 0, DPL_AXES_N * sizeof *ret_force_n);
    if (weight <= 0.0 || dpl_hexa_jacobian(geometry, pose, rate) != 0) {
        return;
    }
    for (size_t i = 0; i < DPL_SIX; i++) {
        memcpy(rows[i], rate[i], sizeof rate[i]);
        rows[i][DPL_SIX] = force[i];
    }
    solve(rows, ret_force_n);
}

void dpl__machine_describe(const char *name, const struct dpl_sim_machine *machine,
                           struct dpl_machine *ret_machine)
{
    struct dpl_machine made = {.reserve = machine->reserve};
    snprintf(made.name, sizeof made.name, "%s", name);
    memcpy(made.home, machine->home, sizeof made.home);
    memcpy(made.half_range, machine->half_range, sizeof made.half_range);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_sim_axis *axis = &machine->axes[i];
        struct dpl_machine_leg *leg = &made.legs[i];
        snprintf(leg->axis_name, sizeof leg->axis_name, "%s", axis->name);
        for (size_t c = 0; c < 3; c++) {
            leg->joint_m[c] = axis->joint[c];
            leg->rail_m[c] = axis->rail[c];
            leg->direction[c] = axis->direction[c];
        }
        leg->branch = axis->branch;
        leg->link_m = axis->link;
        leg->low_m = axis->low;
        leg->high_m = axis->high;
    }
    *ret_machine = made;
}

struct limit {
    double value, low, high;
    const char *what;
};

static int check_limits(const char *axis, const struct limit *limits, size_t n,
                        struct dpl_diag *reterr)
{
    for (size_t i = 0; i < n; i++) {
        double value = limits[i].value;
        if (!(value >= limits[i].low && value <= limits[i].high)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "%s of axis '%s' is %g, expected %g to %g",
                            limits[i].what, axis, value, limits[i].low, limits[i].high);
        }
    }
    return 0;
}

int dpl__machine_check_drive(const struct dpl_sim_axis *axis, struct dpl_diag *reterr)
{
    const struct dpl_sim_drive *drive = &axis->drive;
    const struct limit limits[] = {
        {drive->motor_mass, 0.001, 1e5, "motor_mass"},
        {drive->load_mass, 0.0, 1e5, "load_mass"},
        {drive->lag_s, 0.0, 10.0, "lag"},
        {drive->coulomb, 0.0, 1e6, "coulomb friction"},
        {drive->friction_speed, 1e-6, 1.0, "friction_speed"},
        {drive->viscous, 0.0, 1e6, "viscous friction"},
        {drive->screw_stiffness, 0.0, 1e12, "screw_stiffness"},
        {drive->screw_damping, 0.0, 1e9, "screw_damping"},
        {drive->max_effort, 0.0, 1e7, "max_effort"},
        {drive->resolution, 0.0, 0.01, "resolution"},
        {drive->brake, 0.0, 1e6, "brake"},
    };
    struct dpl_axis_plant_config config;
    int err = check_limits(axis->name, limits, DPL_COUNT(limits), reterr);
    if (err) {
        return err;
    }
    if (drive->screw_stiffness > 0.0 && drive->load_mass <= 0.0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "axis '%s' has a screw that gives, but no load_mass beyond it", axis->name);
    }
    dpl__machine_plant(axis, &config);
    config.coulomb_n += drive->brake;
    config.low_m = config.high_m = 0.0; /* the rail is the leg's matter */
    if (dpl_axis_plant_check(&config, usual_step_s)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "axis '%s' is too stiff or too light to be computed in steps of %g ms: "
                        "friction and screw against its masses",
                        axis->name, usual_step_s * 1e3);
    }
    return 0;
}

static int check_rail(const struct dpl_sim_axis *axis, struct dpl_diag *reterr)
{
    const struct limit limits[] = {
        {axis->link, 0.01, 10.0, "length of the link"},
        {axis->low, -100.0, 100.0, "low end"},
        {axis->high, -100.0, 100.0, "high end"},
    };
    int err = check_limits(axis->name, limits, DPL_COUNT(limits), reterr);
    if (err) {
        return err;
    }
    double norm = hypot(hypot(axis->direction[0], axis->direction[1]), axis->direction[2]);
    if (!(fabs(norm - 1.0) <= 1e-9)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the direction of axis '%s' is (%g, %g, %g), no direction", axis->name,
                        axis->direction[0], axis->direction[1], axis->direction[2]);
    }
    if (!(axis->low < axis->high)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "axis '%s' ends at %g m before it begins at %g m",
                        axis->name, axis->high, axis->low);
    }
    if (fabs(axis->branch) != 1.0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the branch of axis '%s' is neither +1 nor -1",
                        axis->name);
    }
    return 0;
}

int dpl__machine_check_leg(const struct dpl_sim_machine *machine, size_t number,
                           struct dpl_diag *reterr)
{
    const struct dpl_sim_axis *axis = &machine->axes[number];
    for (size_t i = 0; i < number; i++) {
        if (dpl_name_equal(machine->axes[i].name, axis->name)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "two axes are called '%s'", axis->name);
        }
    }
    return check_rail(axis, reterr);
}

int dpl__machine_check_pose(const struct dpl_sim_machine *machine, const double pose[DPL_SIX],
                            const char *what, struct dpl_diag *reterr)
{
    struct dpl_hexa_geometry geometry;
    dpl__machine_geometry(machine, &geometry);
    double q[DPL_AXES_N];
    unsigned faults = dpl_hexa_ik_faults(&geometry, pose);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        if (faults & (1u << i)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "%s cannot be reached: the link of axis '%s' is too short", what,
                            machine->axes[i].name);
        }
    }
    if (dpl_hexa_ik(&geometry, pose, q)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s cannot be reached", what);
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl_sim_axis *axis = &machine->axes[i];
        if (!(q[i] >= axis->low && q[i] <= axis->high)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "%s cannot be reached: axis '%s' would be at %.6g m, its ends are at "
                            "%g and %g m",
                            what, axis->name, q[i], axis->low, axis->high);
        }
    }
    return 0;
}

int dpl_sim_machine_check(const struct dpl_sim_machine *machine, struct dpl_diag *reterr)
{
    struct dpl_hexa_geometry geometry;
    const char *breach = NULL;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        int err = dpl__machine_check_leg(machine, i, reterr);
        err = err ? err : dpl__machine_check_drive(&machine->axes[i], reterr);
        if (err) {
            return err;
        }
    }
    const struct limit weight[] = {
        {machine->weight_mass, 0.0, 1e5, "mass"},
        {machine->weight_at[0], -10.0, 10.0, "x"},
        {machine->weight_at[1], -10.0, 10.0, "y"},
        {machine->weight_at[2], -10.0, 10.0, "z"},
    };
    for (size_t i = 0; i < DPL_COUNT(weight); i++) {
        if (!(weight[i].value >= weight[i].low && weight[i].value <= weight[i].high)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "%s of the platform is %g, expected %g to %g",
                            weight[i].what, weight[i].value, weight[i].low, weight[i].high);
        }
    }
    dpl__machine_geometry(machine, &geometry);
    if (dpl_hexa_geometry_check(&geometry, &breach)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s", breach);
    }
    int err = dpl__machine_check_pose(machine, machine->home, "home", reterr);
    return err ? err : dpl__machine_check_pose(machine, machine->pose, "the start", reterr);
}
