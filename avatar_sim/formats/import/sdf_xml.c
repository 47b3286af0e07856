/* SPDX-License-Identifier: Apache-2.0 */
/* SDF: models of a <world>, or directly in <sdf>; all become one mechanism. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "sdf.h"

static int version_of(const struct dpl_xml_node *root)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(root, "version");
    int major = 1, minor = 7;
    if (given && sscanf(given->value, "%d.%d", &major, &minor) != 2) {
        return 107;
    }
    return major * 100 + minor;
}

typedef void (*read_part)(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                          const struct dpl_xml_node *node);

/* Calls `read` for each element of that name in the scope and in the models of it. */
static bool each(struct dpl__import *import, const struct dpl__sdf_scope *scope, const char *name,
                 int depth, read_part read)
{
    int group = scope->group;
    if (depth > DPL__SDF_DEPTH_MAX) {
        return dpl__import_fail(import, scope->node->place, "models are more than %d deep",
                                DPL__SDF_DEPTH_MAX);
    }
    for (const struct dpl_xml_node *node = scope->node->children; node; node = node->next) {
        const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "name");
        if (strcmp(node->name, "model") == 0) {
            struct dpl__sdf_scope inner = *scope;
            inner.node = node;
            inner.outer = scope;
            inner.is_model = true;
            inner.is_static = inner.touches_itself = false;
            inner.prefix = dpl_arena_printf(import->reader->arena, "%s%.100s::", scope->prefix,
                                            given ? given->value : "model");
            /* Models of a world touch each other, links of one model do not. */
            inner.group = scope->is_model ? scope->group : ++group;
            bool good = dpl__sdf_flag(import, node, "static", &inner.is_static) &&
                        dpl__sdf_flag(import, node, "self_collide", &inner.touches_itself) &&
                        dpl__sdf_place(import, scope, node, 0, &inner.pose);
            inner.is_static |= scope->is_static;
            if (!good || !each(import, &inner, name, depth + 1, read)) {
                return false;
            }
        } else if (strcmp(node->name, name) == 0 && scope->is_model) {
            read(import, scope, node);
        }
    }
    return true;
}

/* What no part of ours reads. */
static void leave_out(struct dpl__import *import, const struct dpl_xml_node *node)
{
    bool is_model = strcmp(node->name, "model") == 0;
    dpl__sdf_leave_out(import, node,
                       is_model ? "pose|static|link|joint|frame|model|self_collide"
                                : "world|model|frame");
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        if (strcmp(child->name, "model") == 0 || strcmp(child->name, "world") == 0) {
            leave_out(import, child);
        }
    }
}

static size_t count(const struct dpl_xml_node *node, const char *name)
{
    size_t n = 0;
    for (const struct dpl_xml_node *child = dpl_xml_child(node, name); child;
         child = dpl_xml_next(child, name)) {
        n++;
    }
    return n;
}

bool dpl__sdf_read(struct dpl__import *import, const struct dpl_xml_node *root)
{
    size_t errors = import->reader->diags->n_errors;
    if (import->options->joints && import->options->joints[0] != '\0') {
        return dpl__import_fail(import, import->options->joints_place,
                                "joints: an SDF says itself where its links are");
    }
    root = dpl__sdf_include(import, root);
    if (!root) {
        return false;
    }
    const struct dpl_xml_node *world = dpl_xml_child(root, "world");
    const struct dpl_xml_node *named = world ? world : dpl_xml_child(root, "model");
    const struct dpl_xml_attribute *name = named ? dpl_xml_attribute(named, "name") : NULL;
    snprintf(import->objects->name, sizeof import->objects->name, "%.47s", name ? name->value : "");
    if (count(root, "world") > 1) {
        return dpl__import_fail(import, dpl_xml_next(world, "world")->place,
                                "there is more than one <world>");
    }
    struct dpl__sdf_scope scope = {
        .node = world ? world : root,
        .pose = {{0.0, 0.0, import->options->z}, {.w = 1.0}},
        .prefix = "",
        .version = version_of(root),
    };
    leave_out(import, root);
    import->names_models = count(scope.node, "model") > 1;
    if (!each(import, &scope, "link", 0, dpl__sdf_link) ||
        import->reader->diags->n_errors > errors) {
        return false;
    }
    if (import->links.n == 0) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, root->place,
                      "there is no <link> in any <model>: nothing of this file is simulated");
        return true;
    }
    dpl__import_link(import, 0)->is_static |= import->options->fixed_base;
    return each(import, &scope, "joint", 0, dpl__sdf_joint) &&
           import->reader->diags->n_errors == errors;
}
