/* SPDX-License-Identifier: Apache-2.0 */
/* A world that moves on its thread while Modbus masters come, read, write batches and go, one of
 * them paces it, and it is reset: no request sees two steps or half of a batch. argv: the file of
 * docs/guides/modbus/rail.xml. */
#include <stdio.h>

#include <modbus/modbus.h>

#include "hosted_modbus.h"

enum { N_MASTERS = 4, N_ROUNDS = 10, N_REQUESTS = 60 };

struct master {
    int port, number;
    unsigned done, failed, torn;
    pthread_t thread;
};

/* Heartbeat and time are of one step; what was written together is read together. */
static void read_all(struct master *master, modbus_t *modbus)
{
    uint16_t inputs[3], holding[3];
    if (modbus_read_input_registers(modbus, 9, 3, inputs) != 3 ||
        modbus_read_registers(modbus, 0, 3, holding) != 3) {
        master->failed++;
        return;
    }
    master->torn += inputs[0] != inputs[2];
    bool is_released = holding[0] == 0; /* a master has left: what it has commanded reads 0 */
    master->torn += !is_released && (holding[0] != holding[1] || holding[0] != holding[2]);
    master->done++;
}

static void write_all(struct master *master, modbus_t *modbus, uint16_t value)
{
    const uint16_t batch[3] = {value, value, value};
    bool good = modbus_write_registers(modbus, 0, 3, batch) == 3 &&
                modbus_write_bit(modbus, 0, value % 2) == 1;
    master->failed += !good;
    master->done += good;
}

static void *work(void *argument)
{
    struct master *master = argument;
    for (int round = 0; round < N_ROUNDS; round++) {
        modbus_t *modbus = modbus_new_tcp("127.0.0.1", master->port);
        modbus_set_slave(modbus, 1);
        modbus_set_response_timeout(modbus, 20, 0);
        if (modbus_connect(modbus) < 0) {
            master->failed++;
        }
        for (int i = 0; i < N_REQUESTS && master->failed == 0; i++) {
            if (master->number % 2 == 0) {
                write_all(master, modbus, (uint16_t)(1 + master->number + 4 * i));
            } else {
                read_all(master, modbus);
            }
        }
        modbus_close(modbus);
        modbus_free(modbus);
    }
    return NULL;
}

static void reset(struct hosted_world *world)
{
    int request = hosted_world_request(world, "reset", NULL);
    while (request >= 0 && !hosted_world_answer(world, request)) {
        hosted_status(&world->status);
    }
    if (request >= 0) {
        hosted_world_forget_request(world, request);
    }
}

static int judge(const struct master *masters, const struct dpl_sim_modbus_stats *stats,
                 uint32_t jumps)
{
    unsigned done = 0, failed = 0, torn = 0;
    for (int i = 0; i < N_MASTERS; i++) {
        done += masters[i].done;
        failed += masters[i].failed;
        torn += masters[i].torn;
    }
    printf("%u done, %u failed, %u torn, %u resets; %llu writes, %llu lost, %llu waits\n", done,
           failed, torn, (unsigned)jumps, (unsigned long long)stats->writes,
           (unsigned long long)stats->lost, (unsigned long long)stats->waits);
    return done != N_MASTERS * N_ROUNDS * N_REQUESTS || failed > 0 || torn > 0 || jumps == 0 ||
           stats->lost == 0;
}

int main(int argc, char **argv)
{
    struct dpl_sim_load_options load = {.has_seed = true, .seed = 1};
    struct dpl_sim_modbus_options options = {.pace = 10 * DPL_MS, .patience = 20 * DPL_MS};
    struct hosted_world *world;
    struct hosted_modbus *modbus;
    struct dpl_diag error = {0};
    if (argc != 2 || hosted_world_create(argv[1], &load, &world, &error) < 0 ||
        hosted_world_allow_control(world) < 0 ||
        hosted_modbus_create(world, &options, &modbus, &error) < 0 ||
        hosted_world_start(world, dpl_monotonic_now(), &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 2;
    }
    struct master masters[N_MASTERS] = {0};
    for (int i = 0; i < N_MASTERS; i++) {
        masters[i].port = hosted_modbus_port(modbus);
        masters[i].number = i;
        pthread_create(&masters[i].thread, NULL, work, &masters[i]);
    }
    for (int i = 0; i < N_MASTERS; i++) {
        reset(world);
        pthread_join(masters[i].thread, NULL);
    }
    struct dpl_sim_modbus_stats stats = dpl_sim_modbus_stats(world->modbus);
    hosted_modbus_stop(modbus);
    hosted_world_stop(world);
    uint32_t jumps = world->jumps;
    hosted_modbus_destroy(modbus);
    hosted_world_destroy(world);
    return judge(masters, &stats, jumps);
}
