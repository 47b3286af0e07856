/* SPDX-License-Identifier: Apache-2.0 */
/* What a controller says before it exchanges frames. On the greeting thread, which may allocate. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "controllers.h"
#include "link_embedded.h"

/* ---- undoing ---- */

void greeting_undo(struct controllers *controllers, struct controller *controller)
{
    struct hosted_world *world = controllers->world;
    for (size_t i = 0; i < controller->n_commands; i++) {
        const struct controller_channel *command = &controller->commands[i];
        if (command->shared) {
            hosted_channel_leave(world, command->number, HOSTED_CONTROLLER);
        }
    }
    free(controller->sensors);
    free(controller->commands);
    free(controller->out);
    free(controller->value);
    free(controller->command);
    controller->sensors = controller->commands = NULL;
    controller->out = controller->value = controller->command = NULL;
    controller->n_sensors = controller->n_commands = 0;
    if (controller->link && !controller->given) {
        struct hosted_link *link = (struct hosted_link *)controller->link;
        hosted_link_destroy(link); /* the world has never seen it */
    }
    controller->link = NULL;
}

/* ---- who it is ---- */

static int greet(struct controllers *controllers, struct controller *controller, size_t size)
{
    struct hil_error *error = &controllers->error;
    if (controller->greeted) {
        return hil_fail(error, HIL_CODE_GARBAGE, 0, "a second HELLO");
    }
    int err = hil_hello_read(controller->in, size, &controller->hello, error);
    if (err < 0) {
        return err;
    }
    dpl_peer_name(controller->hello.name, controller->name, sizeof controller->name);
    controller->greeted = true;
    const struct dpl_sim_model *model = controllers->world->model;
    size_t n = hil_welcome_write(controllers->reply, model->name, (uint64_t)model->step);
    return controller_send(controller, controllers->reply, n) == 0
               ? 0
               : hil_fail(error, HIL_CODE_GARBAGE, 0, "it does not read");
}

/* ---- its channels ---- */

static void set_state(struct controller *controller, enum controller_state state)
{
    /* release: the world's thread sees all of it */
    atomic_store_explicit(&controller->state, (int)state, memory_order_release);
}

static int find(struct controllers *controllers, const struct hil_want *want, size_t *ret_channel,
                struct dpl_diag *reterr)
{
    struct dpl_channel_want wanted = {
        .path = want->path,
        .unit = want->unit[0] != '\0' ? want->unit : NULL,
        .put = want->command,
    };
    int channel = dpl_world_channels_find(controllers->world->channels, &wanted, reterr);
    if (channel < 0) {
        return channel;
    }
    size_t n;
    const struct dpl_channel_desc *desc =
        &dpl_world_channels_describe(controllers->world->channels, &n)[channel];
    if (desc->dir == DPL_CHANNEL_REQUEST) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "channel '%s' is a request, which is done once for each value: a "
                        "controller commands in each frame",
                        desc->path);
    }
    *ret_channel = (size_t)channel;
    return 0;
}

/* The controller that commands a channel; NULL: none. Flags that are shared have many. */
static const struct controller *commander_of(const struct controllers *controllers,
                                             const struct dpl_channel_desc *desc)
{
    for (size_t i = 0; i < CONTROLLERS_MAX && dpl_channel_is_owned(desc->dir); i++) {
        const struct controller *other = &controllers->all[i];
        for (size_t k = 0; k < other->n_commands; k++) {
            if (other->commands[k].channel.desc == desc) {
                return other;
            }
        }
    }
    return NULL;
}

/* -EBUSY with reterr: somebody else has it. */
static int claim(struct controllers *controllers, const struct controller *controller,
                 struct controller_channel *channel, struct dpl_diag *reterr)
{
    const struct dpl_channel_desc *desc = channel->channel.desc;
    const struct controller *holder = commander_of(controllers, desc);
    if (holder == controller) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "channel '%s' is commanded twice",
                        desc->path);
    }
    if (holder) {
        return dpl_fail(reterr, -EBUSY, (struct dpl_place){0},
                        "channel '%s' is commanded by controller '%s'", desc->path, holder->name);
    }
    enum hosted_commander other =
        hosted_channel_join(controllers->world, channel->number, HOSTED_CONTROLLER);
    if (other != HOSTED_NOBODY) {
        return dpl_fail(reterr, -EBUSY, (struct dpl_place){0}, "channel '%s' is commanded by %s",
                        desc->path, hosted_commander_name(other));
    }
    channel->shared = true;
    return 0;
}

