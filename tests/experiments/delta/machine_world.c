/* SPDX-License-Identifier: Apache-2.0 */
/* See machine_world.h. */
#include "machine_world.h"

#include <stdio.h>

#include <doppel/sim/load.h>

/* The channel "delta/" + a name with a number; -1: there is none, and it has been told. */
static int find(const struct machine *machine, const char *format, int number, bool put,
                size_t *ret_channel)
{
    char name[64], path[96];
    struct dpl_diag error = {0};
    snprintf(name, sizeof name, format, number);
    snprintf(path, sizeof path, "delta/%s", name);
    struct dpl_channel_want want = {.path = path, .put = put};
    int found = dpl_world_channels_find(machine->channels, &want, &error);
    if (found < 0) {
        dpl_diag_print(stderr, &error);
        return -1;
    }
    *ret_channel = (size_t)found;
    return 0;
}

static int find_all(struct machine *machine)
{
    int err = find(machine, "platform/pose", 0, false, &machine->platform);
    err = err ? err : find(machine, "base/pose", 0, false, &machine->base);
    for (int i = 0; i < DPL_DELTA_ARMS && !err; i++) {
        err = find(machine, "motor%d/current", i, true, &machine->current[i]);
        err = err ? err : find(machine, "arm%d/position", i, false, &machine->position[i]);
        err = err ? err : find(machine, "arm%d/velocity", i, false, &machine->velocity[i]);
        err = err ? err : find(machine, "rod%02d/pose", 10 * i, false, &machine->rod[2 * i]);
        err =
            err ? err : find(machine, "rod%02d/pose", 10 * i + 1, false, &machine->rod[2 * i + 1]);
    }
    return err;
}

int machine_load(struct machine *machine, const char *file, const struct params *params,
                 double step_s)
{
    /* currents of any size: the torques are exact */
    static const struct dpl_sim_set sets[] = {{.text = "delta.motor0.resolution=0"},
                                              {.text = "delta.motor1.resolution=0"},
                                              {.text = "delta.motor2.resolution=0"}};
    struct dpl_sim_load_options options = {
        .sets = sets, .n_sets = 3, .params = params->sets, .n_params = params->n};
    struct dpl_diag error = {0};
    int err = dpl_sim_load_world_with(file, &options, &machine->model, &error);
    if (err == 0 && step_s > 0.0) {
        machine->model->step = dpl_ns_from_s(step_s);
    }
    err = err ? err : dpl_world_create(machine->model, &machine->world, &error);
    if (err) {
        dpl_diag_print(stderr, &error);
        return -1;
    }
    machine->dt = dpl_ns_to_s(machine->model->step);
    err = dpl_world_channels_create(machine->world, &machine->channels);
    return err ? -1 : find_all(machine);
}

void machine_unload(struct machine *machine)
{
    dpl_world_channels_destroy(machine->channels);
    dpl_world_destroy(machine->world);
    dpl_sim_model_destroy(machine->model);
}

static double number(const struct machine *machine, size_t channel)
{
    double value = 0.0;
    dpl_ns stamp;
    dpl_world_channels_get(machine->channels, channel, &value, &stamp);
    return value;
}

struct dpl_pose3 machine_pose(const struct machine *machine, size_t channel)
{
    double v[7] = {0};
    dpl_ns stamp;
    dpl_world_channels_get(machine->channels, channel, v, &stamp);
    return (struct dpl_pose3){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
}

void machine_read_joints(const struct machine *machine, double *q, double *qd)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        q[i] = number(machine, machine->position[i]);
        qd[i] = number(machine, machine->velocity[i]);
    }
}
