/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that accepts controllers, greets them, and takes leave of them. */
#include "controllers.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doppel/text.h>

#include "hosted_alone.h"
#include "listen.h"
#include "room.h"

static const struct dpl_place nowhere;

/* ---- notices ---- */

/* What peers have sent may be anything; lines are joined. */
static void make_line(char *text, size_t size)
{
    for (char *c = strchr(text, '\n'); c; c = strchr(c, '\n')) {
        *c = ';';
    }
    dpl_text_clean_in_place(text, size);
}

void controllers_say(struct controllers *controllers, enum controllers_notice kind,
                     const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    if (controllers->notice && dpl_peer_log_line(&controllers->notices[kind], dpl_monotonic_now(),
                                                 text, sizeof text, format, args)) {
        make_line(text, sizeof text);
        controllers->notice(controllers->notice_user, text);
    }
    va_end(args);
}

static void say_left(struct controllers *controllers, const struct controller *controller)
{
    controllers_say(controllers, CONTROLLERS_COMING,
                    "controller '%s' %s%s: what it commanded is released; %llu frames, %u late, "
                    "%u without an answer, %u not sent, longest wait %.3f ms",
                    controller->name, controller->lost ? "is out: " : "left",
                    controller->lost ? controller->reason : "",
                    (unsigned long long)controller->frame, (unsigned)controller->late,
                    (unsigned)controller->missed, (unsigned)controller->dropped,
                    1e3 * dpl_ns_to_s(controller->wait_most));
}

/* ---- sockets ---- */

int controller_receive(struct controller *controller)
{
    size_t room = HIL_MESSAGE_MAX - controller->n_in;
    if (room == 0) {
        return 0;
    }
    ssize_t n = recv(controller->fd, controller->in + controller->n_in, room, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    if (n <= 0) {
        return -ECONNRESET;
    }
    controller->n_in += (size_t)n;
    return (int)n;
}

void controller_used(struct controller *controller, size_t n)
{
    controller->n_in -= n;
    controller->in_offset += n;
    memmove(controller->in, controller->in + n, controller->n_in);
}

int controller_send(const struct controller *controller, const void *bytes, size_t size)
{
    ssize_t n = send(controller->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0) {
        return errno == EAGAIN || errno == EINTR ? -EAGAIN : -ECONNRESET;
    }
    return (size_t)n == size ? 0 : -EAGAIN;
}

static void set_options(int fd)
{
    int on = 1, room = 4 * HIL_MESSAGE_MAX;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

/* ---- places ---- */

static int state_of(const struct controller *controller)
{
    /* acquire: what the world's thread has written before it gave the place back */
    return atomic_load_explicit(&controller->state, memory_order_acquire);
}

static void set_state(struct controller *controller, enum controller_state state)
{
    atomic_store_explicit(&controller->state, (int)state, memory_order_relaxed);
}

/* All but the state, which other threads look at. */
static void clear(struct controller *controller)
{
    memset(&controller->fd, 0, sizeof *controller - offsetof(struct controller, fd));
}

static void free_place(struct controllers *controllers, struct controller *controller)
{
    greeting_undo(controllers, controller);
    close(controller->fd);
    free(controller->in);
    clear(controller);
    set_state(controller, CONTROLLER_FREE);
}

/* The last words may still be on their way: closing at once would take them back if there is
 * something that was not read. */
static void begin_closing(struct controllers *controllers, struct controller *controller,
                          dpl_ns now)
{
    greeting_undo(controllers, controller);
    shutdown(controller->fd, SHUT_WR);
    controller->deadline = now + CONTROLLERS_LINGER;
    set_state(controller, CONTROLLER_CLOSING);
}

static void refuse(struct controllers *controllers, struct controller *controller, dpl_ns now)
{
    const struct hil_error *error = &controllers->error;
    uint64_t offset = controller->in_offset + error->offset;
    uint8_t message[HIL_ERROR_SIZE_MAX];
    controller_send(controller, message, hil_error_write(message, error, offset));
    controllers_say(controllers, CONTROLLERS_REFUSED, "controller '%s' is refused, byte %llu: %s",
                    controller->name, (unsigned long long)offset, error->text);
    begin_closing(controllers, controller, now);
}

static struct controller *find_free(struct controllers *controllers)
{
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        if (state_of(&controllers->all[i]) == CONTROLLER_FREE) {
            return &controllers->all[i];
        }
    }
    return NULL;
}

static void turn_away(struct controllers *controllers, int fd)
{
    const struct controller nobody = {.fd = fd};
    uint8_t message[HIL_ERROR_SIZE_MAX];
    hil_fail(&controllers->error, HIL_CODE_BUSY, 0, "there are %d controllers already",
             CONTROLLERS_MAX);
    controller_send(&nobody, message, hil_error_write(message, &controllers->error, 0));
    close(fd);
    controllers_say(controllers, CONTROLLERS_REFUSED, "a controller is refused: %s",
                    controllers->error.text);
}

static void accept_one(struct controllers *controllers, dpl_ns now)
{
    int fd = accept4(controllers->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) {
            poll(NULL, 0, (int)(CONTROLLERS_TURN / DPL_MS)); /* it stays in the queue */
        }
        return;
    }
    set_options(fd);
    struct controller *controller = find_free(controllers);
    uint8_t *in = controller ? malloc(HIL_MESSAGE_MAX) : NULL;
    if (!in) {
        turn_away(controllers, fd);
        return;
    }
    clear(controller);
    controller->fd = fd;
    controller->in = in;
    controller->deadline = now + CONTROLLERS_GREETING;
    snprintf(controller->name, sizeof controller->name, "?");
    set_state(controller, CONTROLLER_GREETING);
}

