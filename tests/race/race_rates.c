/* SPDX-License-Identifier: Apache-2.0 */
/* A rate group of three periods beside an executor of its own: data goes both ways, through queues
 * inside the group and rings out of it, while slow members are not due; the other executor calls a
 * service of the slow one; the control thread reads counters. A plain program: run it under
 * ThreadSanitizer. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>

#include "ports.h"
#include "rig.h"

enum { OUT, IN, PROVIDES, REQUIRES };
enum { FAST, SLOW, SLOWEST, OTHER, N };

struct state {
    uint64_t n_runs, n_taken, n_calls;
    dpl_ns last;
};

static int get_pose(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    struct state *state = self->state;
    Doppel__StampedPose *pose = response;
    pose->stamp_ns = (int64_t)++state->n_calls;
    return 0;
}

static const dpl_service_method methods[14] = {[6] = get_pose};

static const struct dpl_port_desc ports[] = {
    [OUT] = PORT_DATA("out", OUT, &doppel__scan__descriptor, .capacity = 64),
    [IN] = PORT_DATA("in", IN, &doppel__scan__descriptor, .policy = DPL_QUEUE_FIFO, .depth = 4),
    [PROVIDES] = PORT_SERVICE("pose", OUT, &doppel__wheel_controller_service__descriptor,
                              .methods = methods),
    [REQUIRES] = PORT_SERVICE("wheels", IN, &doppel__wheel_controller_service__descriptor),
};

static void fail(const char *what)
{
    fprintf(stderr, "race_rates: %s\n", what);
    exit(1);
}

static void take_all(struct dpl_component *self)
{
    struct state *state = self->state;
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, IN))) {
        const Doppel__Scan *scan = message->body;
        if (scan->n_ranges != 64 || scan->ranges[0] != scan->ranges[63]) {
            fail("a message changed on its way");
        }
        state->n_taken++;
    }
}

static int run(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    if (state->n_runs > 0 && tick->now <= state->last) {
        fail("time stood still");
    }
    state->last = tick->now;
    state->n_runs++;
    take_all(self);
    if (dpl_port_is_connected(self, REQUIRES)) {
        Doppel__Empty request = DOPPEL__EMPTY__INIT;
        Doppel__StampedPose pose = DOPPEL__STAMPED_POSE__INIT;
        int r = dpl_service_call(self, REQUIRES, 6, &request, &pose);
        if (r < 0) {
            return r;
        }
    }
    Doppel__Scan *scan = dpl_port_loan(self, OUT);
    if (!scan) {
        fail("the pool ran dry");
    }
    scan->n_ranges = 64;
    for (size_t i = 0; i < 64; i++) {
        scan->ranges[i] = (float)(tick->cycle % 1000);
    }
    return dpl_port_publish(self, OUT, scan, tick->now);
}

static const struct dpl_component_ops ops = {.execute = run};
static const struct dpl_component_class node = {
    .name = "Node", .ops = &ops, .ports = ports, .n_ports = 4, .state_size = sizeof(struct state)};
static struct rig rig;

static void build(void)
{
    static const char *const names[N] = {"Fast", "Slow", "Slowest", "Other"};
    static const dpl_ns periods_us[N] = {625, 2500, 5000, 700};
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    for (size_t i = 0; i < N; i++) {
        rig_add(&rig, names[i], &node);
        rig_execution(&rig, i, DPL_EXECUTION_PERIODIC_SHARED, periods_us[i] * DPL_US);
        rig.components[i].execution.rate_group = i == OTHER ? NULL : "group";
    }
    rig_connect(&rig, FAST, OUT, SLOW, IN);
    rig_connect(&rig, SLOW, OUT, SLOWEST, IN);
    rig_connect(&rig, SLOWEST, OUT, OTHER, IN);
    rig_connect(&rig, OTHER, OUT, SLOWEST, IN);
    rig_connect(&rig, OTHER, OUT, FAST, IN);
    rig_connect(&rig, OTHER, REQUIRES, SLOWEST, PROVIDES);
}

int main(void)
{
    build();
    rig.runtime.real_epoch = dpl_monotonic_now();
    if (rig_start(&rig) < 0 || dpl__executors_start(&rig.runtime, &rig.diag) < 0) {
        fail(rig.diag.text);
    }
    for (int i = 0; i < 8; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
        dpl__executors_watch(&rig.runtime);
        for (size_t k = 0; k < N; k++) {
            rig_counters(&rig, k, IN);
            atomic_load(&rig_component(&rig, k)->n_late);
        }
    }
    if (dpl__executors_stop(&rig.runtime) != 0 || atomic_load(&rig.runtime.faults) != 0) {
        fail(rig_log);
    }
    const struct state *states[N];
    for (size_t i = 0; i < N; i++) {
        states[i] = rig_self(&rig, i)->state;
    }
    if (rig.runtime.n_executors != 2 || states[SLOWEST]->n_runs < 10 ||
        states[SLOW]->n_runs < states[SLOWEST]->n_runs ||
        states[FAST]->n_runs < states[SLOW]->n_runs ||
        states[SLOWEST]->n_calls != states[OTHER]->n_runs || states[OTHER]->n_taken == 0 ||
        states[SLOW]->n_taken == 0 || states[SLOWEST]->n_taken == 0) {
        fail("wrong counts");
    }
    rig_finish(&rig);
    return 0;
}
