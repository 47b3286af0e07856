/* SPDX-License-Identifier: Apache-2.0 */
/* A radar: how far the things in its cone are, where, and how fast they come or go (what the
 * Doppler shift tells). Rays find them, as with other sensors that see; a target is a body, or a
 * thing that stands still, at the nearest of the points where rays meet it. The ground gives no
 * echo. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "element.h"
#include "measuring.h"
#include "scenery.h"

extern const struct dpl_sim_entry_class dpl_radar;

enum { TARGETS_MAX = 32, RAYS_MAX = 2000 };

struct settings {
    struct dpl__measuring_settings measuring;
    struct dpl_vector3 mount;
    double yaw, pitch, roll;
    double min_range, max_range, cone, speed_noise, angle_noise;
    int64_t rays, targets;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, mount.x, "x", "m", "0", -1e4, 1e4, "mount, in the body"),
    DPL_NUMBER(struct settings, mount.y, "y", "m", "0", -1e4, 1e4, "mount"),
    DPL_NUMBER(struct settings, mount.z, "z", "m", "0", -1e4, 1e4, "mount"),
    DPL_NUMBER(struct settings, yaw, "yaw", "rad", "0", -10.0, 10.0,
               "of the mount, which looks along its x"),
    DPL_NUMBER(struct settings, pitch, "pitch", "rad", "0", -10.0, 10.0, "of the mount"),
    DPL_NUMBER(struct settings, roll, "roll", "rad", "0", -10.0, 10.0, "of the mount"),
    DPL_NUMBER(struct settings, min_range, "min_range", "m", "0", 0.0, 1e4,
               "what is nearer gives no echo"),
    DPL_NUMBER(struct settings, max_range, "max_range", "m", NULL, 1e-6, 1e4,
               "nor what is farther"),
    DPL_NUMBER(struct settings, cone, "cone", "rad", "0.35", 0.0, 3.1,
               "whole angle in which it sees"),
    DPL_INT(struct settings, rays, "rays", "200", 1, RAYS_MAX, "in the cone, evenly; one: ahead"),
    DPL_INT(struct settings, targets, "targets", "8", 1, TARGETS_MAX,
            "the most that it tells: the nearest ones"),
    DPL__SPREAD_FIELDS(DPL_NUMBER, struct settings, measuring, "m"),
    DPL_NUMBER(struct settings, speed_noise, "speed_noise", "m/s", "0", 0.0, 1e3,
               "standard deviation of a speed"),
    DPL_NUMBER(struct settings, angle_noise, "angle_noise", "rad", "0", 0.0, 3.0,
               "standard deviation of each angle"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
};

/* A thing and the nearest point of it. */
struct echo {
    const struct dpl__scenery_thing *thing;
    double range;
    struct dpl_vector3 along; /* in the mount */
};

struct radar {
    struct dpl__measuring measuring; /* the first member */
    struct echo echoes[TARGETS_MAX]; /* [n], the nearest first */
    size_t n;
};

/* What is measured: how many, then so many of each. */
enum { RANGE, SPEED, AZIMUTH, ELEVATION, LISTS };

static size_t list_at(const struct settings *settings, int list)
{
    return 1 + (size_t)list * (size_t)settings->targets;
}

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    return settings->min_range < settings->max_range
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "sensor of type radar: min_range %g m is not below max_range %g m",
                          settings->min_range, settings->max_range);
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct radar *radar = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__scenery_of(site)
               ? dpl__measuring_build(&radar->measuring, site, &settings->measuring,
                                      list_at(settings, LISTS))
               : -ENOMEM;
}

/* ---- a measurement ---- */

/* Ray i of n: the points of a sunflower on the cap of a sphere (Vogel 1979), the first ahead. */
static struct dpl_vector3 ray_of(const struct settings *settings, int64_t i)
{
    const double golden_angle = DPL_PI * (3.0 - sqrt(5.0));
    double share = settings->rays > 1 ? (double)i / (double)(settings->rays - 1) : 0.0;
    double c = 1.0 - share * (1.0 - cos(0.5 * settings->cone)), s = sqrt(fmax(1.0 - c * c, 0.0));
    double around = golden_angle * (double)i;
    return (struct dpl_vector3){c, s * cos(around), s * sin(around)};
}

static bool is_same(const struct dpl__scenery_thing *a, const struct dpl__scenery_thing *b)
{
    return a == b || (a->body >= 0 && a->body == b->body);
}

/* Keeps the nearest point of each thing, and of all the nearest things. */
static void hear(struct radar *radar, size_t most, struct echo heard)
{
    size_t at = radar->n;
    for (size_t i = 0; i < radar->n; i++) {
        if (is_same(radar->echoes[i].thing, heard.thing)) {
            if (radar->echoes[i].range <= heard.range) {
                return;
            }
            at = i;
        }
    }
    if (at == most) {
        if (radar->echoes[most - 1].range <= heard.range) {
            return;
        }
        at = most - 1;
    } else if (at == radar->n) {
        radar->n++;
    }
    for (; at > 0 && radar->echoes[at - 1].range > heard.range; at--) {
        radar->echoes[at] = radar->echoes[at - 1];
    }
    radar->echoes[at] = heard;
}

static struct dpl_pose3 mount_now(const struct dpl_sim_site *site)
{
    const struct settings *settings = site->entry->settings;
    struct dpl_pose3 mount = {
        settings->mount, dpl_quaternion_from_rpy(settings->roll, settings->pitch, settings->yaw)};
    return dpl_pose3_compose(dpl_sim_body_pose3(site->state, site->body), mount);
}

