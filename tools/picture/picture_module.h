/* SPDX-License-Identifier: Apache-2.0 */
/* What draws by Cairo: the module `pictures`, loaded when the first picture is written. */
#ifndef DOPPEL_PICTURE_MODULE_H
#define DOPPEL_PICTURE_MODULE_H

#include <string.h>
#include <strings.h>

#include "picture.h"
#include "picture_image.h"

/* As picture_write and picture_image_write, which call them; the name of the file is checked. */
struct picture_module {
    size_t bytes; /* of this struct */
    int (*draw)(const struct picture *picture, const struct picture_view *view, const char *path,
                struct dpl_diag *reterr);
    int (*draw_image)(const struct picture_image *image, const char *path, struct dpl_diag *reterr);
};

static inline bool picture_ends_in(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

int picture_draw(const struct picture *picture, const struct picture_view *view, const char *path,
                 struct dpl_diag *reterr);
int picture_draw_image(const struct picture_image *image, const char *path,
                       struct dpl_diag *reterr);

#endif
