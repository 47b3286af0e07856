/* SPDX-License-Identifier: Apache-2.0 */
/* What changes an application for a run: binding profiles and --set. */
#include <string.h>

#include "build.h"

#define SET_SHOWN_MAX 120 /* bytes of a --set in an error */

static bool is_optional(const struct dpl_xml_node *property)
{
    const struct dpl_xml_attribute *optional = dpl_xml_attribute(property, "optional");
    return optional != NULL && dpl_name_equal(optional->value, "true");
}

/* A name inside a composite that is absent cannot be known to be wrong. */
static bool may_be_absent(const struct dpl__builder *builder, const char *name)
{
    const struct dpl__scope *scope = builder->top;
    for (const struct dpl__entry *e = scope != NULL ? scope->entries : NULL; e != NULL;
         e = e->next) {
        size_t n = strlen(e->name);
        bool opaque = e->instance == NULL;
        if (opaque && strncmp(name, e->name, n) == 0 && (name[n] == '.' || name[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static void bind_property(struct dpl__builder *builder, const struct dpl_xml_node *node,
                          bool has_application)
{
    const struct dpl_xml_attribute *component = dpl_xml_attribute(node, "component");
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    const struct dpl_xml_attribute *type = dpl_xml_attribute(node, "type");
    const struct dpl_xml_attribute *unit = dpl_xml_attribute(node, "unit");
    if (component == NULL || name == NULL || name->value[0] == '\0') {
        return;
    }
    struct dpl__instance *instance = dpl__build_find_instance(builder, component->value);
    if (instance == NULL) {
        if (has_application && !is_optional(node) && !may_be_absent(builder, component->value)) {
            const char *nearest = dpl__build_nearest_instance(builder, component->value);
            dpl__build_error(builder, component->value_place,
                             "the application has no component '%.80s'%s", component->value,
                             dpl__build_hint(builder, nearest));
        }
        return;
    }
    struct dpl__assignment assignment = {
        .origin = DPL__ORIGIN_BINDING,
        .name = name->value,
        .type = type != NULL ? type->value : NULL,
        .name_place = name->value_place,
        .text = {node->text, unit != NULL ? unit->value : NULL, node->text_place},
    };
    dpl__build_add_assignment(builder, instance, &assignment);
}

void dpl__build_world(struct dpl__builder *builder, const struct dpl_xml_node *profile,
                      const char *file)
{
    const struct dpl_xml_node *node = dpl__child_named(profile, "world");
    const struct dpl_xml_attribute *name = node != NULL ? dpl_xml_attribute(node, "file") : NULL;
    if (name == NULL || name->value[0] == '\0') {
        return;
    }
    const char *path = dpl_catalog_find_profile(builder->catalog, "worlds", name->value, file);
    if (path == NULL) {
        dpl__build_absent(builder, name->value_place, "cannot find the world '%.120s'",
                          name->value);
        return;
    }
    builder->world = dpl_arena_strdup(builder->arena, path);
    builder->world_place = name->value_place;
}

void dpl__build_binding(struct dpl__builder *builder, const struct dpl__file *file)
{
    bool has_application = builder->top != NULL;
    if (!has_application) {
        struct dpl__scope *scope = dpl_arena_alloc(builder->arena, sizeof(*scope));
        *scope = (struct dpl__scope){.prefix = "", .file = file->path, .profile = file->root};
        builder->top = scope;
    }
    dpl__build_world(builder, file->root, file->path);
    dpl__build_subcomponents(builder, builder->top, file->root, file->path);
    const struct dpl_xml_node *list = dpl__child_named(file->root, "properties");
    const struct dpl_xml_node *node = dpl__child_named(list, "property");
    if (!dpl__build_list_is_short(builder, node)) {
        return;
    }
    for (; node != NULL; node = dpl_xml_next(node, "property")) {
        bind_property(builder, node, has_application);
    }
}

struct dpl__instance *dpl__build_instance_before_dot(const struct dpl__builder *builder,
                                                     const char *text, size_t *ret_n)
{
    struct dpl__instance *found = NULL;
    for (struct dpl__instance *i = builder->instances; i != NULL; i = i->next) {
        size_t n = strlen(i->name);
        if (strncmp(text, i->name, n) == 0 && text[n] == '.' && (found == NULL || n > *ret_n)) {
            found = i;
            *ret_n = n;
        }
    }
    return found;
}

/* Names are compared by letters and digits, so "..x" would pass for "x". */
static bool holds_two_dots(const char *text, const char *end)
{
    const char *dots = strstr(text, "..");
    return dots != NULL && dots < end;
}

void dpl__build_set(struct dpl__builder *builder, const char *set)
{
    struct dpl_place place = {
        .file = dpl_arena_printf(builder->arena,
                                 strlen(set) > SET_SHOWN_MAX ? "--set %.*s..." : "--set %.*s",
                                 SET_SHOWN_MAX, set)};
    const char *equals = strchr(set, '=');
    const char *dot = strchr(set, '.');
    if (equals == NULL || dot == NULL || dot == set || dot > equals || equals[-1] == '.' ||
        holds_two_dots(set, equals)) {
        dpl__build_error(builder, place, "expected Component.Property=value");
        return;
    }
    const char *left = dpl_arena_strndup(builder->arena, set, (size_t)(equals - set));
    size_t n = 0;
    struct dpl__instance *instance = dpl__build_instance_before_dot(builder, left, &n);
    if (instance == NULL) {
        if (may_be_absent(builder, left)) {
            return;
        }
        const char *component =
            dpl_arena_strndup(builder->arena, set, (size_t)(strrchr(left, '.') - left));
        const char *head = dpl_arena_strndup(builder->arena, set, (size_t)(dot - set));
        const char *nearest = dpl__build_nearest_instance(builder, component);
        nearest = nearest != NULL ? nearest : dpl__build_nearest_instance(builder, head);
        dpl__build_error(builder, place, "the application has no component '%.80s'%s", component,
                         dpl__build_hint(builder, nearest));
        return;
    }
    struct dpl__assignment assignment = {
        .origin = DPL__ORIGIN_SET,
        .name = left + n + 1,
        .name_place = place,
        .text = {dpl_arena_strdup(builder->arena, equals + 1), NULL, place},
    };
    dpl__build_add_assignment(builder, instance, &assignment);
}
