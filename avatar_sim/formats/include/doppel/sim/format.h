/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of files, each a const table: checks, schemas and the <robot> of a world walk their list.
 * A plugin (doppel/part.h, format-NAME.so) brings a format of robots: its `read` makes a mechanism
 * of a file. */
#ifndef DOPPEL_SIM_FORMAT_H
#define DOPPEL_SIM_FORMAT_H

#include <doppel/sim/element.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl__classes;
struct dpl_catalog;
struct dpl_element_root;

/* A file that `read` reads. */
struct dpl_format_file {
    const char *path;     /* for places of errors, too: it outlives the diagnostics */
    const void *settings; /* the struct that the format's settings describe; defaults: a check */
};

struct dpl_format {
    const char *name; /* of a plugin its own; else the root element, for what was meant */
    /* Whether a file is of this format, by its name and its root. `node`: the root; NULL: the file
     * has not been read yet, or is no XML. */
    bool (*is_mine)(const char *file, const char *root, const struct dpl_xml_node *node);
    /* The attribute of a world's <robot> that names such a file, of a plugin its name; NULL: no
     * robot is read so. */
    const char *attribute;
    const char *summary; /* of the attribute */
    /* More attributes of such a <robot>, beside name, x, y and yaw. */
    struct dpl_sim_settings settings;
    /* Adds the parts of a file by the calls of doppel/sim/mechanism.h; the mechanism is empty, and
     * its memory lives as long as the model. 0, or -EINVAL with errors in diags. Opens the file.
     * NULL: `read_robot` reads it. */
    int (*read)(const struct dpl_format_file *file, struct dpl_sim_objects *inout_objects,
                struct dpl_diags *diags);

    /* ---- of formats in the library; NULL in plugins ---- */
    /* Reads a file and what it names: as dpl_sim_check. */
    int (*check)(struct dpl_arena *arena, const char *file,
                 const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                 const char **ret_about);
    /* Its root with all that may be in it, in the arena. NULL: it has no schema. */
    struct dpl_element_root (*schema)(struct dpl_arena *arena, const struct dpl__classes *classes);
    /* Reads such a <robot>, whose attributes are in the table. */
    void (*read_robot)(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
    const struct dpl_element_table *table;
    const char *world; /* the text of the world that such a file is by itself */
};

/* The formats of the library and the plugins of the catalogue (NULL: none), by name; ends with
 * NULL. In the arena. `diags` (NULL: not wanted) has the plugins that cannot be used. */
const struct dpl_format *const *
dpl_sim_formats(struct dpl_arena *arena, struct dpl_catalog *catalog, struct dpl_diags *diags);

#ifdef __cplusplus
}
#endif

#endif
