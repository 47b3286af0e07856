/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the avatar link: limits and checks of every message. A check returns NULL or what is
 * wrong. */
#include "link_codec.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <doppel/link.h>

/* ---- memory of one message ---- */

static void *take(void *user, size_t size)
{
    struct link_codec *codec = user;
    size_t rounded = (size + 15u) & ~(size_t)15u;
    if (rounded < size || rounded > sizeof codec->arena - codec->used) {
        return NULL;
    }
    void *memory = codec->arena + codec->used;
    codec->used += rounded;
    return memory;
}

static void give_back(void *user, void *memory)
{
    (void)user;
    (void)memory; /* the next unpack takes everything back */
}

static ProtobufCMessage *unpack(struct link_codec *codec, const ProtobufCMessageDescriptor *type,
                                const void *frame, size_t size)
{
    ProtobufCAllocator allocator = {.alloc = take, .free = give_back, .allocator_data = codec};
    codec->used = 0;
    return size <= LINK_FRAME_MAX ? protobuf_c_message_unpack(type, &allocator, size, frame) : NULL;
}

/* ---- parts ---- */

static bool name_fits(const char *name)
{
    return strlen(name) <= LINK_NAME_MAX;
}

static bool time_fits(int64_t time)
{
    return time >= -LINK_TIME_MAX && time <= LINK_TIME_MAX;
}

static bool pose_fits(const Doppel__Link__Pose *pose)
{
    return isfinite(pose->x) && isfinite(pose->y) && isfinite(pose->theta);
}

static bool place_fits(const Doppel__Link__Pose *pose)
{
    return pose_fits(pose) && fabs(pose->x) <= LINK_PLACE_MAX && fabs(pose->y) <= LINK_PLACE_MAX &&
           fabs(pose->theta) <= LINK_THETA_MAX;
}

static bool all_finite(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static size_t count_bits(uint32_t bits)
{
    size_t n = 0;
    for (; bits; bits &= bits - 1) {
        n++;
    }
    return n;
}

/* ---- to the server ---- */

static const char *check_hello(const Doppel__Link__Hello *hello)
{
    if (!name_fits(hello->name)) {
        return "the client's name is too long";
    }
    if (hello->period < LINK_PERIOD_MIN || hello->period > LINK_PERIOD_MAX) {
        return "the period is not within 1 ms and 1 s";
    }
    return NULL;
}

static const char *check_bind(const Doppel__Link__Bind *bind)
{
    if (bind->slot >= LINK_SLOTS_MAX || bind->robot >= LINK_ROBOTS_MAX) {
        return "slot or robot is beyond its limit";
    }
    return isfinite(bind->motor_ramp) && bind->motor_ramp >= 0.0 ? NULL
                                                                 : "the motors' ramp is no limit";
}

static const char *check_slot_command(const Doppel__Link__SlotCommand *slot)
{
    if (slot->slot >= LINK_SLOTS_MAX) {
        return "slot is beyond its limit";
    }
    if (slot->motors >> LINK_WHEELS_MAX || slot->lasers >> LINK_SCANNERS_MAX) {
        return "a motor or laser is beyond its limit";
    }
    if (slot->n_speeds != count_bits(slot->motors)) {
        return "speeds and motors differ in number";
    }
    if (!all_finite(slot->speeds, slot->n_speeds)) {
        return "a speed is not finite";
    }
    if (slot->place && !place_fits(slot->place)) {
        return "a place is beyond the extent of worlds";
    }
    return NULL;
}

static const char *check_command(const Doppel__Link__Command *command)
{
    if (command->n_slots > LINK_SLOTS_MAX) {
        return "too many slots";
    }
    if (!time_fits(command->until)) {
        return "the granted time is beyond its limit";
    }
    for (size_t i = 0; i < command->n_slots; i++) {
        const char *why = check_slot_command(command->slots[i]);
        if (why) {
            return why;
        }
    }
    return NULL;
}

static const char *check_to_server(const Doppel__Link__ToServer *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_SERVER__BODY_HELLO: return check_hello(message->hello);
    case DOPPEL__LINK__TO_SERVER__BODY_BIND: return check_bind(message->bind);
    case DOPPEL__LINK__TO_SERVER__BODY_COMMAND: return check_command(message->command);
    case DOPPEL__LINK__TO_SERVER__BODY_PING:
    case DOPPEL__LINK__TO_SERVER__BODY_BYE: return NULL;
    default: return "it says nothing";
    }
}

/* ---- to a client ---- */

static const char *check_laser(const Doppel__Link__Laser *laser)
{
    const double numbers[] = {laser->start_angle, laser->step_angle, laser->range_min,
                              laser->range_max, laser->period};
    if (!name_fits(laser->name) || laser->count > DPL_LINK_SCAN_MAX) {
        return "a laser's name or count is beyond its limit";
    }
    if (!all_finite(numbers, sizeof numbers / sizeof numbers[0]) || !laser->mount ||
        !pose_fits(laser->mount)) {
        return "a laser's numbers are not finite";
    }
    return NULL;
}

static const char *check_names(char *const *names, size_t n)
{
    if (n > LINK_WHEELS_MAX) {
        return "a robot has too many devices";
    }
    for (size_t i = 0; i < n; i++) {
        if (!name_fits(names[i])) {
            return "a device's name is too long";
        }
    }
    return NULL;
}

