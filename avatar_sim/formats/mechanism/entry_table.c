/* SPDX-License-Identifier: Apache-2.0 */
/* What a <Motor>, a <Sensor> and a <Signal> may have: tables for readers and schemas. See
 * entry_xml.h. */
#include "entry_xml.h"

#include <string.h>

enum { LOOSE_TEXT = 256 }; /* of an attribute that classes read differently */

static const struct dpl_field common_fields[ENTRY_COMMON_FIELDS] = {
    [ENTRY_TYPE_FIELD] = DPL_CHOICE(struct dpl__entry_spec, type, "type", NULL, "", "what it is"),
    DPL_TEXT(struct dpl__entry_spec, name, "name", "",
             "of its channels; of a motor that has none: the name of its joint"),
    DPL_INT(struct dpl__entry_spec, every, "every", "1", 1, 1000000, "it acts in every n-th step"),
    DPL_INT(struct dpl__entry_spec, phase, "phase", "0", 0, 999999,
            "number of the first of these steps, from 0; below every"),
    /* Signals have no place, and only the fields so far. */
    DPL_TEXT(struct dpl__entry_spec, joint, "joint", "", "where it is, if it is at a joint"),
    DPL_TEXT(struct dpl__entry_spec, body, "body", "", "where it is, if it is at a body"),
    DPL_INT(struct dpl__entry_spec, freedom, "freedom", "1", 1, 2, "of the joint: the first, or 2"),
};

static bool is_of(const struct dpl_sim_entry_class *class, enum dpl_sim_phase phase)
{
    return class->type && class->phase == phase;
}

/* The words of the attribute `type`: "dc|table". */
static const char *words_of(struct dpl_arena *arena, const struct dpl__classes *classes,
                            enum dpl_sim_phase phase)
{
    const struct dpl_sim_entry_class *const *all = classes->entries.items;
    const char *words = "";
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (is_of(all[i], phase)) {
            words =
                dpl_arena_printf(arena, "%s%s%s", words, words[0] != '\0' ? "|" : "", all[i]->type);
        }
    }
    return words;
}

const struct dpl_sim_entry_class *dpl__entry_class(const struct dpl__classes *classes,
                                                   enum dpl_sim_phase phase, int number)
{
    const struct dpl_sim_entry_class *const *all = classes->entries.items;
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (is_of(all[i], phase) && number-- == 0) {
            return all[i];
        }
    }
    return NULL;
}

struct dpl_sim_settings dpl__entry_common(struct dpl_arena *arena,
                                          const struct dpl__classes *classes,
                                          enum dpl_sim_phase phase)
{
    struct dpl_field *fields = dpl_arena_alloc(arena, sizeof common_fields);
    memcpy(fields, common_fields, sizeof common_fields);
    fields[ENTRY_TYPE_FIELD].choices = words_of(arena, classes, phase);
    size_t n = phase == DPL_SIM_SIGNAL ? ENTRY_SIGNAL_FIELDS : ENTRY_COMMON_FIELDS;
    return (struct dpl_sim_settings){fields, n, sizeof(struct dpl__entry_spec), NULL};
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* An attribute of several classes: a schema accepts what any of them does. */
static void loosen(struct dpl_field *field, const struct dpl_field *other)
{
    if (field->type != other->type || !same_text(field->choices, other->choices)) {
        field->type = DPL_FIELD_STRING;
        field->size = LOOSE_TEXT;
    }
    if (!same_text(field->unit, other->unit)) {
        field->unit = NULL;
        field->flags |= DPL_ELEMENT_ANY_UNIT;
    }
    field->min = field->min < other->min ? field->min : other->min;
    field->max = field->max > other->max ? field->max : other->max;
    if (!same_text(field->default_text, other->default_text)) {
        field->default_text = NULL;
    }
    if (!same_text(field->summary, other->summary)) {
        field->summary = "depends on the type";
    }
}

static void add_fields(struct dpl_sim_settings *all, struct dpl_field *fields, size_t n_common,
                       const struct dpl_sim_settings *more)
{
    for (size_t i = 0; i < more->n; i++) {
        const struct dpl_field *there = dpl_field_find(fields, all->n, more->fields[i].name);
        if (there && (size_t)(there - fields) < n_common) {
            continue;
        }
        struct dpl_field *field = &fields[there ? (size_t)(there - fields) : all->n++];
        if (there) {
            loosen(field, &more->fields[i]);
        } else {
            *field = more->fields[i];
        }
        field->flags |= DPL_ELEMENT_OPTIONAL;
    }
}

static void add_children(struct dpl_arena *arena, struct dpl__list *kinds,
                         const struct dpl_sim_entry_class *class)
{
    for (size_t i = 0; i < class->n_children; i++) {
        const struct dpl_element_kind *have = kinds->items;
        bool there = false;
        for (size_t k = 0; k < kinds->n; k++) {
            there |= strcmp(have[k].name, class->children[i].name) == 0;
        }
        if (!there) {
            dpl__element_add_kinds(arena, kinds, &class->children[i], 1);
        }
    }
}

struct dpl_element_table dpl__entry_table(struct dpl_arena *arena,
                                          const struct dpl__classes *classes,
                                          enum dpl_sim_phase phase)
{
    struct dpl_sim_settings all = dpl__entry_common(arena, classes, phase);
    struct dpl__list kinds = {0};
    size_t n_common = all.n, most = all.n;
    const struct dpl_sim_entry_class *class;
    for (int i = 0; (class = dpl__entry_class(classes, phase, i)); i++) {
        most += class->settings.n;
    }
    struct dpl_field *fields = dpl_arena_alloc(arena, most * sizeof *fields);
    memcpy(fields, all.fields, all.n * sizeof *fields);
    for (int i = 0; (class = dpl__entry_class(classes, phase, i)); i++) {
        add_fields(&all, fields, n_common, &class->settings);
        add_children(arena, &kinds, class);
    }
    return (struct dpl_element_table){fields, all.n, kinds.items, kinds.n};
}
