/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of an emulator. */
#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "background.h"
#include "room.h"

/* The first are for faults, the others end the session. */
static const int signal_numbers[] = {SIGUSR1, SIGUSR2, SIGINT, SIGTERM, SIGHUP};
#define N_FAULT_SIGNALS 2
#define N_SIGNALS       (sizeof signal_numbers / sizeof signal_numbers[0])

#define LOOK_FOR_WORLD (50 * DPL_MS)

dpl_ns session_now(const struct session *session)
{
    return dpl_monotonic_now() - session->epoch;
}

static void schedule(struct session *session, dpl_ns next);

static void print_line(const struct session *session, const char *text)
{
    fprintf(stderr, "doppel emulate %s: %8.2f s  %s\n", session->name,
            dpl_ns_to_s(session_now(session)), text);
}

void session_print_host(struct session *session, const char *text)
{
    uint64_t held;
    char longer[512];
    if (!dpl_peer_log_may(&session->host_log, session_now(session), &held)) {
        return;
    }
    snprintf(longer, sizeof longer, "%s (%llu lines like this were left out)", text,
             (unsigned long long)held);
    print_line(session, held > 0 ? longer : text);
}

void session_switch(struct session *session, const struct faults_switches *switches)
{
    faults_switch(session->faults, switches);
    schedule(session, session_now(session));
}

static void show(struct session *session)
{
    if (session->observed) {
        session->show(session->observed);
    }
}

/* ---- port ---- */

static void on_connected(void *user)
{
    struct session *session = user;
    session->connected = true;
    session->connections++;
    session_print_host(session, "a host has connected");
    if (session->ops->connected) {
        session->ops->connected(session->device, session_now(session));
    }
    schedule(session, session_now(session));
}

static void on_received(void *user, const uint8_t *bytes, size_t n)
{
    struct session *session = user;
    dpl_ns now = session_now(session);
    if (session->ops->forgets_when_frozen && faults_is_frozen(session->faults, now)) {
        return;
    }
    if (session->ops->received) {
        session->ops->received(session->device, bytes, n, now);
    }
    show(session);
    schedule(session, now);
}

static void on_gone(void *user)
{
    struct session *session = user;
    session->connected = false;
    faults_clear(session->faults);
    session_print_host(session, "the host has disconnected");
}

static void on_refused(void *user, const char *who)
{
    struct session *session = user;
    char text[160];
    snprintf(text, sizeof text, "a second host, %s, is refused: another host is connected", who);
    session_print_host(session, text);
}

static void on_displaced(void *user, const char *why)
{
    char text[160];
    snprintf(text, sizeof text, "the host %s: it gives way to another one", why);
    session_print_host(user, text);
}

struct port_events session_port_events(struct session *session)
{
    return (struct port_events){
        .connected = on_connected,
        .received = on_received,
        .gone = on_gone,
        .refused = on_refused,
        .displaced = on_displaced,
        .may_be_mute = session->ops->talks_unasked,
        .user = session,
    };
}

static void deliver(struct session *session, dpl_ns now)
{
    const uint8_t *bytes;
    size_t n;
    while ((bytes = faults_pop(session->faults, now, &n))) {
        session->port->ops->send(session->port, bytes, n);
    }
}

/* Sends messages that are due first, to make room. */
void session_send(struct session *session, const void *bytes, size_t n, dpl_ns now)
{
    if (!session->connected || faults_push(session->faults, bytes, n, now)) {
        return;
    }
    deliver(session, now);
    if (session->connected && !faults_push(session->faults, bytes, n, now)) {
        session->lost_messages++;
        session_print_host(session, "the buffer to the host is full: messages are lost");
    }
}

static void set_plugged(struct session *session, bool plugged)
{
    struct dpl_diag error;
    if (session->plugged == plugged) {
        return;
    }
    if (session->port->ops->set_plugged(session->port, plugged, &error) < 0) {
        return; /* the name is in use at the moment: the next tick tries again */
    }
    session->plugged = plugged;
    print_line(session, plugged ? "plugged in" : "unplugged");
}

/* ---- being ready ---- */

/* Each reason is told once, however often the world is asked. */
static void print_obstacle(struct session *session, const struct dpl_diag *why)
{
    if (strcmp(session->obstacle, why->text) == 0) {
        return;
    }
    snprintf(session->obstacle, sizeof session->obstacle, "%s", why->text);
    fprintf(stderr, "doppel emulate %s: %s\n", session->name, why->text);
}

void session_announce(struct session *session)
{
    struct dpl_diag why = {0};
    int err = session->ops->find_world ? session->ops->find_world(session->device, &why) : 0;
    if (err == 0) {
        session->announced = true;
        fprintf(stderr, "doppel emulate %s: at %s\n", session->name, session->port->name);
        return;
    }
    if (err == -EAGAIN) {
        dpl_fail(&why, err, (struct dpl_place){0}, "waits for the world at %s", session->world);
    }
    if (err != -ERANGE) { /* session_run tells of a world that has ended */
        print_obstacle(session, &why);
    }
}

