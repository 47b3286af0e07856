/* SPDX-License-Identifier: Apache-2.0 */
/* Checks properties that connected components must have in common: one component depends on the
 * value of the other. The class tables select the properties (dpl_field.agrees_over). */
#include <string.h>

#include "build.h"

enum { VALUE_MAX = 128 };

/* A property of one component. */
struct owned {
    const struct dpl__instance *instance;
    const struct dpl_field *field;
};

/* The value that applies, if it was given; NULL: it is the default. */
static const struct dpl__assignment *given(const struct owned *property)
{
    const struct dpl__assignment *last = NULL;
    for (const struct dpl__assignment *a = property->instance->assignments; a; a = a->next) {
        if (dpl_field_find(property->field, 1, a->name)) {
            last = a;
        }
    }
    return last;
}

static const void *member(const struct owned *property)
{
    return (const char *)property->instance->block.base + property->field->offset;
}

/* With another type, unit or length, a field of the same name is a different property. */
static bool is_comparable(const struct dpl_field *a, const struct dpl_field *b)
{
    bool same_unit = a->unit == b->unit || (a->unit && b->unit && strcmp(a->unit, b->unit) == 0);
    return a->type == b->type && same_unit && (a->type == DPL_FIELD_STRING || a->size == b->size);
}

static bool is_same(const struct owned *a, const struct owned *b)
{
    char first[VALUE_MAX], second[VALUE_MAX];
    if (a->field->type == DPL_FIELD_STRING) {
        const char *left = member(a), *right = member(b);
        return a->field->same ? a->field->same(left, right) : strcmp(left, right) == 0;
    }
    dpl_field_format(a->field, a->instance->block.base, first, sizeof(first));
    dpl_field_format(b->field, b->instance->block.base, second, sizeof(second));
    return strcmp(first, second) == 0;
}

/* "'5 10' (application.xml:34:9)" in the arena. */
static const char *describe(struct dpl__builder *builder, const struct owned *property)
{
    char value[VALUE_MAX];
    const struct dpl__assignment *by = given(property);
    dpl_field_format(property->field, property->instance->block.base, value, sizeof(value));
    if (!by) {
        return dpl_arena_printf(builder->arena, "'%s' (the default)", value);
    }
    const struct dpl_place *place = &by->text.place;
    return place->line > 0 ? dpl_arena_printf(builder->arena, "'%s' (%s:%d:%d)", value, place->file,
                                              place->line, place->column)
                           : dpl_arena_printf(builder->arena, "'%s' (%s)", value, place->file);
}

/* Without its binding, an application may lack the values that make the properties equal. */
static void report(struct dpl__builder *builder, const struct owned *own, const struct owned *other)
{
    const struct dpl__assignment *by = given(own);
    const struct owned *blamed = by ? own : other, *against = by ? other : own;
    by = given(blamed);
    char value[VALUE_MAX];
    dpl_field_format(blamed->field, blamed->instance->block.base, value, sizeof(value));
    dpl__build_absent(builder, by ? by->text.place : blamed->instance->place,
                      "%s.%s is '%s', that of %s is %s: they must be the same, the two are "
                      "connected by '%s'",
                      blamed->instance->name, blamed->field->name, value, against->instance->name,
                      describe(builder, against), own->field->agrees_over);
}

static void compare(struct dpl__builder *builder, const struct dpl__instance *instance, size_t port,
                    const struct dpl__instance *peer)
{
    const struct dpl_component_class *class_ = instance->class_;
    for (size_t i = 0; i < class_->n_properties; i++) {
        const struct dpl_field *field = &class_->properties[i];
        if (!field->agrees_over || !dpl_name_equal(field->agrees_over, class_->ports[port].name)) {
            continue;
        }
        struct owned own = {instance, field};
        struct owned other = {peer, dpl_field_find(peer->class_->properties,
                                                   peer->class_->n_properties, field->name)};
        if (other.field && is_comparable(field, other.field) && !is_same(&own, &other)) {
            report(builder, &own, &other);
        }
    }
}

void dpl__build_agreements(struct dpl__builder *builder)
{
    for (const struct dpl__link *l = builder->links; l; l = l->next) {
        const struct dpl_app_connection *c = &l->connection;
        const struct dpl__instance *source = dpl__build_instance_at(builder, c->source);
        const struct dpl__instance *target = dpl__build_instance_at(builder, c->target);
        compare(builder, source, c->source_port, target);
        compare(builder, target, c->target_port, source);
    }
}
