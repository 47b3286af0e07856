/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a world that is being read: see sets.h. */
#include "sets.h"

#include <string.h>

#include "arena.h"

struct dpl__set {
    const char *entry, *property, *value;
    struct dpl_place place;
    bool has_entry, is_used;
    const char *nearest; /* property of an entry of that name; NULL: none is near */
};

struct dpl__set_node {
    const struct dpl_xml_node *changed, *unchanged;
};

static void parse(struct dpl_element_reader *reader, const struct dpl_sim_set *from,
                  struct dpl__set *ret_set)
{
    const char *equals = strchr(from->text, '=');
    const char *dot = equals;
    while (dot && dot > from->text && *dot != '.') {
        dot--;
    }
    if (!equals || dot == from->text || dot + 1 == equals) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, from->place,
                      "expected ENTRY.PROPERTY=VALUE, such as avatar.laser.noise_m=0.01");
        return;
    }
    ret_set->entry = dpl_arena_strndup(reader->arena, from->text, (size_t)(dot - from->text));
    ret_set->property = dpl_arena_strndup(reader->arena, dot + 1, (size_t)(equals - dot - 1));
    ret_set->value = dpl_arena_strdup(reader->arena, equals + 1);
    ret_set->place = from->place;
}

void dpl__sets_parse(struct dpl_element_reader *reader, const struct dpl_sim_load_options *options,
                     struct dpl__sets *sets)
{
    *sets = (struct dpl__sets){0};
    for (size_t i = 0; i < options->n_sets; i++) {
        struct dpl__set set = {0};
        parse(reader, &options->sets[i], &set);
        if (set.entry) {
            *(struct dpl__set *)dpl__list_add(reader->arena, &sets->items, sizeof set) = set;
        }
    }
    reader->sets = sets->items.n > 0 ? sets : NULL;
}

static const char *name_of(struct dpl_element_reader *reader, const char *name)
{
    const char *robot = reader->sets->robot;
    return robot ? dpl_arena_printf(reader->arena, "%s.%s", robot, name)
                 : dpl_arena_strdup(reader->arena, name);
}

/* Adds the property to the node, or gives it another value there. */
static const struct dpl_xml_node *give(struct dpl_element_reader *reader,
                                       const struct dpl_xml_node *node, struct dpl__set *set,
                                       const struct dpl_field *field)
{
    struct dpl_xml_node *changed = dpl_arena_alloc(reader->arena, sizeof *changed);
    struct dpl_xml_attribute *all =
        dpl_arena_alloc(reader->arena, (node->n_attributes + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (!dpl_field_find(field, 1, node->attributes[i].name)) {
            all[n++] = node->attributes[i];
        }
    }
    all[n++] = (struct dpl_xml_attribute){field->name, set->value, set->place, set->place};
    *changed = *node;
    changed->attributes = all;
    changed->n_attributes = n;
    set->is_used = true;
    return changed;
}

/* The property that was meant: one that is spelled alike, or that begins alike. */
static const char *nearest_property(const struct dpl_element_table *table, const char *name)
{
    const char *near = dpl__element_nearest(table->fields, table->n, name);
    for (size_t i = 0; i < table->n && !near; i++) {
        near =
            strncmp(table->fields[i].name, name, strlen(name)) == 0 ? table->fields[i].name : NULL;
    }
    return near;
}

/* The changes to the element of this name. */
static const struct dpl_xml_node *change(struct dpl_element_reader *reader,
                                         const struct dpl_xml_node *node,
                                         const struct dpl_element_table *table, const char *name)
{
    struct dpl__set *sets = reader->sets->items.items;
    *(const char **)dpl__list_add(reader->arena, &reader->sets->entries, sizeof name) = name;
    for (size_t i = 0; i < reader->sets->items.n; i++) {
        if (!dpl_name_equal(sets[i].entry, name)) {
            continue;
        }
        const struct dpl_field *field = dpl_field_find(table->fields, table->n, sets[i].property);
        sets[i].has_entry = true;
        if (field) {
            node = give(reader, node, &sets[i], field);
        } else {
            sets[i].nearest = nearest_property(table, sets[i].property);
        }
    }
    return node;
}

static bool is_name(const struct dpl_field *field)
{
    return (field->flags & DPL_ELEMENT_NAME) || dpl_name_equal(field->name, "name");
}

const struct dpl_xml_node *dpl__sets_change(struct dpl_element_reader *reader,
                                            const struct dpl_xml_node *node,
                                            const struct dpl_element_table *table, bool is_alone)
{
    const struct dpl_xml_node *read = node;
    if (!reader->sets) {
        return node;
    }
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_field *field =
            dpl_field_find(table->fields, table->n, node->attributes[i].name);
        if (field && is_name(field) && node->attributes[i].value[0] != '\0') {
            read = change(reader, read, table, name_of(reader, node->attributes[i].value));
        }
    }
    read = is_alone ? change(reader, read, table, name_of(reader, node->name)) : read;
    if (read != node) {
        struct dpl__set_node *kept =
            dpl__list_add(reader->arena, &reader->sets->changed, sizeof *kept);
        *kept = (struct dpl__set_node){read, node};
    }
    return read;
}

bool dpl__sets_gave(const struct dpl_element_reader *reader,
                    const struct dpl_xml_attribute *attribute)
{
    const struct dpl__set *sets = reader->sets ? reader->sets->items.items : NULL;
    for (size_t i = 0; sets && i < reader->sets->items.n; i++) {
        if (attribute->value == sets[i].value) {
            return true;
        }
    }
    return false;
}

const struct dpl_xml_node *dpl__sets_unchanged(const struct dpl_element_reader *reader,
                                               const struct dpl_xml_node *node)
{
    const struct dpl__set_node *nodes = reader->sets ? reader->sets->changed.items : NULL;
    for (size_t i = 0; nodes && i < reader->sets->changed.n; i++) {
        if (nodes[i].changed == node) {
            return nodes[i].unchanged;
        }
    }
    return node;
}

void dpl__sets_report(struct dpl_element_reader *reader)
{
    const struct dpl__set *sets = reader->sets ? reader->sets->items.items : NULL;
    for (size_t i = 0; sets && i < reader->sets->items.n; i++) {
        const struct dpl__set *set = &sets[i];
        bool has_entry = set->has_entry;
        const char *near = has_entry ? set->nearest
                                     : dpl_nearest(set->entry, reader->sets->entries.items,
                                                   reader->sets->entries.n);
        if (!set->is_used) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, set->place, "%s has no %s '%s'%s%s%s",
                          has_entry ? set->entry : "this world", has_entry ? "property" : "entry",
                          has_entry ? set->property : set->entry, near ? ", did you mean '" : "",
                          near ? near : "", near ? "'?" : "");
        }
    }
}
