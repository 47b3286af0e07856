/* SPDX-License-Identifier: Apache-2.0 */
/* The words that the completion script asks for while a line is written: of this machine's
 * catalogue. */
#include "completion_words.h"

#include <stdio.h>
#include <string.h>

#include "common.h"
#include "entries.h"

static void print_classes(struct dpl_catalog *catalog)
{
    dpl_catalog_load_all(catalog, NULL);
    for (size_t i = 0; i < dpl_catalog_n_classes(catalog); i++) {
        printf("%s\n", dpl_catalog_class_at(catalog, i)->name);
    }
}

static void print_drivers(struct dpl_catalog *catalog)
{
    dpl_catalog_load_all(catalog, NULL);
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = dpl_catalog_driver_at(catalog, i);
        printf("%s/%s\n", driver->device_class->name, driver->name);
    }
}

static void print_profiles(struct dpl_catalog *catalog, const char *kind)
{
    size_t n;
    const char *const *files = dpl_catalog_profiles(catalog, kind, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = dpl_catalog_profile_name(files[i], kind);
        printf("%.*s\n", (int)strcspn(name, "."), name);
    }
}

static void print_properties(const char *name, const char *side, const struct dpl_field *fields,
                             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        printf("%s.%s%s%s=\n", name, side, *side ? "." : "", fields[i].name);
    }
}

/* Properties of the components of an application: of their classes, of their drivers, of the sides
 * of these. */
static void print_app_properties(const struct dpl_app *app)
{
    for (size_t i = 0; i < app->n_components; i++) {
        const struct dpl_app_component *component = &app->components[i];
        const struct dpl_app_device *device = component->device;
        print_properties(component->name, "", component->class_->properties,
                         component->class_->n_properties);
        if (!device) {
            continue;
        }
        print_properties(component->name, "", device->driver->properties,
                         device->driver->n_properties);
        for (size_t s = 0; s < device->driver->n_sides; s++) {
            const struct dpl_driver *driver = device->sides[s].driver;
            print_properties(component->name, device->driver->sides[s].name, driver->properties,
                             driver->n_properties);
        }
    }
}

static struct dpl_app *load(struct dpl_catalog *catalog, const char *file,
                            const struct dpl_app_options *options)
{
    struct dpl_app *app = NULL;
    struct dpl_diags diags = {0};
    int err = dpl_app_load(file, options, catalog, &app, &diags);
    dpl_diags_finish(&diags);
    return err == 0 ? app : NULL;
}

/* With the first binding that fits: without one an application may have no drivers. */
static struct dpl_app *load_with_any_binding(struct dpl_catalog *catalog, const char *file)
{
    size_t n;
    const char *const *bindings = dpl_catalog_profiles(catalog, "bindings", &n);
    struct dpl_app *app = NULL;
    for (size_t i = 0; i < n && !app; i++) {
        app = load(catalog, file,
                   &(struct dpl_app_options){.bindings = &bindings[i], .n_bindings = 1});
    }
    return app;
}

/* The words of a line: the first that names an application, with the bindings of the line. */
static void print_properties_of_line(struct dpl_catalog *catalog, char **words, size_t n)
{
    const char *bindings[OPTION_LIST_MAX], *file = NULL;
    struct dpl_app_options options = {.bindings = bindings};
    struct dpl_diag ignored;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && strcmp(words[i - 1], "--bind") == 0 && options.n_bindings < OPTION_LIST_MAX) {
            bindings[options.n_bindings++] = words[i];
        } else if (words[i][0] != '-' && !file) {
            file = cli_find(catalog, "apps", words[i], &ignored);
        }
    }
    struct dpl_app *app = file ? load(catalog, file, &options) : NULL;
    if (file && !app && options.n_bindings == 0) {
        app = load_with_any_binding(catalog, file);
    }
    if (app) {
        print_app_properties(app);
    }
    dpl_app_destroy(app);
}

bool completion_print_words(struct dpl_catalog *catalog, const char *kind, char **words, size_t n)
{
    static const char *const profiles[] = {"apps",  "benches", "bindings", "components", "worlds",
                                           "plans", "studies", "robots",   "services",   "types"};
    if (strcmp(kind, "classes") == 0) {
        print_classes(catalog);
    } else if (strcmp(kind, "drivers") == 0) {
        print_drivers(catalog);
    } else if (strcmp(kind, "entries") == 0) {
        struct entries entries;
        entries_open(&entries, catalog, NULL);
        entries_print_names(&entries);
        entries_close(&entries);
    } else if (strcmp(kind, "properties") == 0) {
        print_properties_of_line(catalog, words, n);
    } else {
        size_t i = 0;
        while (i < DPL_COUNT(profiles) && strcmp(kind, profiles[i]) != 0) {
            i++;
        }
        if (i == DPL_COUNT(profiles)) {
            return false;
        }
        print_profiles(catalog, profiles[i]);
    }
    return true;
}
