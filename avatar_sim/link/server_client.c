/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says to its clients, and does when they say something. */
#include "server.h"

#include <errno.h>
#include <string.h>

#include <zmq.h>

#include "link_embedded.h"

void server_send(struct server *server, const uint8_t *id, size_t id_size,
                 Doppel__Link__ToClient *message)
{
    message->session = server->session;
    int size = link_pack_to_client(server->codec, message);
    if (size > 0 && zmq_send(server->socket, id, id_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
        /* a peer that is gone or does not read: ZeroMQ drops the frame */
        zmq_send(server->socket, server->codec->out, (size_t)size, ZMQ_DONTWAIT);
    }
}

static void refuse(struct server *server, const uint8_t *id, size_t id_size, bool again,
                   const char *text)
{
    char copy[LINK_TEXT_MAX + 1];
    snprintf(copy, sizeof copy, "%s", text);
    Doppel__Link__Refused refused;
    doppel__link__refused__init(&refused);
    refused.text = copy;
    refused.again = again;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    message.refused = &refused;
    server_send(server, id, id_size, &message);
}

/* ---- slots ---- */

static void free_slot(struct server_slot *slot)
{
    if (slot->link) {
        hosted_world_remove(slot->link);
        *slot = (struct server_slot){0};
    }
}

/* Device i of the welcome is device i of the slot: a wheel without motor or encoder has no number
 * and is left out of both. */
static int find_devices(struct server_slot *slot, const struct dpl_sim_robot *robot)
{
    struct dpl_link *link = &slot->link->link;
    int err = 0;
    for (size_t i = 0; i < robot->n_wheels && err == 0; i++) {
        const struct dpl_sim_wheel *wheel = &robot->wheels[i];
        if (wheel->motor[0]) {
            err = link->ops->find(link, DPL_LINK_MOTOR, wheel->motor, &slot->motor[slot->n_motors],
                                  NULL, NULL);
            slot->n_motors++;
        }
        if (wheel->encoder[0] && err == 0) {
            err = link->ops->find(link, DPL_LINK_ENCODER, wheel->encoder,
                                  &slot->encoder[slot->n_encoders], NULL, NULL);
            slot->n_encoders++;
        }
    }
    for (size_t i = 0; i < robot->n_lasers && err == 0; i++) {
        err = link->ops->find(link, DPL_LINK_LASER, robot->lasers[i].name, &slot->laser[i], NULL,
                              NULL);
        slot->n_lasers++;
    }
    return err;
}

static int fill_slot(struct server *server, struct server_slot *slot,
                     const Doppel__Link__Bind *bind)
{
    const struct dpl_sim_model *model = server->world->model;
    uint32_t robot = bind->robot;
    if (robot >= model->n_robots) {
        return -ENOENT;
    }
    free_slot(slot);
    struct dpl_link_config config = {
        .robot = model->robots[robot].name,
        .motor_ramp_rad_s2 = bind->motor_ramp,
    };
    int err = link_embedded_prepare(server->world, &config, &slot->link, NULL);
    if (err < 0) {
        slot->link = NULL;
        return err;
    }
    err = find_devices(slot, &model->robots[robot]);
    hosted_world_join(slot->link);
    if (err < 0) {
        free_slot(slot);
    }
    return err;
}

void server_stop_motors(struct server_client *client)
{
    for (size_t s = 0; s < LINK_SLOTS_MAX; s++) {
        struct server_slot *slot = &client->slots[s];
        for (unsigned i = 0; slot->link && i < slot->n_motors; i++) {
            if (slot->controls && (slot->commanded & (1u << i))) {
                slot->link->link.ops->set_motor(&slot->link->link, slot->motor[i], 0.0);
            }
        }
    }
}

void server_forget(struct server *server, struct server_client *client)
{
    server_stop_motors(client);
    server_let_go(server, client);
    for (size_t s = 0; s < LINK_SLOTS_MAX; s++) {
        free_slot(&client->slots[s]);
    }
    if (server->late == client) {
        server->late = NULL;
    }
    *client = (struct server_client){0};
}

/* ---- welcome ---- */

struct robot_parts {
    Doppel__Link__Robot robot;
    char *motors[LINK_WHEELS_MAX], *encoders[LINK_WHEELS_MAX];
    Doppel__Link__Laser lasers[LINK_SCANNERS_MAX], *laser_list[LINK_SCANNERS_MAX];
    Doppel__Link__Pose mounts[LINK_SCANNERS_MAX];
};

/* protobuf-c's messages hold strings that may be changed; ours are only packed. */
static char *text_of(const char *text)
{
    union {
        const char *from;
        char *to;
    } pointer = {text};
    return pointer.to;
}

static void describe_laser(const struct dpl_sim_laser *laser, Doppel__Link__Laser *ret,
                           Doppel__Link__Pose *mount)
{
    struct dpl_link_laser info;
    link_embedded_describe_laser(laser, &info);
    doppel__link__laser__init(ret);
    doppel__link__pose__init(mount);
    mount->x = info.mount.x;
    mount->y = info.mount.y;
    mount->theta = info.mount.theta;
    ret->name = text_of(laser->name);
    ret->count = info.n;
    ret->start_angle = info.start_angle_rad;
    ret->step_angle = info.step_angle_rad;
    ret->range_min = info.min_range_m;
    ret->range_max = info.max_range_m;
    ret->period = info.period_s;
    ret->mount = mount;
}

static void describe_robot(const struct dpl_sim_robot *model, struct robot_parts *parts)
{
    Doppel__Link__Robot *robot = &parts->robot;
    doppel__link__robot__init(robot);
    robot->name = text_of(model->name);
    robot->motors = parts->motors;
    robot->encoders = parts->encoders;
    robot->lasers = parts->laser_list;
    for (size_t i = 0; i < model->n_wheels; i++) {
        if (model->wheels[i].motor[0]) {
            parts->motors[robot->n_motors++] = text_of(model->wheels[i].motor);
        }
        if (model->wheels[i].encoder[0]) {
            parts->encoders[robot->n_encoders++] = text_of(model->wheels[i].encoder);
        }
    }
    for (size_t i = 0; i < model->n_lasers; i++) {
        describe_laser(&model->lasers[i], &parts->lasers[i], &parts->mounts[i]);
        parts->laser_list[robot->n_lasers++] = &parts->lasers[i];
    }
}

static void send_welcome(struct server *server, const struct server_client *client)
{
    const struct dpl_sim_model *model = server->world->model;
    struct robot_parts parts[LINK_ROBOTS_MAX];
    Doppel__Link__Robot *robots[LINK_ROBOTS_MAX];
    Doppel__Link__Welcome welcome = DOPPEL__LINK__WELCOME__INIT;
    welcome.lockstep = server->options.lockstep;
    welcome.now = server_clock(server);
    welcome.robots = robots;
    for (; welcome.n_robots < model->n_robots && welcome.n_robots < LINK_ROBOTS_MAX;
         welcome.n_robots++) {
        describe_robot(&model->robots[welcome.n_robots], &parts[welcome.n_robots]);
        robots[welcome.n_robots] = &parts[welcome.n_robots].robot;
    }
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    message.welcome = &welcome;
    server_send(server, client->id, client->id_size, &message);
}

/* ---- states and scans ---- */

static void send_scan(struct server *server, const struct server_client *client, uint32_t slot,
                      uint32_t laser, struct dpl_link_scan *scan)
{
    Doppel__Link__ScanData data = DOPPEL__LINK__SCAN_DATA__INIT;
    data.slot = slot;
    data.laser = laser;
    data.stamp = scan->stamp;
    data.sequence = scan->sequence;
    data.n_ranges = scan->n;
    data.ranges = scan->ranges_m;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_SCAN;
    message.scan = &data;
    server_send(server, client->id, client->id_size, &message);
}

static void send_scans(struct server *server, struct server_client *client, uint32_t number)
{
    struct server_slot *slot = &client->slots[number];
    for (uint32_t i = 0; i < slot->n_lasers; i++) {
        struct scan_exchange *scans = slot->link->scans[slot->laser[i]];
        if (dpl_latest_update(&scans->sync)) {
            send_scan(server, client, number, i, &scans->slot[dpl_latest_front(&scans->sync)]);
        }
    }
}

struct state_parts {
    Doppel__Link__SlotState state;
    Doppel__Link__Pose pose;
    double angles[LINK_WHEELS_MAX], velocities[LINK_WHEELS_MAX];
};

/* A link's own numbers are not those of its client. */
static void describe_place(const struct server_slot *slot, const struct robot_snapshot *from,
                           Doppel__Link__SlotState *state)
{
    if (slot->link->places_asked == 0 || from->place_number != slot->link->places_asked) {
        return;
    }
    state->place_number = slot->place_number;
    state->place_result = from->place_result == 0        ? DOPPEL__LINK__PLACE_RESULT__PUT
                          : from->place_result == -EBUSY ? DOPPEL__LINK__PLACE_RESULT__TAKEN
                                                         : DOPPEL__LINK__PLACE_RESULT__IMPOSSIBLE;
}

static void describe_slot(struct server_slot *slot, struct state_parts *parts)
{
    const struct robot_snapshot *from =
        &slot->link->snapshot.slot[dpl_latest_front(&slot->link->snapshot.sync)];
    Doppel__Link__SlotState *state = &parts->state;
    parts->pose.x = from->robot.pose.x;
    parts->pose.y = from->robot.pose.y;
    parts->pose.theta = from->robot.pose.theta;
    state->stamp = from->robot.stamp;
    state->pose = &parts->pose;
    state->linear = from->robot.twist.linear;
    state->angular = from->robot.twist.angular;
    state->contacts = from->robot.contacts;
    state->touched = from->robot.touched;
    state->ejections = from->robot.ejections;
    describe_place(slot, from, state);
    state->angles = parts->angles;
    state->velocities = parts->velocities;
    state->n_angles = state->n_velocities = slot->n_encoders;
    for (unsigned i = 0; i < slot->n_encoders; i++) {
        parts->angles[i] = from->encoders[slot->encoder[i]].angle_rad;
        parts->velocities[i] = from->encoders[slot->encoder[i]].velocity_rad_s;
    }
}

void server_send_state(struct server *server, struct server_client *client)
{
    struct state_parts parts[LINK_SLOTS_MAX];
    Doppel__Link__SlotState *slots[LINK_SLOTS_MAX];
    Doppel__Link__State state = DOPPEL__LINK__STATE__INIT;
    state.slots = slots;
    for (uint32_t i = 0; i < LINK_SLOTS_MAX; i++) {
        struct server_slot *slot = &client->slots[i];
        if (!slot->link) {
            continue;
        }
        send_scans(server, client, i);
        slot->seen = dpl_latest_update(&slot->link->snapshot.sync) || slot->seen;
        if (slot->seen) {
            struct state_parts *part = &parts[state.n_slots];
            doppel__link__slot_state__init(&part->state);
            doppel__link__pose__init(&part->pose);
            part->state.slot = i;
            describe_slot(slot, part);
            slots[state.n_slots++] = &part->state;
        }
    }
    state.now = server_clock(server);
    state.contacts = atomic_load_explicit(&server->world->contacts, memory_order_relaxed);
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_STATE;
    message.state = &state;
    server_send(server, client->id, client->id_size, &message);
}

/* ---- what clients say ---- */

static struct server_client *find_client(struct server *server, const uint8_t *id, size_t id_size)
{
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        struct server_client *client = &server->clients[i];
        if (client->used && client->id_size == id_size && memcmp(client->id, id, id_size) == 0) {
            return client;
        }
    }
    return NULL;
}

