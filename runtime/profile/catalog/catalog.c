/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue's plugins: scanning folders, and finding plugins by their names. */
#include "catalog.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PLUGIN_SUFFIX ".so"

enum { NAME_SIZE = 128 };

/* ---- scanning -------------------------------------------------------------------------------- */

/* Whether the file is of the kind, a driver of the device class. */
static bool is_of_kind(const struct dpl__plugin_file *file, const char *kind,
                       const char *device_class)
{
    return strcmp(file->kind, kind) == 0 &&
           (!device_class || dpl_name_equal(file->device_class, device_class));
}

static struct dpl__plugin_file *find_exact(struct dpl_catalog *catalog, const char *kind,
                                           const char *device_class, const char *name)
{
    for (size_t i = 0; i < catalog->n_files; i++) {
        struct dpl__plugin_file *file = &catalog->files[i];
        if (is_of_kind(file, kind, device_class) && dpl_name_equal(file->name, name)) {
            return file;
        }
    }
    return NULL;
}

/* The text up to a dash, after which *inout goes on; NULL: there is none before `end`. */
static const char *word_before_dash(struct dpl_catalog *catalog, const char **inout,
                                    const char *end)
{
    const char *start = *inout, *dash = memchr(start, '-', (size_t)(end - start));
    *inout = dash ? dash + 1 : start;
    return dash ? dpl_arena_strndup(&catalog->arena, start, (size_t)(dash - start)) : NULL;
}

/* "<kind>-<name>.so" or "driver-<device class>-<name>.so"; false: neither. */
static bool split_file_name(struct dpl_catalog *catalog, const char *file_name,
                            struct dpl__plugin_file *ret)
{
    const char *end = file_name + strlen(file_name) - strlen(PLUGIN_SUFFIX);
    ret->kind = word_before_dash(catalog, &file_name, end);
    bool is_driver = ret->kind && strcmp(ret->kind, DPL__DRIVER) == 0;
    if (is_driver) {
        ret->device_class = word_before_dash(catalog, &file_name, end);
    }
    ret->name = dpl_arena_strndup(&catalog->arena, file_name, (size_t)(end - file_name));
    return ret->kind && (!is_driver || ret->device_class);
}

static bool is_in(const struct dpl__plugin_file *file, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(file->path, folder, n) == 0 && file->path[n] == '/' &&
           !strchr(file->path + n + 1, '/');
}

static const char *what_is(const char *kind)
{
    return strcmp(kind, DPL__COMPONENT) == 0 ? "component class" : kind;
}

/* Which of them a run would get depends on the order of their names: none is used. */
static void refuse_both(struct dpl__plugin_file *file, const char *other)
{
    file->tried = true;
    dpl_fail(&file->failure, -ENOEXEC, (struct dpl_place){.file = file->path},
             "%s is a plugin of the same %s, too: remove one of them", other, what_is(file->kind));
}

/* Of two plugins with the same name, the one in the earlier folder is used. */
static void add_plugin(struct dpl_catalog *catalog, const char *folder, const char *name)
{
    struct dpl__plugin_file file = {0};
    if (!split_file_name(catalog, name, &file)) {
        return;
    }
    struct dpl__plugin_file *known = find_exact(catalog, file.kind, file.device_class, file.name);
    if (!known) {
        file.path = dpl_arena_printf(&catalog->arena, "%s/%s", folder, name);
        catalog->files[catalog->n_files++] = file;
    } else if (is_in(known, folder) && !known->tried &&
               strcmp(strrchr(known->path, '/') + 1, name) != 0) { /* not the same folder again */
        refuse_both(known, name);
    }
}

static void scan_plugins(struct dpl_catalog *catalog)
{
    for (size_t f = 0; f < catalog->plugin_folders.n; f++) {
        const char *folder = catalog->plugin_folders.paths[f];
        const char *const *names;
        size_t n = dpl__folder_list(catalog, folder, PLUGIN_SUFFIX, &names);
        for (size_t i = 0; i < n && catalog->n_files < DPL__PLUGINS_MAX; i++) {
            add_plugin(catalog, folder, names[i]);
        }
    }
}

