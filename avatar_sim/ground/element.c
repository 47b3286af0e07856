/* SPDX-License-Identifier: Apache-2.0 */
/* Elements by field tables: see element.h. Their children are in element_children.c. */
#include "element.h"

#include <string.h>

#include "arena.h"
#include "number.h"

const struct dpl_xml_node *dpl__root_of_file(struct dpl_element_reader *reader, const char *file)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    if (dpl_xml_read_file(reader->arena, file, &root, &diag)) {
        dpl_diags_add_diag(reader->diags, &diag);
        return NULL;
    }
    return root;
}

const struct dpl_xml_node *dpl__root_of_text(struct dpl_element_reader *reader, const char *name,
                                             const void *bytes, size_t n)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    if (dpl_xml_read_memory(reader->arena, name, bytes, n, &root, &diag)) {
        dpl_diags_add_diag(reader->diags, &diag);
        return NULL;
    }
    return root;
}

void dpl__element_unknown(struct dpl_element_reader *reader, struct dpl_place place,
                          const char *name, const char *nearest)
{
    if (nearest) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, place,
                      "unknown attribute '%.80s', did you mean '%s'?", name, nearest);
    } else {
        dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, place,
                      "unknown attribute '%.80s', ignored", name);
    }
}

const char *dpl__element_nearest(const struct dpl_field *fields, size_t n, const char *name)
{
    const char *names[DPL_ELEMENT_NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n && i < DPL_ELEMENT_NAMES_MAX; i++) {
        names[count++] = fields[i].name;
    }
    return dpl_nearest(name, names, count);
}

/* A number as C writes one of single precision, without its suffix: "1.0f". Any other text as it
 * is. */
static const char *without_float(struct dpl_element_reader *reader, const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && dpl__is_blank(text[n - 1])) {
        n--;
    }
    if (n < 2 || !strchr("fF", text[n - 1]) || !strchr("0123456789.", text[n - 2])) {
        return text;
    }
    return dpl_arena_strndup(reader->arena, text, n - 1);
}

static bool read_attribute(struct dpl_element_reader *reader,
                           const struct dpl_xml_attribute *attribute, const struct dpl_field *field,
                           void *base)
{
    struct dpl_diag diag;
    struct dpl_field_text text = {.text = attribute->value, .place = attribute->value_place};
    if (reader->takes_float && field->type == DPL_FIELD_DOUBLE) {
        text.text = without_float(reader, text.text);
    }
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
        bool required = !fields[i].default_text && !(fields[i].flags & DPL_ELEMENT_OPTIONAL);
        if (required && !has_attribute(node, &fields[i])) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%s> lacks the attribute '%s' (%s)", node->name, fields[i].name,
                          fields[i].summary);
            good = false;
        }
    }
    return good;
}

/* Spellings of one attribute differ, so to the XML parser it is not the same twice. */
static bool is_first(struct dpl_element_reader *reader, const struct dpl_xml_node *node, size_t i,
                     const struct dpl_field *field)
{
    for (size_t j = 0; j < i; j++) {
        if (dpl_field_find(field, 1, node->attributes[j].name)) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->attributes[i].place,
                          "the attribute '%s' is there twice, also as '%s'", field->name,
                          node->attributes[j].name);
            return false;
        }
    }
    return true;
}

/* Whether a base can take the fields: of a draft the size is known. */
static bool has_room(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const struct dpl_field *fields, size_t n, const void *base)
{
    for (size_t i = 0; base == reader->draft && i < n; i++) {
        if (fields[i].offset + fields[i].size > reader->draft_size) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%.80s> fills '%.60s' beyond the %zu bytes of its draft", node->name,
                          fields[i].name, reader->draft_size);
            return false;
        }
    }
    return true;
}

bool dpl_element_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_field *fields, size_t n, void *base)
{
    if (!has_room(reader, node, fields, n, base)) {
        return false;
    }
    bool good = check_required(reader, node, fields, n);
    dpl_fields_set_defaults(fields, n, base);
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        const struct dpl_field *field = dpl_field_find(fields, n, attribute->name);
        if (field) {
            good = is_first(reader, node, i, field) &&
                   read_attribute(reader, attribute, field, base) && good;
        } else if (!dpl_xml_is_for_editors(attribute->name)) {
            dpl__element_unknown(reader, attribute->place, attribute->name,
                                 dpl__element_nearest(fields, n, attribute->name));
        }
    }
    return good;
}

bool dpl__element_is(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const char *name)
{
    if (strcmp(node->name, name) == 0) {
        return true;
    }
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "found <%.80s>, expected <%s>",
                  node->name, name);
    return false;
}

void dpl_element_error(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl_diag *reterr)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "%s", reterr->text);
}

void *dpl__settings_make(struct dpl_arena *arena, const struct dpl_sim_settings *settings)
{
    void *values = dpl_arena_alloc(arena, settings->size);
    if (settings->unset) {
        memcpy(values, settings->unset, settings->size);
    }
    return values;
}

void dpl__element_values(const struct dpl_xml_node *node, const struct dpl_sim_settings *settings,
                         void *values)
{
    dpl_fields_set_defaults(settings->fields, settings->n, values);
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        const struct dpl_field *field =
            dpl_field_find(settings->fields, settings->n, attribute->name);
        struct dpl_field_text text = {.text = attribute->value};
        if (field) {
            (void)dpl_field_parse(field, &text, values, NULL);
        }
    }
}

/* Its size is the next power of two of the number of its elements. */
void *dpl__list_add(struct dpl_arena *arena, struct dpl__list *list, size_t size)
{
    if ((list->n & (list->n - 1)) == 0) {
        char *larger = dpl_arena_alloc(arena, (list->n ? 2 * list->n : 1) * size);
        list->items = list->n ? memcpy(larger, list->items, list->n * size) : larger;
    }
    char *items = list->items;
    return memset(items + list->n++ * size, 0, size);
}

void dpl__element_add_kinds(struct dpl_arena *arena, struct dpl__list *list,
                            const struct dpl_element_kind *kinds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *(struct dpl_element_kind *)dpl__list_add(arena, list, sizeof *kinds) = kinds[i];
    }
}
