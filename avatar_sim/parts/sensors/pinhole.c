/* SPDX-License-Identifier: Apache-2.0 */
/* See pinhole.h. */
#include "pinhole.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/hash.h>
#include <doppel/math/vector3.h>

#define BYTES_MAX ((size_t)256 << 20) /* of all pictures on their way */

static size_t capacity_of(const struct dpl__pinhole_settings *settings)
{
    return (size_t)(settings->latency_s * settings->rate_hz) + 3;
}

static size_t values_of(const struct dpl__pinhole_settings *settings, size_t values_a_pixel)
{
    return (size_t)(settings->width * settings->height) * values_a_pixel;
}

size_t dpl__pinhole_reserve(const struct dpl__pinhole_settings *settings, size_t values_a_pixel)
{
    return capacity_of(settings) * values_of(settings, values_a_pixel) * sizeof(float);
}

int dpl__pinhole_check(const struct dpl__pinhole_settings *settings, size_t values_a_pixel,
                       struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    if (!(settings->min_range < settings->max_range)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "camera '%s': min_range %g m is not below max_range %g m", settings->name,
                        settings->min_range, settings->max_range);
    }
    if (settings->width * settings->height > DPL__PINHOLE_PIXELS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "camera '%s' has %d x %d pixels, expected %d",
                        settings->name, (int)settings->width, (int)settings->height,
                        DPL__PINHOLE_PIXELS_MAX);
    }
    if (dpl__pinhole_reserve(settings, values_a_pixel) > BYTES_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "camera '%s': with this latency and rate %zu pictures are on their way, "
                        "more than %zu MB",
                        settings->name, capacity_of(settings), BYTES_MAX >> 20);
    }
    return 0;
}

static struct dpl_random random_of(const struct dpl__pinhole_settings *settings,
                                   const struct dpl_sim_site *site)
{
    uint64_t stream = 31 * dpl_hash_text(site->entry->class_->type) +
                      dpl_hash_text(site->entry->name) + 2 * (uint64_t)site->robot;
    uint64_t by = settings->seed ? (uint64_t)settings->seed : site->model->seed;
    return dpl_random_seeded(by, stream);
}

int dpl__pinhole_build(struct dpl__pinhole *pinhole, const struct dpl_sim_site *site,
                       const struct dpl__pinhole_settings *settings, size_t values_a_pixel)
{
    pinhole->settings = settings;
    pinhole->site = site;
    pinhole->scenery = dpl__scenery_of(site);
    pinhole->unseen_robot = dpl__scenery_own_robot(site);
    pinhole->rng = random_of(settings, site);
    pinhole->latency = dpl_ns_from_s(settings->latency_s);
    pinhole->n = values_of(settings, values_a_pixel);
    pinhole->capacity = capacity_of(settings);
    pinhole->pictures =
        dpl_world_alloc(site->world, pinhole->capacity * pinhole->n, sizeof *pinhole->pictures);
    pinhole->stamps = dpl_world_alloc(site->world, pinhole->capacity, sizeof *pinhole->stamps);
    pinhole->mount = (struct dpl_pose3){
        settings->mount, dpl_quaternion_from_rpy(settings->roll, settings->pitch, settings->yaw)};
    pinhole->focal = 0.5 * (double)settings->width / tan(0.5 * settings->fov);
    pinhole->on = settings->on;
    dpl__sample_clock_start(&pinhole->clock, settings->rate_hz, 0);
    return pinhole->scenery && pinhole->pictures && pinhole->stamps ? 0 : -ENOMEM;
}

/* The mount, in the world. */
static struct dpl_pose3 view_of(const struct dpl__pinhole *pinhole)
{
    const struct dpl_sim_bodies *bodies = &pinhole->site->state->bodies;
    const double *at = bodies->position[pinhole->site->body];
    struct dpl_pose3 body = {
        {at[0], at[1], at[2]},
        dpl_quaternion_from_matrix((const double(*)[3])bodies->rotation[pinhole->site->body])};
    return dpl_pose3_compose(body, pinhole->mount);
}