/* A world of this process may end by itself, and one of another process fall silent: that is told
 * when it begins and when it ends. Whether it has ended. */
static bool world_has_ended(struct session *session)
{
    struct dpl_diag why = {.text = ""};
    int err = session->ops->find_world ? session->ops->find_world(session->device, &why) : 0;
    if (err == -ERANGE) {
        snprintf(session->obstacle, sizeof session->obstacle, "%s", why.text);
        session->world_ended = true;
        return true;
    }
    bool silent = session->announced && err == -EAGAIN;
    if (silent != session->world_silent) {
        session->world_silent = silent;
        print_line(session, silent ? why.text : "the world answers again");
    }
    return false;
}

/* ---- time ---- */

static void on_timer(uv_timer_t *timer)
{
    struct session *session = timer->data;
    dpl_ns now = session_now(session);
    set_plugged(session, !faults_is_unplugged(session->faults, now) && !session->pulled_by_hand);
    session->port->ops->set_paused(session->port, faults_is_frozen(session->faults, now) &&
                                                      !session->ops->forgets_when_frozen);
    dpl_ns next = session->ops->tick(session->device, now);
    deliver(session, now);
    show(session);
    if (session->ops->is_over && session->ops->is_over(session->device, now)) {
        uv_stop(&session->loop);
        return;
    }
    if (world_has_ended(session)) {
        uv_stop(&session->loop);
        return;
    }
    if (!session->announced) {
        session_announce(session);
        next = next < now + LOOK_FOR_WORLD ? next : now + LOOK_FOR_WORLD;
    }
    if (session->announced && session->ready_fd > 0) {
        background_go_on(session->ready_fd);
        session->ready_fd = 0;
    }
    dpl_ns due = faults_next(session->faults, now);
    schedule(session, due < next ? due : next);
}

static void schedule(struct session *session, dpl_ns next)
{
    dpl_ns wait = next - session_now(session);
    uint64_t ms = wait > 0 ? (uint64_t)((wait + DPL_MS - 1) / DPL_MS) : 0;
    uv_update_time(&session->loop);
    uv_timer_start(&session->timer, on_timer, ms, 0);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct session *session = handle->data;
    if (number != SIGUSR1 && number != SIGUSR2) {
        uv_stop(&session->loop);
        return;
    }
    if (number == SIGUSR1) {
        session->pulled_by_hand = !session->pulled_by_hand;
    } else if (session->ops->signalled) {
        session->ops->signalled(session->device, session_now(session));
    }
    schedule(session, session_now(session));
}

/* ---- life cycle ---- */

static void end_at_once(int number)
{
    (void)number;
    _exit(0);
}

/* Also used while a call waits. */
static void end_on_signals(void)
{
    struct sigaction action = {.sa_handler = end_at_once};
    for (size_t i = N_FAULT_SIGNALS; i < N_SIGNALS; i++) {
        sigaction(signal_numbers[i], &action, NULL);
    }
}

int session_init(struct session *session, const struct session_device *ops, void *device)
{
    int err = dpl_room_check("the emulator's loop", DPL_ROOM_LOOP_FILES, 0, NULL);
    err = err < 0 ? err : uv_loop_init(&session->loop);
    if (err < 0) {
        return err;
    }
    session->ops = ops;
    session->device = device;
    session->plugged = true;
    signal(SIGPIPE, SIG_IGN);
    uv_timer_init(&session->loop, &session->timer);
    session->timer.data = session;
    for (size_t i = 0; i < N_SIGNALS; i++) {
        uv_signal_init(&session->loop, &session->signals[i]);
        session->signals[i].data = session;
    }
    for (size_t i = 0; i < N_FAULT_SIGNALS; i++) {
        uv_signal_start(&session->signals[i], on_signal, signal_numbers[i]);
    }
    end_on_signals();
    return 0;
}

void session_handle_signals(struct session *session)
{
    for (size_t i = N_FAULT_SIGNALS; i < N_SIGNALS; i++) {
        uv_signal_start(&session->signals[i], on_signal, signal_numbers[i]);
    }
}

int session_run(struct session *session, struct dpl_diag *reterr)
{
    schedule(session, session_now(session));
    uv_run(&session->loop, UV_RUN_DEFAULT);
    return session->world_ended
               ? dpl_fail(reterr, -ERANGE, (struct dpl_place){0}, "%s", session->obstacle)
               : 0;
}

void session_finish(struct session *session)
{
    session->connected = false;
    if (session->port) {
        session->port->ops->close(session->port);
        session->port = NULL;
    }
    uv_close((uv_handle_t *)&session->timer, NULL);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        uv_close((uv_handle_t *)&session->signals[i], NULL);
    }
    uv_run(&session->loop, UV_RUN_DEFAULT);
    uv_loop_close(&session->loop);
    faults_destroy(session->faults);
    session->faults = NULL;
}
