/* SPDX-License-Identifier: Apache-2.0 */
/* Boundaries between the steps of the world: requests that write, watchdogs, the values that
 * masters read, and waiting for who paces the world. On the thread that owns the world: nothing
 * allocates or locks; only a paced world waits, and wakes the thread of the sockets. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "served.h"

#define TURN (20 * DPL_MS) /* of waiting: then it looks whether it shall stop */

static dpl_ns now_of(const struct dpl_sim_modbus_server *server)
{
    return dpl_world_now(server->options.world);
}

/* ---- watchdogs ---- */

static void look_at_watchdog(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    if (!unit->watchdog || unit->n_held == 0 || now_of(server) - unit->fed < unit->from->watchdog) {
        return;
    }
    commands_release(server, unit, -1);
    unit->tripped = true;
    atomic_fetch_add_explicit(&server->counts.trips, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&unit->n_trips, 1, memory_order_release);
    served_wake(server->to_sockets);
}

/* ---- masters ---- */

static void answer(struct dpl_sim_modbus_server *server, struct master *master, int number)
{
    master->exception = commands_take(server, master->unit, &master->request, number);
    master->has_answer = true;
}

static void say_goodbye(struct dpl_sim_modbus_server *server, struct master *master, int number)
{
    master->n_released = commands_release(server, NULL, number);
    if (master->n_released > 0) {
        atomic_fetch_add_explicit(&server->counts.lost, 1, memory_order_relaxed);
    }
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *unit = &server->units.all[u];
        if (unit->pacer == number) { /* nobody waits for it */
            unit->pacer = -1;
            unit->is_pacing = false;
        }
    }
    master_become(master, MASTER_LEFT);
}

/* Takes what masters want. True: somebody's request was done. */
static bool take_requests(struct dpl_sim_modbus_server *server)
{
    bool is_any = false;
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        struct master *master = &server->masters[i];
        enum master_state state = master_state(master);
        if (state == MASTER_LEAVES) {
            say_goodbye(server, master, i);
            is_any = true;
        }
        if (state == MASTER_ASKS) {
            answer(server, master, i);
            is_any = true;
        }
    }
    return is_any;
}

/* Once the image of what they have done is there. */
static void give_back(struct dpl_sim_modbus_server *server)
{
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        struct master *master = &server->masters[i];
        if (master_state(master) == MASTER_ASKS && master->has_answer) {
            master->has_answer = false;
            master_become(master, MASTER_ANSWERED);
        }
    }
    served_wake(server->to_sockets);
}

static void publish(struct dpl_sim_modbus_server *server)
{
    commands_read_world(server);
    memcpy(server->image[dpl_latest_back(&server->sync)], server->cells,
           server->units.n_cells * sizeof *server->cells);
    dpl_latest_publish(&server->sync);
}

/* ---- the world's pace ---- */

/* The unit whose write the world waits for; NULL: it may move. */
static struct unit *awaited(struct dpl_sim_modbus_server *server)
{
    dpl_ns now = now_of(server), pace = server->options.pace;
    for (size_t u = 0; u < server->units.n && pace > 0; u++) {
        struct unit *unit = &server->units.all[u];
        if (unit->pace && unit->is_pacing && now - unit->paced >= pace) {
            return unit;
        }
    }
    return NULL;
}

static void give_up(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    commands_release(server, unit, -1);
    unit->is_pacing = false;
    unit->pacer = -1;
    atomic_fetch_add_explicit(&server->counts.time_outs, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&unit->n_time_outs, 1, memory_order_release);
    served_wake(server->to_sockets);
}

static void sleep_until_woken(struct dpl_sim_modbus_server *server, dpl_ns most)
{
    struct pollfd file = {.fd = server->to_world, .events = POLLIN};
    uint64_t n;
    most = most < TURN ? most : TURN;
    struct timespec time = {0, most > 0 ? most : 0};
    if (ppoll(&file, 1, &time, NULL) > 0 && read(server->to_world, &n, sizeof n) < 0) {
        return; /* somebody has read it before: it is looked at anyway */
    }
}

static void wait_for_pace(struct dpl_sim_modbus_server *server)
{
    struct unit *unit = awaited(server);
    if (!unit) {
        return;
    }
    dpl_ns patience = server->options.patience;
    dpl_ns end = dpl_monotonic_now() + patience;
    atomic_fetch_add_explicit(&server->counts.waits, 1, memory_order_relaxed);
    while (unit && !atomic_load_explicit(&server->stop, memory_order_relaxed)) {
        dpl_ns left = end - dpl_monotonic_now();
        if (left > 0) {
            sleep_until_woken(server, left);
        }
        bool is_any = take_requests(server);
        if (awaited(server) == unit && left <= 0) {
            give_up(server, unit);
            is_any = true;
        }
        if (is_any) {
            publish(server);
            give_back(server);
        }
        unit = awaited(server);
    }
}

/* ---- the interface ---- */

void dpl_sim_modbus_boundary(void *user)
{
    struct dpl_sim_modbus_server *server = user;
    commands_end_pulses(server);
    bool is_any = take_requests(server);
    for (size_t u = 0; u < server->units.n; u++) {
        look_at_watchdog(server, &server->units.all[u]);
    }
    publish(server);
    if (is_any) {
        give_back(server);
    }
    wait_for_pace(server);
}

void dpl_sim_modbus_jumped(void *user)
{
    struct dpl_sim_modbus_server *server = user;
    dpl_ns now = now_of(server);
    commands_put_again(server);
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *unit = &server->units.all[u];
        unit->fed = now;
        unit->paced = now - server->options.pace;
    }
}