/* The ray through a pixel. *ret_forward: the way along the camera's axis for 1 m of ray. */
static struct dpl__scenery_ray ray_of(const struct dpl__pinhole *pinhole,
                                      const struct dpl_pose3 *view, int64_t column, int64_t row,
                                      double *ret_forward)
{
    const struct dpl__pinhole_settings *settings = pinhole->settings;
    double right = ((double)column + 0.5 - 0.5 * (double)settings->width) / pinhole->focal;
    double down = ((double)row + 0.5 - 0.5 * (double)settings->height) / pinhole->focal;
    double length = sqrt(1.0 + right * right + down * down);
    struct dpl_vector3 own = {1.0 / length, -right / length, -down / length};
    *ret_forward = own.x;
    return (struct dpl__scenery_ray){
        .from = view->position,
        .along = dpl_quaternion_turn(view->orientation, own),
        .max_range = settings->max_range * length,
        .robot = pinhole->unseen_robot,
        .body = pinhole->site->body,
    };
}

void dpl__pinhole_step(struct dpl__pinhole *pinhole, dpl_ns now, dpl__pinhole_pixel *put_pixel)
{
    if (!pinhole->on || now < pinhole->clock.due) {
        return;
    }
    const struct dpl_pose3 view = view_of(pinhole);
    size_t place = (size_t)(pinhole->taken++ % pinhole->capacity);
    float *to = &pinhole->pictures[place * pinhole->n];
    dpl__scenery_refresh_at(pinhole->scenery, now);
    for (int64_t row = 0; row < pinhole->settings->height; row++) {
        for (int64_t column = 0; column < pinhole->settings->width; column++) {
            double forward;
            struct dpl__scenery_ray ray = ray_of(pinhole, &view, column, row, &forward);
            struct dpl__scenery_hit hit = dpl__scenery_cast(pinhole->scenery, &ray);
            to = put_pixel(pinhole, &ray, &hit, forward * hit.range, to);
        }
    }
    pinhole->stamps[place] = now;
    dpl__sample_clock_next(&pinhole->clock, pinhole->settings->rate_hz, now);
}

void dpl__pinhole_turn_on(struct dpl__pinhole *pinhole, bool on)
{
    if (on && !pinhole->on) {
        dpl__sample_clock_start(&pinhole->clock, pinhole->settings->rate_hz,
                                dpl_world_now(pinhole->site->world));
    }
    pinhole->on = on;
}

/* The picture that has arrived last, [n], and when it was taken; NULL: none. */
static const float *newest_of(const struct dpl__pinhole *pinhole, dpl_ns *ret_stamp)
{
    dpl_ns latest = dpl_world_now(pinhole->site->world) - pinhole->latency;
    size_t kept = pinhole->taken < pinhole->capacity ? (size_t)pinhole->taken : pinhole->capacity;
    for (size_t back = 1; back <= kept; back++) {
        size_t place = (size_t)((pinhole->taken - back) % pinhole->capacity);
        if (pinhole->stamps[place] <= latest) {
            *ret_stamp = pinhole->stamps[place];
            return &pinhole->pictures[place * pinhole->n];
        }
    }
    return NULL;
}

int dpl__pinhole_get_image(const struct dpl__pinhole *pinhole, void *ret_value, dpl_ns *inout_stamp)
{
    const float *newest = newest_of(pinhole, inout_stamp);
    if (!newest) {
        return -EAGAIN;
    }
    if (ret_value) {
        memcpy(ret_value, newest, pinhole->n * sizeof *newest);
    }
    return 0;
}

int dpl__pinhole_get_pictures(const struct dpl__pinhole *pinhole, void *ret_value,
                              dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(int64_t *)ret_value = (int64_t)pinhole->taken;
    return 0;
}

int dpl__pinhole_get_lens(const struct dpl__pinhole *pinhole, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl__pinhole_settings *settings = pinhole->settings;
    const double lens[5] = {(double)settings->width, (double)settings->height, pinhole->focal,
                            settings->min_range, settings->max_range};
    memcpy(ret_value, lens, sizeof lens);
    *inout_stamp = 0;
    return 0;
}

int dpl__pinhole_get_mount(const struct dpl__pinhole *pinhole, void *ret_value, dpl_ns *inout_stamp)
{
    memcpy(ret_value, &pinhole->mount, sizeof pinhole->mount);
    *inout_stamp = 0;
    return 0;
}
