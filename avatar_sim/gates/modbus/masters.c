/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of the sockets: accepts masters, reads their requests, answers those that read, and
 * takes those that write to the world and back. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "answers.h"
#include "served.h"

#define SILENT (5 * DPL_S) /* so long without a whole request, a master may lose his place */

/* ---- notices ---- */

/* One line for people, unless there were too many of this kind lately. On the thread of the
 * sockets, or after its end. */
__attribute__((format(printf, 3, 4))) static void
say(struct dpl_sim_modbus_server *server, enum served_notice kind, const char *format, ...)
{
    uint64_t held;
    if (!server->options.notice ||
        !dpl_peer_log_may(&server->notices[kind], dpl_monotonic_now(), &held)) {
        return;
    }
    char text[400];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof text && held > 0) {
        snprintf(text + n, sizeof text - (size_t)n, " (%llu lines like this were left out)",
                 (unsigned long long)held);
    }
    server->options.notice(server->options.notice_user, text);
}

static void say_trips(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    unsigned trips = atomic_load_explicit(&unit->n_trips, memory_order_acquire);
    unsigned time_outs = atomic_load_explicit(&unit->n_time_outs, memory_order_acquire);
    if (trips != unit->said_trips) {
        unit->said_trips = trips;
        say(server, SERVED_RELEASED,
            "modbus unit %d (%s): %s %u has not changed for %.0f ms: what masters commanded "
            "is released",
            unit->from->unit, unit->from->name,
            dpl_sim_modbus_table_words[unit->watchdog->from->table], unit->watchdog->from->address,
            1e3 * dpl_ns_to_s(unit->from->watchdog));
    }
    if (time_outs != unit->said_time_outs) {
        unit->said_time_outs = time_outs;
        say(server, SERVED_RELEASED,
            "modbus unit %d (%s): no master has written %s %u for %.1f s: the masters' commands "
            "are released, and the world continues",
            unit->from->unit, unit->from->name, dpl_sim_modbus_table_words[unit->pace->from->table],
            unit->pace->from->address, dpl_ns_to_s(server->options.patience));
    }
}

/* ---- coming and going ---- */

static void set_options(int fd)
{
    int on = 1, idle = 3, every = 1, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static void send_away(struct dpl_sim_modbus_server *server, struct master *master, const char *why)
{
    master->why = why;
    master_become(master, MASTER_LEAVES);
    served_wake(server->to_world);
}

/* All places are taken: who has said nothing for longest gives his to the next one who comes. */
static void make_room(struct dpl_sim_modbus_server *server)
{
    dpl_ns now = dpl_monotonic_now();
    struct master *silent = NULL;
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        struct master *master = &server->masters[i];
        bool is_open = master_state(master) == MASTER_OPEN && now - master->heard >= SILENT;
        if (is_open && (!silent || master->heard < silent->heard)) {
            silent = master;
        }
    }
    if (silent) {
        send_away(server, silent, "was silent while others wait");
    }
}

/* Whoever waits to be accepted would wake the poll at once again and again, so the listener is left
 * out of the next turn. */
static void stop_accepting(struct dpl_sim_modbus_server *server, int error)
{
    bool is_full = error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
    server->is_full = is_full;
    if (is_full) {
        say(server, SERVED_REFUSED, "a modbus master waits, it cannot be accepted: %s",
            strerror(error));
    }
}

static void accept_one(struct dpl_sim_modbus_server *server)
{
    struct sockaddr_in from = {0};
    socklen_t size = sizeof from;
    int fd =
        accept4(server->listener, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        stop_accepting(server, errno);
        return;
    }
    server->is_full = false;
    char address[INET_ADDRSTRLEN] = "?";
    inet_ntop(AF_INET, &from.sin_addr, address, sizeof address);
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        struct master *master = &server->masters[i];
        if (master_state(master) == MASTER_FREE) {
            master->fd = fd;
            master->n_in = 0;
            master->heard = dpl_monotonic_now();
            master->is_out = false;
            master->why = "";
            master->busy = master->said_busy = NULL;
            snprintf(master->name, sizeof master->name, "%s:%u", address, ntohs(from.sin_port));
            set_options(fd);
            master_become(master, MASTER_OPEN);
            atomic_fetch_add_explicit(&server->counts.masters, 1, memory_order_relaxed);
            return;
        }
    }
    close(fd);
    say(server, SERVED_REFUSED, "modbus master %s is refused: there are %d masters already",
        address, DPL_MODBUS_MASTERS_MAX);
    make_room(server);
}

/* The world does not know it any more. */
static void forget(struct dpl_sim_modbus_server *server, struct master *master)
{
    if (master->n_released > 0) {
        say(server, SERVED_RELEASED,
            "modbus master %s %s: what it commanded is released (%zu channels)", master->name,
            master->why, master->n_released);
    }
    close(master->fd);
    atomic_fetch_sub_explicit(&server->counts.masters, 1, memory_order_relaxed);
    master_become(master, MASTER_FREE);
}

/* ---- requests ---- */

static const uint16_t *newest_cells(struct dpl_sim_modbus_server *server)
{
    dpl_latest_update(&server->sync);
    return server->image[dpl_latest_front(&server->sync)];
}

static void use_up(struct master *master)
{
    size_t size = (size_t)request_size(master->in, master->n_in);
    master->n_in -= size;
    memmove(master->in, master->in + size, master->n_in);
    master->heard = dpl_monotonic_now();
}

