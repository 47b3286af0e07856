/* SPDX-License-Identifier: Apache-2.0 */
/* The world of an application, and its changes by bindings. Only where a value is, is known here:
 * the world itself says whether it has the element and the attribute (avatar_sim/ground/sets.c). */
#include <string.h>

#include "build.h"

void dpl__build_world(struct dpl__builder *builder, const struct dpl_xml_node *profile,
                      const char *file)
{
    const struct dpl_xml_node *node = dpl__child_named(profile, "world");
    const struct dpl_xml_attribute *name = node ? dpl_xml_attribute(node, "file") : NULL;
    if (!name || name->value[0] == '\0') {
        return;
    }
    const char *path = dpl_catalog_find_profile(builder->catalog, "worlds", name->value, file);
    if (!path) {
        dpl__build_absent(builder, name->value_place, "cannot find the world '%.120s'",
                          name->value);
        return;
    }
    builder->world = dpl_arena_strdup(builder->arena, path);
    builder->world_place = name->value_place;
}

static bool is_same(const struct dpl_xml_node *a, const struct dpl_xml_node *b, const char *name)
{
    const struct dpl_xml_attribute *one = dpl_xml_attribute(a, name);
    const struct dpl_xml_attribute *other = dpl_xml_attribute(b, name);
    return one && other && dpl_name_equal(one->value, other->value);
}

static bool is_duplicate(struct dpl__builder *builder, const struct dpl_xml_node *first,
                         const struct dpl_xml_node *node)
{
    for (; first != node; first = dpl_xml_next(first, "property")) {
        if (is_same(first, node, "entry") && is_same(first, node, "name")) {
            dpl__build_error(builder, node->place,
                             "duplicate property of the world; the first is at %d:%d",
                             first->place.line, first->place.column);
            return true;
        }
    }
    return false;
}

static void add_change(struct dpl__builder *builder, const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *entry = dpl_xml_attribute(node, "entry");
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    if (!entry || !name || entry->value[0] == '\0' || name->value[0] == '\0') {
        return; /* the dialect has reported it */
    }
    if (strchr(entry->value, '=') || strpbrk(name->value, "=.")) {
        dpl__build_error(builder, entry->value_place,
                         "'%.60s', '%.60s' is no element with an attribute", entry->value,
                         name->value);
        return;
    }
    struct dpl__world_change *change = dpl_arena_alloc(builder->arena, sizeof(*change));
    *change = (struct dpl__world_change){
        .property = {
            dpl_arena_printf(builder->arena, "%s.%s=%s", entry->value, name->value, node->text),
            node->place}};
    if (builder->last_world_change) {
        builder->last_world_change->next = change;
    } else {
        builder->world_changes = change;
    }
    builder->last_world_change = change;
    builder->n_world_changes++;
}

void dpl__build_world_properties(struct dpl__builder *builder, const struct dpl_xml_node *profile)
{
    const struct dpl_xml_node *list = dpl__child_named(profile, "world_properties");
    const struct dpl_xml_node *first = dpl__child_named(list, "property");
    if (!dpl__build_list_is_short(builder, first)) {
        return;
    }
    for (const struct dpl_xml_node *node = first; node; node = dpl_xml_next(node, "property")) {
        if (!is_duplicate(builder, first, node)) {
            add_change(builder, node);
        }
    }
}