static int add(struct controllers *controllers, struct controller *controller,
               const struct hil_want *want, struct dpl_diag *reterr)
{
    size_t number = 0, n;
    int err = find(controllers, want, &number, reterr);
    if (err < 0) {
        return err;
    }
    const struct dpl_channel_desc *desc =
        &dpl_world_channels_describe(controllers->world->channels, &n)[number];
    struct controller_channel *channel = want->command
                                             ? &controller->commands[controller->n_commands]
                                             : &controller->sensors[controller->n_sensors];
    *channel = (struct controller_channel){.channel = {.link = controller->link, .desc = desc},
                                           .number = number};
    err = want->command ? claim(controllers, controller, channel, reterr) : 0;
    if (err < 0) {
        return err;
    }
    controller->n_commands += want->command; /* from now on undoing gives it back */
    controller->n_sensors += !want->command;
    struct dpl_channel_want wanted = {.path = want->path, .put = want->command};
    int id = hosted_link_add((struct hosted_link *)controller->link, number, &wanted, reterr);
    channel->channel.id = (unsigned)id;
    return id < 0 ? dpl_fail(reterr, id, (struct dpl_place){0}, "out of memory") : 0;
}

/* All that is wrong with the channels is said, a line for each. */
static void note(struct hil_error *error, const struct hil_want *want, int err, const char *text)
{
    size_t n = strlen(error->text);
    if (n == 0) {
        error->offset = want->offset;
        error->code = err == -EBUSY ? HIL_CODE_BUSY : HIL_CODE_CHANNEL;
    }
    error->code = err == -EBUSY ? error->code : HIL_CODE_CHANNEL;
    snprintf(error->text + n, sizeof error->text - n, "%s%s", n > 0 ? "\n" : "", text);
}

static int add_all(struct controllers *controllers, struct controller *controller, size_t size)
{
    struct hil_error *error = &controllers->error;
    struct hil_wants wants = {.message = controller->in, .size = size};
    struct hil_want want;
    int more;
    error->text[0] = '\0';
    struct hil_error bad;
    while ((more = hil_wants_next(&wants, &want, &bad)) > 0) {
        struct dpl_diag diag = {0};
        int err = add(controllers, controller, &want, &diag);
        if (err < 0) {
            note(error, &want, err, diag.text);
        }
    }
    if (more < 0) {
        *error = bad;
        return more;
    }
    if (error->text[0] == '\0') {
        return 0;
    }
    return error->code == HIL_CODE_BUSY ? -EAGAIN : -EINVAL;
}

/* Sets where the cells of each are; returns bytes of all cells. */
static size_t place_cells(struct controller_channel *channels, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        channels[i].at = at;
        at += hil_cells_bytes(channels[i].channel.desc);
    }
    return at;
}

