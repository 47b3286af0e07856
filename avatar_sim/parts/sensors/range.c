/* SPDX-License-Identifier: Apache-2.0 */
/* A range finder: the distance to what is nearest in its cone. One ray is an infrared or laser
 * range finder; many in a wide cone are an ultrasonic one. */
#include <errno.h>
#include <math.h>

#include "element.h"
#include "measuring.h"
#include "sight.h"

extern const struct dpl_sim_entry_class dpl_range_finder;

struct settings {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl__measuring_settings measuring;
    struct dpl__sight_settings sight;
    double min_range, max_range, resolution, cone;
    int64_t rays;
};

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, name, "name", NULL, "name of the range finder"),
    DPL__SIGHT_FIELDS(struct settings, sight),
    DPL_NUMBER(struct settings, min_range, "min_range", "m", "0", 0.0, 1e4,
               "the least that it gives"),
    DPL_NUMBER(struct settings, max_range, "max_range", "m", NULL, 1e-6, 1e4,
               "the most; it gives this, too, when it sees nothing"),
    DPL_NUMBER(struct settings, resolution, "resolution", "m", "0", 0.0, 10.0,
               "of what it gives; 0: any number"),
    DPL_NUMBER(struct settings, cone, "cone", "rad", "0", 0.0, 3.1,
               "whole angle in which its rays are"),
    DPL_INT(struct settings, rays, "rays", "1", 1, 1000, "in the cone, evenly; one: ahead"),
    DPL__SPREAD_FIELDS(DPL_NUMBER, struct settings, measuring, "m"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
    DPL__RATE_FIELD(struct settings, measuring),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    return settings->min_range < settings->max_range
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "range finder: min_range %g m is not below max_range %g m",
                          settings->min_range, settings->max_range);
}

static int attach(void *settings, const struct dpl_sim_mechanism *mechanism,
                  struct dpl_diag *reterr)
{
    return dpl__sight_attach(&((struct settings *)settings)->sight, mechanism, reterr);
}

enum { DISTANCE, SEEN, VALUES };

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    int rc = dpl__sight_build(site);
    return rc ? rc : dpl__measuring_build(state, site, &settings->measuring, VALUES);
}

/* Ray i of n: the points of a sunflower on the cap of a sphere (Vogel 1979), the first ahead. */
static struct dpl_vector3 ray_of(const struct settings *settings, int64_t i)
{
    const double golden_angle = DPL_PI * (3.0 - sqrt(5.0));
    double share = settings->rays > 1 ? (double)i / (double)(settings->rays - 1) : 0.0;
    double c = 1.0 - share * (1.0 - cos(0.5 * settings->cone)), s = sqrt(fmax(1.0 - c * c, 0.0));
    double around = golden_angle * (double)i;
    return (struct dpl_vector3){c, s * cos(around), s * sin(around)};
}

/* The ground is seen where the axis meets it. What only the edge of a cone meets of it reflects
 * away: a level sonar close to the ground does not see it. */
static double look(const struct settings *settings, const struct dpl_sim_site *site)
{
    double nearest = (double)INFINITY;
    bool axis_meets_ground = false;
    for (int64_t i = 0; i < settings->rays; i++) {
        bool is_ground;
        double range = dpl__sight_cast(&settings->sight, site, ray_of(settings, i),
                                       settings->max_range, &is_ground);
        axis_meets_ground |= i == 0 && is_ground;
        nearest = is_ground && !axis_meets_ground ? nearest : fmin(nearest, range);
    }
    return nearest;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct dpl__measuring *measuring = state;
    const struct settings *settings = measuring->site->entry->settings;
    if (!dpl__measuring_is_due(measuring, tick->now)) {
        return;
    }
    dpl__sight_begin(measuring->site, tick->now);
    double nearest = look(settings, measuring->site);
    bool seen = isfinite(nearest);
    double value = settings->max_range;
    if (seen) {
        value = dpl__measuring_spoil(measuring, tick->now, nearest);
        value = settings->resolution > 0.0
                    ? settings->resolution * round(value / settings->resolution)
                    : value;
        value = dpl_clamp(value, settings->min_range, settings->max_range);
    }
    dpl__measuring_take(measuring, tick->now,
                        (const double[VALUES]){[DISTANCE] = value, [SEEN] = seen});
}

DPL__MEASURING_GET(dpl_range_finder, distance, double, DISTANCE)
DPL__MEASURING_GET(dpl_range_finder, seen, bool, SEEN)

static void describe_distance(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct settings *settings =
        dpl_world_entry_site(world, &dpl_range_finder, id)->entry->settings;
    inout->min = settings->min_range;
    inout->max = settings->max_range;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("distance", &dpl_channel_number, DPL_CHANNEL_OUT, "m", 0,
                     "to what is nearest in its cone", get_distance, describe_distance),
    DPL_CHANNEL_READ("seen", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0, "there is something",
                     get_seen, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_range_finder = {
    .name = "range finder",
    .summary = "measures the distance to what is nearest in a cone",
    .phase = DPL_SIM_SENSOR,
    .element = "range_finder",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct dpl__measuring),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "range",
    .attach = attach,
};
