/* SPDX-License-Identifier: Apache-2.0 */
/* What it costs to hand a scan of 1081 ranges and intensities (8.6 kB) from one component to
 * another: within one executor (loan + publish + take, payload not filled, limit 20 ns) and between
 * two executors on threads (time from publish to take of a busy receiver). Exits 1 beyond the
 * limit, unless told --report-only. */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>

#include "ports.h"
#include "rig.h"
#include "tap.h"

#define N_POINTS 1081
#define N_HOPS                                                                                     \
    20000 /* short rounds: one of them is not interrupted, however busy the machine is             \
           */
#define N_ROUNDS 450
#define N_CROSS  20000
#define LIMIT_NS 20.0

enum { OUT, IN };

static const struct dpl_port_desc ports[] = {
    [OUT] = PORT_DATA("out", OUT, &doppel__scan__descriptor, .capacity = N_POINTS),
    [IN] = PORT_DATA("in", IN, &doppel__scan__descriptor, .policy = DPL_QUEUE_FIFO, .depth = 4),
};

static const struct dpl_component_class both = {
    .name = "Both", .ports = ports, .n_ports = DPL_COUNT(ports), .state_size = 8};

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_hop: %s\n", what);
        exit(1);
    }
}

static void build(struct rig *rig, bool one_executor, bool observed)
{
    rig_init(rig);
    rig->runtime.options.n_gateways = observed; /* gives ports their taps */
    size_t sender = rig_add(rig, "Sender", &both);
    size_t receiver = rig_add(rig, "Receiver", &both);
    if (!one_executor) {
        rig_execution(rig, receiver, DPL_EXECUTION_PERIODIC, DPL_MS);
    }
    rig_connect(rig, sender, OUT, receiver, IN);
    check(rig_start(rig) == 0, rig->diag.text);
}

/* ---- within one executor ---- */

static void hop(struct dpl_component *sender, struct dpl_component *receiver, dpl_ns stamp)
{
    Doppel__Scan *scan = dpl_port_loan(sender, OUT);
    check(scan != NULL, "no block left");
    scan->n_ranges = N_POINTS;
    scan->n_intensities = N_POINTS;
    check(dpl_port_publish(sender, OUT, scan, stamp) == 0, "not published");
    const struct dpl_message *message = dpl_port_take(receiver, IN);
    check(message && message->stamp == stamp, "not taken");
}

/* What an observer that is fast enough does, on the same thread. */
static void observe(struct dpl__port *port)
{
    dpl__tap_release(dpl__tap_take(port->tap));
}

static double measure_within(bool observed, bool watched)
{
    struct rig rig;
    build(&rig, true, observed);
    struct dpl__port *out = &rig_component(&rig, 0)->ports[OUT];
    if (watched) {
        dpl__tap_listen(out);
    }
    double best = 1e9;
    for (int round = 0; round < N_ROUNDS; round++) {
        dpl_ns begun = dpl_monotonic_now();
        for (int i = 0; i < N_HOPS; i++) {
            hop(rig_self(&rig, 0), rig_self(&rig, 1), i);
            if (watched) {
                observe(out);
            }
        }
        double ns = (double)(dpl_monotonic_now() - begun) / N_HOPS;
        best = ns < best ? ns : best;
    }
    check(rig_counters(&rig, 1, IN).taken == (uint64_t)N_HOPS * N_ROUNDS, "messages lost");
    rig_finish(&rig);
    return best;
}

/* ---- between executors ---- */

struct cross {
    struct rig *rig;
    atomic_int received;
    struct dpl__histogram latency;
};

static void *receive(void *argument)
{
    struct cross *cross = argument;
    struct dpl__component *receiver = rig_component(cross->rig, 1);
    while (atomic_load_explicit(&cross->received, memory_order_relaxed) < N_CROSS) {
        dpl__component_take_inputs(receiver);
        const struct dpl_message *message = dpl_port_take(&receiver->self, IN);
        if (message) {
            dpl__histogram_add(&cross->latency, dpl_monotonic_now() - message->stamp,
                               message->stamp);
            atomic_fetch_add_explicit(&cross->received, 1, memory_order_release);
        } else {
            sched_yield();
        }
    }
    return NULL;
}

static void measure_between(struct cross *cross)
{
    build(cross->rig, false, false);
    pthread_t thread;
    check(pthread_create(&thread, NULL, receive, cross) == 0, "no thread");
    struct dpl_component *sender = rig_self(cross->rig, 0);
    for (int i = 0; i < N_CROSS; i++) {
        Doppel__Scan *scan = dpl_port_loan(sender, OUT);
        check(scan != NULL, "no block left");
        dpl_port_publish(sender, OUT, scan, dpl_monotonic_now());
        while (atomic_load_explicit(&cross->received, memory_order_acquire) <= i) {
            sched_yield();
        }
    }
    pthread_join(thread, NULL);
    rig_finish(cross->rig);
}

int main(int argc, char **argv)
{
    bool report_only = argc > 1 && strcmp(argv[1], "--report-only") == 0;
    double within = measure_within(false, false);
    double unwatched = measure_within(true, false), watched = measure_within(true, true);
    struct rig rig;
    static struct cross cross;
    cross.rig = &rig;
    measure_between(&cross);
    printf("hop within an executor, scan of 2 x %d floats: %.1f ns (limit %.0f)\n", N_POINTS,
           within, LIMIT_NS);
    printf("the same, observed: %.1f ns; watched, with the observer's part: %.1f ns\n", unwatched,
           watched);
    printf("hop between executors: median %" PRId64 " ns, 99 %% %" PRId64 " ns\n",
           dpl__histogram_quantile(&cross.latency, 0.5),
           dpl__histogram_quantile(&cross.latency, 0.99));
    return within <= LIMIT_NS || report_only ? 0 : 1;
}
