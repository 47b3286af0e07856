/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a world names: where they are found, and the parameters that they get. */
#include <string.h>
#include <unistd.h>

#include <doppel/host/catalog.h>

#include "arena.h"
#include "world_xml.h"

/* The file beside the one being read, in a sibling folder or on the profile path; NULL when there
 * is none. */
static const char *find_file(struct dpl_element_reader *reader, const char *name)
{
    static const char *const folders[] = {"", "../robots/", "../worlds/"};
    static const char *const kinds[] = {NULL, "robots", "worlds"};
    const struct dpl__world_target *target = reader->target;
    const char *slash = strrchr(target->file, '/');
    int length = slash ? (int)(slash + 1 - target->file) : 0;
    if (*name == '/') {
        return access(name, R_OK) == 0 ? name : NULL;
    }
    for (size_t i = 0; i < DPL_COUNT(folders); i++) {
        const char *path =
            dpl_arena_printf(reader->arena, "%.*s%s%s", length, target->file, folders[i], name);
        if (access(path, R_OK) == 0) {
            return path;
        }
    }
    struct dpl_catalog *catalog = target->options->catalog;
    for (size_t i = 1; catalog && i < DPL_COUNT(folders); i++) {
        const char *path = dpl_catalog_find_profile(catalog, kinds[i], name, NULL);
        if (path) {
            return path;
        }
    }
    return NULL;
}

const char *dpl__world_find(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const char *name)
{
    const struct dpl__world_target *target = reader->target;
    const char *path = find_file(reader, dpl_arena_strdup(reader->arena, name));
    if (!path) {
        bool warn = target->options->absent_is_warning;
        dpl_diags_add(reader->diags, warn ? DPL_SEVERITY_WARNING : DPL_SEVERITY_ERROR, node->place,
                      "file '%s' is not there, looked beside '%s', in ../robots and ../worlds%s",
                      name, target->file,
                      target->options->catalog ? ", and on the profile path" : "");
    }
    return path;
}

const struct dpl_xml_node *dpl__world_file(struct dpl_element_reader *reader,
                                           const struct dpl_xml_node *node, const char *name,
                                           const char **ret_path)
{
    const char *path = dpl__world_find(reader, node, name);
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    if (!path) {
        return NULL;
    }
    if (dpl_xml_read_file(reader->arena, path, &root, &diag)) {
        dpl_diags_add_diag(reader->diags, &diag);
        return NULL;
    }
    *ret_path = path;
    return root;
}

const struct dpl_xml_node *dpl__world_read_named(struct dpl_element_reader *reader,
                                                 const struct dpl_xml_node *node,
                                                 const struct dpl_element_table *table,
                                                 const char *name, const char **ret_path)
{
    struct dpl__world_target *target = reader->target;
    const struct dpl_xml_node *root = dpl__world_file(reader, node, name, ret_path);
    return dpl__params_pass(reader, node, table, root, name, &target->work);
}

bool dpl__world_read_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_element_table *table, void *base)
{
    const struct dpl_xml_node *own = dpl__params_without(reader, node, table);
    if (dpl_element_fields(reader, own, table->fields, table->n, base)) {
        return true;
    }
    dpl__params_pass(reader, node, table, NULL, NULL, NULL);
    return false;
}
