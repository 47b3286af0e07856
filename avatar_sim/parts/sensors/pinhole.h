/* SPDX-License-Identifier: Apache-2.0 */
/* What cameras and depth cameras have in common: an ideal pinhole on a body that looks along the x
 * axis of its mount, when it takes pictures, and how late they arrive. Pixels are row by row from
 * the top left as the camera sees it: columns go towards -y of the mount, rows towards -z. The ray
 * of a pixel goes through its middle. */
#ifndef DOPPEL_SIM_PINHOLE_H
#define DOPPEL_SIM_PINHOLE_H

#include <doppel/math/random.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/name.h>

#include "sample_clock.h"
#include "scenery.h"

#define DPL__PINHOLE_WIDTH_MAX  1024
#define DPL__PINHOLE_PIXELS_MAX (640 * 480)

struct dpl__pinhole_settings {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl_vector3 mount;
    double yaw, pitch, roll;
    int64_t width, height;
    double fov; /* rad, of the width */
    double min_range, max_range;
    double rate_hz, latency_s;
    int64_t seed; /* of its noise; 0: from that of the world */
    bool on;
};

#define DPL__PINHOLE_FIELDS(type_, member_, max_range_)                                            \
    DPL_TEXT(type_, member_.name, "name", NULL, "name of the camera"),                             \
        DPL_NUMBER(type_, member_.mount.x, "x", "m", "0", -1e4, 1e4, "mount, in the body"),        \
        DPL_NUMBER(type_, member_.mount.y, "y", "m", "0", -1e4, 1e4, "mount"),                     \
        DPL_NUMBER(type_, member_.mount.z, "z", "m", "0", -1e4, 1e4, "mount"),                     \
        DPL_NUMBER(type_, member_.yaw, "yaw", "rad", "0", -10.0, 10.0,                             \
                   "where it looks: from x of the body towards y"),                                \
        DPL_NUMBER(type_, member_.pitch, "pitch", "rad", "0", -10.0, 10.0, "then downwards"),      \
        DPL_NUMBER(type_, member_.roll, "roll", "rad", "0", -10.0, 10.0,                           \
                   "then about where it looks"),                                                   \
        DPL_INT(type_, member_.width, "width", NULL, 1, DPL__PINHOLE_WIDTH_MAX, "pixels"),         \
        DPL_INT(type_, member_.height, "height", NULL, 1, DPL__PINHOLE_WIDTH_MAX, "pixels"),       \
        DPL_NUMBER(type_, member_.fov, "fov", "rad", "1.0471975511965976", 0.01, 3.0,              \
                   "angle of view from left to right"),                                            \
        DPL_NUMBER(type_, member_.min_range, "min_range", "m", "0", 0.0, 1e4,                      \
                   "the nearest it sees, along its axis"),                                         \
        DPL_NUMBER(type_, member_.max_range, "max_range", "m", max_range_, 1e-3, 1e4,              \
                   "the farthest it sees, along its axis"),                                        \
        DPL_NUMBER(type_, member_.rate_hz, "rate_hz", "Hz", "10", 0.01, 1000.0,                    \
                   "pictures a second"),                                                           \
        DPL_NUMBER(type_, member_.latency_s, "latency", "s", "0", 0.0, 10.0,                       \
                   "from a picture to its arrival"),                                               \
        DPL_INT(type_, member_.seed, "seed", "0", 0, 0,                                            \
                "of its noise; 0: from that of the world"),                                        \
        DPL_BOOL(type_, member_.on, "on", "true", "it takes pictures from the start on")

/* The first member of a camera's state. */
struct dpl__pinhole {
    const struct dpl__pinhole_settings *settings;
    const struct dpl_sim_site *site;
    struct dpl__scenery *scenery;
    int unseen_robot;
    bool on;
    struct dpl__sample_clock clock;
    struct dpl_random rng;
    dpl_ns latency;
    uint64_t taken;         /* pictures so far; number i is in place i % capacity */
    size_t n, capacity;     /* n: values of a picture */
    float *pictures;        /* [capacity][n] */
    dpl_ns *stamps;         /* [capacity] when it was taken */
    struct dpl_pose3 mount; /* in the body */
    double focal;           /* pixels */
};

