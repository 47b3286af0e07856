/* SPDX-License-Identifier: Apache-2.0 */
/* Files that components name in their properties. */
#include <doppel/component.h>

#include <errno.h>
#include <unistd.h>

#include "component.h"
#include "runtime.h"

int dpl_component_find_file(struct dpl_component *component, const struct dpl_file_wanted *wanted,
                            const char **ret_path, struct dpl_diag *reterr)
{
    const struct dpl__component *self = component->runtime;
    struct dpl_catalog *catalog = self->runtime->app->catalog;
    const char *path =
        catalog ? dpl_catalog_find_profile(catalog, wanted->folder, wanted->name, NULL) : NULL;
    path = path ? path : wanted->name;
    if (access(path, R_OK) != 0) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                        "there is no %s '%s', neither in the folders '%s' of the profile path nor "
                        "as a file",
                        wanted->what, wanted->name, wanted->folder);
    }
    *ret_path = path;
    return 0;
}
