/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that crash, hang, end and start processes are rows, and cost the others nothing. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "subject.h"

enum { RUNS = 300 };

struct seen {
    size_t n_begun, n_done;
    struct sweep_outcome outcomes[RUNS];
    bool are_there[RUNS];
};

static bool next(void *user, size_t *ret_run)
{
    struct seen *seen = user;
    *ret_run = seen->n_begun;
    return seen->n_begun < RUNS && seen->n_begun++ < RUNS;
}

static void work(void *user, size_t run, void *ret_result)
{
    struct sweep_outcome *ret_outcome = ret_result;
    sweep_outcome_begin(ret_outcome);
    if (run % 100 == 7) { /* 1 % */
        fprintf(stderr, "it goes wrong\nhere\n");
        abort();
    }
    if (run == 50) {
        _exit(3);
    }
    if (run == 51) {
        for (;;) {
            pause();
        }
    }
    if (run == 52 && fork() == 0) {
        for (;;) {
            pause();
        }
    }
    ret_outcome->status = SWEEP_DONE;
    ret_outcome->measures[0] = (double)run;
}

static int done(void *user, size_t run, const void *given, const struct sweep_pool_ended *ended)
{
    struct seen *seen = user;
    if (ended->how == SWEEP_POOL_STOPPED) {
        return 0;
    }
    cr_assert(!seen->are_there[run]);
    seen->are_there[run] = true;
    sweep_outcome_end(&seen->outcomes[run], given, ended);
    seen->n_done++;
    return 0;
}

Test(pool, one_percent_that_crash_stop_nothing)
{
    static struct seen seen;
    struct sweep_pool pool = {.n_slots = 3,
                              .result_size = sizeof(struct sweep_outcome),
                              .time_limit_s = 2.0,
                              .next = next,
                              .work = work,
                              .done = done,
                              .user = &seen};
    cr_assert_eq(sweep_pool_run(&pool), 0);
    cr_assert_eq(seen.n_done, RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        const struct sweep_outcome *outcome = &seen.outcomes[i];
        bool crashes = i % 100 == 7 || i == 50;
        enum sweep_status status = crashes ? SWEEP_CRASHED : i == 51 ? SWEEP_TIMED_OUT : SWEEP_DONE;
        cr_assert_eq(outcome->status, status, "%zu: %s", i, outcome->text);
        cr_assert(status != SWEEP_DONE || outcome->measures[0] == (double)i);
    }
    cr_assert_str_eq(seen.outcomes[107].text, "Aborted: it goes wrong here");
    cr_assert_str_eq(seen.outcomes[50].text, "ended by itself with code 3");
    cr_assert_str_eq(seen.outcomes[51].text, "not ended within 2 s");
}

/* ---- many runs in one process ---- */

struct process {
    double value, pid;
};

static size_t dirty_after; /* runs of a process that leave something behind; 0: none */

static void work_with_memory(void *user, size_t run, void *ret_result)
{
    static size_t before; /* the fault: a variable that the next run finds */
    struct process *result = ret_result;
    (void)user;
    if (run == 120 && dirty_after == 0) {
        abort();
    }
    result->value = (double)run + (dirty_after > 0 && before >= dirty_after ? 0.5 : 0.0);
    result->pid = (double)getpid();
    before++;
}

static bool are_same(const void *one, const void *other)
{
    return ((const struct process *)one)->value == ((const struct process *)other)->value;
}

struct given {
    size_t n_begun, n_done, n_wrong, n_died;
    double pids[RUNS];
};

static bool next_of(void *user, size_t *ret_run)
{
    struct given *given = user;
    *ret_run = given->n_begun;
    return given->n_begun < RUNS && given->n_begun++ < RUNS;
}

static int take_one(void *user, size_t run, const void *result,
                    const struct sweep_pool_ended *ended)
{
    struct given *given = user;
    const struct process *process = result;
    given->n_died += ended->how == SWEEP_POOL_DIED;
    given->n_wrong += process && process->value != (double)run;
    given->pids[given->n_done++] = process ? process->pid : 0.0;
    return 0;
}

static int run_in_few(struct given *given, size_t dirty)
{
    struct sweep_pool pool = {.n_slots = 2,
                              .result_size = sizeof(struct process),
                              .next = next_of,
                              .work = work_with_memory,
                              .done = take_one,
                              .same = are_same,
                              .user = given};
    dirty_after = dirty;
    return sweep_pool_run(&pool);
}

static size_t count_processes(const struct given *given)
{
    size_t n = 0;
    for (size_t i = 0; i < given->n_done; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++) {
            is_new &= given->pids[k] != given->pids[i];
        }
        n += is_new;
    }
    return n;
}

Test(pool, runs_share_processes_and_a_crash_costs_the_others_nothing)
{
    static struct given given;
    cr_expect_eq(run_in_few(&given, 0), 0);
    cr_expect_eq(given.n_done, RUNS);
    cr_expect_eq(given.n_wrong, 0);
    cr_expect_eq(given.n_died, 1);
    cr_expect_leq(count_processes(&given), 12);
}

Test(pool, runs_that_leave_something_behind_get_a_process_each)
{
    static struct given given;
    cr_expect_eq(run_in_few(&given, 1), 1);
    cr_expect_eq(given.n_done, RUNS);
    cr_expect_eq(given.n_wrong, 0);
}

Test(pool, what_is_left_behind_late_is_found_at_the_end_of_a_process)
{
    static struct given given;
    cr_expect_eq(run_in_few(&given, 50), -EXDEV);
}

Test(pool, a_stop_leaves_what_runs_for_the_next_time)
{
    static struct seen seen;
    static const volatile sig_atomic_t stop = 1;
    struct sweep_pool pool = {.n_slots = 2,
                              .result_size = sizeof(struct sweep_outcome),
                              .next = next,
                              .work = work,
                              .done = done,
                              .user = &seen,
                              .n_stops = &stop};
    cr_assert_eq(sweep_pool_run(&pool), 0);
    cr_assert_eq(seen.n_done, 0);
}
