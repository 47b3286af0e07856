/* SPDX-License-Identifier: Apache-2.0 */
/* Loads one plugin: its file, its symbol, its binary interface, its content. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "catalog.h"
#include "loading.h"
#include "plugin_file.h"

static int check_interface(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                           struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    if (plugin->abi != DPL_PLUGIN_ABI) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin has ABI %u, this runtime has %u",
                        plugin->abi, DPL_PLUGIN_ABI);
    }
    const struct {
        const char *what;
        size_t found, expected;
    } sizes[] = {
        {"component class", plugin->component_size, sizeof(struct dpl_component_class)},
        {"driver", plugin->driver_size, sizeof(struct dpl_driver)},
        {"port", plugin->port_size, sizeof(struct dpl_port_desc)},
        {"field", plugin->field_size, sizeof(struct dpl_field)},
    };
    for (size_t i = 0; i < DPL_COUNT(sizes); i++) {
        if (sizes[i].found != sizes[i].expected) {
            return dpl_fail(reterr, -ENOEXEC, place,
                            "the plugin's %s table has %zu bytes, this runtime's %zu",
                            sizes[i].what, sizes[i].found, sizes[i].expected);
        }
    }
    return 0;
}

/* The name of the component or driver, for which the file must be named; NULL: there is none. */
static const char *name_in(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin)
{
    const char *name = NULL;
    if (!file->device_class) {
        name = plugin->component ? plugin->component->name : NULL;
    } else if (plugin->driver) {
        name = plugin->driver->name;
    }
    return name && *name != '\0' ? name : NULL;
}

static int check_device_class(const struct dpl__plugin_file *file, const struct dpl_driver *driver,
                              struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    if (!driver->device_class || !driver->device_class->name) {
        return dpl_fail(reterr, -ENOEXEC, place, "the driver has no device class");
    }
    return dpl_name_equal(driver->device_class->name, file->device_class)
               ? 0
               : dpl_fail(
                     reterr, -ENOEXEC, place,
                     "the file is named for device class '%s', but its driver is of class '%s'",
                     file->device_class, driver->device_class->name);
}

static int check_content(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                         struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    const char *found = name_in(file, plugin);
    if (!found) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin contains no %s", file->kind);
    }
    int r = file->device_class ? check_device_class(file, plugin->driver, reterr) : 0;
    if (r < 0) {
        return r;
    }
    if (!dpl_name_equal(found, file->name)) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "the file is named for %s '%s', but the plugin contains '%s'", file->kind,
                        file->name, found);
    }
    return file->device_class ? dpl__plugin_check_driver(plugin->driver, place, reterr)
                              : dpl__plugin_check_class(plugin->component, place, reterr);
}

int dpl__plugin_check(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                      struct dpl_diag *reterr)
{
    int error = check_interface(file, plugin, reterr);
    return error != 0 ? error : check_content(file, plugin, reterr);
}

/* The symbol, if it is an object that is large enough; NULL: it is none. */
static const void *symbol_of(void *handle, const char *name, size_t size)
{
    const void *found = dlsym(handle, name);
    void *row = NULL;
    Dl_info info;
    if (!found || dladdr1(found, &info, &row, RTLD_DL_SYMENT) == 0 || !row) {
        return NULL;
    }
    const ElfW(Sym) *symbol = row;
    return symbol->st_size >= size ? found : NULL;
}

static int fail_empty(const struct dpl__plugin_file *file, const char *symbol,
                      struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = file->path},
                    "not a plugin: it has no symbol %s", symbol);
}

static int take_plugin(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    const struct dpl_plugin *plugin = symbol_of(file->handle, "dpl_plugin", sizeof *plugin);
    int error =
        plugin ? dpl__plugin_check(file, plugin, reterr) : fail_empty(file, "dpl_plugin", reterr);
    file->plugin = error == 0 ? plugin : NULL;
    return error;
}

static int take_part(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    const struct dpl_part *part = symbol_of(file->handle, "dpl_part", sizeof *part);
    int error = part ? dpl__part_check(file, part, reterr) : fail_empty(file, "dpl_part", reterr);
    file->part = error == 0 ? part : NULL;
    return error;
}

static int open_plugin(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    int error = dpl__plugin_file_check(file->path, reterr);
    if (error != 0) {
        return error;
    }
    file->handle = dpl__loading_open(file->path);
    if (!file->handle) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin cannot be loaded: %s", dlerror());
    }
    bool is_plugin = file->device_class || strcmp(file->kind, DPL__COMPONENT) == 0;
    return is_plugin ? take_plugin(file, reterr) : take_part(file, reterr);
}

int dpl__plugin_load(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    if (!file->tried) {
        file->tried = true;
        open_plugin(file, &file->failure);
    }
    if (file->plugin || file->part) {
        return 0;
    }
    if (reterr) {
        *reterr = file->failure;
    }
    return -ENOEXEC;
}
