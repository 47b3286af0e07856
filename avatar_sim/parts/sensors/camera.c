/* SPDX-License-Identifier: Apache-2.0 */
/* A camera: the colours of solids in the light of a sun and of the sky. It casts one ray through
 * the middle of each pixel, so its edges are not smoothed. */
#include <math.h>

#include <doppel/math/vector3.h>

#include "element.h"
#include "pinhole.h"

extern const struct dpl_sim_entry_class dpl_camera;

enum colors { COLORS_RGB, COLORS_GREY };

struct settings {
    struct dpl__pinhole_settings pinhole; /* first: its name is that of the entry */
    int colors;                           /* enum colors */
    double sun_azimuth, sun_elevation, ambient, noise;
    bool shadows;
};

static const struct dpl_field fields[] = {
    DPL__PINHOLE_FIELDS(struct settings, pinhole, "1000"),
    DPL_CHOICE(struct settings, colors, "colors", "rgb", "rgb|grey",
               "three values a pixel, or one: its brightness"),
    DPL_NUMBER(struct settings, sun_azimuth, "sun_azimuth", "rad", "-0.9", -10.0, 10.0,
               "where the light comes from: from x of the world towards y"),
    DPL_NUMBER(struct settings, sun_elevation, "sun_elevation", "rad", "0.9", 0.0, 1.5708,
               "where the light comes from: above the ground"),
    DPL_NUMBER(struct settings, ambient, "ambient", NULL, "0.4", 0.0, 1.0,
               "share of the light that comes from everywhere"),
    DPL_BOOL(struct settings, shadows, "shadows", "false", "what is in the way of the sun darkens"),
    DPL_NUMBER(struct settings, noise, "noise", NULL, "0", 0.0, 1.0,
               "standard deviation of a value, of 1 for white"),
};

struct color {
    double of[3];
};

static const struct color sky = {{0.74, 0.84, 0.94}};
static const struct color ground = {{0.62, 0.61, 0.58}};
static const struct color obstacle = {{0.83, 0.82, 0.79}};
static const struct color robot = {{0.30, 0.50, 0.75}};
static const double tile = 1.0;       /* m: the ground is a chessboard */
static const double tile_share = 0.1; /* of its brightness, near by */
static const double tile_far = 25.0;  /* m: where that is half as much */

static size_t values_a_pixel(const struct settings *settings)
{
    return settings->colors == COLORS_GREY ? 1 : 3;
}

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    return dpl__pinhole_check(&settings->pinhole, values_a_pixel(settings), reterr);
}

static size_t reserve(const void *of)
{
    const struct settings *settings = of;
    return dpl__pinhole_reserve(&settings->pinhole, values_a_pixel(settings));
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__pinhole_build(state, site, &settings->pinhole, values_a_pixel(settings));
}

static struct color ground_at(struct dpl_vector3 at, double range)
{
    double far = range / tile_far, way = tile_share / (1.0 + far * far);
    bool odd = fmod(fabs(floor(at.x / tile) + floor(at.y / tile)), 2.0) > 0.5;
    double share = odd ? 1.0 - way : 1.0 + way;
    return (struct color){{share * ground.of[0], share * ground.of[1], share * ground.of[2]}};
}

static struct color color_of(const struct dpl__scenery_hit *hit, struct dpl_vector3 at)
{
    const struct dpl__scenery_thing *thing = hit->thing;
    if (!thing) {
        return ground_at(at, hit->range);
    }
    if (thing->solid.has_color) {
        const double *own = thing->solid.color;
        return (struct color){{own[0], own[1], own[2]}};
    }
    return thing->body < 0 ? obstacle : robot;
}

static struct dpl_vector3 to_sun(const struct settings *settings)
{
    double level = cos(settings->sun_elevation);
    return (struct dpl_vector3){level * cos(settings->sun_azimuth),
                                level * sin(settings->sun_azimuth), sin(settings->sun_elevation)};
}

static bool is_shaded(const struct dpl__scenery *scenery, struct dpl_vector3 at,
                      struct dpl_vector3 normal, struct dpl_vector3 sun)
{
    static const double off = 1e-6; /* m: not what it lies on */
    struct dpl__scenery_ray ray = {
        .from = dpl_vector3_add(at, dpl_vector3_times(normal, off)),
        .along = sun,
        .max_range = DPL_SIM_EXTENT,
        .robot = -1,
        .body = -1,
    };
    return isfinite(dpl__scenery_cast(scenery, &ray).range);
}

/* The colour times (ambient light + the sun's by the cosine of its angle): Lambert's law. */
static struct color lit(const struct dpl__pinhole *pinhole, const struct settings *settings,
                        const struct dpl__scenery_ray *ray, const struct dpl__scenery_hit *hit)
{
    struct dpl_vector3 at = dpl_vector3_add(ray->from, dpl_vector3_times(ray->along, hit->range));
    struct dpl_vector3 normal = dpl__scenery_normal(ray, hit), sun = to_sun(settings);
    struct color color = color_of(hit, at);
    double share = fmax(dpl_vector3_dot(normal, sun), 0.0);
    if (share > 0.0 && settings->shadows && is_shaded(pinhole->scenery, at, normal, sun)) {
        share = 0.0;
    }
    double light = settings->ambient + (1.0 - settings->ambient) * share;
    return (struct color){{light * color.of[0], light * color.of[1], light * color.of[2]}};
}

static float value_of(struct dpl__pinhole *pinhole, const struct settings *settings, double value)
{
    if (settings->noise > 0.0) {
        value += settings->noise * dpl_random_normal(&pinhole->rng);
    }
    return (float)dpl_clamp(value, 0.0, 1.0);
}

static float *put_pixel(struct dpl__pinhole *pinhole, const struct dpl__scenery_ray *ray,
                        const struct dpl__scenery_hit *hit, double depth, float *to)
{
    const struct settings *settings = pinhole->site->entry->settings;
    bool sees = isfinite(depth) && depth >= settings->pinhole.min_range;
    struct color color = sees ? lit(pinhole, settings, ray, hit) : sky;
    const double *of = color.of;
    if (settings->colors == COLORS_GREY) { /* as ITU-R BT.601 weighs them */
        *to = value_of(pinhole, settings, 0.299 * of[0] + 0.587 * of[1] + 0.114 * of[2]);
        return to + 1;
    }
    for (int i = 0; i < 3; i++) {
        to[i] = value_of(pinhole, settings, of[i]);
    }
    return to + 3;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    dpl__pinhole_step(state, tick->now, put_pixel);
}

DPL__PINHOLE_CALLS(dpl_camera)

static const struct dpl_channel_row rows[] = {
    DPL__PINHOLE_ROWS(NULL, "0 (dark) to 1, row by row from the top left; red, green, blue, or one "
                            "value a pixel"),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_camera = {
    .name = "camera",
    .summary = "takes pictures",
    .phase = DPL_SIM_SENSOR,
    .element = "camera",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .reserve = reserve,
    .state_size = sizeof(struct dpl__pinhole),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "camera",
};
