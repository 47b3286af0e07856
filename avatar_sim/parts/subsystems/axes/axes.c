/* SPDX-License-Identifier: Apache-2.0 */
/* Machines of a running world: each axis is a plant of its own, and the platform is where forward
 * kinematics says that the sliders hold it. Why no bodies of the solver:
 * docs/design/six-axis-machine.md. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/subsystem.h>
#include <doppel/sim/world.h>

#include "axis_drive.h"
#include "axis_plant.h"
#include "channels_axes.h"
#include "hexa_fk.h"
#include "hexa_ik.h"
#include "machine.h"
#include "machine_xml.h"

static const struct dpl_place nowhere;

/* A machine's axes, each on its own, and the platform that hangs on them. Its joints are sliders,
 * which take an effort; its body is the platform, whose frame is at the tool centre point. */
struct machine {
    const struct dpl_sim_robot *robot;
    const struct dpl_sim_machine *model;
    int number, first_joint, body; /* the robot's number; in the state */
    struct dpl_axis_plant_config configs[DPL_AXES_N];
    struct dpl_axis_plant plants[DPL_AXES_N];
    double weight[DPL_AXES_N]; /* N along each axis, of the platform */
    struct dpl_hexa_geometry geometry;
    struct dpl_hexa_tracker tracker; /* borrows the geometry */
    double pose[DPL_SIX];
    dpl_ns stamp; /* of the pose */
};

struct axes {
    struct dpl_sim_state *state;
    double dt;
    struct machine *machines; /* [n] */
    size_t n;
};

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    (void)robot;
    inout->n_bodies = 1;
    inout->n_joints = DPL_AXES_N;
}

/* ---- what others see ---- */

/* From the machine's frame, which stands on the ground, to the world's. */
static void place_platform(const struct machine *machine, double position[3], double rotation[3][3])
{
    const struct dpl_pose2 *start = &machine->robot->start;
    const double *p = machine->pose;
    double sr = sin(p[3]), cr = cos(p[3]), sp = sin(p[4]), cp = cos(p[4]);
    double sy = sin(p[5] + start->theta), cy = cos(p[5] + start->theta);
    double s = sin(start->theta), c = cos(start->theta);
    position[0] = start->x + c * p[0] - s * p[1];
    position[1] = start->y + s * p[0] + c * p[1];
    position[2] = p[2];
    const double made[3][3] = {
        {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
        {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
        {-sp, cp * sr, cp * cr},
    };
    memcpy(rotation, made, sizeof made);
}

/* The turn from one rotation to the next, a small one, as a vector over the time it took. */
static void turn_rate(const double from[3][3], const double to[3][3], double dt, double ret[3])
{
    double turn[3][3] = {{0}};
    for (size_t i = 0; i < 9; i++) {
        for (size_t k = 0; k < 3; k++) {
            turn[i / 3][i % 3] += to[i / 3][k] * from[i % 3][k];
        }
    }
    ret[0] = (turn[2][1] - turn[1][2]) / (2.0 * dt);
    ret[1] = (turn[0][2] - turn[2][0]) / (2.0 * dt);
    ret[2] = (turn[1][0] - turn[0][1]) / (2.0 * dt);
}

/* The platform's velocities are those from its last place to this one. */
static void publish_platform(const struct dpl_sim_bodies *bodies, const struct machine *machine,
                             double dt)
{
    double position[3], rotation[3][3];
    int body = machine->body;
    place_platform(machine, position, rotation);
    for (size_t i = 0; i < 3; i++) {
        bodies->velocity[body][i] = (position[i] - bodies->position[body][i]) / dt;
    }
    turn_rate((const double(*)[3])bodies->rotation[body], (const double(*)[3])rotation, dt,
              bodies->angular[body]);
    memcpy(bodies->position[body], position, sizeof position);
    memcpy(bodies->rotation[body], rotation, sizeof rotation);
}

static void publish_sliders(const struct dpl_sim_joints *joints, const struct machine *machine)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        joints->position[machine->first_joint + i] = machine->plants[i].load_position_m;
        joints->velocity[machine->first_joint + i] = machine->plants[i].load_velocity_m_s;
        joints->effort[machine->first_joint + i] = machine->plants[i].effort_n;
    }
}

