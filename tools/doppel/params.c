/* SPDX-License-Identifier: Apache-2.0 */
#include "params.h"

static const char *text_of(const struct dpl_xml_node *node, const char *name)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute_like(node, name);
    return attribute ? attribute->value : "";
}

static bool is_computed(const struct dpl_xml_node *node, const char *name)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute_like(node, name);
    return attribute && attribute->written;
}

int params_read(struct dpl_arena *arena, const char *file, struct params *ret_params,
                struct dpl_diag *reterr)
{
    *ret_params = (struct params){.n = 0};
    int r = dpl_xml_read_file(arena, file, &ret_params->root, reterr);
    if (r < 0) {
        return r;
    }
    size_t n = 1;
    for (const struct dpl_xml_node *at = dpl_xml_child(ret_params->root, "Param"); at;
         at = dpl_xml_next(at, "Param")) {
        n++;
    }
    ret_params->items = dpl_arena_alloc(arena, n * sizeof *ret_params->items);
    for (const struct dpl_xml_node *at = dpl_xml_child(ret_params->root, "Param"); at;
         at = dpl_xml_next(at, "Param")) {
        const struct dpl_xml_attribute *value = dpl_xml_attribute_like(at, "value");
        if (value && !value->written) {
            ret_params->items[ret_params->n++] =
                (struct param){.name = text_of(at, "name"),
                               .value = value->value,
                               .unit = text_of(at, "unit"),
                               .min = text_of(at, "min"),
                               .max = text_of(at, "max"),
                               .summary = text_of(at, "summary"),
                               .value_place = value->value_place,
                               .min_follows = is_computed(at, "min"),
                               .max_follows = is_computed(at, "max")};
        }
    }
    return 0;
}
