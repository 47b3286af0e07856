/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the structure of a file with the table of the dialect. */
#include <string.h>

#include "dialect.h"
#include "number.h"
#include "words.h"

enum { CANDIDATES_MAX = 64 };

static const char *suggestion(const char *near, char ret_hint[DPL__WORD_MAX + 24])
{
    ret_hint[0] = '\0';
    if (near) {
        snprintf(ret_hint, DPL__WORD_MAX + 24, "; did you mean '%s'?", near);
    }
    return ret_hint;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static const struct dpl__attribute *find_attribute(const struct dpl__element *element,
                                                   const char *name)
{
    for (const struct dpl__attribute *a = element->attributes; a && a->name; a++) {
        if (strcmp(a->name, name) == 0) {
            return a;
        }
    }
    return NULL;
}

static void warn_unknown_attribute(const struct dpl__element *element,
                                   const struct dpl_xml_node *node,
                                   const struct dpl_xml_attribute *found, struct dpl_diags *diags)
{
    const char *candidates[CANDIDATES_MAX];
    size_t n = 0;
    for (const struct dpl__attribute *a = element->attributes; a && a->name && n < CANDIDATES_MAX;
         a++) {
        candidates[n++] = a->name;
    }
    char hint[DPL__WORD_MAX + 24];
    suggestion(dpl_nearest(found->name, candidates, n), hint);
    dpl_diags_add(diags, DPL_SEVERITY_WARNING, found->place, "unknown attribute '%.60s' of <%s>%s",
                  found->name, node->name, hint);
}

static void check_attribute_value(const struct dpl__attribute *attribute,
                                  const struct dpl_xml_attribute *found, struct dpl_diags *diags)
{
    char word[DPL__WORD_MAX], hint[DPL__WORD_MAX + 24];
    if (attribute->required && found->value[0] == '\0') {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, found->value_place, "attribute '%s' is empty",
                      found->name);
    } else if (attribute->choices && dpl__word_index(attribute->choices, found->value) < 0) {
        suggestion(dpl__word_nearest(attribute->choices, found->value, word), hint);
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, found->value_place,
                      "%s: '%.80s' is not one of %s%s", found->name, found->value,
                      attribute->choices, hint);
    }
}

static void check_attributes(const struct dpl__element *element, const struct dpl_xml_node *node,
                             struct dpl_diags *diags)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *found = &node->attributes[i];
        const struct dpl__attribute *attribute = find_attribute(element, found->name);
        if (attribute) {
            check_attribute_value(attribute, found, diags);
        } else if (!dpl_xml_is_for_editors(found->name)) {
            warn_unknown_attribute(element, node, found, diags);
        }
    }
    for (const struct dpl__attribute *a = element->attributes; a && a->name; a++) {
        if (a->required && !dpl_xml_attribute(node, a->name)) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->place, "<%s> lacks the attribute '%s'",
                          node->name, a->name);
        }
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

static void check_number(const struct dpl__element *element, const struct dpl_xml_node *node,
                         struct dpl_diags *diags)
{
    double value;
    int64_t whole;
    bool is_whole = element->text == DPL__TEXT_INT;
    const char *end =
        is_whole ? dpl__whole_read(node->text, &whole) : dpl__number_read(node->text, &value);
    if (!end || *end != '\0') {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->text_place, "<%s>: '%.80s' is not a %s",
                      node->name, node->text, is_whole ? "whole number" : "number");
        return;
    }
    double number = is_whole ? (double)whole : value;
    if (number < element->min || number > element->max) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->text_place,
                      "<%s>: %.80s is out of range, expected %.10g..%.10g", node->name, node->text,
                      element->min, element->max);
    }
}

static void check_choice(const struct dpl__element *element, const struct dpl_xml_node *node,
                         struct dpl_diags *diags)
{
    if (dpl__word_index(element->choices, node->text) >= 0) {
        return;
    }
    char word[DPL__WORD_MAX], hint[DPL__WORD_MAX + 24];
    suggestion(dpl__word_nearest(element->choices, node->text, word), hint);
    dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->text_place, "<%s>: '%.80s' is not one of %s%s",
                  node->name, node->text, element->choices, hint);
}

