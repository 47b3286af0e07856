/* SPDX-License-Identifier: Apache-2.0 */
/* Machines of a running world: each axis is a plant of its own, and the platform is where forward
 * kinematics says that the sliders hold it. Why no bodies of the solver: docs/decisions/0015. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "hexa_ik.h"
#include "machine.h"
#include "world_state.h"

static const struct dpl_place nowhere;

static const struct dpl_sim_machine *model_of(const struct dpl_world *world,
                                              const struct dpl__machine *machine)
{
    return &world->model->robots[machine->robot].machine;
}

static int init_axes(struct dpl_world *world, struct dpl__machine *machine, struct dpl_diag *reterr)
{
    const struct dpl_sim_machine *model = model_of(world, machine);
    double q[DPL_SIM_AXES];
    if (dpl_hexa_ik(&machine->geometry, model->pose, q)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the start of machine '%s' cannot be reached",
                        world->model->robots[machine->robot].name);
    }
    for (size_t i = 0; i < DPL_SIM_AXES; i++) {
        dpl__machine_plant(&model->axes[i], &machine->configs[i]);
        struct dpl_axis_plant_config braked = machine->configs[i];
        braked.coulomb_n += model->axes[i].drive.brake;
        machine->locked[i] = model->axes[i].drive.brake > 0.0;
        if (dpl_axis_plant_check(&braked, world->dt)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "axis '%s' is too stiff or too light to be computed in steps of %g ms",
                            model->axes[i].name, world->dt * 1e3);
        }
        dpl_axis_plant_reset(&machine->plants[i], q[i]);
    }
    return 0;
}

static int init_machine(struct dpl_world *world, int robot, struct dpl_diag *reterr)
{
    struct dpl__machine *machine = &world->machines[world->n_machines++];
    const struct dpl_sim_machine *model = &world->model->robots[robot].machine;
    machine->robot = robot;
    dpl__machine_geometry(model, &machine->geometry);
    dpl_hexa_tracker_init(&machine->tracker, &machine->geometry);
    dpl_hexa_tracker_restart(&machine->tracker, model->pose);
    memcpy(machine->pose, model->pose, sizeof machine->pose);
    dpl__machine_weight(model, &machine->geometry, machine->pose, machine->weight);
    return init_axes(world, machine, reterr);
}

int dpl__machines_init(struct dpl_world *world, struct dpl_diag *reterr)
{
    const struct dpl_sim_model *model = world->model;
    size_t n = model->n_robots - world->n_chassis;
    world->machines = dpl__heap_zeroed(world->heap, n, sizeof *world->machines);
    int rc = world->machines ? 0 : -ENOMEM;
    for (size_t r = 0; r < model->n_robots && rc == 0; r++) {
        if (model->robots[r].is_machine) {
            rc = init_machine(world, (int)r, reterr);
        }
    }
    return rc;
}

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
static void brake(struct dpl__machine *machine, size_t i, double brake_n, double dt)
{
    struct dpl_axis_plant *plant = &machine->plants[i];
    struct dpl_axis_plant_config config = machine->configs[i];
    config.coulomb_n += brake_n;
    dpl_axis_plant_step(&config, plant, 0.0, dt);
    if (fabs(plant->motor_velocity_m_s) < locked_m_s &&
        fabs(plant->load_velocity_m_s) < locked_m_s) {
        plant->motor_velocity_m_s = plant->load_velocity_m_s = plant->effort_n = 0.0;
        machine->locked[i] = true;
    }
}

static void step_axis(const struct dpl_world *world, struct dpl__machine *machine, size_t i)
{
    double brake_n = model_of(world, machine)->axes[i].drive.brake;
    if (brake_n <= 0.0 || machine->driven[i]) {
        dpl_axis_plant_step(&machine->configs[i], &machine->plants[i], machine->efforts[i],
                            world->dt);
    } else if (!machine->locked[i]) {
        brake(machine, i, brake_n, world->dt);
    }
}

static void push_all(struct dpl__machine *machine, double half_s)
{
    for (size_t i = 0; i < DPL_SIM_AXES; i++) {
        if (!machine->locked[i]) {
            push(&machine->plants[i], &machine->configs[i], machine->weight[i], half_s);
        }
    }
}

static void step_machine(struct dpl_world *world, struct dpl__machine *machine)
{
    double q[DPL_SIM_AXES];
    push_all(machine, 0.5 * world->dt);
    for (size_t i = 0; i < DPL_SIM_AXES; i++) {
        step_axis(world, machine, i);
        q[i] = machine->plants[i].load_position_m;
    }
    if (dpl_hexa_tracker_step(&machine->tracker, q, machine->pose) == 0) {
        machine->stamp = world->now;
        dpl__machine_weight(model_of(world, machine), &machine->geometry, machine->pose,
                            machine->weight);
    }
    push_all(machine, 0.5 * world->dt);
}

void dpl__machines_step(struct dpl_world *world)
{
    for (size_t i = 0; i < world->n_machines; i++) {
        step_machine(world, &world->machines[i]);
    }
}

int dpl__machines_find(const struct dpl_world *world, int robot, const char *name)
{
    for (size_t m = 0; m < world->n_machines; m++) {
        const struct dpl_sim_machine *model = model_of(world, &world->machines[m]);
        for (size_t i = 0; world->machines[m].robot == robot && i < DPL_SIM_AXES; i++) {
            if (dpl_name_equal(model->axes[i].name, name)) {
                return (int)(m * DPL_SIM_AXES + i);
            }
        }
    }
    return -ENOENT;
}

static bool has_axis(const struct dpl_world *world, int axis)
{
    return axis >= 0 && (size_t)axis < world->n_machines * DPL_SIM_AXES;
}

const struct dpl_sim_drive *dpl_world_drive(const struct dpl_world *world, int axis)
{
    const struct dpl__machine *machines = world->machines;
    return has_axis(world, axis)
               ? &model_of(world, &machines[axis / DPL_SIM_AXES])->axes[axis % DPL_SIM_AXES].drive
               : NULL;
}

void dpl_world_set_axis(struct dpl_world *world, int axis, double effort_n)
{
    if (has_axis(world, axis)) {
        struct dpl__machine *machine = &world->machines[axis / DPL_SIM_AXES];
        machine->efforts[axis % DPL_SIM_AXES] = isfinite(effort_n) ? effort_n : 0.0;
        machine->driven[axis % DPL_SIM_AXES] = true;
        machine->locked[axis % DPL_SIM_AXES] = false;
    }
}

void dpl_world_release_axis(struct dpl_world *world, int axis)
{
    if (has_axis(world, axis)) {
        dpl_world_set_axis(world, axis, 0.0);
        world->machines[axis / DPL_SIM_AXES].driven[axis % DPL_SIM_AXES] = false;
    }
}

void dpl_world_get_axis(const struct dpl_world *world, int axis, struct dpl_world_axis *ret_axis)
{
    if (!has_axis(world, axis)) {
        return;
    }
    const struct dpl__machine *machine = &world->machines[axis / DPL_SIM_AXES];
    const struct dpl_axis_plant *plant = &machine->plants[axis % DPL_SIM_AXES];
    double resolution = model_of(world, machine)->axes[axis % DPL_SIM_AXES].drive.resolution;
    double position = plant->motor_position_m;
    if (resolution > 0.0) {
        position = floor(position / resolution + 0.5) * resolution;
    }
    *ret_axis = (struct dpl_world_axis){
        .position_m = position,
        .velocity_m_s = plant->motor_velocity_m_s,
        .effort_n = plant->effort_n,
        .load_m = plant->load_position_m,
        .weight_n = machine->weight[axis % DPL_SIM_AXES],
        .braked = machine->locked[axis % DPL_SIM_AXES],
    };
}

int dpl_world_get_platform(const struct dpl_world *world, int robot, dpl_ns *ret_stamp,
                           double ret_pose[6])
{
    for (size_t i = 0; i < world->n_machines; i++) {
        const struct dpl__machine *machine = &world->machines[i];
        if (machine->robot == robot) {
            *ret_stamp = machine->stamp;
            memcpy(ret_pose, machine->pose, sizeof machine->pose);
            return 0;
        }
    }
    return -ENOTSUP;
}
