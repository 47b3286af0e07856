/* SPDX-License-Identifier: Apache-2.0 */
/* The operator of a door or a gate: told to open or to close it goes to that end by a trapezoid of
 * its speed, and pushes with at most its effort, also when something blocks the door. At an end it
 * still wants a slow speed, so it presses the door against the stop; without a stop the door comes
 * to rest as far beyond the end as `press` says. */
#include <errno.h>
#include <math.h>

#include <doppel/math/signal.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_opener_motor;

struct ramp {
    double speed, acceleration;
};

struct settings {
    double open, closed, creep, press, gain, max_effort;
    struct ramp opening, closing;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER_OF_JOINT(struct settings, open, "open", "rad|m", NULL, -1e9, 1e9,
                        "value of the joint where it is open"),
    DPL_NUMBER_OF_JOINT(struct settings, closed, "closed", "rad|m", "0", -1e9, 1e9,
                        "and where it is closed"),
    DPL_NUMBER_OF_JOINT(struct settings, opening.speed, "open_speed", "rad/s|m/s", NULL, 1e-6, 1e6,
                        "the most when it opens"),
    DPL_NUMBER(struct settings, opening.acceleration, "open_acceleration", NULL, NULL, 1e-6, 1e9,
               "rad/s^2 or m/s^2: of its speed when it opens"),
    DPL_NUMBER_OF_JOINT(struct settings, closing.speed, "close_speed", "rad/s|m/s", NULL, 1e-6, 1e6,
                        "the most when it closes"),
    DPL_NUMBER(struct settings, closing.acceleration, "close_acceleration", NULL, NULL, 1e-6, 1e9,
               "rad/s^2 or m/s^2: of its speed when it closes"),
    DPL_NUMBER_OF_JOINT(struct settings, creep, "creep", "rad/s|m/s", "0.02", 0.0, 1e6,
                        "the least speed that it wants until it is there, and there"),
    DPL_NUMBER_OF_JOINT(struct settings, press, "press", "rad|m", "0.005", 1e-9, 1e6,
                        "so far beyond the end it wants no speed any more"),
    DPL_NUMBER(struct settings, gain, "gain", NULL, NULL, 0.0, 1e12,
               "N m s/rad or N s/m: effort per error of the speed"),
    DPL_NUMBER_OF_JOINT(struct settings, max_effort, "max_effort", "N m|N", NULL, 0.0, 1e12,
                        "the most that it gives"),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    return fabs(settings->open - settings->closed) > 0.0
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "motor of type opener: it is open and closed at the same place");
}

struct opener {
    const struct dpl_sim_site *site;
    bool open, close; /* what it is told; both, or neither: stand still */
    double speed;     /* that is wanted */
    double effort;
    bool is_spent; /* it gives the most that it can */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct opener *self = state;
    (void)reterr;
    self->site = site;
    return 0;
}

/* The speed towards an end after this step. */
static double next_speed(const struct opener *self, const struct dpl_sim_tick *tick)
{
    const struct settings *settings = self->site->entry->settings;
    const struct ramp *ramp = self->open ? &settings->opening : &settings->closing;
    double end = self->open ? settings->open : settings->closed;
    double way = end - self->site->state->joints.position[self->site->joint];
    double sign = (self->open ? 1.0 : -1.0) * (settings->open > settings->closed ? 1.0 : -1.0);
    double left = sign * way, dt = tick->dt;
    double pressing = settings->creep * (1.0 + left / settings->press);
    double braking = left > 0.0 ? fmax(sqrt(2.0 * ramp->acceleration * left), settings->creep)
                                : fmax(pressing, -ramp->speed);
    double faster = sign * self->speed + ramp->acceleration * dt;
    return sign * fmin(fmin(faster, braking), ramp->speed);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct opener *self = state;
    const struct dpl_sim_site *site = self->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double speed = joints->velocity[site->joint];
    self->speed = self->open != self->close ? next_speed(self, tick) : 0.0;
    double effort = settings->gain * (self->speed - speed);
    self->effort = dpl_clamp(effort, -settings->max_effort, settings->max_effort);
    self->is_spent = self->effort != effort;
    if (self->is_spent) { /* the speed that it wants does not run away */
        self->speed = speed + self->effort / settings->gain;
    }
    joints->push[site->joint] = self->effort;
    joints->driven[site->joint] = true;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct opener *self = state;
    const struct settings *settings = self->site->entry->settings;
    ret_limits[0] = (struct dpl_sim_actuator_limit){
        "max_effort", settings->max_effort, self->site->entry->turns ? "N m" : "N", self->is_spent};
    return 1;
}

/* ---- channels ---- */

static struct opener *opener_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_opener_motor, id);
}

static int put_open(struct dpl_world *world, int id, const void *value)
{
    opener_of(world, id)->open = *(const bool *)value;
    return 0;
}

static int put_close(struct dpl_world *world, int id, const void *value)
{
    opener_of(world, id)->close = *(const bool *)value;
    return 0;
}

static void release_open(struct dpl_world *world, int id)
{
    opener_of(world, id)->open = false;
}

static void release_close(struct dpl_world *world, int id)
{
    opener_of(world, id)->close = false;
}

static int get_force(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = fabs(opener_of(world, id)->effort);
    return 0;
}

static void describe_force(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    inout->unit = opener_of(world, id)->site->entry->turns ? "N m" : "N";
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "open",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "it shall open",
        .put = put_open,
        .release = release_open,
    },
    {
        .name = "close",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "it shall close; with `open`: stand still",
        .put = put_close,
        .release = release_close,
    },
    DPL_CHANNEL_READ("force", &dpl_channel_number, DPL_CHANNEL_OUT, "N", 0,
                     "how hard it pushes, without a sign", get_force, describe_force),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_opener_motor = {
    .name = "opener",
    .summary = "opens and closes a door",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct opener),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "opener",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_PUSH,
};
