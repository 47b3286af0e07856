/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of worlds in plugins: what of them the runtime knows. Their tables are checked by who knows
 * their kind. */
#include <errno.h>
#include <string.h>

#include "catalog.h"
#include "plugin_file.h"

static const char *name_of(const struct dpl_part *part)
{
    const char *const *name = part->table;
    return *name ? *name : "";
}

int dpl__part_check(const struct dpl__plugin_file *file, const struct dpl_part *part,
                    struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = file->path};
    if (part->abi != DPL_PLUGIN_ABI) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin has ABI %u, this runtime has %u",
                        part->abi, DPL_PLUGIN_ABI);
    }
    if (part->field_size != sizeof(struct dpl_field)) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "the plugin's field table has %u bytes, this runtime's %zu",
                        part->field_size, sizeof(struct dpl_field));
    }
    if (!part->table || part->table_size < sizeof(const char *)) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin contains no %s", file->kind);
    }
    if (!dpl_name_equal(name_of(part), file->name)) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "the file is named for %s '%s', but the plugin contains '%.60s'",
                        file->kind, file->name, name_of(part));
    }
    return 0;
}

static struct dpl__plugin_file *next_of(struct dpl_catalog *catalog, const char *kind,
                                        const char *after)
{
    struct dpl__plugin_file *next = NULL;
    for (size_t i = 0; i < catalog->n_files; i++) {
        struct dpl__plugin_file *file = &catalog->files[i];
        if (strcmp(file->kind, kind) == 0 && (!after || strcmp(file->name, after) > 0) &&
            (!next || strcmp(file->name, next->name) < 0)) {
            next = file;
        }
    }
    return next;
}

int dpl_catalog_next_part(struct dpl_catalog *catalog, const char *kind, const char *after,
                          size_t table_size, struct dpl_catalog_part *ret_part,
                          struct dpl_diag *reterr)
{
    struct dpl__plugin_file *file = next_of(catalog, kind, after);
    if (!file) {
        return -ENOENT;
    }
    *ret_part = (struct dpl_catalog_part){file->kind, file->name, file->path, NULL};
    int error = dpl__plugin_load(file, reterr);
    if (error != 0) {
        return error;
    }
    if (file->part->table_size != table_size) {
        return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = file->path},
                        "the plugin's %s table has %u bytes, this runtime's %zu", kind,
                        file->part->table_size, table_size);
    }
    ret_part->table = file->part->table;
    return 0;
}

int dpl_catalog_check_rows(const struct dpl_catalog_part *part, const char *what, const void *rows,
                           size_t n, struct dpl_diag *reterr)
{
    const struct dpl__checked checked = {part->kind, part->name, {.file = part->file}, reterr};
    return dpl__plugin_check_rows(&checked, what, rows, n);
}

int dpl_catalog_check_word(const struct dpl_catalog_part *part, const char *what, const char *word,
                           struct dpl_diag *reterr)
{
    const struct dpl__checked checked = {part->kind, part->name, {.file = part->file}, reterr};
    return dpl__plugin_check_word(&checked, what, word);
}

int dpl_catalog_check_fields(const struct dpl_catalog_part *part, const struct dpl_field *fields,
                             size_t n, size_t struct_size, struct dpl_diag *reterr)
{
    const struct dpl__checked checked = {part->kind, part->name, {.file = part->file}, reterr};
    return dpl__plugin_check_fields(&checked, fields, n, struct_size);
}
