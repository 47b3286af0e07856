/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_repeat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define TOLERANCE 1e-9 /* of a value: other computers round otherwise */

static bool is_same(const char *expected, const json_t *value)
{
    char *end;
    double number = strtod(expected, &end), found = json_number_value(value);
    if (json_is_number(value) && *expected && *end == '\0') {
        return fabs(found - number) <= TOLERANCE * fmax(1.0, fabs(number));
    }
    return strcmp(expected, json_is_string(value)  ? json_string_value(value)
                            : json_is_true(value)  ? "true"
                            : json_is_false(value) ? "false"
                            : json_is_null(value)  ? "null"
                                                   : "") == 0;
}

bool bench_repeat_compare(const struct dpl_bench *bench, const char *values, char *ret_why,
                          size_t size)
{
    json_t *object = json_loads(values, 0, NULL);
    size_t n_wrong = 0;
    snprintf(ret_why, size, "all %zu values are as in the run that is repeated", bench->n_expected);
    for (size_t i = 0; i < bench->n_expected; i++) {
        const struct dpl_bench_expected *expected = &bench->expected[i];
        const json_t *value = json_object_get(object, expected->name);
        if (value && is_same(expected->value, value)) {
            continue;
        }
        char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
        if (n_wrong++ == 0) {
            snprintf(ret_why, size, "%s is %s, in the run that is repeated %s", expected->name,
                     text ? text : "not there", expected->value);
        }
        free(text);
    }
    size_t n = strlen(ret_why);
    if (n_wrong > 1) {
        snprintf(ret_why + n, size - n, "; %zu values differ", n_wrong);
    }
    json_decref(object);
    return n_wrong == 0;
}