static void set_folders(struct dpl_catalog *catalog, const struct dpl_catalog_options *options)
{
    struct dpl__folders *plugins = &catalog->plugin_folders;
    struct dpl__folders *profiles = &catalog->profile_folders;
    if (options && options->plugin_path) {
        dpl__folders_split(catalog, options->plugin_path, plugins);
    } else {
        dpl__folders_split(catalog, getenv("DOPPEL_PLUGIN_PATH"), plugins);
        dpl__folders_add_installed(catalog, DPL__PLUGINS, plugins);
    }
    if (options && options->profile_path) {
        dpl__folders_split(catalog, options->profile_path, profiles);
    } else {
        dpl__folders_split(catalog, getenv("DOPPEL_PROFILE_PATH"), profiles);
        dpl__folders_add_installed(catalog, DPL__PROFILES, profiles);
    }
}

int dpl_catalog_create(const struct dpl_catalog_options *options, struct dpl_catalog **ret_catalog,
                       struct dpl_diag *reterr)
{
    struct dpl_catalog *catalog = calloc(1, sizeof(*catalog));
    if (!catalog) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    set_folders(catalog, options);
    scan_plugins(catalog);
    *ret_catalog = catalog;
    return 0;
}

void dpl_catalog_destroy(struct dpl_catalog *catalog)
{
    if (!catalog) {
        return;
    }
    for (size_t i = 0; i < catalog->n_files; i++) {
        if (catalog->files[i].handle && !catalog->files[i].part) { /* models name its table */
            dlclose(catalog->files[i].handle);
        }
    }
    free(catalog->interned);
    dpl_arena_finish(&catalog->arena);
    free(catalog);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The name without path and without the suffix of a library. */
static void strip_path_and_suffix(const char *name, char ret_name[NAME_SIZE])
{
    static const char *const suffixes[] = {".so", ".dll", ".dylib"};
    const char *slash = strrchr(name, '/');
    const char *backslash = strrchr(name, '\\');
    name = slash ? slash + 1 : name;
    name = backslash && backslash >= name ? backslash + 1 : name;
    snprintf(ret_name, NAME_SIZE, "%s", name);
    size_t n = strlen(ret_name);
    for (size_t i = 0; i < DPL_COUNT(suffixes); i++) {
        size_t length = strlen(suffixes[i]);
        if (n > length && strcasecmp(ret_name + n - length, suffixes[i]) == 0) {
            ret_name[n - length] = '\0';
            return;
        }
    }
}

static bool strip_tail(char *name, const char *tail)
{
    size_t n = strlen(name), length = strlen(tail);
    if (n <= length || strcasecmp(name + n - length, tail) != 0) {
        return false;
    }
    name[n - length] = '\0';
    return true;
}

/* Tries the name unchanged, without "lib", and without the word for its kind. */
static struct dpl__plugin_file *find_file(struct dpl_catalog *catalog, const char *device_class,
                                          const char *name)
{
    const char *kind = device_class ? DPL__DRIVER : DPL__COMPONENT;
    char bare[NAME_SIZE];
    strip_path_and_suffix(name, bare);
    const char *starts[] = {bare, strncasecmp(bare, "lib", 3) == 0 ? bare + 3 : bare};
    struct dpl__plugin_file *file = NULL;
    for (size_t i = 0; i < DPL_COUNT(starts) && !file; i++) {
        file = find_exact(catalog, kind, device_class, starts[i]);
    }
    if (!file && strip_tail(bare, kind)) {
        for (size_t i = 0; i < DPL_COUNT(starts) && !file; i++) {
            file = find_exact(catalog, kind, device_class, starts[i]);
        }
    }
    return file;
}

/* The name in the plugin ("Camera"); if the plugin cannot be loaded, the name of its file. */
static const char *name_of(struct dpl__plugin_file *file)
{
    if (dpl__plugin_load(file, NULL) != 0) {
        return file->name;
    }
    return file->device_class ? file->plugin->driver->name : file->plugin->component->name;
}

/* Writes "a, b, c" of all plugins of the kind and returns the one most similar to `name`, or NULL.
 * Loads them. */
static const char *names_of_kind(struct dpl_catalog *catalog, const char *device_class,
                                 const char *name, char ret_list[DPL__NAMES_SIZE])
{
    const char *kind = device_class ? DPL__DRIVER : DPL__COMPONENT;
    const char *candidates[DPL__PLUGINS_MAX];
    size_t n = 0, length = 0;
    snprintf(ret_list, DPL__NAMES_SIZE, "none");
    for (size_t i = 0; i < catalog->n_files; i++) {
        if (!is_of_kind(&catalog->files[i], kind, device_class)) {
            continue;
        }
        candidates[n] = name_of(&catalog->files[i]);
        if (length < DPL__NAMES_SIZE) {
            length += (size_t)snprintf(ret_list + length, DPL__NAMES_SIZE - length, "%s%s",
                                       n == 0 ? "" : ", ", candidates[n]);
        }
        n++;
    }
    return dpl_nearest(name, candidates, n);
}

void dpl__catalog_driver_names(struct dpl_catalog *catalog, const char *device_class,
                               char ret_list[DPL__NAMES_SIZE])
{
    names_of_kind(catalog, device_class, "", ret_list);
}

static int fail_absent(struct dpl_catalog *catalog, const char *device_class, const char *name,
                       struct dpl_diag *reterr)
{
    char bare[NAME_SIZE], list[DPL__NAMES_SIZE], hint[NAME_SIZE] = "";
    strip_path_and_suffix(name, bare);
    const char *nearest = names_of_kind(catalog, device_class, bare, list);
    if (nearest) {
        snprintf(hint, sizeof(hint), "; did you mean '%.80s'?", nearest);
    }
    if (!device_class) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                        "unknown component class '%.80s'%s (there is: %s)", name, hint, list);
    }
    return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                    "unknown driver '%.80s' of device class %s%s (there is: %s)", name,
                    device_class, hint, list);
}