static void check_text(const struct dpl__element *element, const struct dpl_xml_node *node,
                       struct dpl_diags *diags)
{
    bool empty = node->text[0] == '\0';
    switch (element->text) {
    case DPL__TEXT_ANY: return;
    case DPL__TEXT_NONE:
        if (!empty) {
            dpl_diags_add(diags, DPL_SEVERITY_WARNING, node->text_place,
                          "<%s> holds no text, found '%.40s'", node->name, node->text);
        }
        return;
    case DPL__TEXT_WORD:
        if (empty) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->place, "<%s> is empty", node->name);
        }
        return;
    case DPL__TEXT_SAID:
        if (empty) {
            dpl_diags_add(diags, DPL_SEVERITY_WARNING, node->place,
                          "<%s> is empty: write it, or delete the element", node->name);
        }
        return;
    /* OPRoS's editors write optional elements without content: they count as absent. */
    case DPL__TEXT_CHOICE:
        if (!empty) {
            check_choice(element, node, diags);
        }
        return;
    case DPL__TEXT_NUMBER:
    case DPL__TEXT_INT:
        if (!empty) {
            check_number(element, node, diags);
        }
        return;
    }
}

/* ---- children -------------------------------------------------------------------------------- */

static const struct dpl__child *find_child(const struct dpl__element *element, const char *name)
{
    for (const struct dpl__child *c = element->children; c && c->element; c++) {
        if (dpl__dialect_is(c->element, name)) {
            return c;
        }
    }
    return NULL;
}

/* One that holds others is no remark of somebody: what is in it would be left out. */
static void report_unknown_element(const struct dpl__element *element,
                                   const struct dpl_xml_node *node,
                                   const struct dpl_xml_node *found, struct dpl_diags *diags)
{
    const char *candidates[CANDIDATES_MAX];
    size_t n = 0;
    for (const struct dpl__child *c = element->children; c && c->element && n < CANDIDATES_MAX;
         c++) {
        candidates[n++] = c->element->name;
    }
    char hint[DPL__WORD_MAX + 24];
    suggestion(dpl_nearest(found->name, candidates, n), hint);
    dpl_diags_add(diags, found->children ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING, found->place,
                  "unknown element <%.60s> in <%s>%s", found->name, node->name, hint);
}

/* Counts the children that are this element and reports those above the allowed number. */
static unsigned count_child(const struct dpl__child *child, const struct dpl_xml_node *node,
                            struct dpl_diags *diags)
{
    unsigned n = 0;
    const struct dpl_xml_node *first = NULL;
    for (const struct dpl_xml_node *c = node->children; c; c = c->next) {
        if (!dpl__dialect_is(child->element, c->name)) {
            continue;
        }
        first = first ? first : c;
        n++;
        if (child->max != 0 && n > child->max) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, c->place,
                          "a second <%s> in <%s>; the first is at %d:%d", c->name, node->name,
                          first->place.line, first->place.column);
        }
    }
    return n;
}

/* A child that is missing because its name is misspelled is reported as misspelled only. */
static bool has_misspelled(const struct dpl__element *element, const struct dpl_xml_node *node,
                           const char *name)
{
    for (const struct dpl_xml_node *c = node->children; c; c = c->next) {
        if (!find_child(element, c->name) && dpl_nearest(c->name, &name, 1)) {
            return true;
        }
    }
    return false;
}

static void check_occurrence(const struct dpl__element *element, const struct dpl_xml_node *node,
                             struct dpl_diags *diags)
{
    for (const struct dpl__child *c = element->children; c && c->element; c++) {
        if (count_child(c, node, diags) < c->min) {
            bool misspelled = has_misspelled(element, node, c->element->name);
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, node->place, "<%s> lacks <%s>%s", node->name,
                          c->element->name, misspelled ? " (misspelled?)" : "");
        }
    }
}

/* The reader limits the depth of a tree, and therefore the recursion. */
void dpl__dialect_check(const struct dpl__element *element, const struct dpl_xml_node *node,
                        struct dpl_diags *diags)
{
    check_attributes(element, node, diags);
    check_text(element, node, diags);
    check_occurrence(element, node, diags);
    for (const struct dpl_xml_node *c = node->children; c; c = c->next) {
        const struct dpl__child *child = find_child(element, c->name);
        if (child) {
            dpl__dialect_check(child->element, c, diags);
        } else if (!dpl__dialect_is_editor_only(c->name)) {
            report_unknown_element(element, node, c, diags);
        }
    }
}