/* ---- turns ---- */

static void greet(struct controllers *controllers, struct controller *controller, dpl_ns now)
{
    if (controller_receive(controller) < 0) {
        free_place(controllers, controller);
        return;
    }
    int err = greeting_advance(controllers, controller, now);
    if (err == 0 && now >= controller->deadline) {
        err = hil_fail(&controllers->error, HIL_CODE_TIME_OUT, 0,
                       "no HELLO and CHANNELS within %.0f s", dpl_ns_to_s(CONTROLLERS_GREETING));
    }
    if (err == -EINVAL) {
        refuse(controllers, controller, now);
    }
}

static void finish(struct controllers *controllers, struct controller *controller, dpl_ns now)
{
    controller->n_in = 0;
    if (controller_receive(controller) < 0 || now >= controller->deadline) {
        free_place(controllers, controller);
    }
}

static void look_at(struct controllers *controllers, struct controller *controller, dpl_ns now)
{
    switch (state_of(controller)) {
    case CONTROLLER_GREETING: greet(controllers, controller, now); break;
    case CONTROLLER_LEFT:
        say_left(controllers, controller);
        begin_closing(controllers, controller, now);
        break;
    case CONTROLLER_CLOSING: finish(controllers, controller, now); break;
    default: break;
    }
}

/* Until something comes for this thread, or a turn is over. */
static void wait_for_any(const struct controllers *controllers)
{
    struct pollfd files[CONTROLLERS_MAX + 1] = {
        {.fd = controllers->listener, .events = POLLIN},
    };
    nfds_t n = 1;
    dpl_ns most = CONTROLLERS_TURN;
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        const struct controller *controller = &controllers->all[i];
        int state = state_of(controller);
        if (state == CONTROLLER_GREETING || state == CONTROLLER_CLOSING) {
            files[n++] = (struct pollfd){.fd = controller->fd, .events = POLLIN};
        }
        most = state == CONTROLLER_GREETING && controller->patience ? DPL_MS : most;
    }
    poll(files, n, (int)(most / DPL_MS));
}

static void *greet_all(void *argument)
{
    struct controllers *controllers = argument;
    while (!atomic_load_explicit(&controllers->stop, memory_order_relaxed)) {
        wait_for_any(controllers);
        dpl_ns now = dpl_monotonic_now();
        for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
            look_at(controllers, &controllers->all[i], now);
        }
        accept_one(controllers, now);
    }
    return NULL;
}

