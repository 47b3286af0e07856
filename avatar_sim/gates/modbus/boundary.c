/* SPDX-License-Identifier: Apache-2.0 */
/* Boundaries between the steps of the world: requests that write, watchdogs, the values that
 * masters read, and waiting for who paces the world. On the thread that owns the world: nothing
 * allocates or locks. System calls: it wakes the thread of the sockets when it has something for
 * it, and a paced world waits. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "served.h"

#define TURN        (2 * DPL_MS)   /* of waiting: then its owner does all else */
#define ASKED_AGAIN (200 * DPL_MS) /* the loop asks more often than that while time waits */

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
    uint16_t *image = server->image[dpl_latest_back(&server->sync)];
    memcpy(image, server->cells, server->units.n_cells * sizeof *server->cells);
    commands_show_overruled(server, image);
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

/* Until a master has something to say, or a turn is over. */
static void wait_a_turn(struct dpl_sim_modbus_server *server)
{
    struct pollfd file = {.fd = server->to_world, .events = POLLIN};
    const struct timespec most = {0, TURN};
    uint64_t n;
    if (ppoll(&file, 1, &most, NULL) > 0 && read(server->to_world, &n, sizeof n) < 0) {
        return; /* somebody has read it before: it is looked at anyway */
    }
}

/* How long it has waited for the unit. Time that stood still for another reason does not count. */
static dpl_ns waited(struct dpl_sim_modbus_server *server, const struct unit *unit)
{
    dpl_ns now = dpl_monotonic_now();
    if (server->awaited != unit || now - server->asked > ASKED_AGAIN) {
        server->awaited = unit;
        server->waits_since = now;
        atomic_fetch_add_explicit(&server->counts.waits, 1, memory_order_relaxed);
    }
    server->asked = now;
    return now - server->waits_since;
}

bool dpl_sim_modbus_holds(void *user)
{
    struct dpl_sim_modbus_server *server = user;
    struct unit *unit = awaited(server);
    if (unit && waited(server, unit) >= server->options.patience) {
        give_up(server, unit);
        unit = awaited(server);
    }
    if (!unit || atomic_load_explicit(&server->stop, memory_order_relaxed)) {
        server->awaited = NULL;
        return false;
    }
    return true;
}

/* ---- the interface ---- */

void dpl_sim_modbus_boundary(void *user)
{
    struct dpl_sim_modbus_server *server = user;
    if (server->awaited) {
        wait_a_turn(server);
    }
    commands_end_pulses(server);
    bool is_any = take_requests(server);
    for (size_t u = 0; u < server->units.n; u++) {
        look_at_watchdog(server, &server->units.all[u]);
    }
    publish(server);
    if (is_any) {
        give_back(server);
    }
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
