/* SPDX-License-Identifier: Apache-2.0 */
/* The real clock with five executors at once: scans fan out to three receivers across threads
 * (reference counts, rings, drops), an aperiodic one is woken, and a service is called from two
 * other executors. In the fifth two senders and a receiver share a thread: the blocks of one stay
 * on it, those of the other also go to another. A plain program: run it under ThreadSanitizer. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <errno.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>

#include "ports.h"
#include "rig.h"

#define N_POINTS 1081

enum { OUT, IN, PROVIDES, REQUIRES };

static int get_pose(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    uint64_t *calls = self->state;
    Doppel__StampedPose *pose = response;
    ++*calls;
    pose->valid = true;
    pose->stamp_ns = (int64_t)*calls;
    return 0;
}

static const dpl_service_method methods[14] = {[6] = get_pose};

static const struct dpl_port_desc ports[] = {
    [OUT] = PORT_DATA("out", OUT, &doppel__scan__descriptor, .capacity = N_POINTS),
    [IN] = PORT_DATA("in", IN, &doppel__scan__descriptor, .policy = DPL_QUEUE_FIFO, .depth = 2),
    [PROVIDES] = PORT_SERVICE("pose", OUT, &doppel__wheel_controller_service__descriptor,
                              .methods = methods),
    [REQUIRES] = PORT_SERVICE("wheels", IN, &doppel__wheel_controller_service__descriptor),
};

static void fail(const char *what)
{
    fprintf(stderr, "race_executors: %s\n", what);
    exit(1);
}

static int send_scans(struct dpl_component *self, const struct dpl_tick *tick)
{
    for (int i = 0; i < 5; i++) { /* more than the rings hold */
        Doppel__Scan *scan = dpl_port_loan(self, OUT);
        if (!scan) {
            fail("the pool ran dry");
        }
        scan->n_ranges = N_POINTS;
        for (size_t j = 0; j < N_POINTS; j += 40) {
            scan->ranges[j] = (float)(tick->cycle % 1000);
        }
        dpl_port_publish(self, OUT, scan, tick->now);
    }
    return 0;
}

static void check_scan(const struct dpl_message *message)
{
    const Doppel__Scan *scan = message->body;
    for (size_t j = 0; j < N_POINTS; j += 40) {
        if (scan->ranges[j] != scan->ranges[0]) {
            fail("a scan changed while it was borrowed");
        }
    }
}

static int take_scans(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct dpl_message *message;
    while ((message = dpl_port_take(self, IN))) {
        check_scan(message);
    }
    message = dpl_port_latest(self, IN);
    if (message) {
        check_scan(message);
    }
    if (!dpl_port_is_connected(self, REQUIRES)) {
        return 0;
    }
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedPose pose = DOPPEL__STAMPED_POSE__INIT;
    int r = dpl_service_call(self, REQUIRES, 6, &request, &pose);
    return r < 0 ? r : pose.valid ? 0 : -EIO;
}

static const struct dpl_component_ops sender_ops = {.execute = send_scans};
static const struct dpl_component_ops receiver_ops = {.execute = take_scans};
static const struct dpl_component_class sender = {
    .name = "Sender", .ops = &sender_ops, .ports = ports, .n_ports = 4, .state_size = 8};
static const struct dpl_component_class receiver = {
    .name = "Receiver", .ops = &receiver_ops, .ports = ports, .n_ports = 4, .state_size = 8};

static struct rig rig;

/* Beside the executors of build(): one for D, E and F. */
static void build_near(void)
{
    static const char *const names[] = {"D", "E", "F"};
    size_t at[3];
    for (size_t i = 0; i < 3; i++) {
        at[i] = rig_add(&rig, names[i], i < 2 ? &sender : &receiver);
        rig_execution(&rig, at[i], DPL_EXECUTION_PERIODIC_SHARED, 400 * DPL_US);
    }
    rig_connect(&rig, at[0], OUT, at[2], IN);
    rig_connect(&rig, at[1], OUT, at[2], IN);
    rig_connect(&rig, at[1], OUT, 2, IN);
}

static void build(void)
{
    static const dpl_ns periods_us[] = {500, 300, 700, 0};
    static const char *const names[] = {"Sender", "A", "B", "C"};
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    for (size_t i = 0; i < 4; i++) {
        rig_add(&rig, names[i], i == 0 ? &sender : &receiver);
        rig_execution(&rig, i, i == 3 ? DPL_EXECUTION_APERIODIC : DPL_EXECUTION_PERIODIC,
                      periods_us[i] * DPL_US);
    }
    for (size_t i = 1; i < 4; i++) {
        rig_connect(&rig, 0, OUT, i, IN);
    }
    build_near();
    rig_connect(&rig, 1, REQUIRES, 0, PROVIDES);
    rig_connect(&rig, 2, REQUIRES, 0, PROVIDES);
}

static bool is_near(size_t component)
{
    return dpl__pool_at(rig_component(&rig, component)->ports[OUT].pool, 0)->one_thread;
}

int main(void)
{
    build();
    rig.runtime.real_epoch = dpl_monotonic_now();
    if (rig_start(&rig) < 0 || dpl__executors_start(&rig.runtime, &rig.diag) < 0) {
        fail(rig.diag.text);
    }
    nanosleep(&(struct timespec){.tv_nsec = 400 * 1000 * 1000}, NULL);
    dpl__executors_watch(&rig.runtime);
    if (dpl__executors_stop(&rig.runtime) != 0) {
        fail("an executor did not stop");
    }
    if (atomic_load(&rig.runtime.faults) != 0) {
        fail(rig_log);
    }
    for (size_t i = 0; i < rig.runtime.n_executors; i++) {
        if (atomic_load(&rig.runtime.executors[i]->n_cycles) < 10) {
            fail("an executor did not run");
        }
    }
    if (rig.runtime.n_executors != 5 || !is_near(4) || is_near(5)) {
        fail("the senders of one thread are not wired as meant");
    }
    uint64_t *calls = rig_self(&rig, 0)->state;
    struct dpl__port_counters sent = rig_counters(&rig, 0, OUT);
    struct dpl__port_counters a = rig_counters(&rig, 1, IN);
    if (*calls == 0 || a.taken == 0 || a.received + a.dropped_ring > sent.published) {
        fail("wrong counts");
    }
    rig_finish(&rig);
    return 0;
}