static size_t largest(const struct controller_channel *channels, size_t n)
{
    size_t most = 8;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = dpl_channel_bytes(channels[i].channel.desc);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static int make_frames(struct controllers *controllers, struct controller *controller)
{
    struct hil_error *error = &controllers->error;
    size_t sensors = place_cells(controller->sensors, controller->n_sensors);
    size_t commands = place_cells(controller->commands, controller->n_commands);
    if (sensors > 8 * HIL_CELLS_MAX || commands > 8 * HIL_CELLS_MAX) {
        return hil_fail(error, HIL_CODE_CHANNEL, 0,
                        "the sensors have %zu elements in all, the commands %zu: at most %d each",
                        sensors / 8, commands / 8, HIL_CELLS_MAX);
    }
    size_t most = largest(controller->sensors, controller->n_sensors);
    size_t other = largest(controller->commands, controller->n_commands);
    controller->command_cells = commands / 8;
    controller->out_size = controller->out_at = HIL_SENSORS_CELLS + sensors;
    controller->out = calloc(1, controller->out_size);
    controller->command = calloc(1, commands + 1);
    controller->value = calloc(1, most > other ? most : other);
    if (!controller->out || !controller->command || !controller->value) {
        return hil_fail(error, HIL_CODE_BUSY, 0, "the world is out of memory");
    }
    hil_put_head(controller->out, controller->out_size, HIL_SENSORS);
    for (size_t i = 0; i < controller->n_sensors; i++) {
        const struct controller_channel *sensor = &controller->sensors[i];
        hil_cells_clear(sensor->channel.desc, controller->out + HIL_SENSORS_CELLS + sensor->at);
    }
    return 0;
}

static int answer(struct controllers *controllers, const struct controller *controller)
{
    uint8_t *reply = controllers->reply;
    size_t at = hil_resolved_begin(reply, (unsigned)controller->n_sensors,
                                   (unsigned)controller->n_commands);
    for (size_t i = 0; i < controller->n_sensors; i++) {
        at = hil_resolved_add(reply, at, controller->sensors[i].channel.desc);
    }
    for (size_t i = 0; i < controller->n_commands; i++) {
        at = hil_resolved_add(reply, at, controller->commands[i].channel.desc);
    }
    return controller_send(controller, reply, hil_resolved_end(reply, at)) == 0
               ? 0
               : hil_fail(&controllers->error, HIL_CODE_GARBAGE, 0, "it does not read");
}

static int make_room(struct controllers *controllers, struct controller *controller, size_t size)
{
    struct dpl_link_config config = {0};
    size_t room = size / HIL_CHANNEL_HEAD + 1;
    room = room < 2 * HIL_CHANNELS_MAX ? room : 2 * HIL_CHANNELS_MAX;
    controller->sensors = calloc(room, sizeof *controller->sensors);
    controller->commands = calloc(room, sizeof *controller->commands);
    if (!controller->sensors || !controller->commands ||
        link_embedded_prepare(controllers->world, &config, &controller->link, NULL) < 0) {
        return hil_fail(&controllers->error, HIL_CODE_BUSY, 0, "the world is out of memory");
    }
    ((struct hosted_link *)controller->link)->many_parts = true; /* see `claim` */
    return 0;
}

static int resolve(struct controllers *controllers, struct controller *controller, size_t size)
{
    if (!controller->greeted) {
        return hil_fail(&controllers->error, HIL_CODE_GARBAGE, 0, "CHANNELS before HELLO");
    }
    int err = make_room(controllers, controller, size);
    err = err < 0 ? err : add_all(controllers, controller, size);
    err = err < 0 ? err : make_frames(controllers, controller);
    if (err == 0) { /* no step comes between the answer and the first frame */
        set_state(controller, CONTROLLER_JOINING);
        err = answer(controllers, controller);
    }
    if (err < 0) {
        set_state(controller, CONTROLLER_GREETING);
        greeting_undo(controllers, controller);
        return err;
    }
    return 0;
}

/* ---- messages ---- */

/* A busy channel may be of one that is about to be let go. */
static int be_patient(struct controller *controller, dpl_ns now)
{
    controller->patience = controller->patience ? controller->patience : now + CONTROLLERS_PATIENCE;
    return now < controller->patience ? -EAGAIN : -EINVAL;
}

static void join(struct controllers *controllers, struct controller *controller)
{
    controllers_say(
        controllers, CONTROLLERS_COMING,
        "controller '%s' joined: %s, a frame every %u steps, %zu sensors, %zu commands",
        controller->name, controller->hello.mode == HIL_LOCK_STEP ? "lock-step" : "free-running",
        (unsigned)controller->hello.every, controller->n_sensors, controller->n_commands);
    controller->given = true;
    hosted_link_join((struct hosted_link *)controller->link);
    atomic_fetch_add_explicit(&controllers->counts.joined, 1, memory_order_relaxed);
    set_state(controller, CONTROLLER_JOINED);
}

int greeting_advance(struct controllers *controllers, struct controller *controller, dpl_ns now)
{
    enum hil_kind kind;
    size_t size;
    struct hil_error *error = &controllers->error;
    int err;
    while ((err = hil_head_read(controller->in, controller->n_in, &kind, &size, error)) == 0 &&
           controller->n_in >= size) {
        if (kind == HIL_HELLO) {
            err = greet(controllers, controller, size);
        } else if (kind == HIL_CHANNELS) {
            err = resolve(controllers, controller, size);
        } else {
            err = hil_fail(error, HIL_CODE_GARBAGE, 4, "expected HELLO, then CHANNELS");
        }
        if (err == -EAGAIN) {
            return be_patient(controller, now);
        }
        if (err < 0) {
            return err;
        }
        controller_used(controller, size);
        if (kind == HIL_CHANNELS) {
            join(controllers, controller);
            return 1;
        }
    }
    return err == -EINVAL ? err : 0;
}
