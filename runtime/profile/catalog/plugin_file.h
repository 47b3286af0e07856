/* SPDX-License-Identifier: Apache-2.0 */
/* What is checked before a plugin is used: plugin_file.c its file, before the loader maps it;
 * plugin_tables.c the tables that it exports. */
#ifndef DOPPEL_PROFILE_PLUGIN_FILE_H
#define DOPPEL_PROFILE_PLUGIN_FILE_H

#include <doppel/plugin.h>

/* Limits of what a plugin's tables may say. */
#define DPL__STATE_MAX      ((size_t)1 << 30) /* bytes of a state */
#define DPL__PROPERTIES_MAX ((size_t)1 << 24) /* bytes of a struct of properties */
#define DPL__ROWS_MAX       ((size_t)4096)    /* rows of a table */

/* Whether the loader can map the file: it is a regular file, an ELF file of this program's kind,
 * as long as its headers say, and its tables are not zero. The loader does not check this: the
 * first access beyond the end of a cut file is a SIGBUS. A file that is not regular is not opened,
 * because opening a pipe blocks. 0, or -ENOEXEC with the reason. Blocks. */
int dpl__plugin_file_check(const char *path, struct dpl_diag *reterr);

/* Whether the tables are complete and their numbers within the limits: 0, or -ENOEXEC with the
 * table, its row and what is wrong. `place` is of the plugin. */
int dpl__plugin_check_class(const struct dpl_component_class *class_, struct dpl_place place,
                            struct dpl_diag *reterr);
int dpl__plugin_check_driver(const struct dpl_driver *driver, struct dpl_place place,
                             struct dpl_diag *reterr);

/* What is checked, for messages. */
struct dpl__checked {
    const char *kind, *name; /* "component class", "Camera" */
    struct dpl_place place;  /* of the plugin */
    struct dpl_diag *reterr;
};

/* Of parts of worlds, see doppel/host/catalog.h. */
int dpl__plugin_check_rows(const struct dpl__checked *checked, const char *what, const void *rows,
                           size_t n);
int dpl__plugin_check_word(const struct dpl__checked *checked, const char *what, const char *word);
int dpl__plugin_check_fields(const struct dpl__checked *checked, const struct dpl_field *fields,
                             size_t n, size_t struct_size);

#endif
