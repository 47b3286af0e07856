/* SPDX-License-Identifier: Apache-2.0 */
/* The periodic timer of streams with timerfd. */
#include "stream_steady.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct dpl__steady *steady =
        (struct dpl__steady *)((char *)handle - offsetof(struct dpl__steady, poll));
    uint64_t times;
    (void)events;
    if (status == 0 && read(steady->fd, &times, sizeof times) == (ssize_t)sizeof times) {
        steady->fire(steady->user);
    }
}

int dpl__steady_open(struct dpl__steady *steady, uv_loop_t *loop)
{
    steady->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (steady->fd < 0) {
        return -errno;
    }
    int err = uv_poll_init(loop, &steady->poll, steady->fd);
    if (err < 0) {
        close(steady->fd);
        steady->fd = -1;
        return err;
    }
    steady->poll.data = steady->user;
    return 0;
}

void dpl__steady_start(struct dpl__steady *steady, uint32_t period_us)
{
    if (steady->fd < 0) {
        return;
    }
    struct timespec period = {period_us / 1000000, (long)(period_us % 1000000) * 1000};
    timerfd_settime(steady->fd, 0, &(struct itimerspec){period, period}, NULL);
    if (period_us > 0) {
        uv_poll_start(&steady->poll, UV_READABLE, on_poll);
    } else {
        uv_poll_stop(&steady->poll);
    }
}

void dpl__steady_close(struct dpl__steady *steady, uv_close_cb closed)
{
    uv_close((uv_handle_t *)&steady->poll, closed);
    close(steady->fd);
    steady->fd = -1;
}
