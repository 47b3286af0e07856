/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue: component classes, drivers and parts of worlds in plugins, and profiles on the
 * search path of this machine. Not thread-safe; allocates; for tools and for loading, never in a
 * cycle. */
#ifndef DOPPEL_HOST_CATALOG_H
#define DOPPEL_HOST_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/component.h>
#include <doppel/device.h>
#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_catalog;

/* Search paths are ':'-separated lists of folders, searched in order; NULL gives the default:
 * $DOPPEL_PLUGIN_PATH or $DOPPEL_PROFILE_PATH, then the folders of the installation or of the build
 * to which this library belongs. */
struct dpl_catalog_options {
    const char *plugin_path;
    const char *profile_path;
};

int dpl_catalog_create(const struct dpl_catalog_options *options, struct dpl_catalog **ret_catalog,
                       struct dpl_diag *reterr);
void dpl_catalog_destroy(struct dpl_catalog *catalog); /* unloads the plugins; NULL: does nothing */

/* Adds a folder to the profile path, at its beginning. 0, or -ENOSPC with reterr. */
int dpl_catalog_add_profiles(struct dpl_catalog *catalog, const char *folder,
                             struct dpl_diag *reterr);

/* Adds the plugin of a program that has a component or driver of its own in memory. Both must stay
 * where they are until the catalogue is destroyed. 0; -EEXIST: there is one of that name; -ENOEXEC:
 * it is none of this runtime's plugins; -ENOSPC; with reterr. */
struct dpl_plugin;
int dpl_catalog_add_plugin(struct dpl_catalog *catalog, const struct dpl_plugin *plugin,
                           struct dpl_diag *reterr);

/* The folders that are searched, separated by ':', in order, also those that do not exist. The
 * catalogue owns the text. */
const char *dpl_catalog_plugin_path(struct dpl_catalog *catalog);
const char *dpl_catalog_profile_path(struct dpl_catalog *catalog);

/* Loads the plugin of a class on first use. `name` may be an OPRoS library name ("libCamera.so",
 * "Camera.dll"): path, "lib" and suffix are removed. -ENOENT with the known names and the most
 * similar one; -ENOEXEC for a plugin of another ABI, with both numbers. */
int dpl_catalog_class(struct dpl_catalog *catalog, const char *name,
                      const struct dpl_component_class **ret_class, struct dpl_diag *reterr);

/* The driver of a device class by ApiName ("HIL_Driver.dll" = "hil": path, "lib", suffix and a
 * trailing "driver" are removed). -ENOENT lists the drivers of that class. */
int dpl_catalog_driver(struct dpl_catalog *catalog, const char *device_class, const char *name,
                       const struct dpl_driver **ret_driver, struct dpl_diag *reterr);

/* Loads all plugins, for `doppel list` and `doppel info`; diags has the plugins that cannot be
 * loaded. */
void dpl_catalog_load_all(struct dpl_catalog *catalog, struct dpl_diags *diags);
size_t dpl_catalog_n_classes(const struct dpl_catalog *catalog);
const struct dpl_component_class *dpl_catalog_class_at(const struct dpl_catalog *catalog, size_t i);
size_t dpl_catalog_n_drivers(const struct dpl_catalog *catalog);
const struct dpl_driver *dpl_catalog_driver_at(const struct dpl_catalog *catalog, size_t i);
/* The plugin file of a class. */
const char *dpl_catalog_class_file(const struct dpl_catalog *catalog,
                                   const struct dpl_component_class *class_);

/* A part of a world in a plugin (doppel/part.h). */
struct dpl_catalog_part {
    const char *kind, *name, *file; /* "sensor", as the name of the file has it, its path */
    const void *table; /* stays in memory until the process ends, for the models that name it */
};

/* The part of a kind whose name follows `after` (NULL: the first), in the order of the names.
 * Loads its plugin on first use; `table_size`: of its table. 0; -ENOENT: there are no more;
 * -ENOEXEC with reterr: it cannot be used, *ret_part has all but its table. */
int dpl_catalog_next_part(struct dpl_catalog *catalog, const char *kind, const char *after,
                          size_t table_size, struct dpl_catalog_part *ret_part,
                          struct dpl_diag *reterr);

/* For who checks the table of a part. Each: 0, or -ENOEXEC with the row and what is wrong. Whether
 * a table of fields, which are attributes in files, is complete and inside of its struct. */
int dpl_catalog_check_fields(const struct dpl_catalog_part *part, const struct dpl_field *fields,
                             size_t n, size_t struct_size, struct dpl_diag *reterr);
/* Whether a number of rows has rows, and not too many; `what`: "channel". */
int dpl_catalog_check_rows(const struct dpl_catalog_part *part, const char *what, const void *rows,
                           size_t n, struct dpl_diag *reterr);
/* Whether a word can be one in files: an element, an attribute, a value of a choice. */
int dpl_catalog_check_word(const struct dpl_catalog_part *part, const char *what, const char *word,
                           struct dpl_diag *reterr);

/* The loaded class or driver whose name is most similar to `name`, for a "did you mean"; for a name
 * with a slash, "device class/driver". Returns false and writes nothing when no name is similar. */
bool dpl_catalog_suggest(const struct dpl_catalog *catalog, const char *name, char *ret_name,
                         size_t size);

/* Finds a profile file. Search order: beside `beside` (a file; NULL: none), in `profile/` and in
 * the component's own folder beside it, then as given (from the working folder), then in each
 * folder of the profile path and its sub-folder `kind` ("components", "apps", "benches",
 * "bindings", "worlds", "robots", "services", "types"; NULL: all of them); each with and without
 * ".xml". Returns a string that the catalogue owns, or NULL. */
const char *dpl_catalog_find_profile(struct dpl_catalog *catalog, const char *kind,
                                     const char *name, const char *beside);

/* The files of one kind on the profile path and one level of sub-folders, sorted by name: for
 * `doppel list` and suggestions. The catalogue owns the array and the strings. */
const char *const *dpl_catalog_profiles(struct dpl_catalog *catalog, const char *kind,
                                        size_t *ret_n);

/* The name with which a profile of its kind is found: "star/arm.xml" of ".../worlds/star/arm.xml".
 * It points into `file`. */
const char *dpl_catalog_profile_name(const char *file, const char *kind);

/* Writes the name of the profile of one of these kinds that is most similar to `name`, without the
 * ending of its file. False: none is similar. */
bool dpl_catalog_nearest_profile(struct dpl_catalog *catalog, const char *const *kinds,
                                 size_t n_kinds, const char *name, char *ret_name, size_t size);

/* What to say of a name that dpl_catalog_find_profile does not find: the most similar one, if there
 * is one, and the folders that were searched. Returns `ret_text`. */
const char *dpl_catalog_say_searched(struct dpl_catalog *catalog, const char *kind,
                                     const char *name, char *ret_text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
