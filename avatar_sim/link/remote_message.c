/* SPDX-License-Identifier: Apache-2.0 */
/* What a client says to a served world, and does when the world says something. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <zmq.h>

#include "remote_world.h"

/* ---- saying ---- */

static bool say(struct remote_world *world, Doppel__Link__ToServer *message)
{
    int size = link_pack_to_server(world->codec, message);
    /* not connected, or the queue is full: what matters is said again */
    return size > 0 && zmq_send(world->socket, world->codec->out, (size_t)size, ZMQ_DONTWAIT) >= 0;
}

void remote_send_hello(struct remote_world *world)
{
    char name[LINK_NAME_MAX + 1];
    snprintf(name, sizeof name, "%.30s[%d]", program_invocation_short_name, (int)getpid());
    Doppel__Link__Hello hello;
    doppel__link__hello__init(&hello);
    hello.name = name;
    hello.period = REMOTE_PERIOD;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    message.hello = &hello;
    say(world, &message);
}

void remote_send_ping(struct remote_world *world, dpl_ns now)
{
    Doppel__Link__Ping ping = DOPPEL__LINK__PING__INIT;
    ping.sent = now;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_PING;
    message.ping = &ping;
    say(world, &message);
}

void remote_send_bye(struct remote_world *world)
{
    Doppel__Link__Bye bye = DOPPEL__LINK__BYE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BYE;
    message.bye = &bye;
    say(world, &message);
}

struct command_parts {
    Doppel__Link__SlotCommand command;
    Doppel__Link__Pose place;
    double speeds[LINK_WHEELS_MAX];
};

/* In lock-step only what changed, as an embedded world takes it; else everything that was ever set,
 * because a world that believed us silent has stopped its motors. */
static void fill_speeds(struct remote_link *link, unsigned changed, struct command_parts *parts)
{
    link->commanded |= changed;
    unsigned wanted = link->owner->lockstep && !link->denied ? changed : link->commanded;
    double by_number[LINK_WHEELS_MAX];
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        if ((wanted & (1u << i)) && link->motors[i] >= 0) {
            by_number[link->motors[i]] =
                atomic_load_explicit(&link->setpoints[i], memory_order_relaxed);
            parts->command.motors |= 1u << link->motors[i];
        }
    }
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        if (parts->command.motors & (1u << i)) {
            parts->speeds[parts->command.n_speeds++] = by_number[i];
        }
    }
}

static void fill_lasers(const struct remote_link *link, unsigned wanted,
                        struct command_parts *parts)
{
    for (unsigned i = 0; i < LINK_SCANNERS_MAX; i++) {
        if ((wanted & (1u << i)) && link->lasers[i] >= 0) {
            parts->command.lasers |= 1u << link->lasers[i];
        }
    }
}

/* A place that was meant for a world that is gone says nothing about the one that followed. */
static void fill_place(struct remote_link *link, struct command_parts *parts)
{
    if (dpl_latest_update(&link->place.sync)) {
        link->wanted = link->place.slot[dpl_latest_front(&link->place.sync)];
        link->place_due = true;
    }
    link->place_due = link->place_due && link->wanted.world == link->owner->n_restarts;
    if (link->place_due) {
        const struct wanted_place *wanted = &link->wanted;
        doppel__link__pose__init(&parts->place);
        parts->place.x = wanted->pose.x;
        parts->place.y = wanted->pose.y;
        parts->place.theta = wanted->pose.theta;
        parts->command.place = &parts->place;
        parts->command.place_number = wanted->number;
    }
}

/* While another client controls the robot we ask for it with speeds of 0, so that it stands should
 * we get it; while nobody answers for the speeds they are 0 too. The user sets speeds anew then. */
static void forget_speeds(struct remote_link *link)
{
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        atomic_store_explicit(&link->setpoints[i], 0.0, memory_order_relaxed);
    }
    link->place_due = false;
}

