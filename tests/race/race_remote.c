/* SPDX-License-Identifier: Apache-2.0 */
/* Links to a world that another thread serves over TCP: a user puts, reads, asks, releases and
 * finds more while the thread of the link talks, and the world is started anew in between. argv:
 * the file of a world with a robot 'avatar' that has wheels and a laser. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include <doppel/sim/server.h>

#include "link_remote.h"

#define N_ROUNDS 3
#define N_CYCLES 1000 /* of a millisecond */

/* What libzmq does inside is not seen by ThreadSanitizer: it is not built with it. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:libzmq.so\n";
}

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

static void *serve(void *argument)
{
    dpl_sim_server_run(argument, NULL);
    return NULL;
}

struct user {
    struct dpl_link *link;
    struct dpl_channel speed, place, on, angle, ranges;
    float scan[2048];
    int readings, scans, answers;
};

static int find(struct dpl_link *link, const char *path, bool put, struct dpl_channel *ret)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    int err = dpl_link_find(link, &want, ret, NULL);
    for (int tries = 0; err == -EAGAIN && tries < 1000; tries++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        err = dpl_link_find(link, &want, ret, NULL);
    }
    return err;
}

static int find_all(struct user *user)
{
    int err = find(user->link, "LeftWheel/speed", true, &user->speed);
    err = err < 0 ? err : find(user->link, "place", true, &user->place);
    err = err < 0 ? err : find(user->link, "laser/on", true, &user->on);
    err = err < 0 ? err : find(user->link, "enc_left/angle", false, &user->angle);
    return err < 0 ? err : find(user->link, "laser/ranges", false, &user->ranges);
}

static void cycle(struct user *user, int i)
{
    const double place[3] = {0.001 * i, 0.0, 0.0};
    double angle;
    dpl_channel_put_number(user->speed, 0.01 * i);
    dpl_channel_put_flag(user->on, true);
    if (i % 100 == 0) {
        dpl_channel_put(user->place, place);
    }
    if (i % 150 == 0) {
        dpl_link_release(user->link);
    }
    user->answers += dpl_link_refresh(user->link, NULL) == 0 && i % 100 > 50 &&
                     dpl_channel_answer(user->place) == 0;
    user->readings += dpl_channel_get(user->angle, &angle, NULL) == 0;
    user->scans += dpl_channel_get(user->ranges, user->scan, NULL) == 0;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* A world that serves at `inout_port` while the user works with it. */
static int with_world(const char *file, uint16_t *inout_port, struct remote_world **list,
                      struct user *user)
{
    struct dpl_sim_server_options options = {.world = file, .seed = 1, .port = *inout_port};
    struct dpl_sim_server *server;
    struct dpl_diag error = {0};
    if (dpl_sim_server_create(&options, &server, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return -1;
    }
    *inout_port = dpl_sim_server_port(server);
    pthread_t thread;
    pthread_create(&thread, NULL, serve, server);
    int err = 0;
    if (!user->link) {
        char address[64];
        snprintf(address, sizeof address, "tcp://127.0.0.1:%u", *inout_port);
        struct dpl_link_config config = {.world = address, .part = "avatar"};
        err = link_remote_open(list, &config, NULL, &user->link, &error);
        err = err < 0 ? err : remote_worlds_start(*list, monotonic(), &error);
        err = err < 0 ? err : find_all(user);
    }
    for (int i = 0; i < N_CYCLES && err == 0; i++) {
        struct dpl_channel more;
        cycle(user, i);
        if (i == N_CYCLES / 2) {
            err = find(user->link, "heading", false, &more);
        }
    }
    dpl_sim_server_stop(server);
    pthread_join(thread, NULL);
    dpl_sim_server_destroy(server);
    return err;
}

int main(int argc, char **argv)
{
    static struct user user;
    struct remote_world *list = NULL;
    uint16_t port = 0;
    int err = argc == 2 ? 0 : -1;
    for (int i = 0; i < N_ROUNDS && err == 0; i++) {
        err = with_world(argv[1], &port, &list, &user);
    }
    bool worked = err == 0 && user.readings > 0 && user.scans > 0 && user.answers > 0 &&
                  dpl_link_restarts(user.link) > 0;
    printf("readings %d, scans %d, answers %d\n", user.readings, user.scans, user.answers);
    if (user.link) {
        dpl_link_close(user.link);
    }
    remote_worlds_destroy(list);
    return worked ? 0 : 1;
}
