/* SPDX-License-Identifier: Apache-2.0 */
#include "turned_loop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <criterion/criterion.h>

#include "control.h"
#include "log.h"
#include "runtime.h"
#include "stream.h"

#define WORDS_MAX 24

struct turned_loop loop;

static struct dpl_runtime runtime;
static pid_t program;

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    struct dpl_stream_config quick = *config;
    quick.retry_min_ms = 5;
    quick.retry_max_ms = 50;
    return dpl__stream_open(&runtime, device->name, &quick, ret_stream, reterr);
}

void loop_begin(void)
{
    strcpy(loop.folder, "/tmp/doppel-loop-XXXXXX");
    cr_assert_not_null(mkdtemp(loop.folder));
    snprintf(loop.link, sizeof loop.link, "%s/device", loop.folder);
    snprintf(loop.pty, sizeof loop.pty, "pty:%s", loop.link);
    runtime.real_epoch = dpl_monotonic_now();
    runtime.options.log = fopen("/dev/null", "w");
    cr_assert_eq(dpl__log_create(&runtime), 0);
    cr_assert_eq(dpl__control_create(&runtime, NULL), 0);
}

void loop_end(void)
{
    loop_stop(SIGTERM);
    dpl__control_destroy(runtime.control);
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
    unlink(loop.link);
    rmdir(loop.folder);
}

void loop_device_begin(struct fake_device *fake, const struct dpl_driver *driver)
{
    fake_device_begin(fake, driver);
    fake->clock = loop_now;
}

dpl_ns loop_now(void)
{
    return dpl__runtime_now(&runtime);
}

/* ---- time ---- */

struct turn {
    void (*each)(void);
    dpl_ns deadline;
    bool is_late;
};

static void on_poll(uv_timer_t *timer)
{
    struct turn *turn = timer->data;
    turn->is_late = dpl_monotonic_now() >= turn->deadline;
    if (turn->each) {
        turn->each();
    }
}

bool loop_turn(bool (*holds)(void), void (*each)(void), uint64_t look_ms, uint64_t ms)
{
    uv_loop_t *turned = dpl__control_loop(runtime.control);
    struct turn turn = {.each = each, .deadline = dpl_monotonic_now() + (dpl_ns)ms * DPL_MS};
    uv_timer_t timer = {.data = NULL};
    uv_timer_init(turned, &timer);
    timer.data = &turn;
    uv_timer_start(&timer, on_poll, look_ms, look_ms);
    while (!turn.is_late && !(holds && holds())) {
        uv_run(turned, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(turned, UV_RUN_NOWAIT);
    return holds ? holds() : true;
}

/* ---- the program at the other end ---- */

void loop_start(const char *const *words)
{
    const char *args[WORDS_MAX + 3] = {getenv("DOPPEL_EXE"), "emulate"};
    cr_assert_not_null(args[0], "DOPPEL_EXE is not set");
    for (int i = 0; words[i]; i++) {
        cr_assert_lt(i, WORDS_MAX);
        args[2 + i] = words[i];
    }
    program = fork();
    if (program == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        if (!getenv("TELL")) {
            dup2(null, 2);
        }
        execv(args[0], (char *const *)(uintptr_t)args);
        _exit(127);
    }
}

void loop_signal(int number)
{
    cr_assert_eq(kill(program, number), 0);
}

void loop_stop(int number)
{
    if (program > 0) {
        kill(program, number);
        waitpid(program, NULL, 0);
        program = 0;
    }
}

bool loop_link_is_there(void)
{
    struct stat info;
    return stat(loop.link, &info) == 0;
}