/* ---- public ---------------------------------------------------------------------------------- */

int dpl_catalog_add_plugin(struct dpl_catalog *catalog, const struct dpl_plugin *plugin,
                           struct dpl_diag *reterr)
{
    struct dpl__plugin_file file = {
        .path = "of this program", .kind = DPL__COMPONENT, .tried = true, .plugin = plugin};
    /* The tables of another binary interface are not looked into. */
    bool has_tables = plugin->abi == DPL_PLUGIN_ABI;
    if (has_tables && plugin->driver) {
        const struct dpl_device_class *class = plugin->driver->device_class;
        file.kind = DPL__DRIVER;
        file.device_class = class && class->name ? class->name : "";
        file.name = plugin->driver->name;
    } else if (has_tables && plugin->component) {
        file.name = plugin->component->name;
    }
    int error = dpl__plugin_check(&file, plugin, reterr);
    if (error != 0) {
        return error;
    }
    if (find_exact(catalog, file.kind, file.device_class, file.name)) {
        return dpl_fail(reterr, -EEXIST, (struct dpl_place){0}, "there is already a %s '%s'",
                        what_is(file.kind), file.name);
    }
    if (catalog->n_files == DPL__PLUGINS_MAX) {
        return dpl_fail(reterr, -ENOSPC, (struct dpl_place){0}, "there are already %d plugins",
                        DPL__PLUGINS_MAX);
    }
    catalog->files[catalog->n_files++] = file;
    return 0;
}

