/* SPDX-License-Identifier: Apache-2.0 */
/* A load cell: the force of a joint along one axis, as a force or as the mass of that weight. */
#include <errno.h>
#include <math.h>

#include <doppel/math/gravity.h>
#include <doppel/math/vector3.h>

#include "element.h"
#include "measuring.h"

extern const struct dpl_sim_entry_class dpl_load_cell;

enum unit { UNIT_KG, UNIT_N };

struct settings {
    struct dpl__measuring_settings measuring;
    struct dpl_vector3 axis;
    int unit;
    double zero, filter_s, resolution;
};

static const struct dpl_field fields[] = {
    DPL_CHOICE(struct settings, unit, "unit", "kg", "kg|N",
               "what it gives: the mass, or the force"),
    DPL_NUMBER(struct settings, axis.x, "x", NULL, "0", -1e6, 1e6,
               "of its axis, in the joint's frame in the child; z if no axis is given"),
    DPL_NUMBER(struct settings, axis.y, "y", NULL, "0", -1e6, 1e6, "of its axis"),
    DPL_NUMBER(struct settings, axis.z, "z", NULL, "0", -1e6, 1e6, "of its axis"),
    DPL_NUMBER(struct settings, zero, "zero", NULL, "0", -1e12, 1e12,
               "reading that it gives as 0, kg or N"),
    DPL_NUMBER(struct settings, filter_s, "filter", "s", "0", 0.0, 100.0,
               "time constant of its low-pass; 0: none"),
    DPL_NUMBER(struct settings, resolution, "resolution", NULL, "0", 0.0, 1e9,
               "of what it gives, kg or N; 0: any number"),
    DPL__SPREAD_FIELDS(DPL_NUMBER, struct settings, measuring, NULL),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
};

struct cell {
    struct dpl__measuring measuring; /* first: see measuring.h */
    double filtered;
    bool has_begun;
};

static void complete(void *from)
{
    struct settings *settings = from;
    double length = dpl_vector3_length(settings->axis);
    settings->axis = length > 0.0 ? dpl_vector3_times(settings->axis, 1.0 / length)
                                  : (struct dpl_vector3){.z = 1.0};
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct cell *cell = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    site->state->reactions.wanted[site->reaction] = true;
    return dpl__measuring_build(&cell->measuring, site, &settings->measuring, 1);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct cell *cell = state;
    const struct dpl_sim_site *site = cell->measuring.site;
    const struct settings *settings = site->entry->settings;
    const double *wrench = site->state->reactions.wrench[site->reaction];
    double truth =
        settings->axis.x * wrench[0] + settings->axis.y * wrench[1] + settings->axis.z * wrench[2];
    truth =
        (settings->unit == UNIT_KG ? truth / DPL_STANDARD_GRAVITY_M_S2 : truth) - settings->zero;
    cell->filtered =
        cell->has_begun ? dpl_low_pass(cell->filtered, truth, tick->dt, settings->filter_s) : truth;
    cell->has_begun = true;
    double value = dpl__measuring_spoil(&cell->measuring, tick->now, cell->filtered);
    if (settings->resolution > 0.0) {
        value = settings->resolution * round(value / settings->resolution);
    }
    dpl__measuring_take(&cell->measuring, tick->now, &value);
}

DPL__MEASURING_GET(dpl_load_cell, load, double, 0)

static void describe_load(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct settings *settings =
        dpl_world_entry_site(world, &dpl_load_cell, id)->entry->settings;
    inout->unit = settings->unit == UNIT_KG ? "kg" : "N";
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("load", &dpl_channel_number, DPL_CHANNEL_OUT, "kg", 0,
                     "that the joint carries along its axis", get_load, describe_load),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_load_cell = {
    .name = "load cell",
    .summary = "measures the force of a joint along an axis",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .complete = complete,
    .state_size = sizeof(struct cell),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "load",
    .is_at_joint = true,
    .is_at_whole_joint = true,
};
