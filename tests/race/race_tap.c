/* SPDX-License-Identifier: Apache-2.0 */
/* A component that publishes in each cycle, on a thread, and an observer that comes and goes on
 * another: what it sees is whole, in order and complete but for what is counted as dropped. A plain
 * program: run it under ThreadSanitizer. */
#include <stdio.h>
#include <stdlib.h>

#include <doppel/msg/laser_scanner.h>

#include "port_topic.h"
#include "rig.h"

#define N_POINTS 30
#define N_CYCLES 60000
#define N_VISIT  200 /* messages that an observer stays for */

enum { OUT, IN };

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "race_tap: %s\n", what);
        exit(1);
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    Doppel__Scan *scan = dpl_port_loan(self, OUT);
    check(scan != NULL, "the observer took a block from the application");
    scan->n_ranges = N_POINTS;
    for (size_t i = 0; i < N_POINTS; i++) {
        scan->ranges[i] = (float)tick->cycle;
    }
    return dpl_port_publish(self, OUT, scan, (dpl_ns)tick->cycle);
}

static const struct dpl_port_desc ports[] = {
    [OUT] = {.name = "out",
             .kind = DPL_PORT_DATA,
             .dir = DPL_PORT_OUT,
             .message = &doppel__scan__descriptor,
             .capacity = N_POINTS},
    [IN] = {.name = "in",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__scan__descriptor},
};
static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class class_ = {
    .name = "Node", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};
static const struct dpl_component_class taker = {
    .name = "Taker", .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};

static struct rig rig;
static struct dpl__topics topics;
static atomic_bool ended;

static void *run(void *argument)
{
    for (int i = 0; i < N_CYCLES; i++) {
        dpl__executor_cycle(rig.runtime.executors[0], i);
    }
    atomic_store(&ended, true);
    return argument;
}

static void look_at(const struct dpl_sample *sample)
{
    Doppel__Scan *scan = doppel__scan__unpack(NULL, sample->n, sample->data);
    check(scan && scan->n_ranges == N_POINTS, "not a scan");
    for (size_t i = 0; i < N_POINTS; i++) {
        check((dpl_ns)scan->ranges[i] == sample->stamp, "a torn scan");
    }
    doppel__scan__free_unpacked(scan, NULL);
}

/* Takes what is there; returns the number. */
static int take_all(struct dpl__topic *topic, dpl_ns *inout_last)
{
    struct dpl_sample sample;
    int n = 0;
    while (n < N_VISIT && topic->ops->take(topic->source, &sample)) {
        check(sample.stamp > *inout_last, "out of order");
        *inout_last = sample.stamp;
        look_at(&sample);
        n++;
    }
    return n;
}

int main(void)
{
    rig_init(&rig);
    rig.runtime.options.n_gateways = 1; /* gives ports their taps */
    rig_add(&rig, "Node", &class_);
    rig_add(&rig, "Taker", &taker);
    rig_connect(&rig, 0, OUT, 1, IN);
    check(rig_start(&rig) == 0, rig.diag.text);
    check(dpl__port_topics_add(&topics, &rig.runtime, &rig.diag) == 0, rig.diag.text);
    struct dpl__topic *topic = dpl__topics_find(&topics, "/Node/out");
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, NULL) == 0, "no thread");
    dpl_ns last = -1;
    int n = 0, n_visits = 0;
    while (!atomic_load(&ended)) {
        dpl__topic_listen(topic, 1);
        for (int k = 0; k < N_VISIT && !atomic_load(&ended);) {
            k += take_all(topic, &last);
            n += k > 0;
        }
        dpl__topic_listen(topic, -1);
        n_visits++;
    }
    pthread_join(thread, NULL);
    for (int i = 0; i < 5; i++) {
        dpl__mailbox_serve(&rig.runtime.executors[0]->mailbox);
        while (take_all(topic, &last) > 0) {
        }
    }
    check(n > 0 && topic->n_listeners == 0, "saw nothing");
    check(rig_component(&rig, 0)->ports[OUT].n_outputs == 1, "still listens");
    check(rig_counters(&rig, 0, OUT).published == N_CYCLES, "not all published");
    printf("race_tap: %d visits\n", n_visits);
    dpl__port_topics_finish(&topics);
    dpl__topics_finish(&topics);
    rig_finish(&rig);
    return 0;
}
