/* SPDX-License-Identifier: Apache-2.0 */
/* Finds two components that write the same result file: only the last one would be left. The class
 * tables mark the properties (DPL_FIELD_RESULT). */
#include <string.h>

#include "build.h"

/* A property that names a result file. */
struct result {
    const struct dpl__instance *instance;
    const struct dpl_field *field;
    const char *file;
    struct dpl_place place; /* of the value; of the component if it is its profile's or default */
};

static struct result result_of(const struct dpl__instance *instance, const struct dpl_field *field)
{
    struct result result = {
        .instance = instance,
        .field = field,
        .file = (const char *)instance->block.base + field->offset,
        .place = instance->place,
    };
    for (const struct dpl__assignment *a = instance->assignments; a; a = a->next) {
        if (a->origin != DPL__ORIGIN_COMPONENT && dpl_field_find(field, 1, a->name)) {
            result.place = a->text.place;
        }
    }
    return result;
}

/* The next property of `instance` from row `*i` on that names a result; false: there is none. */
static bool next_result(const struct dpl__instance *instance, size_t *i, struct result *ret)
{
    const struct dpl_component_class *class_ = instance->class_;
    for (; class_ && instance->block.base && *i < class_->n_properties; (*i)++) {
        const struct dpl_field *field = &class_->properties[*i];
        if ((field->flags & DPL_FIELD_RESULT) != 0) {
            *ret = result_of(instance, field);
            if (ret->file[0] != '\0') {
                (*i)++;
                return true;
            }
        }
    }
    return false;
}

/* The first component before `result` in the application that writes the same file. */
static bool find_earlier(const struct dpl__builder *builder, const struct result *result,
                         struct result *ret)
{
    for (const struct dpl__instance *o = builder->instances; o != result->instance; o = o->next) {
        for (size_t i = 0; next_result(o, &i, ret);) {
            if (strcmp(ret->file, result->file) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* "application.xml:34:9"; a value of --set has no line. */
static const char *describe(struct dpl__builder *builder, const struct dpl_place *place)
{
    return place->line > 0 ? dpl_arena_printf(builder->arena, "%s:%d:%d", place->file, place->line,
                                              place->column)
                           : place->file;
}

void dpl__build_results(struct dpl__builder *builder)
{
    struct result result, earlier;
    for (const struct dpl__instance *n = builder->instances; n; n = n->next) {
        for (size_t i = 0; next_result(n, &i, &result);) {
            if (find_earlier(builder, &result, &earlier)) {
                dpl__build_error(builder, result.place,
                                 "%s.%s: '%s' is the result file of '%s' too (%s): only one of "
                                 "the two would be left",
                                 n->name, result.field->name, result.file, earlier.instance->name,
                                 describe(builder, &earlier.place));
            }
        }
    }
}
