/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion of a tree: see xml_expand.h. Recursion is as deep as the tree, whose depth the reader
 * limits. */
#include "xml_expand.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "xml_expander.h"

enum { WITHIN_MAX = 120 };

/* Siblings that are being made. */
struct list {
    struct dpl_xml_node *first, *last;
};

const char *dpl_xml_expand_element(size_t i)
{
    static const char *const names[] = {"Param", "Repeat", "If"};
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

static void expand_children(struct dpl__expander *expander, const struct dpl_xml_node *node,
                            bool is_root, struct list *list);

/* ---- parameters ------------------------------------------------------------------------------ */

/* The value from outside for a parameter of the file; the last one counts. */
static const struct dpl_xml_given *find_given(const struct dpl__expander *expander,
                                              const char *name)
{
    const struct dpl_xml_given *found = NULL;
    for (size_t i = 0; i < expander->n_given; i++) {
        if (strcmp(expander->given[i].name, name) == 0) {
            found = &expander->given[i];
        }
    }
    return found;
}

static void read_value(struct dpl__expander *expander, const struct dpl_xml_attribute *value,
                       const struct dpl_xml_given *given, double *ret_number)
{
    if (given && !dpl__expander_read_number(given->value, ret_number)) {
        dpl__expander_say(expander, DPL_SEVERITY_ERROR, given->value_place,
                          "%s: found '%.80s', expected a number", given->name, given->value);
    } else if (!given) {
        dpl__expander_number(expander, value, ret_number);
    }
}

/* The range that the parameter gives itself, whoever gives its value. */
static void check_range(struct dpl__expander *expander, const struct dpl_xml_node *node,
                        const char *name, double number, struct dpl_place place)
{
    const struct dpl_xml_attribute *min = dpl_xml_attribute_like(node, "min"),
                                   *max = dpl_xml_attribute_like(node, "max"),
                                   *unit = dpl_xml_attribute_like(node, "unit");
    double least = (double)-INFINITY, most = (double)INFINITY;
    char range[80];
    if ((min && !dpl__expander_number(expander, min, &least)) ||
        (max && !dpl__expander_number(expander, max, &most)) ||
        (number >= least && number <= most)) {
        return;
    }
    if (min && max) {
        snprintf(range, sizeof range, "%.15g to %.15g", least, most);
    } else {
        snprintf(range, sizeof range, "at %s %.15g", min ? "least" : "most", min ? least : most);
    }
    dpl__expander_say(expander, DPL_SEVERITY_ERROR, place, "%.60s: found %.15g, expected %s%s%.20s",
                      name, number, range, unit && *unit->value ? " " : "",
                      unit ? unit->value : "");
}

/* After an error the name counts as 1, so that its uses are not errors, too. */
static void expand_param(struct dpl__expander *expander, const struct dpl_xml_node *node,
                         bool is_root)
{
    static const char *const known[] = {"name", "value", "unit", "min", "max", "summary"};
    const struct dpl_xml_attribute *name, *value;
    dpl__expander_check_known(expander, node, known, sizeof known / sizeof *known);
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        dpl__expander_say(expander, DPL_SEVERITY_WARNING, child->place,
                          "<%s> holds no elements, <%.80s> is ignored", node->name, child->name);
    }
    name = dpl__expander_find_required(expander, node, "name", "how expressions call it");
    value = dpl__expander_find_required(expander, node, "value", "a number or an {expression}");
    if (!name || !value || !dpl__expander_check_name(expander, name)) {
        return;
    }
    double number = 1.0;
    const struct dpl_xml_given *given = is_root ? find_given(expander, name->value) : NULL;
    size_t n_errors = expander->diags->n_errors;
    read_value(expander, value, given, &number);
    if (expander->diags->n_errors == n_errors) {
        check_range(expander, node, name->value, number,
                    given ? given->value_place : value->value_place);
    }
    dpl__expander_push_name(expander, name, number);
}

/* ---- elements -------------------------------------------------------------------------------- */

static const char *name_round(struct dpl__expander *expander, const char *outer,
                              const struct dpl_xml_attribute *index, double number)
{
    const char *name = index ? index->value : "", *equals = index ? "=" : "";
    const char *before = outer ? outer : "in repeat", *comma = outer ? "," : "";
    if (strlen(before) > WITHIN_MAX) {
        return before;
    }
    return dpl_arena_printf(expander->arena, "%s%s %s%s%.0f", before, comma, name, equals, number);
}

/* Ends early after an error: the other rounds would have the same. */
static void expand_rounds(struct dpl__expander *expander, const struct dpl_xml_node *node,
                          double count, const struct dpl_xml_attribute *index, double first,
                          struct list *list)
{
    const char *outer = expander->within;
    size_t n_names = expander->n_names, n_errors = expander->diags->n_errors;
    for (double i = 0.0; i < count && expander->diags->n_errors == n_errors; i++) {
        expander->within = name_round(expander, outer, index, first + i);
        dpl__expander_count_node(expander, node);
        if (index) {
            dpl__expander_push_name(expander, index, first + i);
        }
        expand_children(expander, node, false, list);
        expander->n_names = n_names;
    }
    expander->within = outer;
}

