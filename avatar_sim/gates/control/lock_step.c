/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the commands of lock-step controllers. Each has its own time-out; they run at the
 * same time. */
#include <poll.h>

#include "controllers.h"

struct waiting {
    struct pollfd files[CONTROLLERS_MAX];
    struct controller *controllers[CONTROLLERS_MAX];
    nfds_t n;
    dpl_ns deadline; /* the first one */
};

static dpl_ns deadline_of(const struct controller *controller)
{
    return controller->unanswered + controller->hello.timeout_us * DPL_US;
}

static void list(struct controllers *all, struct waiting *ret)
{
    ret->n = 0;
    ret->deadline = INT64_MAX;
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        struct controller *controller = &all->all[i];
        if (!exchange_has_joined(controller) || !controller->awaited) {
            continue;
        }
        bool has_more = controller->out_at < controller->out_size;
        ret->files[ret->n] = (struct pollfd){
            .fd = controller->fd,
            .events = (short)(POLLIN | (has_more ? POLLOUT : 0)),
        };
        ret->controllers[ret->n++] = controller;
        dpl_ns deadline = deadline_of(controller);
        ret->deadline = deadline < ret->deadline ? deadline : ret->deadline;
    }
}

static void wait_for_any(struct waiting *waiting)
{
    dpl_ns most = waiting->deadline - dpl_monotonic_now();
    most = most < 0 ? 0 : most < CONTROLLERS_TURN ? most : CONTROLLERS_TURN;
    struct timespec time = {most / DPL_S, most % DPL_S};
    ppoll(waiting->files, waiting->n, &time, NULL);
}

/* What has come counts, also when this process was stopped meanwhile; then the time-out. */
static void look_at(struct controllers *controllers, struct controller *controller,
                    const struct pollfd *file, dpl_ns now)
{
    if (file->revents & ~POLLOUT && !exchange_receive(controllers, controller)) {
        return;
    }
    if (file->revents & POLLOUT && !exchange_flush(controller)) {
        return; /* it is lost: the next look receives that */
    }
    if (controller->awaited && now >= deadline_of(controller)) {
        exchange_time_out(controllers, controller);
    }
}

void lock_step_wait(struct controllers *controllers)
{
    struct waiting waiting;
    for (;;) {
        list(controllers, &waiting);
        if (waiting.n == 0 || atomic_load_explicit(&controllers->stop, memory_order_relaxed)) {
            return;
        }
        wait_for_any(&waiting);
        dpl_ns now = dpl_monotonic_now();
        for (nfds_t i = 0; i < waiting.n; i++) {
            look_at(controllers, waiting.controllers[i], &waiting.files[i], now);
        }
    }
}
