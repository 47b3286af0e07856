/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a test bench in a process of its own. */
#include "bench_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/sim/host.h>

#include "common.h"

static void say(struct bench_result *result, const char *name, const char *text)
{
    result->verdict = (struct dpl_verdict){.expected = false};
    snprintf(result->verdict.name, sizeof result->verdict.name, "%s", name);
    snprintf(result->verdict.text, sizeof result->verdict.text, "%.*s",
             (int)sizeof result->verdict.text - 1, text);
}

static void run_here(struct bench_run *run, struct bench_result *ret_result)
{
    struct dpl_diag error = {0};
    struct dpl_runtime *runtime = NULL;
    struct dpl_sim_host_options host_options = {
        .world = run->app->world, .seed = run->options.seed, .catalog = run->catalog};
    struct dpl_sim_host *host = dpl_sim_host_create(&host_options);
    if (!host) {
        say(ret_result, "fault", "out of memory");
        return;
    }
    run->options.world = dpl_sim_host_interface(host);
    if (dpl_runtime_create(run->app, &run->options, &runtime, &error) < 0) {
        dpl_diag_print(stderr, &error);
        say(ret_result, "fault", error.text);
        dpl_sim_host_destroy(host);
        return;
    }
    cli_stop_on_signals(runtime);
    enum dpl_exit code = dpl_runtime_run(runtime, &error);
    cli_stop_on_signals(NULL);
    const struct dpl_verdict *verdict = dpl_runtime_verdict(runtime);
    ret_result->duration_s = dpl_ns_to_s(dpl_runtime_duration(runtime));
    if (verdict) {
        ret_result->verdict = *verdict;
    } else if (code == DPL_EXIT_DONE) {
        say(ret_result, "none", "the run ended without a verdict");
    } else {
        dpl_diag_print(stderr, &error);
        say(ret_result, "fault", error.text);
    }
    dpl_runtime_destroy(runtime);
    dpl_sim_host_destroy(host);
}

int bench_start(struct bench_run *run)
{
    int ends[2];
    if (pipe(ends) < 0) {
        return -errno;
    }
    fflush(NULL);
    run->pid = fork();
    if (run->pid < 0) {
        int err = -errno;
        close(ends[0]);
        close(ends[1]);
        return err;
    }
    if (run->pid == 0) {
        struct bench_result result = {0};
        close(ends[0]);
        run_here(run, &result);
        fflush(NULL);
        ssize_t n = write(ends[1], &result, sizeof result);
        _exit(n == sizeof result ? 0 : 1); /* a stuck callback may still run: nothing is unloaded */
    }
    close(ends[1]);
    run->pipe = ends[0];
    return 0;
}

void bench_wait(struct bench_run *run, struct bench_result *ret_result)
{
    ssize_t n;
    do {
        n = read(run->pipe, ret_result, sizeof *ret_result);
    } while (n < 0 && errno == EINTR);
    close(run->pipe);
    int status = 0;
    while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (n != sizeof *ret_result) {
        char text[96];
        snprintf(text, sizeof text, "the run's process died: %s",
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it gave no result");
        *ret_result = (struct bench_result){0};
        say(ret_result, "crash", text);
    }
}
