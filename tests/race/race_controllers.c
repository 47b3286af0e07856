/* SPDX-License-Identifier: Apache-2.0 */
/* A world that moves on its thread while controllers come, compete for channels, exchange frames,
 * hang and go, and the world is reset: nothing is torn, nothing is used after it was freed, and
 * each kind of end happens. argv: the file of a world, two channels to put, a channel to get. */
#include <stdio.h>
#include <string.h>

#include "controllers.h"
#include "doppel_hil.h"

#define N_ROUNDS 12
#define N_FRAMES 20

struct user {
    uint16_t port;
    int number;
    const char *put, *get;
    unsigned joined, busy, timed_out, failed;
    pthread_t thread;
};

static int exchange(struct doppel_hil *hil, int sensor, int command)
{
    for (int i = 0; i < N_FRAMES; i++) {
        if (doppel_hil_wait(hil, 5000) <= 0) {
            return -1;
        }
        doppel_hil_set(hil, command, 0, 0.01 * doppel_hil_get(hil, sensor, 0));
        if (doppel_hil_send(hil) < 0) {
            return -1;
        }
    }
    return 0;
}

static void take_part(struct user *user, int round)
{
    struct doppel_hil_options options = {
        .port = user->port,
        .name = "racer",
        .lock_step = (user->number + round) % 2,
        .every = 1 + (uint32_t)round % 3,
        .timeout_ms = round % 4 == 3 ? 5 : 2000,
    };
    struct doppel_hil *hil = doppel_hil_connect(&options);
    int sensor = doppel_hil_sensor(hil, user->get, NULL);
    int command = doppel_hil_command(hil, user->put, NULL);
    if (doppel_hil_begin(hil) == 0) {
        user->joined++;
        exchange(hil, sensor, command);
        if (options.timeout_ms == 5) {
            while (doppel_hil_wait(hil, 5000) > 0) { /* no answer any more */
            }
        }
    }
    int code = doppel_hil_code(hil);
    user->busy += code == DOPPEL_HIL_BUSY;
    user->timed_out += code == DOPPEL_HIL_TIME_OUT;
    user->failed += code != 0 && code != DOPPEL_HIL_BUSY && code != DOPPEL_HIL_TIME_OUT;
    if (code != 0 && code != DOPPEL_HIL_BUSY && code != DOPPEL_HIL_TIME_OUT) {
        fprintf(stderr, "%s\n", doppel_hil_error(hil));
    }
    doppel_hil_close(hil);
}

static void *use(void *argument)
{
    struct user *user = argument;
    for (int i = 0; i < N_ROUNDS; i++) {
        take_part(user, i);
    }
    return NULL;
}

/* Resets the world until all users have gone. */
static void reset_now_and_then(struct hosted_world *world, struct user *users, int n)
{
    for (int i = 0; i < n; i++) {
        int request = hosted_world_request(world, "reset", NULL);
        pthread_join(users[i].thread, NULL);
        while (request >= 0 && !hosted_world_answer(world, request)) {
            hosted_status(&world->status);
        }
        if (request >= 0) {
            hosted_world_forget_request(world, request);
        }
        hosted_world_sweep(world);
    }
}

static int judge(const struct user *users, int n, uint32_t jumps)
{
    unsigned joined = 0, timed_out = 0, failed = 0;
    for (int i = 0; i < n; i++) {
        joined += users[i].joined;
        timed_out += users[i].timed_out;
        failed += users[i].failed;
    }
    printf("%u joined, %u timed out, %u failed, %u resets\n", joined, timed_out, failed,
           (unsigned)jumps);
    return joined == 0 || timed_out == 0 || failed > 0 || jumps == 0;
}

int main(int argc, char **argv)
{
    struct dpl_sim_load_options load = {.has_seed = true, .seed = 1};
    struct controllers_options options = {0};
    struct hosted_world *world;
    struct controllers *controllers;
    struct dpl_diag error = {0};
    if (argc != 5 || hosted_world_create(argv[1], &load, &world, &error) < 0 ||
        hosted_world_allow_control(world) < 0 ||
        controllers_create(world, &options, &controllers, &error) < 0 ||
        hosted_world_start(world, dpl_monotonic_now(), &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 2;
    }
    struct user users[4] = {{.put = argv[2]}, {.put = argv[3]}, {.put = argv[2]}, {.put = argv[3]}};
    for (int i = 0; i < 4; i++) {
        users[i].port = controllers->port;
        users[i].number = i;
        users[i].get = argv[4];
        pthread_create(&users[i].thread, NULL, use, &users[i]);
    }
    reset_now_and_then(world, users, 4);
    controllers_stop(controllers);
    hosted_world_stop(world);
    uint32_t jumps = world->jumps;
    controllers_destroy(controllers);
    hosted_world_destroy(world);
    return judge(users, 4, jumps);
}