/* Modbus has no words for it: people are told, once until the master may command again. */
static void say_busy(struct dpl_sim_modbus_server *server, struct master *master)
{
    if (master->busy && master->busy != master->said_busy) {
        say(server, SERVED_BUSY,
            "modbus master %s is refused: unit %d writes channel '%s', which another client "
            "commands",
            master->name, master->unit->from->unit, master->busy);
    }
    master->said_busy = master->busy;
}

/* The answer to the first request of `in`, which is done. */
static void answer(struct dpl_sim_modbus_server *server, struct master *master,
                   enum request_exception exception)
{
    struct served_counts *counts = &server->counts;
    const struct request *request = &master->request;
    atomic_ullong *count = exception != REQUEST_GOOD ? &counts->exceptions
                           : request->n_written > 0  ? &counts->writes
                                                     : &counts->reads;
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    int err;
    say_busy(server, master);
    if (exception != REQUEST_GOOD) {
        err = answers_refuse(server->answers, master->fd, master->in, exception);
    } else {
        size_t size = (size_t)request_size(master->in, master->n_in);
        err = answers_send(server->answers, master->fd, master->in, size, master->unit, request,
                           newest_cells(server));
    }
    use_up(master);
    master->is_out |= err < 0;
    master->why = err < 0 ? "does not read its answers" : master->why;
}

static enum request_exception check(const struct dpl_sim_modbus_server *server,
                                    struct master *master, size_t size)
{
    enum request_exception bad = request_read(master->in, size, &master->request);
    master->unit = units_find(&server->units, master->request.unit);
    if (!master->unit) {
        return REQUEST_NO_UNIT;
    }
    return bad ? bad : unit_check(&server->units, master->unit, &master->request);
}

/* Until a request has to wait, or is not all there. */
static void take_requests(struct dpl_sim_modbus_server *server, struct master *master)
{
    int size;
    while (!master->is_out && (size = request_size(master->in, master->n_in)) != 0) {
        if (size < 0) {
            master->is_out = true;
            master->why = "has sent what is not Modbus/TCP";
            say(server, SERVED_REFUSED, "modbus master %s is refused: it %s", master->name,
                master->why);
            break;
        }
        if (master->n_in < (size_t)size) {
            return;
        }
        enum request_exception bad = check(server, master, (size_t)size);
        if (bad == REQUEST_GOOD && master->request.n_written > 0) {
            master_become(master, MASTER_ASKS);
            served_wake(server->to_world);
            return;
        }
        answer(server, master, bad);
    }
    if (master->is_out) {
        send_away(server, master, master->why);
    }
}

static void receive(struct dpl_sim_modbus_server *server, struct master *master)
{
    ssize_t n =
        recv(master->fd, master->in + master->n_in, sizeof master->in - master->n_in, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        send_away(server, master, n == 0 ? "has left" : "is lost");
        return;
    }
    master->n_in += (size_t)n;
    take_requests(server, master);
}

/* ---- turns ---- */

static void look_at(struct dpl_sim_modbus_server *server, struct master *master, bool can_be_read)
{
    switch (master_state(master)) {
    case MASTER_OPEN:
        if (can_be_read) {
            receive(server, master);
        }
        break;
    case MASTER_ANSWERED:
        answer(server, master, master->exception);
        master_become(master, MASTER_OPEN);
        take_requests(server, master);
        break;
    case MASTER_LEFT: forget(server, master); break;
    default: break;
    }
}

struct waiting {
    struct pollfd files[DPL_MODBUS_MASTERS_MAX + 2];
    bool is_called;                        /* somebody may wait to be accepted */
    int of_master[DPL_MODBUS_MASTERS_MAX]; /* number of its file; 0: none */
};

static void wait_for_any(const struct dpl_sim_modbus_server *server, struct waiting *ret)
{
    uint64_t n;
    nfds_t count = 2;
    ret->files[0] = (struct pollfd){.fd = server->to_sockets, .events = POLLIN};
    ret->files[1] =
        (struct pollfd){.fd = server->is_full ? -1 : server->listener, .events = POLLIN};
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        bool is_open = master_state(&server->masters[i]) == MASTER_OPEN;
        ret->of_master[i] = is_open ? (int)count : 0;
        if (is_open) {
            ret->files[count++] = (struct pollfd){.fd = server->masters[i].fd, .events = POLLIN};
        }
    }
    int n_ready = poll(ret->files, count, (int)(SERVED_TURN / DPL_MS));
    ret->is_called = server->is_full || ret->files[1].revents != 0;
    if (n_ready <= 0) {
        memset(ret->of_master, 0, sizeof ret->of_master);
        return;
    }
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        int file = ret->of_master[i];
        ret->of_master[i] = file > 0 && ret->files[file].revents != 0;
    }
    if (ret->files[0].revents != 0 && read(server->to_sockets, &n, sizeof n) < 0) {
        return; /* nothing was to be read: all is looked at anyway */
    }
}

void *masters_serve(void *argument)
{
    struct dpl_sim_modbus_server *server = argument;
    struct waiting waiting;
    while (!atomic_load_explicit(&server->stop, memory_order_relaxed)) {
        wait_for_any(server, &waiting);
        for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
            look_at(server, &server->masters[i], waiting.of_master[i]);
        }
        for (size_t u = 0; u < server->units.n; u++) {
            say_trips(server, &server->units.all[u]);
        }
        if (waiting.is_called) {
            accept_one(server);
        }
    }
    return NULL;
}
