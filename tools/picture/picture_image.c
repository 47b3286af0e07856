/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures that sensors have taken, as PNG. */
#include "picture_module.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cairo.h>

#include <doppel/output.h>

static cairo_status_t write_bytes(void *user, const unsigned char *bytes, unsigned n)
{
    FILE *stream = user;
    return fwrite(bytes, 1, n, stream) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static uint32_t level_of(const struct picture_image *image, float value)
{
    double share = ((double)value - image->black) / (image->white - image->black);
    return share > 0.0 ? (uint32_t)lround(255.0 * fmin(share, 1.0)) : 0;
}

static uint32_t pixel_of(const struct picture_image *image, const float *values)
{
    uint32_t red = level_of(image, values[0]), green = red, blue = red;
    if (image->values_a_pixel == 3) {
        green = level_of(image, values[1]);
        blue = level_of(image, values[2]);
    }
    return red << 16 | green << 8 | blue;
}

static void fill(const struct picture_image *image, cairo_surface_t *surface)
{
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const float *values = image->values;
    cairo_surface_flush(surface);
    for (int row = 0; row < image->height; row++) {
        for (int column = 0; column < image->width; column++) {
            uint32_t pixel = pixel_of(image, values);
            memcpy(&bytes[row * stride + column * 4], &pixel, sizeof pixel);
            values += image->values_a_pixel;
        }
    }
    cairo_surface_mark_dirty(surface);
}

int picture_draw_image(const struct picture_image *image, const char *path, struct dpl_diag *reterr)
{
    struct dpl_output out = {0};
    int err = dpl_output_open(&out, path, reterr);
    if (err < 0) {
        return err;
    }
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image->width, image->height);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        fill(image, surface);
        status = cairo_surface_write_to_png_stream(surface, write_bytes, out.stream);
    }
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_INVALID_SIZE) {
        dpl_output_abandon(&out);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = path}, "the picture: %s",
                        cairo_status_to_string(status));
    }
    return dpl_output_close(&out, reterr);
}
