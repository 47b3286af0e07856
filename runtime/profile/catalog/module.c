/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of Doppel that are loaded when they are used. */
#include <doppel/host/gateway.h>
#include <doppel/host/module.h>

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "installed.h"
#include "loading.h"
#include "plugin_file.h"

static int find_file(const char *name, char ret_path[PATH_MAX], struct dpl_diag *reterr)
{
    char *folders[DPL__INSTALLED_MAX];
    size_t n = dpl__installed_folders(DPL__MODULES, folders);
    ret_path[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (ret_path[0] == '\0' || access(ret_path, F_OK) != 0) {
            snprintf(ret_path, PATH_MAX, "%s/%s.so", folders[i], name);
        }
        free(folders[i]);
    }
    return access(ret_path, F_OK) == 0
               ? 0
               : dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                          "a part of Doppel is not installed: %s: %s", ret_path, strerror(errno));
}

static int fail(const char *path, const char *why, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){0},
                    "a part of Doppel cannot be loaded: %s: %s", path, why);
}

int dpl_module_load(const char *name, size_t size, const void **ret_table, struct dpl_diag *reterr)
{
    char path[PATH_MAX];
    struct dpl_diag why = {.text = ""};
    int err = find_file(name, path, reterr);
    if (err < 0) {
        return err;
    }
    if (dpl__plugin_file_check(path, &why) < 0) {
        return fail(path, why.text, reterr);
    }
    void *module = dpl__loading_open(path);
    if (!module) {
        return fail(path, dlerror(), reterr);
    }
    const size_t *table = dlsym(module, "dpl_module");
    if (!table || *table != size) {
        dlclose(module);
        return fail(path, "it is of another version", reterr);
    }
    *ret_table = table;
    return 0;
}

int dpl_gateway_load(const char *name, const struct dpl_gateway **ret_gateway,
                     struct dpl_diag *reterr)
{
    const void *table;
    int r = dpl_module_load(name, sizeof(struct dpl_gateway_module), &table, reterr);
    if (r == 0) {
        *ret_gateway = ((const struct dpl_gateway_module *)table)->gateway;
    }
    return r;
}

int dpl_converters_load(const struct dpl_converter **ret_converters, size_t *ret_n,
                        struct dpl_diag *reterr)
{
    const void *loaded;
    int r = dpl_module_load("standard", sizeof(struct dpl_converter_module), &loaded, reterr);
    if (r == 0) {
        const struct dpl_converter_module *table = loaded;
        *ret_converters = table->converters;
        *ret_n = table->n_converters;
    }
    return r;
}