/* Whether this is the moment in which the commander of the link's device is found to be late. */
static bool note_commander(struct remote_link *link)
{
    bool was = link->left_alone;
    link->left_alone = link->device && !dpl_device_is_commanded(link->device);
    return link->left_alone && !was;
}

/* Whether there is something to say about this link. */
static bool fill_command(struct remote_link *link, struct command_parts *parts, dpl_ns now)
{
    unsigned changed = atomic_exchange_explicit(&link->setpoints_changed, 0, memory_order_acquire);
    unsigned wanted = atomic_load_explicit(&link->lasers_wanted, memory_order_relaxed);
    doppel__link__slot_command__init(&parts->command);
    parts->command.slot = link->slot;
    parts->command.speeds = parts->speeds;
    fill_place(link, parts);
    bool due = note_commander(link);
    if (link->denied || link->left_alone) {
        forget_speeds(link);
        parts->command.place = NULL;
    }
    due = due || (now >= link->next_command && (!link->owner->lockstep || link->denied));
    if (changed == 0 && wanted == link->lasers_sent && !parts->command.place && !due) {
        return false;
    }
    fill_speeds(link, changed, parts);
    fill_lasers(link, wanted, parts);
    link->lasers_sent = wanted;
    link->next_command = now + REMOTE_BEAT;
    return true;
}

void remote_send_commands(struct remote_world *world, dpl_ns now, bool grant)
{
    struct command_parts parts[LINK_SLOTS_MAX];
    Doppel__Link__SlotCommand *slots[LINK_SLOTS_MAX];
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    command.slots = slots;
    command.grant = grant;
    command.until = grant ? world->grant : 0;
    for (struct remote_link *link = world->links; link; link = link->next) {
        if (link->bound && fill_command(link, &parts[command.n_slots], now)) {
            slots[command.n_slots] = &parts[command.n_slots].command;
            command.n_slots++;
        }
    }
    if (command.n_slots == 0 && !grant) {
        return;
    }
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    if (!say(world, &message)) {
        return; /* speeds are said again; places stay due */
    }
    for (struct remote_link *link = world->links; link; link = link->next) {
        link->place_due = link->place_due && !link->bound;
    }
}

/* ---- the welcome ---- */

static void copy_names(char (*to)[LINK_NAME_MAX + 1], char *const *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        snprintf(to[i], sizeof to[i], "%s", from[i]);
    }
}

static void copy_robot(const Doppel__Link__Robot *from, struct remote_robot *to)
{
    snprintf(to->name, sizeof to->name, "%s", from->name);
    to->n_motors = (unsigned)from->n_motors;
    to->n_encoders = (unsigned)from->n_encoders;
    to->n_lasers = (unsigned)from->n_lasers;
    copy_names(to->motors, from->motors, from->n_motors);
    copy_names(to->encoders, from->encoders, from->n_encoders);
    for (size_t i = 0; i < from->n_lasers; i++) {
        const Doppel__Link__Laser *laser = from->lasers[i];
        snprintf(to->lasers[i], sizeof to->lasers[i], "%s", laser->name);
        to->laser_info[i] = (struct dpl_link_laser){
            .n = laser->count,
            .start_angle_rad = laser->start_angle,
            .step_angle_rad = laser->step_angle,
            .min_range_m = laser->range_min,
            .max_range_m = laser->range_max,
            .period_s = laser->period,
            .mount = {laser->mount->x, laser->mount->y, laser->mount->theta},
        };
    }
}

/* Of our n devices, which numbers they have now. Returns the name of a used one that is missing. */
static const char *map_names(const char (*ours)[LINK_NAME_MAX + 1], unsigned n_ours,
                             const char (*theirs)[LINK_NAME_MAX + 1], unsigned n_theirs, int *map,
                             unsigned used)
{
    const char *missing = NULL;
    for (unsigned i = 0; i < n_ours; i++) {
        map[i] = -1;
        for (unsigned k = 0; k < n_theirs && map[i] < 0; k++) {
            map[i] = dpl_name_equal(ours[i], theirs[k]) ? (int)k : -1;
        }
        if (map[i] < 0 && (used & (1u << i)) != 0) {
            missing = ours[i];
        }
    }
    return missing;
}

