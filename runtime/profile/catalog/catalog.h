/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the catalogue: folders, plugin files, profile files. catalog.c finds plugins,
 * catalog_plugin.c loads one, catalog_part.c knows parts of worlds, catalog_files.c finds
 * profiles. */
#ifndef DOPPEL_PROFILE_CATALOG_H
#define DOPPEL_PROFILE_CATALOG_H

#include <stdbool.h>

#include <doppel/host/catalog.h>
#include <doppel/part.h>

#include "arena.h"
#include "installed.h"

enum {
    DPL__FOLDERS_MAX = 32,
    DPL__PLUGINS_MAX = 512,
    DPL__PROFILES_MAX = 4096,
    DPL__NAMES_SIZE = 384
};

#define DPL__COMPONENT "component"
#define DPL__DRIVER    "driver"

struct dpl__folders {
    const char *paths[DPL__FOLDERS_MAX];
    size_t n;
};

struct dpl__plugin_file {
    const char *path;
    const char *kind;         /* the first word of the file's name: DPL__COMPONENT, DPL__DRIVER */
    const char *device_class; /* of a driver; NULL: it is none */
    const char *name;         /* as in the file's name */
    void *handle;
    /* Not loaded (yet): both NULL. */
    const struct dpl_plugin *plugin; /* of a component or driver */
    const struct dpl_part *part;     /* of any other kind */
    bool tried;
    struct dpl_diag failure;
};

struct dpl_catalog {
    struct dpl_arena arena;
    struct dpl__folders plugin_folders, profile_folders;
    struct dpl__plugin_file files[DPL__PLUGINS_MAX];
    size_t n_files;
    const char **interned;
    size_t n_interned, interned_capacity;
};

/* Loads a plugin once; later calls return the same. -ENOEXEC with the reason. */
int dpl__plugin_load(struct dpl__plugin_file *file, struct dpl_diag *reterr);

/* Whether this runtime can use a plugin, which `file` describes: 0, or -ENOEXEC with the reason. */
int dpl__plugin_check(const struct dpl__plugin_file *file, const struct dpl_plugin *plugin,
                      struct dpl_diag *reterr);

/* The same of a part. */
int dpl__part_check(const struct dpl__plugin_file *file, const struct dpl_part *part,
                    struct dpl_diag *reterr);

/* A copy of the text, valid until the catalogue is destroyed; the same pointer for the same
 * text. */
const char *dpl__catalog_intern(struct dpl_catalog *catalog, const char *text);

/* Splits a ':'-separated list; relative paths stay relative. */
void dpl__folders_split(struct dpl_catalog *catalog, const char *list, struct dpl__folders *ret);

/* Adds the folders that belong to the library. */
void dpl__folders_add_installed(struct dpl_catalog *catalog, enum dpl__installed kind,
                                struct dpl__folders *folders);

/* The names of a folder's files that end in `suffix`, sorted, in the catalogue's arena. */
size_t dpl__folder_list(struct dpl_catalog *catalog, const char *folder, const char *suffix,
                        const char *const **ret_names);

/* A driver of the device class that has a property of this name; loads all of them. NULL: none. */
const struct dpl_driver *dpl__catalog_driver_knowing(struct dpl_catalog *catalog,
                                                     const char *device_class, const char *name);

/* The drivers of a device class as "a, b, c"; "none" for an empty list. */
void dpl__catalog_driver_names(struct dpl_catalog *catalog, const char *device_class,
                               char ret_list[DPL__NAMES_SIZE]);

#endif
