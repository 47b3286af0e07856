/* SPDX-License-Identifier: Apache-2.0 */
/* Loads one plugin: its symbol, its binary interface, its content. */
#include <dlfcn.h>
#include <errno.h>

#include "catalog.h"

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

/* A driver must implement each call of its class that is not optional. */
static int check_calls(const struct dpl__plugin_file *file, const struct dpl_driver *driver,
                       struct dpl_diag *reterr)
{
    const struct dpl_device_class *class = driver->device_class;
    const struct dpl_place place = {.file = file->path};
    if (driver->answer) {
        return 0;
    }
    if (driver->n_calls != class->n_calls) {
        return dpl_fail(reterr, -ENOEXEC, place, "the driver has %zu calls, its class '%s' %zu",
                        driver->n_calls, class->name, class->n_calls);
    }
    for (size_t i = 0; i < class->n_calls; i++) {
        if (!driver->api[i] && !class->calls[i].optional) {
            return dpl_fail(reterr, -ENOEXEC, place, "the driver lacks the call '%s' of class '%s'",
                            class->calls[i].name, class->name);
        }
    }
    return 0;
}

static int check_content(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                         struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    const char *found = NULL;
    if (!file->device_class) {
        found = plugin->component ? plugin->component->name : NULL;
    } else if (plugin->driver) {
        found = plugin->driver->name;
        if (!dpl_name_equal(plugin->driver->device_class->name, file->device_class)) {
            return dpl_fail(
                reterr, -ENOEXEC, place,
                "the file is named for device class '%s', but its driver is of class '%s'",
                file->device_class, plugin->driver->device_class->name);
        }
    }
    const char *kind = file->device_class ? "driver" : "component";
    if (!found) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin contains no %s", kind);
    }
    if (!dpl_name_equal(found, file->name)) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "the file is named for %s '%s', but the plugin contains '%s'", kind,
                        file->name, found);
    }
    return plugin->driver ? check_calls(file, plugin->driver, reterr) : 0;
}

int dpl__plugin_check(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                      struct dpl_diag *reterr)
{
    int error = check_interface(file, plugin, reterr);
    return error != 0 ? error : check_content(file, plugin, reterr);
}

static int open_plugin(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    file->handle = dlopen(file->path, RTLD_NOW | RTLD_LOCAL);
    if (!file->handle) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin cannot be loaded: %s", dlerror());
    }
    const struct dpl_plugin *plugin = dlsym(file->handle, "dpl_plugin");
    if (!plugin) {
        return dpl_fail(reterr, -ENOEXEC, place, "not a plugin: it has no symbol dpl_plugin");
    }
    int error = dpl__plugin_check(file, plugin, reterr);
    if (error == 0) {
        file->plugin = plugin;
    }
    return error;
}

int dpl__plugin_load(struct dpl__plugin_file *file, struct dpl_diag *reterr)
{
    if (!file->tried) {
        file->tried = true;
        open_plugin(file, &file->failure);
    }
    if (file->plugin) {
        return 0;
    }
    if (reterr) {
        *reterr = file->failure;
    }
    return -ENOEXEC;
}
