/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop costs: a step through it against a step of the world alone; an event from its sending
 * to its answer; what a sender to a full queue waits; and how much eight threads that send all the
 * time lengthen the period of a loop. argv[1]: the file of a world. Times of the first three are of
 * the processor; the last one is of the clock and wants an idle machine. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/loop.h>

enum { N_STEPS = 20000, ROUNDS = 5, N_FULL = 100000, N_SENDERS = 8, N_PERIODS = 4000 };

static const dpl_ns period = 500 * DPL_US;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpl_ns now(void *user)
{
    (void)user;
    return (dpl_ns)(1e9 * seconds(CLOCK_MONOTONIC));
}

static int nothing(void *context, const struct dpl_sim_event_run *run)
{
    (void)context;
    (void)run;
    return 0;
}

static const struct dpl_sim_event_kind kinds[] = {{.name = "nothing", .run = nothing}};

static struct dpl_sim_model *load(const char *file)
{
    struct dpl_sim_model *model;
    struct dpl_diag error = {0};
    if (dpl_sim_load_world(file, 1, NULL, &model, &error) < 0) {
        dpl_diag_print(stderr, &error);
        exit(1);
    }
    return model;
}

static struct dpl_world *make_world(const struct dpl_sim_model *model)
{
    struct dpl_world *world;
    if (dpl_world_create(model, &world, NULL) < 0) {
        exit(1);
    }
    for (int i = 0; dpl_world_wheel(world, i); i++) {
        dpl_world_set_motor(world, i, 3.0 + i);
    }
    return world;
}

static struct dpl_sim_loop *make_loop(struct dpl_world *world, bool clock)
{
    struct dpl_sim_loop *loop;
    struct dpl_sim_loop_options options = {
        .world = world, .now = clock ? now : NULL, .kinds = kinds, .n_kinds = 1};
    if (dpl_sim_loop_create(&options, &loop) < 0) {
        exit(1);
    }
    return loop;
}

/* s of the processor a step; `by_loop`: through a loop. */
static double step_time(const struct dpl_sim_model *model, bool by_loop)
{
    struct dpl_world *world = make_world(model);
    struct dpl_sim_loop *loop = make_loop(world, false);
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (by_loop) {
        dpl_sim_loop_run_until(loop, N_STEPS * model->step);
    } else {
        dpl_world_run_until(world, N_STEPS * model->step);
    }
    double took = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / N_STEPS;
    dpl_sim_loop_destroy(loop);
    dpl_world_destroy(world);
    return took;
}

/* Best of some rounds, in turns, because others use the machine, too. */
static void measure_steps(const struct dpl_sim_model *model)
{
    double alone = 1.0, by_loop = 1.0;
    for (int i = 0; i < ROUNDS; i++) {
        double a = step_time(model, false), b = step_time(model, true);
        alone = a < alone ? a : alone;
        by_loop = b < by_loop ? b : by_loop;
    }
    printf("  step of the world alone                 %8.0f ns\n", 1e9 * alone);
    printf("  step through the loop                   %8.0f ns  (%.3f times)\n", 1e9 * by_loop,
           by_loop / alone);
}

static struct dpl_sim_events *make_queue(void)
{
    struct dpl_sim_events *events;
    struct dpl_sim_events_options options = {.kinds = kinds, .n_kinds = 1};
    if (dpl_sim_events_create(&options, &events) < 0) {
        exit(1);
    }
    return events;
}

static void measure_events(void)
{
    struct dpl_sim_events *events = make_queue();
    struct dpl_sim_event event = {.class_ = DPL_SIM_EVENT_EVERY};
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    size_t n = 0;
    for (uint64_t step = 1; step <= 200; step++) {
        while (dpl_sim_events_send(events, &event, NULL) == 0) {
            n++;
        }
        dpl_sim_events_drain(events, &(struct dpl_sim_events_drain){.step = step});
    }
    double each = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / (double)n;
    while (dpl_sim_events_send(events, &event, NULL) == 0) {
    }
    begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < N_FULL; i++) {
        dpl_sim_events_send(events, &event, NULL);
    }
    double full = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / N_FULL;
    printf("  event, sent and run, of a full queue    %8.0f ns\n", 1e9 * each);
    printf("  FULL (limit 10 us)                      %8.0f ns\n", 1e9 * full);
    dpl_sim_events_destroy(events);
}

/* ---- the period ---- */

struct senders {
    struct dpl_sim_events *events;
    atomic_bool over;
};

static void *send_all_the_time(void *argument)
{
    struct senders *senders = argument;
    struct dpl_sim_event event = {.kind = 1, .class_ = DPL_SIM_EVENT_N, .n = 1};
    while (!atomic_load_explicit(&senders->over, memory_order_relaxed)) {
        for (int i = 0; i < 20; i++) {
            dpl_sim_events_send(senders->events, &event, NULL);
        }
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return NULL;
}

static void sleep_until(dpl_ns at)
{
    struct timespec t = {at / DPL_S, at % DPL_S};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* Mean period of a loop in real time, s. */
static double mean_period(struct dpl_sim_model *model, int n_senders)
{
    model->step = period;
    struct dpl_world *world = make_world(model);
    struct dpl_sim_loop *loop = make_loop(world, true);
    struct senders senders = {.events = dpl_sim_loop_events(loop)};
    pthread_t threads[N_SENDERS];
    for (int i = 0; i < n_senders; i++) {
        pthread_create(&threads[i], NULL, send_all_the_time, &senders);
    }
    double begin = seconds(CLOCK_MONOTONIC);
    while (dpl_world_now(world) < N_PERIODS * period) {
        dpl_sim_loop_run_until(loop, dpl_sim_loop_due(loop, now(NULL)));
        sleep_until(dpl_sim_loop_wake(loop, now(NULL)));
    }
    double mean = (seconds(CLOCK_MONOTONIC) - begin) / N_PERIODS;
    atomic_store(&senders.over, true);
    for (int i = 0; i < n_senders; i++) {
        pthread_join(threads[i], NULL);
    }
    struct dpl_sim_loop_status status = dpl_sim_loop_status(loop);
    printf("  %d senders: period %.2f us, %llu events run, %llu moved, %llu steps late, by %.2f ms "
           "at most\n",
           n_senders, 1e6 * mean, (unsigned long long)status.events.done,
           (unsigned long long)status.events.moved, (unsigned long long)status.late_steps,
           1e-6 * (double)status.late_most);
    dpl_sim_loop_destroy(loop);
    dpl_world_destroy(world);
    return mean;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    struct dpl_sim_model *model = load(argv[1]);
    printf("loop, world '%s'\n", model->name);
    measure_steps(model);
    measure_events();
    double quiet = mean_period(model, 0), disturbed = mean_period(model, N_SENDERS);
    printf("  the period is %.2f %% longer (limit 5 %%)\n", 100.0 * (disturbed / quiet - 1.0));
    dpl_sim_model_destroy(model);
    return disturbed > 1.05 * quiet;
}