static const char *map_devices(struct remote_link *link, const struct remote_robot *robot)
{
    const struct remote_robot *ours = &link->model;
    const char *missing[] = {
        map_names(ours->motors, ours->n_motors, robot->motors, robot->n_motors, link->motors,
                  atomic_load(&link->used[DPL_LINK_MOTOR])),
        map_names(ours->encoders, ours->n_encoders, robot->encoders, robot->n_encoders,
                  link->encoders, atomic_load(&link->used[DPL_LINK_ENCODER])),
        map_names(ours->lasers, ours->n_lasers, robot->lasers, robot->n_lasers, link->lasers,
                  atomic_load(&link->used[DPL_LINK_LASER])),
    };
    return missing[0] ? missing[0] : missing[1] ? missing[1] : missing[2];
}

/* `error` is written at most once, because the user may be reading it. */
static void refuse_link(struct remote_link *link, int code, const char *text)
{
    if (atomic_load(&link->known) == 0) {
        snprintf(link->error, sizeof link->error, "%s", text);
        atomic_store_explicit(&link->known, code, memory_order_release);
    }
    remote_link_lose(link, text);
}

static void miss_robot(struct remote_link *link)
{
    const struct remote_world *world = link->owner;
    char text[400];
    int at = snprintf(text, sizeof text, "the world has no robot '%s'; it has: %s", link->robot,
                      world->n_robots == 0 ? "none" : "");
    for (unsigned i = 0; i < world->n_robots && at >= 0 && (size_t)at < sizeof text; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s", i ? ", " : "",
                       world->robots[i].name);
    }
    refuse_link(link, -ENOENT, text);
}

static void say_bind(struct remote_link *link, uint32_t robot)
{
    Doppel__Link__Bind bind = DOPPEL__LINK__BIND__INIT;
    bind.slot = link->slot;
    bind.robot = robot;
    bind.take_over = link->take_over;
    bind.motor_ramp = link->motor_ramp_rad_s2;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BIND;
    message.bind = &bind;
    link->bound = say(link->owner, &message);
    link->tried = link->bound;
    link->denied = false;
    /* a place was wanted in the world as it was then */
    dpl_latest_update(&link->place.sync);
    link->place_due = false;
    /* the new binding knows no setpoints */
    atomic_fetch_or(&link->setpoints_changed, link->commanded);
    link->lasers_sent = 0;
}

static void bind_link(struct remote_link *link)
{
    const struct remote_world *world = link->owner;
    unsigned robot = 0;
    while (robot < world->n_robots && !dpl_name_equal(world->robots[robot].name, link->robot)) {
        robot++;
    }
    link->tried = true;
    if (robot == world->n_robots) {
        miss_robot(link);
        return;
    }
    if (atomic_load(&link->known) != 1) {
        link->model = world->robots[robot];
        atomic_store_explicit(&link->known, 1, memory_order_release);
    }
    const char *missing = map_devices(link, &world->robots[robot]);
    if (missing) {
        char text[160];
        snprintf(text, sizeof text, "robot '%s' has lost its '%s'", link->robot, missing);
        remote_link_lose(link, text);
        return;
    }
    say_bind(link, robot);
}

void remote_bind_links(struct remote_world *world)
{
    bool any = false;
    for (struct remote_link *link = world->links; link; link = link->next) {
        if (!link->tried) {
            bind_link(link);
            any = true;
        }
    }
    if (any) {
        pthread_cond_broadcast(&world->changed);
    }
}