static struct server_client *add_client(struct server *server, const uint8_t *id, size_t id_size)
{
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        struct server_client *client = &server->clients[i];
        if (!client->used) {
            client->used = true;
            client->id_size = id_size;
            memcpy(client->id, id, id_size);
            return client;
        }
    }
    return NULL;
}

static void handle_hello(struct server *server, struct server_client *client,
                         const Doppel__Link__Hello *hello)
{
    bool known = client->period != 0;
    dpl_peer_name(hello->name, client->name, sizeof client->name);
    client->period = hello->period;
    server->stats.welcomed++;
    send_welcome(server, client);
    if (!known) {
        server_notice(server, SERVER_NOTICE_COMING, "client '%s' connected", client->name);
    }
}

static void handle_bind(struct server *server, struct server_client *client,
                        const Doppel__Link__Bind *bind)
{
    int err = fill_slot(server, &client->slots[bind->slot], bind);
    client->slots[bind->slot].take_over = bind->take_over;
    if (err < 0) {
        char text[160];
        snprintf(text, sizeof text, "robot %u cannot be bound: %s", bind->robot, strerror(-err));
        refuse(server, client->id, client->id_size, true, text);
        return;
    }
    if (server->options.lockstep) {
        hosted_world_publish(server->world); /* readings are valid before the first step */
        server_send_state(server, client);
    }
}

