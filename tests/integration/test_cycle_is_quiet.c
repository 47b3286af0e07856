/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing on the cycle path allocates, locks or enters the kernel: 1000 cycles of two components
 * that exchange a scan (and call a service, and log nothing) run on a thread where malloc and
 * friends and pthread_mutex_lock are counted and every system call is trapped by seccomp. With the
 * argument "group" they run on the real clock, on the thread of a rate group of 1.6 kHz and 400 Hz,
 * which may sleep. Exits 77 (skipped) with a message where seccomp is not available, or under a
 * sanitizer, which has its own malloc. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doppel/msg/laser_scanner.h>

#include "ports.h"
#include "quiet.h"
#include "rig.h"

#define N_CYCLES 1000
#define N_POINTS 1081

#ifdef QUIET_SANITIZED

int main(void)
{
    printf("skipped: a sanitizer has its own malloc\n");
    return QUIET_SKIPPED;
}

#else

static bool in_group;
static atomic_int phase; /* 1: measured; negative: seccomp refused */
static const dpl_ns periods[] = {625 * DPL_US, 2500 * DPL_US};
static dpl_ns span; /* in a group: from the first cycle to the one after the last measured */

/* A rate group's own thread measures itself, from the second cycle of its fastest component on. */
static void measure_group(const struct dpl_tick *tick)
{
    if (tick->cycle == 0) {
        span = -tick->now;
    } else if (tick->cycle == 1) {
        int r = quiet_trap(SYS_clock_nanosleep);
        quiet_counting = r == 0;
        if (r < 0) {
            atomic_store(&phase, r);
        }
    } else if (tick->cycle == N_CYCLES + 1 && quiet_counting) {
        quiet_counting = false;
        span += tick->now;
        atomic_store(&phase, 1);
        for (;;) { /* the counts stay as they are until the process ends */
        }
    }
}

/* ---- the application ---- */

enum { OUT, IN, DONE, SEEN, PROVIDES, REQUIRES };

static int get_nothing(struct dpl_component *self, unsigned port, const void *request,
                       void *response)
{
    return 0;
}

static const dpl_service_method methods[6] = {[3] = get_nothing};

static const struct dpl_port_desc ports[] = {
    [OUT] = PORT_DATA("out", OUT, &doppel__scan__descriptor, .capacity = N_POINTS),
    [IN] = PORT_DATA("in", IN, &doppel__scan__descriptor, .policy = DPL_QUEUE_FIFO, .depth = 2),
    [DONE] = {.name = "done", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
    [SEEN] = {.name = "seen", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
    [PROVIDES] = PORT_SERVICE("service", OUT, &doppel__laser_scanner_service__descriptor,
                              .methods = methods),
    [REQUIRES] = PORT_SERVICE("scanner", IN, &doppel__laser_scanner_service__descriptor),
};

static int send_scan(struct dpl_component *self, const struct dpl_tick *tick)
{
    if (in_group) {
        measure_group(tick);
    }
    Doppel__Scan *scan = dpl_port_loan(self, OUT);
    if (!scan) {
        return -ENOBUFS;
    }
    scan->n_ranges = N_POINTS;
    scan->n_intensities = N_POINTS;
    for (size_t i = 0; i < N_POINTS; i++) {
        scan->ranges[i] = (float)i;
        scan->intensities[i] = (float)tick->cycle;
    }
    return dpl_port_publish(self, OUT, scan, tick->now);
}

static int take_scan(struct dpl_component *self, const struct dpl_tick *tick)
{
    uint64_t *n_taken = self->state;
    if (dpl_port_take(self, IN) && dpl_port_latest(self, IN)) {
        ++*n_taken;
    }
    dpl_port_signal(self, DONE, tick->now);
    int request = 0, response = 0; /* which the method does not read */
    return dpl_service_call(self, REQUIRES, 3, &request, &response);
}

static const struct dpl_component_ops sender_ops = {.execute = send_scan};
static const struct dpl_component_ops receiver_ops = {.execute = take_scan};
static const struct dpl_component_class sender = {.name = "Sender",
                                                  .ops = &sender_ops,
                                                  .ports = ports,
                                                  .n_ports = DPL_COUNT(ports),
                                                  .state_size = 8};
static const struct dpl_component_class receiver = {.name = "Receiver",
                                                    .ops = &receiver_ops,
                                                    .ports = ports,
                                                    .n_ports = DPL_COUNT(ports),
                                                    .state_size = 8};
static struct rig rig;

/* ---- the measurement ---- */

static void *run_cycles(void *argument)
{
    struct dpl__executor *executor = rig.runtime.executors[0];
    dpl__executor_cycle(executor, 0);
    int r = quiet_trap(SYS_exit_group);
    quiet_counting = r == 0;
    for (int i = 1; r == 0 && i <= N_CYCLES; i++) {
        dpl__executor_cycle(executor, i * DPL_MS);
    }
    quiet_counting = false;
    atomic_store(&phase, r == 0 ? 1 : r);
    while (r == 0) { /* this thread cannot even end: the process does it */
    }
    return NULL;
}

static int report(void)
{
    const uint64_t *n_taken = rig_self(&rig, 1)->state;
    printf("%d cycles, %d scans: ", N_CYCLES, (int)*n_taken);
    bool quiet = quiet_report() == 0;
    /* A busy machine skips cycles: more of the sender's, whose 1000 then last longer. */
    uint64_t most = (uint64_t)(span / periods[1]) + 1;
    bool complete =
        in_group ? *n_taken > N_CYCLES / 8 && *n_taken <= most : *n_taken == N_CYCLES + 1;
    return quiet && complete ? 0 : 1;
}

static void set_rates(void)
{
    for (size_t i = 0; i < DPL_COUNT(periods); i++) {
        rig.components[i].execution.period = periods[i];
        rig.components[i].execution.rate_group = "group";
    }
}

static int begin(void)
{
    pthread_t thread;
    if (in_group) {
        rig.runtime.real_epoch = dpl_monotonic_now();
        return dpl__executors_start(&rig.runtime, &rig.diag);
    }
    return -pthread_create(&thread, NULL, run_cycles, NULL);
}

int main(int argc, char **argv)
{
    in_group = argc == 2 && strcmp(argv[1], "group") == 0;
    rig_init(&rig);
    rig.runtime.options.simulated = false;
    rig_add(&rig, "Sender", &sender);
    rig_add(&rig, "Receiver", &receiver);
    rig_connect(&rig, 0, OUT, 1, IN);
    rig_connect(&rig, 1, DONE, 0, SEEN);
    rig_connect(&rig, 1, REQUIRES, 0, PROVIDES);
    if (in_group) {
        set_rates();
    }
    if (rig_start(&rig) < 0 || begin() < 0) {
        fprintf(stderr, "test_cycle_is_quiet: cannot start: %s\n", rig.diag.text);
        return 1;
    }
    int now;
    while ((now = atomic_load(&phase)) == 0) {
        usleep(1000);
    }
    if (now < 0) {
        printf("skipped: system calls cannot be trapped here: %s\n", strerror(-now));
        return QUIET_SKIPPED;
    }
    int code = report();
    fflush(stdout);
    _exit(code);
}

#endif
