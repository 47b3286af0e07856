/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/system_clock.h>
#include <doppel/text.h>
#include <doppel/time.h>

enum { TURN_MS = 100 };   /* a stop is seen within */
enum { RUNS_EACH = 200 }; /* of a process; the last one is carried out again */

/* Shared with the process of the run; its result is behind it. */
struct shared {
    atomic_bool is_whole;
    size_t run;
    max_align_t result[];
};

struct slot {
    pid_t pid;          /* 0: it is free */
    int pidfd;          /* readable when the process has ended */
    int said;           /* what the run prints */
    int go, over;       /* counters: a run is there, a run is over */
    size_t run, n_runs; /* of this process so far, with this one */
    dpl_ns began;
    struct shared *shared;
    void *held; /* the result of the run, which is carried out again */
    bool is_held;
};

struct state {
    const struct sweep_pool *pool;
    struct slot *slots;
    unsigned char *shared; /* `stride` bytes a slot */
    size_t n_running, stride;
    int n_told;     /* stops that the runs were told of */
    bool is_over;   /* no more is begun */
    bool is_alone;  /* each run has a process of its own */
    bool is_proven; /* a second run of a process was as in one of its own */
    int err;
};

static int n_stops(const struct state *state)
{
    return state->pool->n_stops ? (int)*state->pool->n_stops : 0;
}

/* Signals that are kept back from a run until it takes them. */
static void list_signals(sigset_t *ret_set)
{
    sigemptyset(ret_set);
    sigaddset(ret_set, SIGINT);
    sigaddset(ret_set, SIGTERM);
    sigaddset(ret_set, SIGHUP);
}

/* ---- the process of a run ---- */

