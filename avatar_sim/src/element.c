/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by field tables: see element.h. */
#include "element.h"

#include <string.h>

enum { NAMES_MAX = 64 };

static void warn_unknown(struct dpl_element_reader *reader, struct dpl_place place,
                         const char *what, const char *name, const char *nearest)
{
    if (nearest) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, place,
                      "unknown %s '%s', did you mean '%s'?", what, name, nearest);
    } else {
        dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, place, "unknown %s '%s', ignored", what,
                      name);
    }
}

static const char *nearest_field(const struct dpl_field *fields, size_t n, const char *name)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
        names[count++] = fields[i].name;
    }
    return dpl_nearest(name, names, count);
}

static bool read_attribute(struct dpl_element_reader *reader,
                           const struct dpl_xml_attribute *attribute, const struct dpl_field *field,
                           void *base)
{
    struct dpl_diag diag;
    struct dpl_field_text text = {.text = attribute->value, .place = attribute->value_place};
    if (dpl_field_parse(field, &text, base, &diag)) {
        dpl_diags_add_diag(reader->diags, &diag);
        return false;
    }
    return true;
}

static bool has_attribute(const struct dpl_xml_node *node, const struct dpl_field *field)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (dpl_field_find(field, 1, node->attributes[i].name)) {
            return true;
        }
    }
    return false;
}

static bool check_required(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl_field *fields, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        bool required = !fields[i].fallback && !(fields[i].flags & DPL_ELEMENT_OPTIONAL);
        if (required && !has_attribute(node, &fields[i])) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%s> lacks the attribute '%s' (%s)", node->name, fields[i].name,
                          fields[i].summary);
            good = false;
        }
    }
    return good;
}

bool dpl__element_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                         const struct dpl_field *fields, size_t n, void *base)
{
    bool good = check_required(reader, node, fields, n);
    dpl_fields_set_defaults(fields, n, base);
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        const struct dpl_field *field = dpl_field_find(fields, n, attribute->name);
        if (field) {
            good = read_attribute(reader, attribute, field, base) && good;
        } else {
            warn_unknown(reader, attribute->place, "attribute", attribute->name,
                         nearest_field(fields, n, attribute->name));
        }
    }
    return good;
}

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

static void warn_unknown_child(struct dpl_element_reader *reader, const struct dpl_xml_node *child,
                               const struct dpl_element_kind *kinds, size_t n)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
        names[count++] = kinds[i].name;
    }
    warn_unknown(reader, child->place, "element", child->name,
                 dpl_nearest(child->name, names, count));
}

void dpl__element_children(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl_element_kind *kinds, size_t n)
{
    size_t counts[NAMES_MAX] = {0};
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        const struct dpl_element_kind *kind = find_kind(kinds, n, child->name);
        if (!kind) {
            warn_unknown_child(reader, child, kinds, n);
            continue;
        }
        size_t count = ++counts[kind - kinds];
        if (kind->max > 0 && count > kind->max) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, child->place,
                          "<%s> is there %zu times, expected at most %zu", child->name, count,
                          kind->max);
            continue;
        }
        kind->read(reader, child);
    }
}

bool dpl__element_is(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const char *name)
{
    if (strcmp(node->name, name) == 0) {
        return true;
    }
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "found <%s>, expected <%s>",
                  node->name, name);
    return false;
}

void dpl__element_error(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_diag *reterr)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "%s", reterr->text);
}