static void move_robot(struct server_slot *slot, const Doppel__Link__SlotCommand *command)
{
    struct dpl_link *link = &slot->link->link;
    size_t next = 0;
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        if (!(command->motors & (1u << i))) {
            continue;
        }
        double speed = command->speeds[next++];
        if (i < slot->n_motors) {
            link->ops->set_motor(link, slot->motor[i], speed);
            slot->commanded |= 1u << i;
        }
    }
    if (command->place) {
        struct dpl_pose2 pose = {command->place->x, command->place->y, command->place->theta};
        link->ops->set_pose(link, &pose);
        slot->place_number = command->place_number;
    }
}

/* Lasers may be watched by all. */
static void apply(struct server *server, struct server_client *client, struct server_slot *slot,
                  const Doppel__Link__SlotCommand *command)
{
    struct dpl_link *link = &slot->link->link;
    for (unsigned i = 0; i < slot->n_lasers; i++) {
        link->ops->enable_laser(link, slot->laser[i], (command->lasers & (1u << i)) != 0);
    }
    bool moves = command->motors != 0 || command->place;
    if (moves && server_may_control(server, client, slot)) {
        move_robot(slot, command);
    }
}

static void handle_command(struct server *server, struct server_client *client,
                           const Doppel__Link__Command *command)
{
    for (size_t i = 0; i < command->n_slots; i++) {
        struct server_slot *slot = &client->slots[command->slots[i]->slot];
        if (slot->link) {
            apply(server, client, slot, command->slots[i]);
        }
    }
    if (command->grant && server->options.lockstep) {
        client->grants = true;
        client->granted = command->until;
    }
}