int dpl_catalog_class(struct dpl_catalog *catalog, const char *name,
                      const struct dpl_component_class **ret_class, struct dpl_diag *reterr)
{
    struct dpl__plugin_file *file = find_file(catalog, NULL, name);
    if (!file) {
        return fail_absent(catalog, NULL, name, reterr);
    }
    int error = dpl__plugin_load(file, reterr);
    if (error == 0) {
        *ret_class = file->plugin->component;
    }
    return error;
}

int dpl_catalog_driver(struct dpl_catalog *catalog, const char *device_class, const char *name,
                       const struct dpl_driver **ret_driver, struct dpl_diag *reterr)
{
    struct dpl__plugin_file *file = find_file(catalog, device_class, name);
    if (!file) {
        return fail_absent(catalog, device_class, name, reterr);
    }
    int error = dpl__plugin_load(file, reterr);
    if (error == 0) {
        *ret_driver = file->plugin->driver;
    }
    return error;
}

const struct dpl_driver *dpl__catalog_driver_knowing(struct dpl_catalog *catalog,
                                                     const char *device_class, const char *name)
{
    for (size_t i = 0; i < catalog->n_files; i++) {
        struct dpl__plugin_file *file = &catalog->files[i];
        if (!is_of_kind(file, DPL__DRIVER, device_class) || dpl__plugin_load(file, NULL) != 0) {
            continue;
        }
        const struct dpl_driver *driver = file->plugin->driver;
        if (dpl_field_find(driver->properties, driver->n_properties, name)) {
            return driver;
        }
    }
    return NULL;
}

/* Parts are left to who knows their kinds. */
void dpl_catalog_load_all(struct dpl_catalog *catalog, struct dpl_diags *diags)
{
    for (size_t i = 0; i < catalog->n_files; i++) {
        struct dpl__plugin_file *file = &catalog->files[i];
        bool is_part = !file->device_class && !is_of_kind(file, DPL__COMPONENT, NULL);
        struct dpl_diag diag;
        if (!is_part && dpl__plugin_load(file, &diag) != 0 && diags) {
            dpl_diags_add_diag(diags, &diag);
        }
    }
}

/* The i-th loaded plugin that is, or is not, a component; sets their number when `i` is too
 * large. */
static const struct dpl__plugin_file *loaded_at(const struct dpl_catalog *catalog, bool component,
                                                size_t i, size_t *ret_n)
{
    size_t n = 0;
    for (size_t f = 0; f < catalog->n_files; f++) {
        const struct dpl__plugin_file *file = &catalog->files[f];
        if (file->plugin && (!file->device_class) == component && n++ == i) {
            return file;
        }
    }
    if (ret_n) {
        *ret_n = n;
    }
    return NULL;
}

size_t dpl_catalog_n_classes(const struct dpl_catalog *catalog)
{
    size_t n = 0;
    loaded_at(catalog, true, SIZE_MAX, &n);
    return n;
}

const struct dpl_component_class *dpl_catalog_class_at(const struct dpl_catalog *catalog, size_t i)
{
    const struct dpl__plugin_file *file = loaded_at(catalog, true, i, NULL);
    return file ? file->plugin->component : NULL;
}

size_t dpl_catalog_n_drivers(const struct dpl_catalog *catalog)
{
    size_t n = 0;
    loaded_at(catalog, false, SIZE_MAX, &n);
    return n;
}

const struct dpl_driver *dpl_catalog_driver_at(const struct dpl_catalog *catalog, size_t i)
{
    const struct dpl__plugin_file *file = loaded_at(catalog, false, i, NULL);
    return file ? file->plugin->driver : NULL;
}

const char *dpl_catalog_class_file(const struct dpl_catalog *catalog,
                                   const struct dpl_component_class *class_)
{
    for (size_t i = 0; i < catalog->n_files; i++) {
        const struct dpl_plugin *plugin = catalog->files[i].plugin;
        if (plugin && plugin->component == class_) {
            return catalog->files[i].path;
        }
    }
    return NULL;
}
