/* SPDX-License-Identifier: Apache-2.0 */
/* The children of an element, each for its kind: see element.h. */
#include <string.h>

#include "arena.h"
#include "element.h"
#include "sets.h"
#include "xml_expand.h"

static const struct dpl_element_kind *find_kind(const struct dpl_element_kind *kinds, size_t n,
                                                const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* One that holds others is no remark of somebody: what is in it would be left out. */
static void report_unknown(struct dpl_element_reader *reader, const struct dpl_xml_node *child,
                           const char *nearest)
{
    enum dpl_severity severity = child->children ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING;
    if (nearest) {
        dpl_diags_add(reader->diags, severity, child->place,
                      "unknown element '%.80s', did you mean '%s'?", child->name, nearest);
    } else {
        dpl_diags_add(reader->diags, severity, child->place, "unknown element '%.80s'%s",
                      child->name, child->children ? "" : ", ignored");
    }
}

static void warn_unknown_child(struct dpl_element_reader *reader, const struct dpl_xml_node *child,
                               const struct dpl_element_kind *kinds, size_t n)
{
    const char *names[DPL_ELEMENT_NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < DPL_ELEMENT_NAMES_MAX; i++) {
        names[count++] = kinds[i].name;
    }
    for (size_t i = 0; dpl_xml_expand_element(i) && count < DPL_ELEMENT_NAMES_MAX; i++) {
        names[count++] = dpl_xml_expand_element(i);
    }
    report_unknown(reader, child, dpl_nearest(child->name, names, count));
}

static void warn_text(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    if (node->text[0] != '\0') {
        dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, node->text_place,
                      "<%s> holds text, ignored: its values are attributes", node->name);
    }
}

static void warn_contents(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    warn_text(reader, node);
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        dpl_diags_add(reader->diags, child->children ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING,
                      child->place, "<%s> holds no elements, <%.80s> is ignored", node->name,
                      child->name);
    }
}

/* One error for all that are too many, at the first of them. */
static void complain_of_number(struct dpl_element_reader *reader, const struct dpl_xml_node *child,
                               size_t count, size_t max)
{
    if (count == max + 1) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, child->place,
                      "<%s> is there %zu times, expected at most %zu", child->name, count, max);
    }
}

/* `counts`: how many of each kind there were. */
static void read_child(struct dpl_element_reader *reader, const struct dpl_xml_node *child,
                       const struct dpl_element_table *table, size_t *counts)
{
    const struct dpl_element_kind *kind = find_kind(table->kinds, table->n_kinds, child->name);
    if (!kind) {
        warn_unknown_child(reader, child, table->kinds, table->n_kinds);
        return;
    }
    size_t count = ++counts[kind - table->kinds];
    if (kind->max > 0 && count > kind->max) {
        complain_of_number(reader, child, count, kind->max);
        return;
    }
    if (kind->table->n_kinds == 0) {
        warn_contents(reader, child);
    }
    const struct dpl_element_table *own =
        kind->choose ? kind->choose(child, kind->table) : kind->table;
    kind->read(reader, dpl__sets_change(reader, child, own, kind->max == 1));
}

static void add_within(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl_xml_say_within(node, reader->diags, reader->n_said);
    reader->n_said = reader->diags->n;
}

void dpl__element_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       void (*read)(struct dpl_element_reader *, const struct dpl_xml_node *))
{
    reader->n_said = reader->diags->n;
    read(reader, node);
    add_within(reader, node);
}

/* Findings of an element in a repeat say so before its children are read: those say more exactly
 * where they are. The root of a file is in no repeat; the element that names it may be, and then
 * says so of all that was found in the file. */
void dpl__element_children(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl_element_table *table)
{
    size_t *counts = dpl_arena_alloc(reader->arena, (table->n_kinds + 1) * sizeof *counts);
    size_t outer = reader->n_said;
    warn_text(reader, node);
    if (node->within) {
        add_within(reader, node);
    }
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        reader->n_said = reader->diags->n;
        read_child(reader, child, table, counts);
        add_within(reader, child);
    }
    if (!node->within) {
        reader->n_said = outer;
    }
}

void dpl__element_children_into(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                                const struct dpl_element_table *table, void *target)
{
    void *outer = reader->target;
    reader->target = target;
    dpl__element_children(reader, node, table);
    reader->target = outer;
}
