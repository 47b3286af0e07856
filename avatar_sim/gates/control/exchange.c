/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of controllers, at the boundaries between the steps of the world. On the thread that owns
 * the world: nothing here allocates or locks, and no call waits. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

#include "controllers.h"

static struct hosted_link *link_of(const struct controller *controller)
{
    return (struct hosted_link *)controller->link;
}

/* ---- letting go ---- */

void exchange_let_go(struct controllers *controllers, struct controller *controller,
                     const struct hil_error *error)
{
    uint8_t message[HIL_ERROR_SIZE_MAX];
    if (error && controller->out_at == controller->out_size) {
        size_t size = hil_error_write(message, error, controller->in_offset + error->offset);
        controller_send(controller, message, size);
    }
    if (error) {
        snprintf(controller->reason, sizeof controller->reason, "%.150s", error->text);
    }
    hosted_link_let_go(link_of(controller));
    dpl_link_close(controller->link);
    controller->awaited = false;
    atomic_fetch_sub_explicit(&controllers->counts.joined, 1, memory_order_relaxed);
    /* release: the greeting thread sees what this one has written */
    atomic_store_explicit(&controller->state, CONTROLLER_LEFT, memory_order_release);
}

static bool refuse(struct controllers *controllers, struct controller *controller,
                   const struct hil_error *error)
{
    controller->lost = true;
    exchange_let_go(controllers, controller, error);
    return false;
}

static bool lose(struct controllers *controllers, struct controller *controller)
{
    controller->lost = true;
    snprintf(controller->reason, sizeof controller->reason, "the connection is lost");
    exchange_let_go(controllers, controller, NULL);
    return false;
}

/* ---- commands ---- */

static int check_frame(const struct controller *controller, uint64_t frame,
                       struct hil_error *reterr)
{
    bool lock_step = controller->hello.mode == HIL_LOCK_STEP;
    if (lock_step && (!controller->awaited || frame != controller->frame)) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_COMMAND_FRAME,
                        "a COMMAND answers frame %llu; the newest one is %llu%s",
                        (unsigned long long)frame, (unsigned long long)controller->frame,
                        controller->awaited ? "" : ", which has its answer");
    }
    if (frame > controller->frame) {
        return hil_fail(reterr, HIL_CODE_GARBAGE, HIL_COMMAND_FRAME,
                        "a COMMAND answers frame %llu; the newest one is %llu",
                        (unsigned long long)frame, (unsigned long long)controller->frame);
    }
    return 0;
}

static void count(struct controllers *controllers, struct controller *controller, uint64_t frame)
{
    dpl_ns now = dpl_monotonic_now();
    if (controller->unanswered != 0 && frame == controller->frame) {
        dpl_ns wait = now - controller->unanswered;
        controller->wait_most = wait > controller->wait_most ? wait : controller->wait_most;
    }
    if (frame > controller->answered) {
        uint64_t missed = frame - controller->answered - 1;
        controller->missed += (uint32_t)missed;
        atomic_fetch_add_explicit(&controllers->counts.missed, missed, memory_order_relaxed);
        controller->answered = frame;
    }
    controller->unanswered = frame == controller->frame ? 0 : now;
    if (frame < controller->frame) {
        controller->late++;
        atomic_fetch_add_explicit(&controllers->counts.late, 1, memory_order_relaxed);
    }
}

static int take_command(struct controllers *controllers, struct controller *controller, size_t size,
                        struct hil_error *reterr)
{
    uint64_t frame;
    const uint8_t *cells;
    int err =
        hil_command_read(controller->in, size, controller->command_cells, &frame, &cells, reterr);
    err = err < 0 ? err : check_frame(controller, frame, reterr);
    if (err < 0) {
        return err;
    }
    memcpy(controller->command, cells, 8 * controller->command_cells);
    controller->fresh = true;
    controller->awaited = false;
    count(controllers, controller, frame);
    return 0;
}

/* 1: it says goodbye. */
static int take_messages(struct controllers *controllers, struct controller *controller,
                         struct hil_error *reterr)
{
    enum hil_kind kind;
    size_t size;
    int err;
    while ((err = hil_head_read(controller->in, controller->n_in, &kind, &size, reterr)) == 0 &&
           controller->n_in >= size) {
        if (kind == HIL_BYE) {
            return 1;
        }
        err = kind == HIL_COMMAND
                  ? take_command(controllers, controller, size, reterr)
                  : hil_fail(reterr, HIL_CODE_GARBAGE, 4, "expected COMMAND or BYE");
        if (err < 0) {
            return err;
        }
        controller_used(controller, size);
    }
    return err == -EINVAL ? err : 0;
}

bool exchange_receive(struct controllers *controllers, struct controller *controller)
{
    struct hil_error error;
    int n = controller_receive(controller);
    if (n < 0) {
        return lose(controllers, controller);
    }
    int end = n > 0 || controller->n_in > 0 ? take_messages(controllers, controller, &error) : 0;
    if (end > 0) {
        exchange_let_go(controllers, controller, NULL);
    } else if (end < 0) {
        refuse(controllers, controller, &error);
    }
    return end == 0;
}

static void put_command(struct controller *controller)
{
    controller->fresh = false;
    for (size_t i = 0; i < controller->n_commands; i++) {
        const struct controller_channel *command = &controller->commands[i];
        hil_cells_read(command->channel.desc, controller->command + command->at, controller->value);
        dpl_channel_put(command->channel, controller->value);
    }
    hosted_link_take(link_of(controller));
}