static void handle_ping(struct server *server, const struct server_client *client,
                        const Doppel__Link__Ping *ping)
{
    char waiting_for[LINK_NAME_MAX + 1];
    snprintf(waiting_for, sizeof waiting_for, "%s", server->late ? server->late->name : "");
    Doppel__Link__Pong pong;
    doppel__link__pong__init(&pong);
    pong.sent = ping->sent;
    pong.now = server_clock(server);
    pong.waiting_for = waiting_for;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_PONG;
    message.pong = &pong;
    server_send(server, client->id, client->id_size, &message);
}

static void handle_message(struct server *server, struct server_client *client,
                           const Doppel__Link__ToServer *message)
{
    client->last_heard = dpl_monotonic_now();
    if (client->silent) {
        client->silent = false;
        server_notice(server, SERVER_NOTICE_SILENCE, "client '%s' is back", client->name);
    }
    switch (message->body_case) {
    case DOPPEL__LINK__TO_SERVER__BODY_HELLO: handle_hello(server, client, message->hello); break;
    case DOPPEL__LINK__TO_SERVER__BODY_BIND: handle_bind(server, client, message->bind); break;
    case DOPPEL__LINK__TO_SERVER__BODY_COMMAND:
        handle_command(server, client, message->command);
        break;
    case DOPPEL__LINK__TO_SERVER__BODY_PING: handle_ping(server, client, message->ping); break;
    case DOPPEL__LINK__TO_SERVER__BODY_BYE:
        server_notice(server, SERVER_NOTICE_COMING, "client '%s' left", client->name);
        server_forget(server, client);
        break;
    default: break;
    }
}

void server_handle(struct server *server, const uint8_t *id, size_t id_size, const void *frame,
                   size_t size)
{
    const Doppel__Link__ToServer *message;
    const char *why;
    int err = link_unpack_to_server(server->codec, frame, size, &message, &why);
    if (err < 0) {
        server->stats.malformed++;
        refuse(server, id, id_size, err != -EPROTONOSUPPORT, why);
        return;
    }
    struct server_client *client = find_client(server, id, id_size);
    bool hello = message->body_case == DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    if (!client && hello) {
        client = add_client(server, id, id_size);
        if (!client) {
            refuse(server, id, id_size, true, "too many clients");
        }
    } else if (!client && message->body_case != DOPPEL__LINK__TO_SERVER__BODY_BYE) {
        refuse(server, id, id_size, true, "unknown client: say hello");
    }
    if (client) {
        handle_message(server, client, message);
    }
}
