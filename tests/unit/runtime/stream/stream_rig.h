/* SPDX-License-Identifier: Apache-2.0 */
/* A stream on a control thread of its own, and what it has told its driver. Each wait is for an
 * event of the loop and ends, as a failure, after two seconds. A suite begins with stream_begin and
 * ends with stream_end. */
#ifndef TEST_STREAM_RIG_H
#define TEST_STREAM_RIG_H

#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "control.h"
#include "log.h"
#include "runtime.h"
#include "stream.h"

/* What is said of a device that is not there, behind its error. */
#define REMEDY "; is it plugged in? `--wait S` waits for it, `doppel emulate` stands in for it"

struct seen {
    int n_opened, n_lost, n_timer;
    size_t n;
    uint8_t bytes[8192];
    char why[100];
    bool reopen_on_data, settle_on_open;
};

static struct dpl_runtime runtime;
static struct seen seen;
static struct dpl_stream *stream;
static uv_timer_t guard;
static bool late;

/* A turn of the loop goes on waiting after a timer has fired; what was seen ends it at once. */
static inline void end_turn(void)
{
    uv_stop(dpl__control_loop(runtime.control));
}

static inline void on_opened(struct dpl_stream *s, void *user, dpl_ns now)
{
    struct seen *to = user;
    to->n_opened++;
    if (to->settle_on_open) {
        dpl_stream_settled(s);
    }
    end_turn();
}

static inline void on_data(struct dpl_stream *s, void *user, const uint8_t *bytes, size_t n,
                           dpl_ns now)
{
    struct seen *to = user;
    size_t room = sizeof to->bytes - to->n;
    memcpy(to->bytes + to->n, bytes, n < room ? n : room);
    to->n += n < room ? n : room;
    end_turn();
    if (to->reopen_on_data) {
        dpl_stream_reopen(s, "nonsense");
    }
}

static inline void on_timer(struct dpl_stream *s, void *user, dpl_ns now)
{
    struct seen *to = user;
    to->n_timer++;
    end_turn();
}

static inline void on_lost(struct dpl_stream *s, void *user, const char *why)
{
    struct seen *to = user;
    to->n_lost++;
    end_turn();
    snprintf(to->why, sizeof to->why, "%s", why);
}

static const struct dpl_stream_ops ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

static inline void on_guard(uv_timer_t *timer)
{
    late = true;
}

static inline bool reached(const int *counter, int at_least)
{
    late = false;
    uv_update_time(dpl__control_loop(runtime.control));
    uv_timer_start(&guard, on_guard, 2000, 0);
    while (*counter < at_least && !late) {
        uv_run(dpl__control_loop(runtime.control), UV_RUN_ONCE);
    }
    uv_timer_stop(&guard);
    return !late;
}

static inline bool received(size_t at_least)
{
    late = false;
    uv_update_time(dpl__control_loop(runtime.control));
    uv_timer_start(&guard, on_guard, 2000, 0);
    while (seen.n < at_least && !late) {
        uv_run(dpl__control_loop(runtime.control), UV_RUN_ONCE);
    }
    uv_timer_stop(&guard);
    return !late;
}

static inline void stream_begin(void)
{
    runtime.options.log = fopen("/dev/null", "w");
    cr_assert_eq(dpl__log_create(&runtime), 0);
    cr_assert_eq(dpl__control_create(&runtime, NULL), 0);
    uv_timer_init(dpl__control_loop(runtime.control), &guard);
}

static inline void stream_end(void)
{
    dpl_stream_close(stream);
    dpl__control_destroy(runtime.control);
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
}

static inline int open_stream(const char *address, uint32_t baud, struct dpl_diag *reterr)
{
    const struct dpl_stream_config config = {
        .address = address,
        .baud = baud,
        .retry_min_ms = 1,
        .retry_max_ms = 8,
        .ops = &ops,
        .user = &seen,
    };
    return dpl__stream_open(&runtime, "Base", &config, &stream, reterr);
}

static inline size_t read_for_long(int fd, char *to, size_t want)
{
    size_t n = 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (n < want && poll(&p, 1, 2000) > 0) {
        ssize_t r = read(fd, to + n, want - n);
        if (r <= 0) {
            break;
        }
        n += (size_t)r;
    }
    return n;
}
#endif