static void handle_welcome(struct remote_world *world, const Doppel__Link__Welcome *welcome,
                           uint64_t session)
{
    if (world->welcomed) {
        return; /* the answer to a second hello that crossed the first */
    }
    if (world->started && welcome->lockstep != world->grants) {
        snprintf(world->refusal, sizeof world->refusal, "the world is served %s",
                 welcome->lockstep ? "in lock-step, this run follows the real clock"
                                   : "in real time, this run is simulated");
        return;
    }
    world->n_restarts += world->has_session && world->session != session;
    world->welcomed = world->has_session = true;
    world->session = session;
    world->lockstep = welcome->lockstep;
    world->refusal[0] = '\0';
    world->best_trip = INT64_MAX;
    world->next_ping = 0;
    if (!world->has_base) {
        world->has_base = true;
        world->base = world->reached = welcome->now;
    }
    world->n_robots = (unsigned)welcome->n_robots;
    for (size_t i = 0; i < welcome->n_robots; i++) {
        copy_robot(welcome->robots[i], &world->robots[i]);
    }
    for (struct remote_link *link = world->links; link; link = link->next) {
        link->tried = link->bound = false;
        memcpy(link->scan_base, link->scan_newest, sizeof link->scan_base);
    }
}

/* ---- states, scans, pongs ---- */

static struct remote_link *find_slot(struct remote_world *world, uint32_t slot)
{
    struct remote_link *link = world->links;
    while (link && link->slot != slot) {
        link = link->next;
    }
    return link && link->bound ? link : NULL;
}

/* A world that follows the real clock is read before ours starts: that is our time 0. */
static dpl_ns our_time(const struct remote_world *world, dpl_ns stamp)
{
    if (world->lockstep) {
        return stamp - world->base;
    }
    dpl_ns mine = world->real_epoch ? stamp + world->offset - world->real_epoch : 0;
    return mine > 0 ? mine : 0;
}

static int place_result(Doppel__Link__PlaceResult result)
{
    switch (result) {
    case DOPPEL__LINK__PLACE_RESULT__PUT: return 0;
    case DOPPEL__LINK__PLACE_RESULT__TAKEN: return -EBUSY;
    default: return -EINVAL;
    }
}

static void take_state(struct remote_link *link, const Doppel__Link__SlotState *state)
{
    struct robot_snapshot *to = &link->snapshot.slot[dpl_latest_back(&link->snapshot.sync)];
    dpl_ns stamp = our_time(link->owner, state->stamp);
    to->robot = (struct dpl_link_robot){
        .stamp = stamp,
        .pose = {state->pose->x, state->pose->y, state->pose->theta},
        .twist = {state->linear, state->angular},
        .contacts = state->contacts,
        .touched = state->touched,
        .world = link->owner->n_restarts,
        .ejections = state->ejections,
    };
    to->place_number = state->place_number;
    to->place_result = place_result(state->place_result);
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        int number = i < link->model.n_encoders ? link->encoders[i] : -1;
        if (number >= 0 && (size_t)number < state->n_angles) {
            to->encoders[i] = (struct dpl_link_encoder){
                .stamp = stamp,
                .angle_rad = state->angles[number],
                .velocity_rad_s = state->velocities[number],
                .world = link->owner->n_restarts,
            };
        }
    }
    dpl_latest_publish(&link->snapshot.sync);
    atomic_store_explicit(&link->has_state, true, memory_order_release);
    remote_link_revive(link);
}

static void handle_state(struct remote_world *world, const Doppel__Link__State *state)
{
    if (!world->lockstep && !world->has_offset) {
        return; /* its stamps mean nothing yet */
    }
    for (size_t i = 0; i < state->n_slots; i++) {
        struct remote_link *link = find_slot(world, state->slots[i]->slot);
        if (link) {
            take_state(link, state->slots[i]);
        }
    }
    world->reached = state->now;
    atomic_store_explicit(&world->contacts, state->contacts, memory_order_relaxed);
    pthread_cond_broadcast(&world->changed);
}

