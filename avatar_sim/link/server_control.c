/* SPDX-License-Identifier: Apache-2.0 */
/* Which client a robot obeys: one at a time, and nobody is left to guess which. */
#include <stdio.h>

#include "server.h"

static void tell(struct server *server, const struct server_client *client,
                 const struct server_slot *slot, bool granted, const char *text)
{
    char copy[LINK_TEXT_MAX + 1];
    snprintf(copy, sizeof copy, "%s", text);
    Doppel__Link__Control control;
    doppel__link__control__init(&control);
    control.slot = (uint32_t)(slot - client->slots);
    control.granted = granted;
    control.text = copy;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_CONTROL;
    message.control = &control;
    server_send(server, client->id, client->id_size, &message);
}

/* All slots with which a client controls the robot hear of it. */
static void tell_all(struct server *server, struct server_client *client, int robot, bool granted,
                     const char *text)
{
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        struct server_slot *slot = &client->slots[i];
        if (slot->link && slot->link->robot == robot && slot->controls) {
            slot->controls = granted;
            slot->denied = !granted;
            tell(server, client, slot, granted, text);
        }
    }
}

static const char *robot_name(const struct server *server, int robot)
{
    return server->world->model->robots[robot].name;
}

/* Once, until it gets the robot. */
static void deny(struct server *server, struct server_client *client, struct server_slot *slot,
                 struct server_client *holder)
{
    if (slot->denied) {
        return;
    }
    slot->denied = true;
    int robot = slot->link->robot;
    const char *name = robot_name(server, robot);
    char text[200];
    if (!holder) {
        snprintf(text, sizeof text, "robot '%s' is controlled by the program that serves it", name);
        tell(server, client, slot, false, text);
        return;
    }
    snprintf(text, sizeof text,
             "robot '%s' is controlled by client '%s'; property TakeOver takes it over", name,
             holder->name);
    tell(server, client, slot, false, text);
    snprintf(text, sizeof text, "client '%s' wants to control robot '%s' and was refused",
             client->name, name);
    tell_all(server, holder, robot, true, text);
    server_notice(server, SERVER_NOTICE_CONTROL,
                  "client '%s' was refused robot '%s': client '%s' controls it", client->name, name,
                  holder->name);
}

/* Tells the client that lost the robot, and the world; what the other one is told is in `won`. */
static void take_over(struct server *server, const struct server_client *client, int robot,
                      struct server_client *holder, char *won, size_t size)
{
    char text[200];
    const char *name = robot_name(server, robot);
    snprintf(won, size, "took over robot '%s' from client '%s'", name, holder->name);
    snprintf(text, sizeof text, "client '%s' took over robot '%s'", client->name, name);
    tell_all(server, holder, robot, false, text);
    server_notice(server, SERVER_NOTICE_CONTROL,
                  "client '%s' took over robot '%s' from client '%s'", client->name, name,
                  holder->name);
}

bool server_may_control(struct server *server, struct server_client *client,
                        struct server_slot *slot)
{
    int robot = slot->link->robot;
    struct server_client *holder = server->controllers[robot];
    bool taken_here = atomic_load(&server->world->n_drivers[robot]) > 0;
    if (taken_here || (holder && holder != client && !slot->take_over)) {
        deny(server, client, slot, taken_here ? NULL : holder);
        return false;
    }
    char won[200] = "";
    if (holder && holder != client) {
        take_over(server, client, robot, holder, won, sizeof won);
    }
    slot->take_over = false; /* who lost the robot again does not take it back for ever */
    if (!slot->controls) {
        server->controllers[robot] = client;
        slot->controls = true;
        slot->denied = false;
        tell(server, client, slot, true, won);
    }
    return true;
}

void server_let_go(struct server *server, struct server_client *client)
{
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        client->slots[i].controls = false;
    }
    for (size_t i = 0; i < DPL_SIM_ROBOTS_MAX; i++) {
        if (server->controllers[i] == client) {
            server->controllers[i] = NULL;
        }
    }
}