/* ---- building ---- */

static int init_axes(struct axes *axes, struct machine *machine, struct dpl_diag *reterr)
{
    const struct dpl_sim_machine *model = machine->model;
    bool *held = &axes->state->joints.held[machine->first_joint];
    double q[DPL_AXES_N];
    if (dpl_hexa_ik(&machine->geometry, model->pose, q)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the start of machine '%s' cannot be reached",
                        machine->robot->name);
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        dpl__machine_plant(&model->axes[i], &machine->configs[i]);
        struct dpl_axis_plant_config braked = machine->configs[i];
        braked.coulomb_n += model->axes[i].drive.brake;
        held[i] = model->axes[i].drive.brake > 0.0;
        if (dpl_axis_plant_check(&braked, axes->dt)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "axis '%s' is too stiff or too light to be computed in steps of %g ms",
                            model->axes[i].name, axes->dt * 1e3);
        }
        dpl_axis_plant_reset(&machine->plants[i], q[i]);
    }
    return 0;
}

static int init_machine(struct axes *axes, struct machine *machine, struct dpl_diag *reterr)
{
    const struct dpl_sim_machine *model = machine->model;
    dpl__machine_geometry(model, &machine->geometry);
    dpl_hexa_tracker_init(&machine->tracker, &machine->geometry);
    dpl_hexa_tracker_restart(&machine->tracker, model->pose);
    memcpy(machine->pose, model->pose, sizeof machine->pose);
    dpl__machine_weight(model, &machine->geometry, machine->pose, machine->weight);
    int rc = init_axes(axes, machine, reterr);
    if (rc == 0) {
        const struct dpl_sim_bodies *bodies = &axes->state->bodies;
        place_platform(machine, bodies->position[machine->body], bodies->rotation[machine->body]);
        publish_sliders(&axes->state->joints, machine);
    }
    return rc;
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct axes *axes = data;
    const struct dpl_sim_model *model = site->model;
    axes->state = site->state;
    axes->dt = site->dt;
    axes->machines = dpl_world_alloc(site->world, model->n_robots, sizeof *axes->machines);
    int rc = axes->machines ? 0 : -ENOMEM;
    for (size_t r = 0; r < model->n_robots && rc == 0; r++) {
        if (model->robots[r].subsystem != &dpl_axes_subsystem) {
            continue;
        }
        struct machine *machine = &axes->machines[axes->n++];
        machine->robot = &model->robots[r];
        machine->model = model->robots[r].part;
        machine->number = (int)r;
        machine->first_joint = site->state->robots[r].first_joint;
        machine->body = site->state->robots[r].first_body;
        rc = init_machine(axes, machine, reterr);
    }
    return rc;
}

/* ---- stepping ---- */

/* An axis whose motor and load are slower than this is stopped by its brake. */
static const double locked_m_s = 1e-3;

/* The weight's share of an axis changes its speed by half before and half after the free motion,
 * with the weight where the platform is then. */
static void push(struct dpl_axis_plant *plant, const struct dpl_axis_plant_config *config,
                 double force_n, double half_s)
{
    if (config->screw_n_m > 0.0) {
        plant->load_velocity_m_s += force_n / config->load_kg * half_s;
        return;
    }
    plant->motor_velocity_m_s += force_n / (config->motor_kg + config->load_kg) * half_s;
    plant->load_velocity_m_s = plant->motor_velocity_m_s;
}

/* Static friction: it stops the axis, then holds it where it is. */
static void brake(struct machine *machine, size_t i, double dt, bool *inout_held)
{
    struct dpl_axis_plant *plant = &machine->plants[i];
    struct dpl_axis_plant_config config = machine->configs[i];
    config.coulomb_n += machine->model->axes[i].drive.brake;
    dpl_axis_plant_step(&config, plant, 0.0, dt);
    if (fabs(plant->motor_velocity_m_s) < locked_m_s &&
        fabs(plant->load_velocity_m_s) < locked_m_s) {
        plant->motor_velocity_m_s = plant->load_velocity_m_s = plant->effort_n = 0.0;
        *inout_held = true;
    }
}