static void handle_scan(struct remote_world *world, const Doppel__Link__ScanData *scan)
{
    struct remote_link *link = find_slot(world, scan->slot);
    if (!link || (!world->lockstep && !world->has_offset)) {
        return;
    }
    for (unsigned i = 0; i < link->model.n_lasers; i++) {
        if (link->lasers[i] != (int)scan->laser) {
            continue;
        }
        struct scan_exchange *exchange = &link->scans[i];
        struct dpl_link_scan *to = &exchange->slot[dpl_latest_back(&exchange->sync)];
        to->stamp = our_time(world, scan->stamp);
        to->sequence = scan->sequence + link->scan_base[i];
        to->n = (uint32_t)scan->n_ranges;
        memcpy(to->ranges_m, scan->ranges, scan->n_ranges * sizeof to->ranges_m[0]);
        link->scan_newest[i] = to->sequence;
        dpl_latest_publish(&exchange->sync);
    }
}

/* The shortest round trip bounds the error of the offset by its half. An old estimate wears out, so
 * that clocks may drift. */
static void handle_pong(struct remote_world *world, const Doppel__Link__Pong *pong, dpl_ns now)
{
    snprintf(world->waiting_for, sizeof world->waiting_for, "%s", pong->waiting_for);
    dpl_ns trip = now - pong->sent;
    if (pong->sent <= 0 || trip < 0 || trip > REMOTE_SILENCE_GRANTS) {
        return;
    }
    if (!world->has_offset || trip <= world->best_trip) {
        world->offset = pong->sent + trip / 2 - pong->now;
        world->best_trip = trip;
        world->has_offset = true;
    } else {
        world->best_trip += world->best_trip / 100 + 1;
    }
}

/* A robot that another client controls is as good as lost, until it is ours. */
static void handle_control(struct remote_world *world, const Doppel__Link__Control *control)
{
    struct remote_link *link = find_slot(world, control->slot);
    if (!link) {
        return;
    }
    uint64_t held;
    link->denied = !control->granted;
    if (link->denied) {
        remote_link_lose(link, control->text);
    } else if (control->text[0] && link->device && !world->stopped &&
               dpl_peer_log_may(&world->rivals, dpl_monotonic_now(), &held)) {
        dpl_device_log(link->device, DPL_LOG_WARN, "%s: %s", world->address, control->text);
    }
}

static void handle_refused(struct remote_world *world, const Doppel__Link__Refused *refused)
{
    if (world->welcomed) {
        world->next_hello = 0; /* a restarted world does not know us: say hello at once */
        remote_world_lose(world, refused->text);
        return;
    }
    snprintf(world->refusal, sizeof world->refusal, "%s", refused->text);
    pthread_cond_broadcast(&world->changed);
}

static void handle_message(struct remote_world *world, const Doppel__Link__ToClient *message,
                           dpl_ns now)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_CLIENT__BODY_WELCOME:
        handle_welcome(world, message->welcome, message->session);
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_STATE: handle_state(world, message->state); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_SCAN: handle_scan(world, message->scan); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_PONG: handle_pong(world, message->pong, now); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_REFUSED: handle_refused(world, message->refused); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_CONTROL: handle_control(world, message->control); break;
    default: break;
    }
}

void remote_handle(struct remote_world *world, const void *frame, size_t size, dpl_ns now)
{
    const Doppel__Link__ToClient *message;
    const char *why;
    int err = link_unpack_to_client(world->codec, frame, size, &message, &why);
    if (err < 0) {
        world->malformed++;
        if (!world->welcomed) {
            snprintf(world->refusal, sizeof world->refusal, "its answer is refused: %s", why);
        }
        return;
    }
    bool welcome = message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    bool refused = message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    if (world->welcomed && message->session != world->session) {
        world->next_hello = 0;
        remote_world_lose(world, "the world was restarted");
    }
    if (world->welcomed || welcome || refused) {
        world->last_heard = now;
        handle_message(world, message, now);
    }
}
