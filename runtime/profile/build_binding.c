/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of an application for a run: binding profiles and --set. */
#include <string.h>

#include "build.h"

#define SET_SHOWN_MAX 120 /* bytes of a --set that an error message shows */

static bool is_optional(const struct dpl_xml_node *property)
{
    const struct dpl_xml_attribute *optional = dpl_xml_attribute(property, "optional");
    return optional && dpl_name_equal(optional->value, "true");
}

/* ---- owner of a property --------------------------------------------------------------------- */

static bool knows(struct dpl__builder *builder, const struct dpl__instance *instance,
                  const char *property)
{
    const struct dpl_component_class *class_ = instance->class_;
    if (!class_) {
        return false;
    }
    if (dpl_field_find(class_->properties, class_->n_properties, property)) {
        return true;
    }
    return class_->device_class &&
           (dpl_name_equal(property, DPL__DRIVER_PROPERTY) ||
            dpl_name_equal(property, DPL__LATE_LIMIT) ||
            dpl__catalog_driver_knowing(builder->catalog, class_->device_class, property));
}

/* A composite contains components with properties: finds those that have this property. */
static void report_composite(struct dpl__builder *builder, struct dpl_place place,
                             const struct dpl__scope *scope, const char *property)
{
    int length = (int)strlen(scope->prefix) - 1;
    const char *hint = "";
    for (const struct dpl__instance *i = builder->instances; i && !*hint; i = i->next) {
        if (strncmp(i->name, scope->prefix, strlen(scope->prefix)) == 0 &&
            knows(builder, i, property)) {
            const char *meant = dpl_arena_printf(builder->arena, "%s.%s", i->name, property);
            hint = dpl__build_hint(builder, meant);
        }
    }
    dpl__build_error(builder, place,
                     "'%.*s' is a composite and has no property '%.60s'; expected one of its "
                     "components: %.*s.Component.Property%s",
                     length, scope->prefix, property, length, scope->prefix, hint);
}

/* Reports that no component has the name at the start of `full`, "Component.Property". */
static void report_no_component(struct dpl__builder *builder, struct dpl_place place,
                                const char *full)
{
    const struct dpl__scope *scope = dpl__build_scope_before_dot(builder->top, full);
    const char *rest = scope ? full + strlen(scope->prefix) : full;
    if (scope && !strchr(rest, '.')) {
        report_composite(builder, place, scope, rest);
        return;
    }
    const char *dot = strrchr(full, '.');
    const char *component = dpl_arena_strndup(builder->arena, full, (size_t)(dot - full));
    const char *head =
        dpl_arena_strndup(builder->arena, full, (size_t)(rest - full) + strcspn(rest, "."));
    const char *nearest = dpl__build_nearest_instance(builder, component);
    nearest = nearest ? nearest : dpl__build_nearest_instance(builder, head);
    dpl__build_error(builder, place, "the application has no component '%.80s'%s", component,
                     dpl__build_hint(builder, nearest));
}

/* ---- binding profiles ------------------------------------------------------------------------ */

static void bind_property(struct dpl__builder *builder, const struct dpl_xml_node *node,
                          bool has_application)
{
    const struct dpl_xml_attribute *component = dpl_xml_attribute(node, "component");
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    const struct dpl_xml_attribute *type = dpl_xml_attribute(node, "type");
    const struct dpl_xml_attribute *unit = dpl_xml_attribute(node, "unit");
    if (!component || !name || name->value[0] == '\0') {
        return;
    }
    const char *full = dpl_arena_printf(builder->arena, "%s.%s", component->value, name->value);
    size_t n = strlen(component->value);
    struct dpl__instance *instance = dpl__build_find_instance(builder, component->value);
    if (!instance) { /* of a composite: "Component.Property" */
        instance = dpl__build_instance_before_dot(builder, full, &n);
    }
    if (!instance) {
        if (has_application && !is_optional(node) &&
            !dpl__build_may_be_absent(builder->top, full)) {
            report_no_component(builder, component->value_place, full);
        }
        return;
    }
    struct dpl__assignment assignment = {
        .origin = DPL__ORIGIN_BINDING,
        .name = full + n + 1,
        .type = type ? type->value : NULL,
        .name_place = name->value_place,
        .text = {node->text, unit ? unit->value : NULL, node->text_place},
    };
    dpl__build_add_assignment(builder, instance, &assignment);
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
    dpl__build_world_properties(builder, file->root);
    dpl__build_subcomponents(builder, builder->top, file->root, file->path);
    const struct dpl_xml_node *list = dpl__child_named(file->root, "properties");
    const struct dpl_xml_node *node = dpl__child_named(list, "property");
    if (!dpl__build_list_is_short(builder, node)) {
        return;
    }
    for (; node; node = dpl_xml_next(node, "property")) {
        bind_property(builder, node, has_application);
    }
}

/* Names are compared by letters and digits only, so "..x" would be equal to "x". */
static bool holds_two_dots(const char *text, const char *end)
{
    const char *dots = strstr(text, "..");
    return dots && dots < end;
}

/* ---- --set ---------------------------------------------------------------------------------- */

void dpl__build_set(struct dpl__builder *builder, const char *set)
{
    size_t length = strlen(set);
    bool is_long = length > SET_SHOWN_MAX;
    const char *shown = dpl_arena_strndup(builder->arena, set, is_long ? SET_SHOWN_MAX : length);
    struct dpl_place place = {
        .file = dpl_arena_printf(builder->arena, "--set %s%s", shown, is_long ? "..." : "")};
    const char *equals = strchr(set, '=');
    const char *dot = strchr(set, '.');
    if (!equals || !dot || dot == set || dot > equals || equals[-1] == '.' ||
        holds_two_dots(set, equals)) {
        dpl__build_error(builder, place, "expected Component.Property=value");
        return;
    }
    const char *left = dpl_arena_strndup(builder->arena, set, (size_t)(equals - set));
    size_t n = 0;
    struct dpl__instance *instance = dpl__build_instance_before_dot(builder, left, &n);
    if (!instance) {
        if (!dpl__build_may_be_absent(builder->top, left)) {
            report_no_component(builder, place, left);
        }
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