static void look(struct radar *radar, const struct dpl_pose3 *mount, dpl_ns now)
{
    const struct dpl_sim_site *site = radar->measuring.site;
    const struct settings *settings = site->entry->settings;
    struct dpl__scenery *scenery = dpl__scenery_of(site);
    dpl__scenery_refresh_at(scenery, now);
    radar->n = 0;
    for (int64_t i = 0; i < settings->rays; i++) {
        struct dpl_vector3 along = ray_of(settings, i);
        struct dpl__scenery_ray ray = {.from = mount->position,
                                       .along = dpl_quaternion_turn(mount->orientation, along),
                                       .max_range = settings->max_range,
                                       .robot = dpl__scenery_own_robot(site),
                                       .body = site->body};
        struct dpl__scenery_hit hit = dpl__scenery_cast(scenery, &ray);
        if (hit.thing && hit.range >= settings->min_range && hit.range <= settings->max_range) {
            hear(radar, (size_t)settings->targets, (struct echo){hit.thing, hit.range, along});
        }
    }
}

/* The velocity of a point of a body, in the world. */
static struct dpl_vector3 velocity_at(const struct dpl_sim_bodies *bodies, int body,
                                      struct dpl_vector3 point)
{
    const double *p = bodies->position[body], *v = bodies->velocity[body],
                 *w = bodies->angular[body];
    struct dpl_vector3 arm = {point.x - p[0], point.y - p[1], point.z - p[2]};
    return dpl_vector3_add((struct dpl_vector3){v[0], v[1], v[2]},
                           dpl_vector3_cross((struct dpl_vector3){w[0], w[1], w[2]}, arm));
}

/* By how much the range of an echo grows, m/s. */
static double speed_of(const struct dpl_sim_site *site, const struct dpl_pose3 *mount,
                       const struct echo *echo)
{
    const struct dpl_sim_bodies *bodies = &site->state->bodies;
    struct dpl_vector3 along = dpl_quaternion_turn(mount->orientation, echo->along), v = {0};
    if (echo->thing->body >= 0) {
        struct dpl_vector3 point =
            dpl_vector3_add(mount->position, dpl_vector3_times(along, echo->range));
        v = velocity_at(bodies, echo->thing->body, point);
    }
    v = dpl_vector3_minus(v, velocity_at(bodies, site->body, mount->position));
    return dpl_vector3_dot(v, along);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct radar *radar = state;
    struct dpl__measuring *measuring = &radar->measuring;
    const struct settings *settings = measuring->site->entry->settings;
    double values[1 + LISTS * TARGETS_MAX] = {0.0};
    struct dpl_pose3 mount = mount_now(measuring->site);
    look(radar, &mount, tick->now);
    values[0] = (double)radar->n;
    for (size_t i = 0; i < radar->n; i++) {
        const struct echo *echo = &radar->echoes[i];
        const struct dpl_vector3 *along = &echo->along;
        const double truths[LISTS] = {
            [SPEED] = speed_of(measuring->site, &mount, echo),
            [AZIMUTH] = atan2(along->y, along->x),
            [ELEVATION] = atan2(along->z, hypot(along->x, along->y)),
        };
        values[list_at(settings, RANGE) + i] =
            dpl__measuring_spoil(measuring, tick->now, echo->range);
        for (int list = SPEED; list < LISTS; list++) {
            double noise = list == SPEED ? settings->speed_noise : settings->angle_noise;
            double error = noise > 0.0 ? noise * dpl_random_normal(&measuring->spread.rng) : 0.0;
            values[list_at(settings, list) + i] = truths[list] + error;
        }
    }
    dpl__measuring_take(measuring, tick->now, values);
}

/* ---- channels ---- */

DPL__MEASURING_GET(dpl_radar, count, int64_t, 0)

static const struct settings *settings_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry_site(world, &dpl_radar, id)->entry->settings;
}

static int get_list(const struct dpl_world *world, int id, int list, double *ret_values,
                    dpl_ns *inout_stamp)
{
    const struct settings *settings = settings_of(world, id);
    const double *newest =
        dpl__measuring_newest(dpl_world_entry(world, &dpl_radar, id), inout_stamp);
    if (!newest) {
        return -EAGAIN;
    }
    memcpy(ret_values, newest + list_at(settings, list),
           (size_t)settings->targets * sizeof *newest);
    return 0;
}

#define LIST(name_, number_)                                                                       \
    static int get_##name_(const struct dpl_world *world, int id, void *ret_value,                 \
                           dpl_ns *inout_stamp)                                                    \
    {                                                                                              \
        return get_list(world, id, number_, ret_value, inout_stamp);                               \
    }
LIST(ranges, RANGE)
LIST(speeds, SPEED)
LIST(azimuths, AZIMUTH)
LIST(elevations, ELEVATION)

static void describe(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    inout->size = (uint32_t)settings_of(world, id)->targets;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("count", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "how many targets there are", get_count, NULL),
    DPL_CHANNEL_READ("ranges", &dpl_channel_vector, DPL_CHANNEL_OUT, "m", 1,
                     "of the targets, the nearest first; then zeros", get_ranges, describe),
    DPL_CHANNEL_READ("speeds", &dpl_channel_vector, DPL_CHANNEL_OUT, "m/s", 1,
                     "by which ranges grow", get_speeds, describe),
    DPL_CHANNEL_READ("azimuths", &dpl_channel_vector, DPL_CHANNEL_OUT, "rad", 1,
                     "of the targets, from x of the mount towards y", get_azimuths, describe),
    DPL_CHANNEL_READ("elevations", &dpl_channel_vector, DPL_CHANNEL_OUT, "rad", 1,
                     "of the targets, towards z", get_elevations, describe),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_radar = {
    .name = "radar",
    .summary = "measures how far things in a cone are, where, and how fast they come or go",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .state_size = sizeof(struct radar),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "radar",
};
