/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of joints: those of a device of a world in STAR's format, embedded or served
 * at ip:port. The motors of the world close the loops; while nobody commands them the world holds
 * the joints still. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/joints.h>
#include <doppel/plugin.h>

#include "avatar_link.h"
#include "joint_names.h"

struct properties {
    struct avatar_link_properties link; /* without a robot: the link is about the whole world */
    char device[160];
    char joints[2048];
    bool take_over;
};

enum { MODES = DPL_JOINTS_EFFORT + 1 };

struct joint {
    struct dpl_channel position, velocity, effort;
    struct dpl_channel command[MODES];
};

struct state {
    struct avatar_link avatar;
    struct joint_names names;
    struct joint joints[DPL_JOINTS_MAX];
    struct dpl_joints_state newest;
    struct dpl_joints_command command; /* the newest one; n 0: nobody commands */
    bool is_stopped;                   /* the command is the one of stop */
    bool is_again;                     /* it must be put once more: see put_command */
};

/* ---- channels ---- */

static int bind_commands(struct state *state, struct joint *joint, const char *path,
                         struct dpl_diag *reterr)
{
    const struct dpl_channel_type *number = &dpl_channel_number;
    const struct avatar_want wants[] = {
        {path, "command/position", number, NULL, true, &joint->command[DPL_JOINTS_POSITION]},
        {path, "command/velocity", number, NULL, true, &joint->command[DPL_JOINTS_VELOCITY]},
        {path, "command/effort", number, NULL, true, &joint->command[DPL_JOINTS_EFFORT]},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    return err == -ENOENT
               ? dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                          "joint '%s' cannot be commanded: it has no motor in its world", path)
               : err;
}

static int bind_joint(struct state *state, size_t i, const char *device, struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX];
    struct joint *joint = &state->joints[i];
    const struct dpl_channel_type *number = &dpl_channel_number;
    snprintf(path, sizeof path, "%s/%s", device, state->names.name[i]);
    const struct avatar_want wants[] = {
        {path, "position", number, NULL, false, &joint->position},
        {path, "velocity", number, NULL, false, &joint->velocity},
        {path, "effort", number, NULL, false, &joint->effort},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    return err < 0 ? err : bind_commands(state, joint, path, reterr);
}

/* A name that is wrong is an error of the profile, not of the world's file. */
static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_diag why = {.text = ""};
    int err = 0;
    for (size_t i = 0; i < state->names.n && err == 0; i++) {
        err = bind_joint(state, i, props->device, &why);
    }
    return err < 0 && err != -EAGAIN
               ? dpl_fail(reterr, err, (struct dpl_place){0}, "Device or Joints: %.400s", why.text)
               : err;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    joint_names_parse(props->joints, &state->names);
    state->newest.n = (int64_t)state->names.n;
    return avatar_link_open(device, &state->avatar, &props->link, props->take_over, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

/* ---- commands ---- */

static void put_values(struct state *state)
{
    const struct dpl_joints_command *command = &state->command;
    for (int64_t i = 0; i < command->n; i++) {
        dpl_channel_put_number(state->joints[i].command[command->mode], command->value[i]);
    }
}

/* A link to a served world repeats what was put, so the commands of another mode are released
 * first. The world may release after it has taken the new values: they are put once more in the
 * next cycle. */
static void put_command(struct state *state, const struct dpl_joints_command *command)
{
    if (state->command.n > 0 && state->command.mode != command->mode) {
        dpl_link_release(state->avatar.link);
        state->is_again = true;
    }
    state->command = *command;
    put_values(state);
}

static int avatar_command(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_joints_command *command = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (command->n != state->newest.n) {
        return -EINVAL;
    }
    if (!state->avatar.bound) {
        return -EPERM;
    }
    state->is_stopped = false;
    put_command(state, command);
    return 0;
}

static void release(struct state *state)
{
    state->command = (struct dpl_joints_command){0};
    state->is_again = false;
    if (state->avatar.bound) {
        dpl_link_release(state->avatar.link);
    }
}

/* Each joint holds the position where it is, also against its weight: a motor without stiffness at
 * least resists. Once: another stop does not take a new position. A world that is lost may begin
 * anew, with the joints elsewhere: it gets nothing. */
static int avatar_stop(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct state *state = device->state;
    struct dpl_joints_command hold = {.mode = DPL_JOINTS_POSITION, .n = state->newest.n};
    if (state->is_stopped || state->command.n == 0) {
        return 0;
    }
    if (state->newest.valid && !dpl_device_is_lost(device)) {
        memcpy(hold.value, state->newest.position, sizeof hold.value);
        put_command(state, &hold);
    } else {
        release(state);
    }
    state->is_stopped = true;
    return 0;
}

static int avatar_disable(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    release(device->state);
    return 0;
}

/* ---- readings ---- */

static int read_joint(const struct joint *joint, struct dpl_joints_state *state, size_t i)
{
    int err = dpl_channel_get(joint->position, &state->position[i], &state->stamp);
    err = err < 0 ? err : dpl_channel_get(joint->velocity, &state->velocity[i], NULL);
    return err < 0 ? err : dpl_channel_get(joint->effort, &state->effort[i], NULL);
}

static void read_joints(struct state *state)
{
    struct dpl_joints_state newest = state->newest;
    int err = 0;
    for (size_t i = 0; i < state->names.n && err == 0; i++) {
        err = read_joint(&state->joints[i], &newest, i);
    }
    if (err == 0) {
        newest.valid = newest.ready = true;
        state->newest = newest;
    }
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct state *state = device->state;
    int err = avatar_link_ready(device, &state->avatar);
    if (err < 0) {
        state->newest.valid = state->newest.ready = false;
        return err == -EAGAIN ? 0 : err; /* a served world that has not answered yet is no error */
    }
    if (dpl_link_refresh(state->avatar.link, NULL) == 0) {
        read_joints(state);
    }
    if (state->is_again) {
        state->is_again = false;
        put_values(state);
    }
    return 0;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    (void)in;
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_joints_state *)out = state->newest;
    return 0;
}

/* ---- tables ---- */

static const dpl_device_call_fn api[DPL_DRV_JOINTS_N_CALLS] = {
    [DPL_DRV_JOINTS_DISABLE] = avatar_disable, [DPL_DRV_JOINTS_COMMAND] = avatar_command,
    [DPL_DRV_JOINTS_STOP] = avatar_stop,       [DPL_DRV_JOINTS_EXECUTE] = avatar_execute,
    [DPL_DRV_JOINTS_READ] = avatar_read,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, device, "Device", NULL,
             "path of the device in the world, such as 'cell/robot/arm'"),
    JOINT_NAMES_FIELD(struct properties, joints),
    AVATAR_WORLD_FIELDS(struct properties, link),
    DPL_BOOL(struct properties, take_over, "TakeOver", "false",
             "command the joints of a served world even if another program does; the other program "
             "gets an error"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "joints of a device in an avatar world, embedded or at ip:port",
    .device_class = &dpl_joints_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