static void step_axis(const struct axes *axes, struct machine *machine, size_t i)
{
    const struct dpl_sim_joints *joints = &axes->state->joints;
    size_t joint = (size_t)machine->first_joint + i;
    if (machine->model->axes[i].drive.brake <= 0.0 || joints->driven[joint]) {
        dpl_axis_plant_step(&machine->configs[i], &machine->plants[i], joints->push[joint],
                            axes->dt);
    } else if (!joints->held[joint]) {
        brake(machine, i, axes->dt, &joints->held[joint]);
    }
}

static void push_all(const struct axes *axes, struct machine *machine)
{
    const bool *held = &axes->state->joints.held[machine->first_joint];
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        if (!held[i]) {
            push(&machine->plants[i], &machine->configs[i], machine->weight[i], 0.5 * axes->dt);
        }
    }
}

static void step_machine(struct axes *axes, struct machine *machine, dpl_ns now)
{
    double q[DPL_AXES_N];
    push_all(axes, machine);
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        step_axis(axes, machine, i);
        q[i] = machine->plants[i].load_position_m;
    }
    if (dpl_hexa_tracker_step(&machine->tracker, q, machine->pose) == 0) {
        machine->stamp = now;
        dpl__machine_weight(machine->model, &machine->geometry, machine->pose, machine->weight);
    }
    push_all(axes, machine);
    publish_platform(&axes->state->bodies, machine, axes->dt);
    publish_sliders(&axes->state->joints, machine);
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct axes *axes = data;
    for (size_t i = 0; i < axes->n; i++) {
        step_machine(axes, &axes->machines[i], tick->now);
    }
}

static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    return dpl_sim_machine_check(robot->part, reterr);
}

const struct dpl_subsystem_class dpl_axes_subsystem = {
    .name = "axes",
    .noun = "machine",
    .summary = "machines whose linear axes push a platform",
    .elements = dpl__axes_elements,
    .n_elements = DPL_AXES_ELEMENTS,
    .draft_size = sizeof(struct dpl__machine_draft),
    .finish = dpl__machine_finish,
    .changes = {dpl__axes_change_fields, DPL_AXES_CHANGE_FIELDS, sizeof(struct dpl__axes_changes),
                &dpl__axes_changes_unset},
    .change = dpl__axes_change,
    .check = check,
    .describe = dpl__machine_describe,
    .show_around = dpl__machine_show_around,
    .is_fixed = true,
    .count = count,
    .data_size = sizeof(struct axes),
    .build = build,
    .step = step,
    .channels = &dpl__axes_channels,
};

/* ---- from outside ---- */

static const struct machine *machine_of(const struct dpl_world *world, int robot)
{
    const struct axes *axes = dpl_world_subsystem(world, &dpl_axes_subsystem);
    for (size_t i = 0; axes && i < axes->n; i++) {
        if (axes->machines[i].number == robot) {
            return &axes->machines[i];
        }
    }
    return NULL;
}

void dpl_world_get_axis(const struct dpl_world *world, int axis, struct dpl_world_axis *ret_axis)
{
    const struct dpl_sim_site *site = dpl_world_entry_site(world, &dpl_axis_drive, axis);
    const struct machine *machine = site ? machine_of(world, site->robot) : NULL;
    if (!machine) {
        return;
    }
    int i = site->entry->joint;
    const struct dpl_axis_plant *plant = &machine->plants[i];
    double resolution = machine->model->axes[i].drive.resolution;
    double position = plant->motor_position_m;
    if (resolution > 0.0) {
        position = floor(position / resolution + 0.5) * resolution;
    }
    *ret_axis = (struct dpl_world_axis){
        .position_m = position,
        .velocity_m_s = plant->motor_velocity_m_s,
        .effort_n = plant->effort_n,
        .load_m = plant->load_position_m,
        .weight_n = machine->weight[i],
        .braked = site->state->joints.held[site->joint],
    };
}

int dpl_world_get_platform(const struct dpl_world *world, int robot, dpl_ns *ret_stamp,
                           double ret_pose[DPL_SIX])
{
    const struct machine *machine = machine_of(world, robot);
    if (!machine) {
        return -ENOTSUP;
    }
    *ret_stamp = machine->stamp;
    memcpy(ret_pose, machine->pose, sizeof machine->pose);
    return 0;
}
