/* SPDX-License-Identifier: Apache-2.0 */
/* A depth camera: for each pixel how far away is what it sees, along the camera's axis (z of the
 * camera's optical frame, not the length of the ray). */
#include <math.h>

#include "element.h"
#include "pinhole.h"

extern const struct dpl_sim_entry_class dpl_depth_camera;

struct settings {
    struct dpl__pinhole_settings pinhole; /* first: its name is that of the entry */
    double noise, noise_growth, bias, resolution, dropout;
};

static const struct dpl_field fields[] = {
    DPL__PINHOLE_FIELDS(struct settings, pinhole, NULL),
    DPL_NUMBER(struct settings, noise, "noise", "m", "0", 0.0, 100.0,
               "standard deviation of a depth"),
    DPL_NUMBER(struct settings, noise_growth, "noise_growth", NULL, "0", 0.0, 100.0,
               "that is added to it, times the depth squared, in 1/m"),
    DPL_NUMBER(struct settings, bias, "bias", "m", "0", -100.0, 100.0, "constant error"),
    DPL_NUMBER(struct settings, resolution, "resolution", "m", "0", 0.0, 10.0,
               "step of a depth; 0: exact"),
    DPL_NUMBER(struct settings, dropout, "dropout", NULL, "0", 0.0, 1.0,
               "share of the pixels that give nothing"),
};

static int check(const void *of, struct dpl_diag *reterr)
{
    return dpl__pinhole_check(&((const struct settings *)of)->pinhole, 1, reterr);
}

static size_t reserve(const void *of)
{
    return dpl__pinhole_reserve(&((const struct settings *)of)->pinhole, 1);
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__pinhole_build(state, site, &settings->pinhole, 1);
}

/* From a true depth to what the device would report: 0 is no valid measurement. */
static float spoil(struct dpl__pinhole *pinhole, const struct settings *settings, double depth)
{
    if (settings->dropout > 0.0 &&
        dpl_random_uniform(&pinhole->rng, 0.0, 1.0) < settings->dropout) {
        return 0.0f;
    }
    if (isinf(depth)) {
        return 0.0f;
    }
    double deviation = settings->noise + settings->noise_growth * depth * depth;
    depth += settings->bias;
    if (deviation > 0.0) {
        depth += deviation * dpl_random_normal(&pinhole->rng);
    }
    if (settings->resolution > 0.0) {
        depth = floor(depth / settings->resolution + 0.5) * settings->resolution;
    }
    bool valid =
        depth >= settings->pinhole.min_range && depth <= settings->pinhole.max_range && depth > 0.0;
    return valid ? (float)depth : 0.0f;
}

static float *put_pixel(struct dpl__pinhole *pinhole, const struct dpl__scenery_ray *ray,
                        const struct dpl__scenery_hit *hit, double depth, float *to)
{
    (void)ray;
    (void)hit;
    *to = spoil(pinhole, pinhole->site->entry->settings, depth);
    return to + 1;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    dpl__pinhole_step(state, tick->now, put_pixel);
}

DPL__PINHOLE_CALLS(dpl_depth_camera)

static const struct dpl_channel_row rows[] = {
    DPL__PINHOLE_ROWS("m", "depth along its axis, row by row from the top left; 0: no return"),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_depth_camera = {
    .name = "depth camera",
    .summary = "measures how far away what it sees is, for each pixel",
    .phase = DPL_SIM_SENSOR,
    .element = "depth_camera",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .check = check,
    .reserve = reserve,
    .state_size = sizeof(struct dpl__pinhole),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "depth",
};