/* Writes the values of one pixel: what its ray meets at `depth` along the camera's axis, inf:
 * nothing. Returns the place of the next pixel. */
typedef float *dpl__pinhole_pixel(struct dpl__pinhole *pinhole, const struct dpl__scenery_ray *ray,
                                  const struct dpl__scenery_hit *hit, double depth, float *to);

int dpl__pinhole_check(const struct dpl__pinhole_settings *settings, size_t values_a_pixel,
                       struct dpl_diag *reterr);
size_t dpl__pinhole_reserve(const struct dpl__pinhole_settings *settings, size_t values_a_pixel);

/* Takes memory from the site's world: 0 or -ENOMEM. Borrows the settings. */
int dpl__pinhole_build(struct dpl__pinhole *pinhole, const struct dpl_sim_site *site,
                       const struct dpl__pinhole_settings *settings, size_t values_a_pixel);

/* Takes a picture if one is due: casts a ray through each pixel, up to max_range along the axis. */
void dpl__pinhole_step(struct dpl__pinhole *pinhole, dpl_ns now, dpl__pinhole_pixel *put_pixel);

void dpl__pinhole_turn_on(struct dpl__pinhole *pinhole, bool on);

/* Values of channels; `n` of a picture may be 0: not copied. */
int dpl__pinhole_get_image(const struct dpl__pinhole *pinhole, void *ret_value,
                           dpl_ns *inout_stamp);
int dpl__pinhole_get_pictures(const struct dpl__pinhole *pinhole, void *ret_value,
                              dpl_ns *inout_stamp);
int dpl__pinhole_get_lens(const struct dpl__pinhole *pinhole, void *ret_value, dpl_ns *inout_stamp);
int dpl__pinhole_get_mount(const struct dpl__pinhole *pinhole, void *ret_value,
                           dpl_ns *inout_stamp);

/* Calls of the channels of a class whose state begins with a struct dpl__pinhole. */
#define DPL__PINHOLE_CALL(class_, name_)                                                           \
    static int get_##name_(const struct dpl_world *world, int id, void *ret_value,                 \
                           dpl_ns *inout_stamp)                                                    \
    {                                                                                              \
        return dpl__pinhole_get_##name_(dpl_world_entry(world, &(class_), id), ret_value,          \
                                        inout_stamp);                                              \
    }
#define DPL__PINHOLE_CALLS(class_)                                                                 \
    DPL__PINHOLE_CALL(class_, image)                                                               \
    DPL__PINHOLE_CALL(class_, pictures)                                                            \
    DPL__PINHOLE_CALL(class_, lens)                                                                \
    DPL__PINHOLE_CALL(class_, mount)                                                               \
    static int put_on(struct dpl_world *world, int id, const void *value)                          \
    {                                                                                              \
        dpl__pinhole_turn_on(dpl_world_entry(world, &(class_), id), *(const bool *)value);         \
        return 0;                                                                                  \
    }                                                                                              \
    static void describe_image(const struct dpl_world *world, int id,                              \
                               struct dpl_channel_desc *inout)                                     \
    {                                                                                              \
        const struct dpl__pinhole *pinhole = dpl_world_entry(world, &(class_), id);                \
        inout->size = (uint32_t)pinhole->n;                                                        \
    }

/* The rows of its channels. */
#define DPL__PINHOLE_ROWS(unit_, summary_)                                                         \
    {                                                                                              \
        .name = "on",                                                                              \
        .type = &dpl_channel_flag,                                                                 \
        .dir = DPL_CHANNEL_SHARED,                                                                 \
        .summary = "whether it takes pictures",                                                    \
        .put = put_on,                                                                             \
    },                                                                                             \
        DPL_CHANNEL_READ("image", &dpl_channel_block, DPL_CHANNEL_OUT, unit_, 0, summary_,         \
                         get_image, describe_image),                                               \
        DPL_CHANNEL_READ("pictures", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,               \
                         "how many were taken", get_pictures, NULL),                               \
        DPL_CHANNEL_READ("lens", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 5,               \
                         "width, height, focal length (pixels), least and greatest range (m)",     \
                         get_lens, NULL),                                                          \
        DPL_CHANNEL_READ("mount", &dpl_channel_pose, DPL_CHANNEL_CONSTANT, NULL, 0, "in its body", \
                         get_mount, NULL)

#endif
