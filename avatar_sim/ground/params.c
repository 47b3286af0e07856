/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of files: see params.h. */
#include "params.h"

#include <string.h>

#include "arena.h"

/* Takes NAME=VALUE apart; false after an error. */
static bool parse(struct dpl_element_reader *reader, const struct dpl_sim_set *from,
                  struct dpl_xml_given *ret_given)
{
    const char *equals = strchr(from->text, '=');
    if (!equals || equals == from->text) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, from->place,
                      "expected NAME=VALUE, such as FLOORS=12");
        return false;
    }
    *ret_given = (struct dpl_xml_given){
        .name = dpl_arena_strndup(reader->arena, from->text, (size_t)(equals - from->text)),
        .value = dpl_arena_strdup(reader->arena, equals + 1),
        .place = from->place,
        .value_place = from->place,
    };
    return true;
}

const struct dpl_xml_node *dpl__params_expand(struct dpl_element_reader *reader,
                                              const struct dpl_xml_node *root,
                                              const struct dpl_sim_load_options *options,
                                              struct dpl_xml_work *work)
{
    size_t n = options ? options->n_params : 0;
    struct dpl_xml_given *given = dpl_arena_alloc(reader->arena, (n + 1) * sizeof *given);
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        good = parse(reader, &options->params[i], &given[i]) && good;
    }
    const struct dpl_xml_node *expanded = NULL;
    const char *noun = options && options->params_of ? options->params_of : "this file";
    if (!good ||
        dpl_xml_expand(reader->arena, root, given, n, noun, work, reader->diags, &expanded)) {
        return NULL;
    }
    return expanded;
}

static bool is_of(const struct dpl_element_table *table, const struct dpl_xml_attribute *attribute)
{
    return dpl_field_find(table->fields, table->n, attribute->name) != NULL;
}

const struct dpl_xml_node *dpl__params_without(struct dpl_element_reader *reader,
                                               const struct dpl_xml_node *node,
                                               const struct dpl_element_table *table)
{
    struct dpl_xml_node *copy = dpl_arena_alloc(reader->arena, sizeof *copy);
    struct dpl_xml_attribute *attributes =
        dpl_arena_alloc(reader->arena, (node->n_attributes + 1) * sizeof *attributes);
    *copy = *node;
    copy->attributes = attributes;
    copy->n_attributes = 0;
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (is_of(table, &node->attributes[i])) {
            attributes[copy->n_attributes++] = node->attributes[i];
        }
    }
    return copy;
}

static void warn_unknown(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                         const struct dpl_element_table *table)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        if (!is_of(table, attribute)) {
            dpl__element_unknown(reader, attribute->place, attribute->name,
                                 dpl__element_nearest(table->fields, table->n, attribute->name));
        }
    }
}

const struct dpl_xml_node *dpl__params_pass(struct dpl_element_reader *reader,
                                            const struct dpl_xml_node *node,
                                            const struct dpl_element_table *table,
                                            const struct dpl_xml_node *root, const char *file,
                                            struct dpl_xml_work *work)
{
    struct dpl_xml_given *given =
        dpl_arena_alloc(reader->arena, (node->n_attributes + 1) * sizeof *given);
    size_t n = 0;
    if (!root || !dpl_xml_has_params(root)) {
        warn_unknown(reader, node, table);
    } else {
        for (size_t i = 0; i < node->n_attributes; i++) {
            const struct dpl_xml_attribute *from = &node->attributes[i];
            if (!is_of(table, from)) {
                given[n++] =
                    (struct dpl_xml_given){from->name, from->value, from->place, from->value_place};
            }
        }
    }
    const struct dpl_xml_node *expanded = NULL;
    const char *noun = dpl_arena_printf(reader->arena, "'%.120s'", file);
    if (!root ||
        dpl_xml_expand(reader->arena, root, given, n, noun, work, reader->diags, &expanded)) {
        return NULL;
    }
    return expanded;
}