static const char *check_robot(const Doppel__Link__Robot *robot)
{
    if (!name_fits(robot->name) || robot->n_lasers > LINK_SCANNERS_MAX) {
        return "a robot's name or its lasers are beyond their limit";
    }
    const char *why = check_names(robot->motors, robot->n_motors);
    if (!why) {
        why = check_names(robot->encoders, robot->n_encoders);
    }
    for (size_t i = 0; i < robot->n_lasers && !why; i++) {
        why = check_laser(robot->lasers[i]);
    }
    return why;
}

static const char *check_welcome(const Doppel__Link__Welcome *welcome)
{
    if (welcome->n_robots > LINK_ROBOTS_MAX || !time_fits(welcome->now)) {
        return "too many robots, or a time beyond its limit";
    }
    const char *why = NULL;
    for (size_t i = 0; i < welcome->n_robots && !why; i++) {
        why = check_robot(welcome->robots[i]);
    }
    return why;
}

static const char *check_slot_state(const Doppel__Link__SlotState *slot)
{
    if (slot->slot >= LINK_SLOTS_MAX || !time_fits(slot->stamp)) {
        return "slot or stamp is beyond its limit";
    }
    if (slot->n_angles > LINK_WHEELS_MAX || slot->n_velocities != slot->n_angles) {
        return "encoders are too many, or differ in number";
    }
    if (!slot->pose || !pose_fits(slot->pose) || !isfinite(slot->linear) ||
        !isfinite(slot->angular) || !all_finite(slot->angles, slot->n_angles) ||
        !all_finite(slot->velocities, slot->n_velocities)) {
        return "a state is not finite";
    }
    return NULL;
}

static const char *check_state(const Doppel__Link__State *state)
{
    if (state->n_slots > LINK_SLOTS_MAX || !time_fits(state->now)) {
        return "too many slots, or a time beyond its limit";
    }
    const char *why = NULL;
    for (size_t i = 0; i < state->n_slots && !why; i++) {
        why = check_slot_state(state->slots[i]);
    }
    return why;
}

static const char *check_scan(const Doppel__Link__ScanData *scan)
{
    if (scan->slot >= LINK_SLOTS_MAX || scan->laser >= LINK_SCANNERS_MAX ||
        scan->n_ranges > DPL_LINK_SCAN_MAX || !time_fits(scan->stamp)) {
        return "a scan is beyond its limits";
    }
    for (size_t i = 0; i < scan->n_ranges; i++) {
        if (!isfinite(scan->ranges[i]) || scan->ranges[i] < 0.0f) {
            return "a range is not a distance";
        }
    }
    return NULL;
}

static const char *check_to_client(const Doppel__Link__ToClient *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_CLIENT__BODY_WELCOME: return check_welcome(message->welcome);
    case DOPPEL__LINK__TO_CLIENT__BODY_STATE: return check_state(message->state);
    case DOPPEL__LINK__TO_CLIENT__BODY_SCAN: return check_scan(message->scan);
    case DOPPEL__LINK__TO_CLIENT__BODY_PONG:
        return name_fits(message->pong->waiting_for) && time_fits(message->pong->now)
                   ? NULL
                   : "a pong is beyond its limits";
    case DOPPEL__LINK__TO_CLIENT__BODY_REFUSED:
        return strlen(message->refused->text) <= LINK_TEXT_MAX ? NULL : "a text is too long";
    case DOPPEL__LINK__TO_CLIENT__BODY_CONTROL:
        return message->control->slot < LINK_SLOTS_MAX &&
                       strlen(message->control->text) <= LINK_TEXT_MAX
                   ? NULL
                   : "slot or text is beyond its limit";
    default: return "it says nothing";
    }
}

/* ---- frames ---- */

static int finish(uint32_t version, const char *why, const char **reterr_why)
{
    if (version != LINK_VERSION) {
        *reterr_why = "it is of another version of the protocol";
        return -EPROTONOSUPPORT;
    }
    if (why) {
        *reterr_why = why;
        return -EPROTO;
    }
    return 0;
}

int link_unpack_to_server(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToServer **ret_message, const char **reterr_why)
{
    ProtobufCMessage *base = unpack(codec, &doppel__link__to_server__descriptor, frame, size);
    const Doppel__Link__ToServer *message = (const Doppel__Link__ToServer *)base;
    if (!message) {
        *reterr_why = "it cannot be decoded";
        return -EPROTO;
    }
    int err = finish(message->version, check_to_server(message), reterr_why);
    if (err == 0) {
        *ret_message = message;
    }
    return err;
}

int link_unpack_to_client(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToClient **ret_message, const char **reterr_why)
{
    ProtobufCMessage *base = unpack(codec, &doppel__link__to_client__descriptor, frame, size);
    const Doppel__Link__ToClient *message = (const Doppel__Link__ToClient *)base;
    if (!message) {
        *reterr_why = "it cannot be decoded";
        return -EPROTO;
    }
    int err = finish(message->version, check_to_client(message), reterr_why);
    if (err == 0) {
        *ret_message = message;
    }
    return err;
}

static int pack(struct link_codec *codec, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    if (size > sizeof codec->out) {
        return -EMSGSIZE;
    }
    return (int)protobuf_c_message_pack(message, codec->out);
}

int link_pack_to_server(struct link_codec *codec, Doppel__Link__ToServer *message)
{
    message->version = LINK_VERSION;
    return pack(codec, &message->base);
}

int link_pack_to_client(struct link_codec *codec, Doppel__Link__ToClient *message)
{
    message->version = LINK_VERSION;
    return pack(codec, &message->base);
}
