/* SPDX-License-Identifier: Apache-2.0 */
/* A load that comes and goes: people in a cabin, a workpiece. It changes by at most its rate; what
 * comes has the speed of its body at once. */
#include <errno.h>
#include <math.h>

#include <doppel/math/geometry.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_ballast;

struct settings {
    double limit, rate, start;
    struct dpl_vector3 at;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, limit, "limit", "kg", NULL, 1e-9, 1e9, "the most that it can be"),
    DPL_NUMBER(struct settings, rate, "rate", "kg/s", "0", 0.0, 1e9,
               "the fastest that it changes; 0: at once"),
    DPL_NUMBER(struct settings, start, "start", "kg", "0", 0.0, 1e9, "how much there is at first"),
    DPL_NUMBER(struct settings, at.x, "x", "m", "0", -1e4, 1e4, "of its place in the body"),
    DPL_NUMBER(struct settings, at.y, "y", "m", "0", -1e4, 1e4, "of its place in the body"),
    DPL_NUMBER(struct settings, at.z, "z", "m", "0", -1e4, 1e4, "of its place in the body"),
};

struct ballast {
    const struct dpl_sim_site *site;
    double wanted, present;
};

static int check(const void *from, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    const struct settings *settings = from;
    return settings->start <= settings->limit
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere, "start: %g kg are more than the limit of %g kg",
                          settings->start, settings->limit);
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct ballast *ballast = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    ballast->site = site;
    ballast->wanted = ballast->present = settings->start;
    site->state->bodies.load[site->body] = settings->start;
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct ballast *ballast = state;
    const struct dpl_sim_site *site = ballast->site;
    const struct settings *settings = site->entry->settings;
    double change = ballast->wanted - ballast->present, most = settings->rate * tick->dt;
    ballast->present = most > 0.0 && fabs(change) > most ? ballast->present + copysign(most, change)
                                                         : ballast->wanted;
    site->state->bodies.load[site->body] = ballast->present;
}

static struct dpl_vector3 load_at(const void *settings)
{
    return ((const struct settings *)settings)->at;
}

/* ---- channels ---- */

static struct ballast *ballast_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_ballast, id);
}

/* What is no number leaves it as it is. */
static int put_mass(struct dpl_world *world, int id, const void *value)
{
    struct ballast *ballast = ballast_of(world, id);
    const struct settings *settings = ballast->site->entry->settings;
    double mass = *(const double *)value;
    if (isfinite(mass)) {
        ballast->wanted = dpl_clamp(mass, 0.0, settings->limit);
    }
    return 0;
}

static void describe_mass(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct settings *settings = ballast_of(world, id)->site->entry->settings;
    inout->min = 0.0;
    inout->max = settings->limit;
}

static int get_present(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = ballast_of(world, id)->present;
    return 0;
}

/* A load stays when the one goes who has put it. */
static const struct dpl_channel_row rows[] = {
    {
        .name = "mass",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "kg",
        .summary = "that there shall be",
        .put = put_mass,
        .describe = describe_mass,
    },
    DPL_CHANNEL_READ("present", &dpl_channel_number, DPL_CHANNEL_OUT, "kg", 0, "that there is",
                     get_present, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_ballast = {
    .name = "ballast",
    .summary = "a load on a body that comes and goes",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct ballast),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "ballast",
    .load_at = load_at,
};
