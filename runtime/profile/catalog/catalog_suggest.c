/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for a misspelled class, driver or profile. */
#include <stdio.h>
#include <string.h>

#include "catalog.h"

struct names {
    const char *list[2 * DPL__PLUGINS_MAX];
    size_t n;
};

static void add(struct names *names, const char *name)
{
    if (names->n < DPL_COUNT(names->list)) {
        names->list[names->n++] = name;
    }
}

/* The one that is equal except for case and blanks, otherwise the most similar one; NULL: none is
 * similar. */
static const char *equal_or_nearest(const char *word, const struct names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        if (dpl_name_equal(word, names->list[i])) {
            return names->list[i];
        }
    }
    return dpl_nearest(word, names->list, names->n);
}

/* "device class/driver": each part separately, the driver among those of its class. */
static bool suggest_driver(const struct dpl_catalog *catalog, const char *name, const char *slash,
                           char *ret_name, size_t size)
{
    struct names classes = {.n = 0}, drivers = {.n = 0};
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(slash - name), name);
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        add(&classes, dpl_catalog_driver_at(catalog, i)->device_class->name);
    }
    const char *device_class = equal_or_nearest(word, &classes);
    if (!device_class) {
        return false;
    }
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = dpl_catalog_driver_at(catalog, i);
        if (dpl_name_equal(driver->device_class->name, device_class)) {
            add(&drivers, driver->name);
        }
    }
    const char *driver = equal_or_nearest(slash + 1, &drivers);
    if (driver) {
        snprintf(ret_name, size, "%s/%s", device_class, driver);
    }
    return driver != NULL;
}

bool dpl_catalog_suggest(const struct dpl_catalog *catalog, const char *name, char *ret_name,
                         size_t size)
{
    const char *slash = strchr(name, '/');
    if (slash) {
        return suggest_driver(catalog, name, slash, ret_name, size);
    }
    struct names names = {.n = 0};
    for (size_t i = 0; i < dpl_catalog_n_classes(catalog); i++) {
        add(&names, dpl_catalog_class_at(catalog, i)->name);
    }
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        add(&names, dpl_catalog_driver_at(catalog, i)->name);
    }
    const char *near = equal_or_nearest(name, &names);
    if (near) {
        snprintf(ret_name, size, "%s", near);
    }
    return near != NULL;
}

const char *dpl_catalog_profile_name(const char *file, const char *kind)
{
    char folder[64];
    snprintf(folder, sizeof folder, "/%s/", kind);
    for (const char *at; (at = strstr(file, folder));) {
        file = at + strlen(folder);
    }
    return file;
}

bool dpl_catalog_nearest_profile(struct dpl_catalog *catalog, const char *const *kinds,
                                 size_t n_kinds, const char *name, char *ret_name, size_t size)
{
    struct names names = {.n = 0};
    for (size_t k = 0; k < n_kinds; k++) {
        size_t n;
        const char *const *files = dpl_catalog_profiles(catalog, kinds[k], &n);
        for (size_t i = 0; i < n; i++) {
            add(&names, dpl_catalog_profile_name(files[i], kinds[k]));
        }
    }
    char word[256];
    bool has_end = strstr(name, ".xml") || strstr(name, ".json");
    snprintf(word, sizeof word, "%s%s", name, has_end ? "" : ".xml");
    const char *near = dpl_nearest(word, names.list, names.n);
    const char *end = near ? strrchr(near, '.') : NULL;
    if (near) {
        snprintf(ret_name, size, "%.*s", end ? (int)(end - near) : (int)size, near);
    }
    return near != NULL;
}

const char *dpl_catalog_say_searched(struct dpl_catalog *catalog, const char *kind,
                                     const char *name, char *ret_text, size_t size)
{
    char near[128];
    bool is_near = dpl_catalog_nearest_profile(catalog, &kind, 1, name, near, sizeof near);
    snprintf(ret_text, size, "%s%s%s; searched: %s", is_near ? ", did you mean '" : "",
             is_near ? near : "", is_near ? "'?" : "", dpl_catalog_profile_path(catalog));
    return ret_text;
}
