/* SPDX-License-Identifier: Apache-2.0 */
/* Reads profiles into the builder, and small functions for all stages. */
#include <errno.h>
#include <string.h>

#include "build.h"
#include "words.h"

/* OPRoS has published component profiles without a name: that of the library counts. */
static void check_name(struct dpl__builder *builder, const struct dpl_xml_node *profile)
{
    const struct dpl_xml_node *name = dpl__child_named(profile, "name");
    const struct dpl_xml_node *environment = dpl__child_named(profile, "execution_environment");
    const char *library = dpl__child_text(environment, "library_name");
    if (!name || name->text[0] != '\0') {
        return;
    }
    if (library) {
        dpl__build_warn(builder, name->place, "<name> is empty: '%.80s' of <library_name> is taken",
                        library);
    } else {
        dpl__build_error(builder, name->place, "<name> is empty");
    }
}

const struct dpl__file *dpl__build_take(struct dpl__builder *builder, const char *path,
                                        const struct dpl_xml_node *root)
{
    int kind = dpl__dialect_kind(root->name);
    if (kind < 0) {
        return NULL;
    }
    struct dpl__file *file = dpl_arena_alloc(builder->arena, sizeof(*file));
    *file = (struct dpl__file){path, root, kind, builder->files};
    builder->files = file;
    dpl__dialect_check(dpl__dialect_roots[kind], root, builder->diags);
    if (kind == DPL__KIND_COMPONENT) {
        check_name(builder, root);
    }
    return file;
}

const struct dpl__file *dpl__build_read(struct dpl__builder *builder, const char *path,
                                        const char **ret_root_name)
{
    for (const struct dpl__file *file = builder->files; file; file = file->next) {
        if (strcmp(file->path, path) == 0) {
            return file;
        }
    }
    struct dpl_diag diag;
    const struct dpl_xml_node *root;
    if (dpl_xml_read_file(builder->arena, path, &root, &diag) != 0) {
        dpl_diags_add_diag(builder->diags, &diag);
        return NULL;
    }
    if (ret_root_name) {
        *ret_root_name = root->name;
    }
    return dpl__build_take(builder, dpl_arena_strdup(builder->arena, path), root);
}

static void add(struct dpl__builder *builder, enum dpl_severity severity, struct dpl_place place,
                const char *format, va_list args)
{
    struct dpl_diag diag = {.severity = severity, .place = place};
    vsnprintf(diag.text, sizeof(diag.text), format, args);
    dpl_diags_add_diag(builder->diags, &diag);
}

void dpl__build_absent(struct dpl__builder *builder, struct dpl_place place, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    add(builder, builder->resolve ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING, place, format, args);
    va_end(args);
}

void dpl__build_error(struct dpl__builder *builder, struct dpl_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(builder, DPL_SEVERITY_ERROR, place, format, args);
    va_end(args);
}

void dpl__build_warn(struct dpl__builder *builder, struct dpl_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(builder, DPL_SEVERITY_WARNING, place, format, args);
    va_end(args);
}

bool dpl__build_list_is_short(struct dpl__builder *builder, const struct dpl_xml_node *first)
{
    size_t n = 0;
    for (const struct dpl_xml_node *node = first; node; node = node->next) {
        if (++n > DPL__LIST_MAX) {
            dpl__build_error(builder, node->place, "more than %d elements here", DPL__LIST_MAX);
            return false;
        }
    }
    return true;
}

const char *dpl__build_hint(struct dpl__builder *builder, const char *nearest)
{
    return nearest ? dpl_arena_printf(builder->arena, "; did you mean '%s'?", nearest) : "";
}

const struct dpl_xml_node *dpl__child_named(const struct dpl_xml_node *node, const char *names)
{
    char name[DPL__WORD_MAX];
    while (node && (names = dpl__word_next(names, name))) {
        const struct dpl_xml_node *child = dpl_xml_child(node, name);
        if (child) {
            return child;
        }
    }
    return NULL;
}

const char *dpl__child_text(const struct dpl_xml_node *node, const char *names)
{
    const struct dpl_xml_node *child = dpl__child_named(node, names);
    return child && child->text[0] != '\0' ? child->text : NULL;
}