static void signal_counter(int counter)
{
    const uint64_t one = 1;
    while (write(counter, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

/* Of one that does not block. */
static void take_counter(int counter)
{
    uint64_t n;
    while (counter >= 0 && read(counter, &n, sizeof n) < 0 && errno == EINTR) {
    }
}

static void await_counter(int counter)
{
    uint64_t n;
    while (read(counter, &n, sizeof n) < 0 && errno == EINTR) {
    }
}

static void stand_apart(const struct slot *slot, const sigset_t *before)
{
    const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        signal(usual[i], SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, before, NULL);
    dup2(slot->said, STDOUT_FILENO);
    dup2(slot->said, STDERR_FILENO);
}

static _Noreturn void be_the_run(const struct sweep_pool *pool, struct slot *slot, pid_t parent,
                                 const sigset_t *before)
{
    prctl(PR_SET_PDEATHSIG, pool->in_front ? SIGTERM : SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    if (!pool->in_front) {
        stand_apart(slot, before);
    }
    for (;;) {
        pool->work(pool->user, slot->shared->run, slot->shared->result);
        fflush(NULL);
        atomic_store(&slot->shared->is_whole, true);
        if (!pool->same) {
            kill(getpid(), SIGKILL);
        }
        signal_counter(slot->over);
        await_counter(slot->go); /* or the end of this process, without unloading anything */
    }
}

/* What is shared and printed is that of the next run. */
static int clear(const struct state *state, struct slot *slot, size_t run)
{
    memset(slot->shared, 0, state->stride);
    slot->shared->run = slot->run = run;
    slot->began = dpl_monotonic_now();
    bool is_clear =
        slot->said < 0 || (ftruncate(slot->said, 0) == 0 && lseek(slot->said, 0, SEEK_SET) == 0);
    return is_clear ? 0 : -errno;
}

static int begin(struct state *state, struct slot *slot, size_t run)
{
    pid_t parent = getpid();
    sigset_t kept, before;
    int err = clear(state, slot, run);
    if (err < 0) {
        return err;
    }
    fflush(NULL);
    list_signals(&kept);
    sigprocmask(SIG_BLOCK, &kept, &before);
    pid_t pid = fork();
    if (pid == 0) {
        be_the_run(state->pool, slot, parent, &before);
    }
    err = pid < 0 ? -errno : 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (err < 0) {
        return err;
    }
    slot->pid = pid;
    slot->n_runs = 1;
    slot->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    state->n_running++;
    return slot->pidfd < 0 ? -errno : 0;
}

/* ---- its end ---- */

/* The end of what it has printed, as one line. */
static void quote_said(int file, char *ret_text, size_t size)
{
    char bytes[256 + 1];
    off_t end = file < 0 ? 0 : lseek(file, 0, SEEK_END), from = end > 256 ? end - 256 : 0;
    ssize_t n = end > 0 ? pread(file, bytes, 256, from) : 0;
    bytes[n > 0 ? n : 0] = '\0';
    while (n > 0 && bytes[n - 1] == '\n') {
        bytes[--n] = '\0';
    }
    for (char *c = bytes; *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    dpl_text_clean(bytes, ret_text, size);
}

static void explain(const struct state *state, struct slot *slot, int status,
                    struct sweep_pool_ended *ended)
{
    char said[256], why[96];
    quote_said(slot->said, said, sizeof said);
    if (ended->how == SWEEP_POOL_LATE) {
        snprintf(why, sizeof why, "not ended within %g s", state->pool->time_limit_s);
    } else if (WIFSIGNALED(status)) {
        snprintf(why, sizeof why, "%s", strsignal(WTERMSIG(status)));
    } else {
        snprintf(why, sizeof why, "ended by itself with code %d", WEXITSTATUS(status));
    }
    snprintf(ended->text, sizeof ended->text, "%s%s%s", why, said[0] != '\0' ? ": " : "", said);
}

/* Ends the process, if it has not ended, and what it has started. */
static int retire(struct state *state, struct slot *slot)
{
    int status = 0;
    kill(slot->pid, SIGKILL);
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!state->pool->in_front) {
        kill(-slot->pid, SIGKILL);
    }
    if (slot->pidfd >= 0) {
        close(slot->pidfd);
    }
    take_counter(slot->over);
    slot->pid = 0;
    state->n_running--;
    return status;
}

static void fail(struct state *state, int err)
{
    state->err = state->err < 0 || err == 0 ? state->err : err;
    state->is_over = state->is_over || err < 0;
}

static void give(struct state *state, struct slot *slot, const void *result,
                 const struct sweep_pool_ended *ended)
{
    fail(state, state->pool->done(state->pool->user, slot->run, result, ended));
}

/* A run that was carried out again, in a process of its own: as the first time? */
static void compare(struct state *state, struct slot *slot, const void *result)
{
    slot->is_held = false;
    if (result && state->pool->same(slot->held, result)) {
        state->is_proven = true;
        return;
    }
    state->is_alone = true;
    fail(state, state->is_proven ? -EXDEV : 1);
}

/* The process has ended, or is late, or is stopped. */
static void end(struct state *state, struct slot *slot, bool is_killed)
{
    int status = retire(state, slot);
    struct sweep_pool_ended ended = {.how = n_stops(state) > 0 ? SWEEP_POOL_STOPPED
                                            : is_killed        ? SWEEP_POOL_LATE
                                                               : SWEEP_POOL_DIED,
                                     .wall_s = dpl_ns_to_s(dpl_monotonic_now() - slot->began)};
    if (ended.how != SWEEP_POOL_STOPPED && slot->n_runs > 1) { /* were it those before it? */
        fail(state, begin(state, slot, slot->run));
        return;
    }
    if (slot->is_held && ended.how != SWEEP_POOL_STOPPED) {
        compare(state, slot, NULL);
    }
    slot->is_held = false;
    explain(state, slot, status, &ended);
    give(state, slot, NULL, &ended);
}

static bool goes_on(const struct state *state)
{
    return !state->is_over && n_stops(state) == 0;
}

/* The next run of a process; false: it has had its last one. */
static bool follow(struct state *state, const struct slot *slot, size_t *ret_run)
{
    if (!state->pool->same || state->is_alone || !goes_on(state) || slot->n_runs == RUNS_EACH ||
        (slot->n_runs > 1 && !state->is_proven)) {
        return false;
    }
    state->is_over = !state->pool->next(state->pool->user, ret_run);
    return !state->is_over;
}

/* A run is over, and its process waits for the next one. The last one of many is carried out again
 * before it counts. */
static void take(struct state *state, struct slot *slot)
{
    struct sweep_pool_ended ended = {.wall_s = dpl_ns_to_s(dpl_monotonic_now() - slot->began)};
    size_t next;
    take_counter(slot->over);
    if (slot->is_held) {
        compare(state, slot, slot->shared->result);
    }
    bool follows = follow(state, slot, &next);
    if (!follows && slot->n_runs > 1 && n_stops(state) == 0) {
        memcpy(slot->held, slot->shared->result, state->pool->result_size);
        slot->is_held = true;
        retire(state, slot);
        fail(state, begin(state, slot, slot->run));
        return;
    }
    give(state, slot, slot->shared->result, &ended);
    if (follows) {
        fail(state, clear(state, slot, next));
        slot->n_runs++;
        signal_counter(slot->go);
    } else {
        retire(state, slot);
    }
}

/* ---- all of them ---- */

static void fill(struct state *state)
{
    for (size_t i = 0; i < state->pool->n_slots && goes_on(state); i++) {
        size_t run;
        if (state->slots[i].pid != 0) {
            continue;
        }
        state->is_over = !state->pool->next(state->pool->user, &run);
        fail(state, state->is_over ? 0 : begin(state, &state->slots[i], run));
    }
}

static bool is_late(const struct state *state, const struct slot *slot)
{
    double limit_s = state->pool->time_limit_s;
    return limit_s > 0.0 && dpl_ns_to_s(dpl_monotonic_now() - slot->began) > limit_s;
}

/* Runs in front are asked to stop, once for each request. */
static void tell_stops(struct state *state)
{
    int n = n_stops(state);
    if (!state->pool->in_front || n == state->n_told) {
        return;
    }
    state->n_told = n;
    for (size_t i = 0; i < state->pool->n_slots; i++) {
        if (state->slots[i].pid != 0) {
            kill(state->slots[i].pid, n < 3 ? SIGTERM : SIGKILL);
        }
    }
}

static void await(struct state *state)
{
    struct pollfd files[2 * SWEEP_SLOTS_MAX];
    size_t n_slots = state->pool->n_slots;
    for (size_t i = 0; i < n_slots; i++) {
        const struct slot *slot = &state->slots[i];
        bool runs = slot->pid != 0;
        files[2 * i] = (struct pollfd){.fd = runs ? slot->over : -1, .events = POLLIN};
        files[2 * i + 1] = (struct pollfd){.fd = runs ? slot->pidfd : -1, .events = POLLIN};
    }
    int n = poll(files, 2 * n_slots, TURN_MS);
    tell_stops(state);
    bool kills = !state->pool->in_front && n_stops(state) > 0;
    for (size_t i = 0; i < n_slots; i++) {
        struct slot *slot = &state->slots[i];
        bool has_ended = n > 0 && (files[2 * i + 1].revents & POLLIN) != 0;
        bool is_over = n > 0 && (files[2 * i].revents & POLLIN) != 0;
        if (slot->pid != 0 && (is_over || (has_ended && atomic_load(&slot->shared->is_whole)))) {
            take(state, slot);
        } else if (slot->pid != 0 && (has_ended || kills || is_late(state, slot))) {
            end(state, slot, !has_ended);
        }
    }
}

/* Opens what its mode needs: files are few. */
static int open_slot(const struct sweep_pool *pool, struct slot *slot)
{
    if (!pool->in_front) {
        slot->said = memfd_create("doppel run", MFD_CLOEXEC);
    }
    if (pool->same) {
        slot->go = eventfd(0, EFD_CLOEXEC);
        slot->over = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        slot->held = malloc(pool->result_size + 1);
    }
    bool lacks_files =
        (!pool->in_front && slot->said < 0) || (pool->same && (slot->go < 0 || slot->over < 0));
    return lacks_files ? -EMFILE : pool->same && !slot->held ? -ENOMEM : 0;
}

static int open_slots(struct state *state)
{
    size_t n = state->pool->n_slots;
    state->slots = calloc(n, sizeof *state->slots);
    size_t unit = sizeof(max_align_t), whole = (state->pool->result_size + unit - 1) / unit * unit;
    state->stride = sizeof(struct shared) + whole;
    state->shared =
        mmap(NULL, n * state->stride, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!state->slots || state->shared == MAP_FAILED) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        state->slots[i] = (struct slot){.shared = (void *)(state->shared + i * state->stride),
                                        .said = -1,
                                        .go = -1,
                                        .over = -1};
    }
    for (size_t i = 0; i < n; i++) {
        int err = open_slot(state->pool, &state->slots[i]);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static void close_slots(struct state *state)
{
    for (size_t i = 0; state->slots && i < state->pool->n_slots; i++) {
        const int files[] = {state->slots[i].said, state->slots[i].go, state->slots[i].over};
        for (size_t k = 0; k < 3; k++) {
            if (files[k] > 0) {
                close(files[k]);
            }
        }
        free(state->slots[i].held);
    }
    if (state->shared != MAP_FAILED) {
        munmap(state->shared, state->pool->n_slots * state->stride);
    }
    free(state->slots);
}

int sweep_pool_run(const struct sweep_pool *pool)
{
    struct state state = {.pool = pool, .shared = MAP_FAILED};
    state.err = open_slots(&state);
    if (state.err == 0) {
        fill(&state);
        while (state.n_running > 0) {
            await(&state);
            fill(&state);
        }
    }
    close_slots(&state);
    return state.err;
}
