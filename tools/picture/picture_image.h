/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures that sensors have taken, as PNG. */
#ifndef DOPPEL_PICTURE_IMAGE_H
#define DOPPEL_PICTURE_IMAGE_H

#include <doppel/diag.h>

/* Row by row from the top left. */
struct picture_image {
    const float *values; /* [height][width][values_a_pixel] */
    int width, height;
    int values_a_pixel;  /* 1: grey; 3: red, green, blue */
    double black, white; /* values; what is beyond them is black or white */
};

/* Writes a PNG file. 0, or -errno with reterr: it cannot be written. */
int picture_image_write(const struct picture_image *image, const char *path,
                        struct dpl_diag *reterr);

#endif
