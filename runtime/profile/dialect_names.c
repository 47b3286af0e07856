/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the dialect: of elements, their aliases, and kinds of profiles. */
#include "dialect.h"

#include <string.h>

#include "words.h"

const char *const dpl__dialect_editor_only = "layout|collapsed|bend_points|port_layouts";

const char *dpl__kind_name(enum dpl__kind kind)
{
    static const char *const names[DPL__N_KINDS] = {
        [DPL__KIND_COMPONENT] = "component",     [DPL__KIND_COMPOSITE] = "composite",
        [DPL__KIND_APPLICATION] = "application", [DPL__KIND_SERVICE_TYPE] = "service_type",
        [DPL__KIND_DATA_TYPE] = "data_type",     [DPL__KIND_BINDING] = "binding",
    };
    return names[kind];
}

static bool has_word(const char *list, const char *word)
{
    char candidate[DPL__WORD_MAX];
    while ((list = dpl__word_next(list, candidate))) {
        if (strcmp(candidate, word) == 0) {
            return true;
        }
    }
    return false;
}

bool dpl__dialect_is(const struct dpl__element *element, const char *element_name)
{
    return strcmp(element->name, element_name) == 0 || has_word(element->aliases, element_name);
}

bool dpl__dialect_is_editor_only(const char *element_name)
{
    return has_word(dpl__dialect_editor_only, element_name);
}

int dpl__dialect_kind(const char *root_name)
{
    for (int i = 0; i < DPL__N_KINDS; i++) {
        if (dpl__dialect_is(dpl__dialect_roots[i], root_name)) {
            return i;
        }
    }
    return -1;
}
