/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --image. */
#include "sim_image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "picture_image.h"

static const struct dpl_place nowhere;

/* What a camera's channel "lens" says. */
enum lens { LENS_WIDTH, LENS_HEIGHT, LENS_FOCAL, LENS_MIN, LENS_MAX, LENS_NUMBERS };

struct wanted {
    size_t channel; /* of the picture */
    double lens[LENS_NUMBERS];
    uint32_t values_a_pixel;
    const char *file; /* in the list */
};

static int find(const struct sim_loaded *loaded, const char *path,
                const struct dpl_channel_type *type, struct dpl_diag *reterr)
{
    struct dpl_channel_want want = {.path = path, .type = type};
    return dpl_world_channels_find(loaded->channels, &want, reterr);
}

/* The lens is beside the picture: of the same camera. */
static int read_lens(const struct sim_loaded *loaded, const char *path, struct wanted *inout)
{
    char beside[DPL_CHANNEL_PATH_MAX];
    struct dpl_diag unused;
    dpl_ns stamp;
    const char *slash = strrchr(path, '/');
    snprintf(beside, sizeof beside, "%.*s/lens", slash ? (int)(slash - path) : 0, path);
    int lens = find(loaded, beside, &dpl_channel_vector, &unused);
    if (lens < 0 || loaded->descs[lens].size != LENS_NUMBERS ||
        dpl_world_channels_get(loaded->channels, (size_t)lens, inout->lens, &stamp) < 0) {
        return -EINVAL;
    }
    uint32_t size = loaded->descs[inout->channel].size;
    uint32_t pixels = (uint32_t)(inout->lens[LENS_WIDTH] * inout->lens[LENS_HEIGHT]);
    inout->values_a_pixel = pixels > 0 ? size / pixels : 0;
    bool fits = inout->values_a_pixel * pixels == size &&
                (inout->values_a_pixel == 1 || inout->values_a_pixel == 3);
    return fits ? 0 : -EINVAL;
}

static int find_wanted(const struct sim_loaded *loaded, const char *text, struct wanted *ret_wanted,
                       struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX];
    const char *equals = strchr(text, '='), *dot = strrchr(text, '.');
    if (!equals || (size_t)(equals - text) >= sizeof path || !dot || strcasecmp(dot, ".png") != 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "--image: found '%s', expected CHANNEL=FILE.png",
                        text);
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - text), text);
    int channel = find(loaded, path, &dpl_channel_block, reterr);
    if (channel < 0) {
        return channel;
    }
    *ret_wanted = (struct wanted){.channel = (size_t)channel, .file = equals + 1};
    if (read_lens(loaded, loaded->descs[channel].path, ret_wanted) < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "--image: '%s' is not a picture: there is no 'lens' beside it that fits",
                        path);
    }
    return 0;
}

int sim_images_check(const struct sim_loaded *loaded, const struct option_list *list,
                     struct dpl_diag *reterr)
{
    struct wanted wanted;
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = find_wanted(loaded, list->items[i], &wanted, reterr);
    }
    return err;
}

/* A depth is the lighter the farther it is; what gives no depth is black. */
static int write_values(const struct sim_loaded *loaded, const struct wanted *wanted,
                        const float *values, struct dpl_diag *reterr)
{
    bool is_depth = loaded->descs[wanted->channel].unit[0] != '\0';
    const struct picture_image image = {
        .values = values,
        .width = (int)wanted->lens[LENS_WIDTH],
        .height = (int)wanted->lens[LENS_HEIGHT],
        .values_a_pixel = (int)wanted->values_a_pixel,
        .white = is_depth ? wanted->lens[LENS_MAX] : 1.0,
    };
    return picture_image_write(&image, wanted->file, reterr);
}

static int write_image(const struct sim_loaded *loaded, const char *text, struct dpl_diag *reterr)
{
    struct wanted wanted;
    dpl_ns stamp;
    int err = find_wanted(loaded, text, &wanted, reterr);
    if (err < 0) {
        return err;
    }
    const struct dpl_channel_desc *desc = &loaded->descs[wanted.channel];
    float *values = calloc(1, dpl_channel_bytes(desc));
    if (!values) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    err = dpl_world_channels_get(loaded->channels, wanted.channel, values, &stamp);
    err = err < 0 ? dpl_fail(reterr, err, nowhere,
                             "--image: '%s' has no picture yet: run for longer than from picture "
                             "to picture, with it on",
                             desc->path)
                  : write_values(loaded, &wanted, values, reterr);
    free(values);
    return err;
}

int sim_images_write(const struct sim_loaded *loaded, const struct option_list *list,
                     struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = write_image(loaded, list->items[i], reterr);
    }
    return err;
}