static void expand_repeat(struct dpl__expander *expander, const struct dpl_xml_node *node,
                          struct list *list)
{
    static const char *const known[] = {"count", "index", "first"};
    const struct dpl_xml_attribute *index = dpl_xml_attribute_like(node, "index"),
                                   *start = dpl_xml_attribute_like(node, "first");
    double n, first = 0.0;
    dpl__expander_check_known(expander, node, known, 3);
    const struct dpl_xml_attribute *count =
        dpl__expander_find_required(expander, node, "count", "how many times");
    if (count && dpl__expander_whole(expander, count, 0.0, DPL_XML_NODES_MAX, &n) &&
        (!start || dpl__expander_whole(expander, start, -1e9, 1e9, &first)) &&
        (!index || dpl__expander_check_name(expander, index))) {
        expand_rounds(expander, node, n, index, first, list);
    }
}

static void expand_if(struct dpl__expander *expander, const struct dpl_xml_node *node,
                      struct list *list)
{
    static const char *const known[] = {"test"};
    double number;
    dpl__expander_check_known(expander, node, known, 1);
    const struct dpl_xml_attribute *test =
        dpl__expander_find_required(expander, node, "test", "0: its contents are left out");
    if (test && dpl__expander_number(expander, test, &number) && number != 0.0) {
        size_t n_names = expander->n_names;
        expand_children(expander, node, false, list);
        expander->n_names = n_names;
    }
}

static void expand_other(struct dpl__expander *expander, const struct dpl_xml_node *node,
                         struct list *list)
{
    struct dpl_xml_node *copy = dpl_arena_alloc(expander->arena, sizeof *copy);
    struct list children = {0};
    size_t n_names = expander->n_names;
    *copy = *node;
    copy->next = NULL;
    copy->within = expander->within;
    dpl__expander_attributes(expander, node, copy);
    expand_children(expander, node, false, &children);
    expander->n_names = n_names;
    copy->children = children.first;
    if (list->last) {
        list->last->next = copy;
    } else {
        list->first = copy;
    }
    list->last = copy;
}

static void expand_children(struct dpl__expander *expander, const struct dpl_xml_node *node,
                            bool is_root, struct list *list)
{
    for (const struct dpl_xml_node *child = node->children; child && !expander->is_stopped;
         child = child->next) {
        dpl__expander_count_node(expander, child);
        if (strcmp(child->name, "Param") == 0) {
            expand_param(expander, child, is_root);
        } else if (strcmp(child->name, "Repeat") == 0) {
            expand_repeat(expander, child, list);
        } else if (strcmp(child->name, "If") == 0) {
            expand_if(expander, child, list);
        } else {
            expand_other(expander, child, list);
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool needs_expansion(const struct dpl_xml_node *node, bool is_root)
{
    for (size_t i = 0; dpl_xml_expand_element(i) && !is_root; i++) {
        if (strcmp(node->name, dpl_xml_expand_element(i)) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (node->attributes[i].written) {
            return true;
        }
    }
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        if (needs_expansion(child, false)) {
            return true;
        }
    }
    return false;
}

bool dpl_xml_has_params(const struct dpl_xml_node *root)
{
    return dpl_xml_child(root, "Param") != NULL;
}

/* Reports values from outside for parameters that the file does not have. */
static void check_given(struct dpl__expander *expander, const struct dpl_xml_node *root,
                        const char *noun)
{
    const char *names[DPL_XML_PARAMS_MAX];
    size_t n = 0;
    for (const struct dpl_xml_node *param = dpl_xml_child(root, "Param");
         param && n < DPL_XML_PARAMS_MAX; param = dpl_xml_next(param, "Param")) {
        const struct dpl_xml_attribute *name = dpl_xml_attribute_like(param, "name");
        if (name) {
            names[n++] = name->value;
        }
    }
    for (size_t i = 0; i < expander->n_given; i++) {
        const struct dpl_xml_given *given = &expander->given[i];
        bool is_there = false;
        for (size_t j = 0; j < n; j++) {
            is_there = is_there || strcmp(names[j], given->name) == 0;
        }
        const char *near = is_there ? NULL : dpl_nearest(given->name, names, n);
        if (!is_there) {
            dpl__expander_say(expander, DPL_SEVERITY_ERROR, given->place,
                              "%s has no parameter '%.80s'%s%s%s", noun, given->name,
                              near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
    }
}

int dpl_xml_expand(struct dpl_arena *arena, const struct dpl_xml_node *root,
                   const struct dpl_xml_given *given, size_t n_given, const char *noun,
                   struct dpl_xml_work *work, struct dpl_diags *diags,
                   const struct dpl_xml_node **ret_root)
{
    struct dpl_xml_work own = {0};
    size_t n_errors = diags->n_errors;
    struct dpl__expander *expander;
    if (n_given == 0 && !needs_expansion(root, true)) {
        *ret_root = root;
        return 0;
    }
    expander = dpl_arena_alloc(arena, sizeof *expander);
    expander->arena = arena;
    expander->diags = diags;
    expander->work = work ? work : &own;
    expander->given = given;
    expander->n_given = n_given;
    struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
    struct list children = {0};
    *copy = *root;
    dpl__expander_count_node(expander, root);
    check_given(expander, root, noun);
    expand_children(expander, root, true, &children);
    dpl__expander_attributes(expander, root, copy);
    copy->children = children.first;
    if (diags->n_errors > n_errors) {
        return -EINVAL;
    }
    *ret_root = copy;
    return 0;
}
