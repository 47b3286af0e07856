/* SPDX-License-Identifier: Apache-2.0 */
#include "info_app.h"

#include <stdio.h>
#include <string.h>

#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

#include "common.h"
#include "fields.h"

enum { NAME_BYTES = 128 };

/* Of a class with a device the driver, if the application says it itself. */
static void print_component(const struct dpl_app_component *component)
{
    const char *device_class = component->class_->device_class;
    const char *driver =
        component->device ? component->device->driver->name : "(a binding says which)";
    if (device_class) {
        printf("  %-24s %-20s %s/%s\n", cli_clean(component->name),
               cli_clean(component->class_->name), cli_clean(device_class), cli_clean(driver));
    } else {
        printf("  %-24s %s\n", cli_clean(component->name), cli_clean(component->class_->name));
    }
}

/* The name that --bind takes for this application; false: it is another application's. */
static bool name_binding(const char *app_file, const char *binding, char ret_name[NAME_BYTES])
{
    const char *base = strrchr(app_file, '/'),
               *name = dpl_catalog_profile_name(binding, "bindings");
    base = base ? base + 1 : app_file;
    const char *slash = strchr(name, '/');
    size_t length = strcspn(base, ".");
    if (slash && ((size_t)(slash - name) != length || strncmp(name, base, length) != 0)) {
        return false;
    }
    name = slash ? slash + 1 : name;
    snprintf(ret_name, NAME_BYTES, "%.*s", (int)strcspn(name, "."), name);
    return true;
}

static bool runs_with(struct dpl_catalog *catalog, const char *file, const char *binding)
{
    struct dpl_diags diags = {0};
    struct dpl_app *app = NULL;
    struct dpl_app_options options = {.bindings = &binding, .n_bindings = binding ? 1 : 0};
    bool runs = dpl_app_load(file, &options, catalog, &app, &diags) == 0;
    dpl_diags_finish(&diags);
    dpl_app_destroy(app);
    return runs;
}

static void print_bindings(struct dpl_catalog *catalog, const char *file)
{
    size_t n, n_printed = 0;
    char last[NAME_BYTES] = "";
    const char *const *bindings = dpl_catalog_profiles(catalog, "bindings", &n);
    if (runs_with(catalog, file, NULL)) {
        printf("\nruns without a binding\n");
    }
    for (size_t i = 0; i < n; i++) {
        char name[NAME_BYTES];
        if (name_binding(file, bindings[i], name) && strcmp(name, last) != 0 &&
            runs_with(catalog, file, name)) {
            printf("%s  %s\n", n_printed++ ? "" : "\nbindings (--bind NAME):\n", cli_clean(name));
            snprintf(last, sizeof last, "%s", name);
        }
    }
}

int info_app_print(struct dpl_catalog *catalog, const char *file)
{
    struct dpl_diags diags = {0};
    struct dpl_app *app = NULL;
    struct dpl_app_options options = {.incomplete = true};
    int err = dpl_app_load(file, &options, catalog, &app, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    if (err < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    printf("application %s: %s\n", cli_clean(app->name), cli_clean(file));
    if (app->world) {
        printf("  world: %s\n", cli_clean(app->world));
    }
    printf("\ncomponents (name, class, driver):\n");
    for (size_t i = 0; i < app->n_components; i++) {
        print_component(&app->components[i]);
    }
    dpl_app_destroy(app);
    print_bindings(catalog, file);
    return DPL_EXIT_DONE;
}
