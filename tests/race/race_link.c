/* SPDX-License-Identifier: Apache-2.0 */
/* A world that moves on its thread while links join it, leave setpoints, read and go: nothing is
 * torn, nothing is used after it was freed. argv: the file of a world, a
 * channel to put, a channel to get. */
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

/* A channel that is put, and one that is read. */
struct user {
    struct dpl_link *link;
    struct dpl_channel in, out;
};

static int find(struct user *user, const char *put, const char *get)
{
    struct dpl_channel_want in = {.path = put, .put = true}, out = {.path = get};
    int err = dpl_link_find(user->link, &in, &user->in, NULL);
    return err < 0 ? err : dpl_link_find(user->link, &out, &user->out, NULL);
}

/* Leaves a setpoint, then returns the stamp of the newest reading; 0: there is none yet. */
static dpl_ns exchange(const struct user *user, double setpoint)
{
    double value;
    dpl_ns stamp = 0;
    dpl_channel_put_number(user->in, setpoint);
    dpl_link_refresh(user->link, NULL);
    dpl_channel_get(user->out, &value, &stamp);
    return stamp;
}

static int use_link(struct hosted_world *world, const char *put, const char *get)
{
    struct dpl_link_config config = {0};
    struct user user = {0};
    if (link_embedded_prepare(world, &config, &user.link, NULL) < 0) {
        return -1;
    }
    int err = find(&user, put, get);
    link_embedded_join(user.link);
    dpl_ns last = 0;
    for (int seen = 0; seen < N_STEPS && err == 0;) {
        dpl_ns stamp = exchange(&user, 0.01 * seen);
        err = stamp < last ? -1 : 0;
        seen += stamp > last;
        last = stamp;
        if (seen == 1) {
            dpl_link_release(user.link);
        }
    }
    dpl_link_close(user.link);
    hosted_world_sweep(world);
    return err;
}

static const struct dpl_sim_load_options world_options = {.has_seed = true, .seed = 1};

int main(int argc, char **argv)
{
    struct hosted_world *world;
    struct dpl_diag error = {0};
    if (argc != 4 || hosted_world_create(argv[1], &world_options, &world, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 2;
    }
    int err = hosted_world_start(world, monotonic(), &error);
    for (int i = 0; i < N_ROUNDS && err == 0; i++) {
        err = use_link(world, argv[2], argv[3]);
    }
    hosted_world_destroy(world);
    if (err < 0) {
        fprintf(stderr, "a reading went back in time, or a link could not be made\n");
    }
    return err < 0;
}