/* ---- making ---- */

int controllers_create(struct hosted_world *world, const struct controllers_options *options,
                       struct controllers **ret_controllers, struct dpl_diag *reterr)
{
    int err = dpl_room_check("the place for controllers", CONTROLLERS_MAX + 2, 1, reterr);
    if (err < 0) {
        return err;
    }
    struct controllers *controllers = calloc(1, sizeof *controllers);
    if (!controllers) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    controllers->world = world;
    controllers->host = options->host ? options->host : "127.0.0.1";
    controllers->notice = options->notice;
    controllers->notice_user = options->notice_user;
    controllers->listener = -1;
    const struct listen_at at = {controllers->host, options->port, CONTROLLERS_MAX, "controllers",
                                 "--controllers"};
    err = listen_open(&at, &controllers->listener, &controllers->port, reterr);
    if (err == 0) {
        hosted_world_attend(world, &(struct hosted_attendant){
                                       .boundary = exchange_boundary,
                                       .user = controllers,
                                   });
        world->controllers = &controllers->counts;
        err = -pthread_create(&controllers->thread, NULL, greet_all, controllers);
        controllers->running = err == 0;
        err = err < 0
                  ? dpl_fail(reterr, err, nowhere, "no thread for controllers: %s", strerror(-err))
                  : 0;
    }
    if (err < 0) {
        controllers_destroy(controllers);
        return err;
    }
    *ret_controllers = controllers;
    return 0;
}

void controllers_stop(struct controllers *controllers)
{
    atomic_store_explicit(&controllers->stop, true, memory_order_relaxed);
}

static void end(struct controllers *controllers, struct controller *controller)
{
    struct hil_error error;
    hil_fail(&error, HIL_CODE_ENDED, 0, "the world ends");
    controller->lost = true;
    exchange_let_go(controllers, controller, &error);
}

void controllers_destroy(struct controllers *controllers)
{
    if (!controllers) {
        return;
    }
    controllers_stop(controllers);
    if (controllers->running) {
        pthread_join(controllers->thread, NULL);
    }
    hosted_world_leave(controllers->world, controllers);
    controllers->world->controllers = NULL;
    for (size_t i = 0; i < CONTROLLERS_MAX; i++) {
        struct controller *controller = &controllers->all[i];
        if (state_of(controller) == CONTROLLER_JOINED) {
            end(controllers, controller);
        }
        if (state_of(controller) == CONTROLLER_LEFT) {
            say_left(controllers, controller);
        }
        if (state_of(controller) != CONTROLLER_FREE) {
            free_place(controllers, controller);
        }
    }
    if (controllers->listener >= 0) {
        close(controllers->listener);
    }
    free(controllers);
}

/* ---- the gate ---- */

struct settings {
    int64_t port;
};

static const struct dpl_field fields[] = {
    DPL_INT(struct settings, port, "port", "0", 0, 65535, "TCP port; 0: any that is free"),
};

static int open_gate(const struct dpl_gate_site *site, void **ret_gate, struct dpl_diag *reterr)
{
    const struct settings *settings = site->settings;
    const struct controllers_options options = {
        .host = site->host,
        .port = (uint16_t)settings->port,
        .notice = site->notice,
        .notice_user = site->notice_user,
    };
    struct controllers *controllers = NULL;
    int err = controllers_create(site->owner, &options, &controllers, reterr);
    *ret_gate = controllers;
    return err;
}

static void stop_gate(void *gate)
{
    controllers_stop(gate);
}

static uint16_t port_of(const void *gate)
{
    const struct controllers *controllers = gate;
    return controllers->port;
}

static void close_gate(void *gate)
{
    controllers_destroy(gate);
}

const struct dpl_gate dpl__controllers_gate = {
    .name = "controllers",
    .summary = "controllers in other processes may join",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .open = open_gate,
    .stop = stop_gate,
    .port = port_of,
    .close = close_gate,
};
