/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of clients for the time of the world: run, pause and so on. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/modbus_server.h>

#include "server.h"

/* ---- answers ---- */

static void fill_status(const struct dpl_sim_loop_status *from,
                        Doppel__Link__LoopStatus *ret_status)
{
    doppel__link__loop_status__init(ret_status);
    ret_status->step = from->step;
    ret_status->time = from->time;
    ret_status->paused = from->paused;
    ret_status->under_way = from->has_goal;
    ret_status->rate = isfinite(from->rate) ? from->rate : 0.0;
    ret_status->late_steps = from->late_steps;
    ret_status->late_most = from->late_most;
    ret_status->skips = from->skips;
    ret_status->skipped = from->skipped;
    ret_status->jumps = from->jumps;
    ret_status->snapshots = (uint32_t)from->snapshots;
    ret_status->events_done = from->events.done;
    ret_status->events_failed = from->events.failed;
    ret_status->events_dropped = from->events.dropped;
    ret_status->events_refused = from->events.refused;
    ret_status->events_waiting = (uint32_t)from->events.waiting;
}

static void fill_controllers(const struct hosted_controllers *from,
                             Doppel__Link__LoopStatus *ret_status)
{
    ret_status->controllers = from != NULL;
    if (from) {
        ret_status->joined = atomic_load_explicit(&from->joined, memory_order_relaxed);
        ret_status->frames = atomic_load_explicit(&from->frames, memory_order_relaxed);
        ret_status->late = atomic_load_explicit(&from->late, memory_order_relaxed);
        ret_status->missed = atomic_load_explicit(&from->missed, memory_order_relaxed);
        ret_status->unsent = atomic_load_explicit(&from->dropped, memory_order_relaxed);
        ret_status->time_outs = atomic_load_explicit(&from->time_outs, memory_order_relaxed);
    }
}

static void fill_modbus(const struct dpl_sim_modbus_server *from,
                        Doppel__Link__LoopStatus *ret_status)
{
    ret_status->modbus = from != NULL;
    if (from) {
        struct dpl_sim_modbus_stats stats = dpl_sim_modbus_stats(from);
        ret_status->masters = stats.masters;
        ret_status->reads = stats.reads;
        ret_status->writes = stats.writes;
        ret_status->exceptions = stats.exceptions;
        ret_status->saturated = stats.saturated;
        ret_status->lost = stats.lost;
        ret_status->trips = stats.trips;
        ret_status->waits = stats.waits;
        ret_status->in_vain = stats.time_outs;
    }
}

static void say(struct server *server, const struct server_client *client, uint32_t number,
                Doppel__Link__LoopResult result, const char *text,
                const struct dpl_sim_loop_status *loop)
{
    char copy[LINK_TEXT_MAX + 1];
    Doppel__Link__LoopStatus status;
    Doppel__Link__LoopAnswer answer;
    fill_status(loop, &status);
    fill_controllers(server->world->controllers, &status);
    fill_modbus(server->world->modbus, &status);
    snprintf(copy, sizeof copy, "%s", text);
    doppel__link__loop_answer__init(&answer);
    answer.number = number;
    answer.result = result;
    answer.text = link_text(copy);
    answer.status = &status;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_LOOP;
    message.loop = &answer;
    server_send(server, client->id, client->id_size, &message);
}

static void answer(struct server *server, const struct server_command *command,
                   const struct hosted_request *request)
{
    const struct dpl_sim_event_answer *from = &request->answer;
    static const Doppel__Link__LoopResult results[] = {
        [DPL_SIM_EVENT_DONE] = DOPPEL__LINK__LOOP_RESULT__LOOP_DONE,
        [DPL_SIM_EVENT_FAILED] = DOPPEL__LINK__LOOP_RESULT__LOOP_REFUSED,
        [DPL_SIM_EVENT_CANCELLED] = DOPPEL__LINK__LOOP_RESULT__LOOP_CANCELLED,
        [DPL_SIM_EVENT_DROPPED] = DOPPEL__LINK__LOOP_RESULT__LOOP_DROPPED,
    };
    say(server, command->client, command->number, results[from->result], hosted_answer_text(from),
        &request->status);
}

/* A world that has fallen too far behind says so, once for each time. */
static void tell_skips(struct server *server)
{
    const struct dpl_sim_loop_status *status = hosted_status(&server->world->status);
    if (status->skips != server->n_skips) {
        server->n_skips = status->skips;
        server_notice(server, SERVER_NOTICE_LOOP,
                      "the world was too far behind the clock: %.1f s are skipped so far",
                      dpl_ns_to_s(status->skipped));
    }
}

void server_answer_loop(struct server *server)
{
    if (!server->world->can_be_controlled) {
        return;
    }
    for (int i = 0; i < HOSTED_REQUESTS_MAX; i++) {
        struct server_command *command = &server->commands[i];
        const struct hosted_request *request =
            command->used ? hosted_world_answer(server->world, i) : NULL;
        if (!request) {
            continue;
        }
        if (command->client) {
            answer(server, command, request);
        }
        *command = (struct server_command){0};
        hosted_world_forget_request(server->world, i);
    }
    tell_skips(server);
}

bool server_awaits_answers(const struct server *server)
{
    for (int i = 0; i < HOSTED_REQUESTS_MAX; i++) {
        if (server->commands[i].used) {
            return true;
        }
    }
    return false;
}

void server_forget_commands(struct server *server, const struct server_client *client)
{
    for (int i = 0; i < HOSTED_REQUESTS_MAX; i++) {
        if (server->commands[i].client == client) {
            server->commands[i].client = NULL;
        }
    }
}

/* ---- commands ---- */

/* Why nobody may control the time of this world; NULL: it can be done. */
static const char *why_not(const struct server *server)
{
    if (server->options.lockstep) {
        return "this world is in lock-step: its time moves by grants of its clients";
    }
    if (server->world->can_be_controlled) {
        return NULL;
    }
    return server->world->services
               ? "this world is part of a run, which moves its time: control the run instead"
               : "this world is an emulator's, which moves it in real time: nobody else can";
}

/* Of a world that cannot be controlled: where it is. */
static struct dpl_sim_loop_status bare_status(const struct server *server)
{
    dpl_ns step = server->world->model->step;
    dpl_ns now = server->options.lockstep ? dpl_world_now(server->world->world) : 0;
    return (struct dpl_sim_loop_status){.step = (uint64_t)(now / step), .time = now, .rate = 1.0};
}

void server_handle_loop(struct server *server, struct server_client *client,
                        const Doppel__Link__LoopCommand *command)
{
    const char *why = why_not(server);
    if (why) {
        struct dpl_sim_loop_status status = bare_status(server);
        say(server, client, command->number, DOPPEL__LINK__LOOP_RESULT__LOOP_REFUSED, why, &status);
        return;
    }
    const struct dpl_sim_loop_status *status = hosted_status(&server->world->status);
    if (strcmp(command->text, "status") == 0) {
        say(server, client, command->number, DOPPEL__LINK__LOOP_RESULT__LOOP_DONE, "", status);
        return;
    }
    struct dpl_diag error = {.text = "too many commands at once"};
    int request = hosted_world_request(server->world, command->text, &error);
    if (request < 0) {
        say(server, client, command->number, DOPPEL__LINK__LOOP_RESULT__LOOP_REFUSED, error.text,
            status);
        return;
    }
    server->commands[request] = (struct server_command){client, command->number, true};
    char text[81]; /* as it can be printed: paths may be written with anything in between */
    dpl_peer_name(command->text, text, sizeof text);
    server_notice(server, SERVER_NOTICE_LOOP, "client '%s': %s", client->name, text);
}