/* ---- sensor frames ---- */

static void fill_frame(const struct controllers *controllers, struct controller *controller)
{
    const struct hosted_world *world = controllers->world;
    uint8_t *out = controller->out;
    hil_put(out + HIL_SENSORS_FRAME, controller->frame, 8);
    hil_put(out + HIL_SENSORS_STEP, controller->step, 8);
    hil_put(out + HIL_SENSORS_TIME, (uint64_t)dpl_world_now(world->world), 8);
    hil_put(out + HIL_SENSORS_JUMPS, world->jumps, 4);
    hil_put(out + HIL_SENSORS_LATE, controller->late, 4);
    hil_put(out + HIL_SENSORS_DROPPED, controller->dropped, 4);
    hosted_link_give(link_of(controller));
    dpl_link_refresh(controller->link, NULL);
    for (size_t i = 0; i < controller->n_sensors; i++) {
        const struct controller_channel *sensor = &controller->sensors[i];
        if (dpl_channel_get(sensor->channel, controller->value, NULL) == 0) {
            hil_cells_write(sensor->channel.desc, controller->value,
                            out + HIL_SENSORS_CELLS + sensor->at);
        } /* else: the one of before, such as a scan, or that there is none yet */
    }
}

bool exchange_flush(struct controller *controller)
{
    while (controller->out_at < controller->out_size) {
        ssize_t n = send(controller->fd, controller->out + controller->out_at,
                         controller->out_size - controller->out_at, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        controller->out_at += (size_t)n;
    }
    return true;
}

static bool is_due(const struct controllers *controllers, const struct controller *controller,
                   uint64_t step)
{
    bool given = controller->frame > 0 && controller->step == step &&
                 controller->jump == controllers->world->jumps;
    return !given && step % controller->hello.every == 0;
}

static void send_frame(struct controllers *controllers, struct controller *controller,
                       uint64_t step)
{
    controller->step = step;
    controller->jump = controllers->world->jumps;
    if (controller->out_at < controller->out_size) {
        controller->dropped++;
        atomic_fetch_add_explicit(&controllers->counts.dropped, 1, memory_order_relaxed);
        return;
    }
    controller->frame++;
    controller->out_at = 0;
    fill_frame(controllers, controller);
    atomic_fetch_add_explicit(&controllers->counts.frames, 1, memory_order_relaxed);
    controller->unanswered = controller->unanswered ? controller->unanswered : dpl_monotonic_now();
    controller->awaited = controller->hello.mode == HIL_LOCK_STEP;
    if (!exchange_flush(controller)) {
        lose(controllers, controller);
    }
}

/* ---- boundaries ---- */

/* A free-running controller that commands something and does not answer any more. */
static bool is_too_late(const struct controller *controller)
{
    return controller->hello.mode == HIL_FREE_RUNNING && controller->n_commands > 0 &&
           controller->unanswered != 0 &&
           dpl_monotonic_now() - controller->unanswered > controller->hello.timeout_us * DPL_US;
}

void exchange_time_out(struct controllers *controllers, struct controller *controller)
{
    struct hil_error error;
    hil_fail(&error, HIL_CODE_TIME_OUT, 0,
             "no command came within %lu ms; frame %llu is the newest one",
             (unsigned long)(controller->hello.timeout_us / 1000),
             (unsigned long long)controller->frame);
    atomic_fetch_add_explicit(&controllers->counts.time_outs, 1, memory_order_relaxed);
    refuse(controllers, controller, &error);
}

static void serve(struct controllers *controllers, struct controller *controller, uint64_t step)
{
    if (!controller->adopted) {
        hosted_world_take_joining(controllers->world);
        controller->adopted = true;
    }
    if (!exchange_receive(controllers, controller)) {
        return;
    }
    if (controller->fresh) {
        put_command(controller);
    }
    if (is_too_late(controller)) {
        exchange_time_out(controllers, controller);
    } else if (!exchange_flush(controller)) {
        lose(controllers, controller);
    } else if (is_due(controllers, controller, step)) {
        send_frame(controllers, controller, step);
    }
}

bool exchange_has_joined(const struct controller *controller)
{
    int state;
    while ((state = atomic_load_explicit(&controller->state, memory_order_acquire)) ==
           CONTROLLER_JOINING) {
        poll(NULL, 0, 1); /* it is a matter of one send */
    }
    return state == CONTROLLER_JOINED;
}

void exchange_boundary(void *user)
{
    struct controllers *controllers = user;
    const struct hosted_world *world = controllers->world;
    uint64_t step = (uint64_t)(dpl_world_now(world->world) / world->model->step);
    bool wait = false;
    if (atomic_load_explicit(&controllers->stop, memory_order_relaxed)) {
        return; /* after another frame, the answer to the last one would be refused */
    }
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        struct controller *controller = &controllers->all[i];
        if (exchange_has_joined(controller)) {
            serve(controllers, controller, step);
        }
        /* one that was let go is the greeting thread's */
        wait |= exchange_has_joined(controller) && controller->awaited;
    }
    if (!wait) {
        return;
    }
    lock_step_wait(controllers);
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        struct controller *controller = &controllers->all[i];
        if (exchange_has_joined(controller) && controller->fresh) {
            put_command(controller);
        }
    }
}
