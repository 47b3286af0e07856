/* SPDX-License-Identifier: Apache-2.0 */
/* The truth about a robot in a served world: watch_robot tcp://HOST:PORT ROBOT prints a line
 * "CLOCK_MONOTONIC-seconds v w x y" for each state of the world, until it is ended. It commands
 * nothing. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include <doppel/sim/host.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { LINEAR, ANGULAR, X, Y, N_CHANNELS };

/* The world may answer late. */
static int find(struct dpl_link *link, struct dpl_channel channels[N_CHANNELS],
                struct dpl_diag *reterr)
{
    static const char *const paths[N_CHANNELS] = {"linear", "angular", "x", "y"};
    for (int i = 0; i < N_CHANNELS; i++) {
        struct dpl_channel_want want = {.path = paths[i], .type = &dpl_channel_number};
        int err = dpl_link_find(link, &want, &channels[i], reterr);
        while (err == -EAGAIN) {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
            err = dpl_link_find(link, &want, &channels[i], reterr);
        }
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static void watch(struct dpl_link *link, const struct dpl_channel channels[N_CHANNELS])
{
    dpl_ns last = -1, stamp;
    for (;;) {
        double values[N_CHANNELS];
        int err = dpl_link_refresh(link, &stamp);
        for (int i = 0; i < N_CHANNELS && err == 0; i++) {
            err = dpl_channel_get(channels[i], &values[i], NULL);
        }
        if (err == 0 && stamp != last) {
            last = stamp;
            printf("%.4f %.5f %.5f %.4f %.4f\n", now_s(), values[LINEAR], values[ANGULAR],
                   values[X], values[Y]);
            fflush(stdout);
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: watch_robot tcp://HOST:PORT ROBOT\n");
        return 2;
    }
    struct dpl_sim_host *worlds = dpl_sim_host_create(&(struct dpl_sim_host_options){0});
    struct dpl_world_host host = dpl_sim_host_interface(worlds);
    struct dpl_link_config config = {.world = argv[1], .part = argv[2]};
    struct dpl_link *link;
    struct dpl_channel channels[N_CHANNELS];
    struct dpl_diag error = {0};
    if (host.ops->open_link(host.self, &config, NULL, &link, &error) < 0 ||
        host.ops->start(host.self, (dpl_ns)(now_s() * 1e9), &error) < 0 ||
        find(link, channels, &error) < 0) {
        fprintf(stderr, "watch_robot: %s\n", error.text);
        return 1;
    }
    watch(link, channels);
}
