/* SPDX-License-Identifier: Apache-2.0 */
/* A world that moves on its thread while links join it, leave setpoints, read and go: nothing is
 * torn, nothing is used after it was freed. argv[1]: the file of a world. */
#include <stdio.h>
#include <time.h>

#include "link_embedded.h"

#define N_ROUNDS 40
#define N_STEPS  3 /* of the world that a link sees */

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

struct user {
    struct dpl_link *link;
    unsigned out, in;
    bool axis;
};

static int find(struct user *user, const struct dpl_sim_robot *robot)
{
    const struct dpl_link_ops *ops = user->link->ops;
    user->axis = robot->is_machine;
    if (user->axis) {
        user->out = 0;
        return ops->find(user->link, DPL_LINK_AXIS, robot->machine.axes[0].name, &user->in, NULL,
                         NULL);
    }
    const struct dpl_sim_wheel *wheel = &robot->wheels[0];
    int err = ops->find(user->link, DPL_LINK_MOTOR, wheel->motor, &user->out, NULL, NULL);
    return err < 0 ? err
                   : ops->find(user->link, DPL_LINK_ENCODER, wheel->encoder, &user->in, NULL, NULL);
}

/* Leaves a setpoint, then returns the stamp of the newest reading. */
static dpl_ns exchange(const struct user *user, double setpoint)
{
    struct dpl_link_encoder encoder = {0};
    struct dpl_link_axis axis = {0};
    if (user->axis) {
        double pose[6];
        dpl_ns stamp;
        user->link->ops->set_axis(user->link, user->in, setpoint);
        user->link->ops->get_axis(user->link, user->in, &axis);
        user->link->ops->get_platform(user->link, &stamp, pose);
        return axis.stamp;
    }
    user->link->ops->set_motor(user->link, user->out, setpoint);
    user->link->ops->get_encoder(user->link, user->in, &encoder);
    return encoder.stamp;
}

static int use_link(struct hosted_world *world)
{
    struct dpl_link_config config = {.robot = world->model->robots[0].name};
    struct hosted_link *hosted;
    if (link_embedded_prepare(world, &config, &hosted, NULL) < 0) {
        return -1;
    }
    struct user user = {.link = &hosted->link};
    if (find(&user, &world->model->robots[0]) < 0) {
        return -1;
    }
    hosted_world_join(hosted);
    dpl_ns last = 0;
    for (int seen = 0; seen < N_STEPS;) {
        dpl_ns stamp = exchange(&user, 0.01 * seen);
        if (stamp < last) {
            return -1;
        }
        seen += stamp > last;
        last = stamp;
    }
    hosted_world_remove(hosted);
    hosted_world_sweep(world);
    return 0;
}

int main(int argc, char **argv)
{
    struct hosted_world *world;
    struct dpl_diag error = {0};
    if (argc != 2 || hosted_world_create(argv[1], 1, NULL, &world, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 2;
    }
    int err = hosted_world_start(world, monotonic(), &error);
    for (int i = 0; i < N_ROUNDS && err == 0; i++) {
        err = use_link(world);
    }
    hosted_world_destroy(world);
    if (err < 0) {
        fprintf(stderr, "a reading went back in time, or a link could not be made\n");
    }
    return err < 0;
}
