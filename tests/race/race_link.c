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

static int use_link(struct hosted_world *world)
{
    struct dpl_link_config config = {.robot = world->model->robots[0].name};
    struct hosted_link *hosted;
    unsigned motor, encoder;
    if (link_embedded_prepare(world, &config, &hosted, NULL) < 0) {
        return -1;
    }
    struct dpl_link *link = &hosted->link;
    const struct dpl_sim_wheel *wheel = &world->model->robots[0].wheels[0];
    if (link->ops->find(link, DPL_LINK_MOTOR, wheel->motor, &motor, NULL, NULL) < 0 ||
        link->ops->find(link, DPL_LINK_ENCODER, wheel->encoder, &encoder, NULL, NULL) < 0) {
        return -1;
    }
    hosted_world_join(hosted);
    dpl_ns last = 0;
    for (int seen = 0; seen < N_STEPS;) {
        struct dpl_link_encoder reading;
        link->ops->set_motor(link, motor, 0.01 * seen);
        link->ops->get_encoder(link, encoder, &reading);
        if (reading.stamp < last) {
            return -1;
        }
        seen += reading.stamp > last;
        last = reading.stamp;
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
