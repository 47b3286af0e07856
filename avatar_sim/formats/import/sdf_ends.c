/* SPDX-License-Identifier: Apache-2.0 */
/* SDF: the link that a name stands for, as ends of joints name links, frames that are attached to
 * them, or models in the model, of which the canonical link counts (sdformat.org, "Pose frame
 * semantics"). */
#include <string.h>

#include "arena.h"
#include "sdf.h"

static const struct dpl_xml_node *named(const struct dpl_xml_node *scope, const char *name,
                                        size_t n)
{
    const struct dpl_xml_node *node = scope->children;
    while (node) {
        const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "name");
        bool may_be = strcmp(node->name, "frame") == 0 || strcmp(node->name, "model") == 0 ||
                      strcmp(node->name, "joint") == 0;
        if (may_be && given && strlen(given->value) == n && strncmp(given->value, name, n) == 0) {
            return node;
        }
        node = node->next;
    }
    return NULL;
}

/* The link that a model moves with: the one it names, else its first, also of models in it. */
static int canonical(struct dpl__import *import, const struct dpl_xml_node *model,
                     const char *prefix, int depth)
{
    const struct dpl_xml_attribute *link = dpl_xml_attribute(model, "canonical_link");
    if (link) {
        return dpl__sdf_link_of(import, model, prefix, link->value, depth + 1);
    }
    for (size_t i = 0; i < import->links.n; i++) {
        if (strncmp(dpl__import_link(import, (int)i)->own_name, prefix, strlen(prefix)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int dpl__sdf_link_of(struct dpl__import *import, const struct dpl_xml_node *scope,
                     const char *prefix, const char *name, int depth)
{
    struct dpl_arena *arena = import->reader->arena;
    int number = dpl__import_find_link(import, dpl_arena_printf(arena, "%s%.200s", prefix, name));
    if (number >= 0 || depth > DPL__SDF_CHAIN_MAX) {
        return number;
    }
    if (strcmp(name, "__model__") == 0) {
        return canonical(import, scope, prefix, depth);
    }
    const char *colons = strstr(name, "::");
    size_t n = colons ? (size_t)(colons - name) : strlen(name);
    const struct dpl_xml_node *found = named(scope, name, n);
    if (!found) {
        return -1;
    }
    if (strcmp(found->name, "model") == 0) {
        const char *inner = dpl_arena_printf(arena, "%s%.*s::", prefix, (int)n, name);
        return colons ? dpl__sdf_link_of(import, found, inner, colons + 2, depth + 1)
                      : canonical(import, found, inner, depth);
    }
    const struct dpl_xml_attribute *attached = dpl_xml_attribute(found, "attached_to");
    const char *next = strcmp(found->name, "joint") == 0        ? dpl__sdf_text(found, "child")
                       : attached && attached->value[0] != '\0' ? attached->value
                                                                : "__model__";
    return dpl__sdf_link_of(import, scope, prefix, next, depth + 1);
}
