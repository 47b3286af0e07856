/* SPDX-License-Identifier: Apache-2.0 */
/* Files of pictures, by the module that draws them. */
#include <errno.h>

#include <doppel/host/module.h>

#include "picture_module.h"

bool picture_is_file(const char *path)
{
    return picture_ends_in(path, ".svg") || picture_ends_in(path, ".png");
}

static int load(const struct picture_module **ret_module, struct dpl_diag *reterr)
{
    const void *table;
    int err = dpl_module_load("pictures", sizeof **ret_module, &table, reterr);
    *ret_module = err < 0 ? NULL : table;
    return err;
}

int picture_write(const struct picture *picture, const struct picture_view *view, const char *path,
                  struct dpl_diag *reterr)
{
    const struct picture_module *module;
    if (!picture_is_file(path)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = path},
                        "a picture's name ends in .svg or .png");
    }
    int err = load(&module, reterr);
    return err < 0 ? err : module->draw(picture, view, path, reterr);
}

int picture_image_write(const struct picture_image *image, const char *path,
                        struct dpl_diag *reterr)
{
    const struct picture_module *module;
    int err = load(&module, reterr);
    return err < 0 ? err : module->draw_image(image, path, reterr);
}
