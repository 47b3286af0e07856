/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of topics with values: a JSON object whose members are numbers, texts, truths or null.
 */
#ifndef DOPPEL_RECORDED_BAG_VALUES_H
#define DOPPEL_RECORDED_BAG_VALUES_H

#include <stdbool.h>
#include <stddef.h>

struct bag_values {
    const char *at, *end;
    bool is_bad; /* it is no such object */
    bool began;
};

struct bag_value {
    const char *name, *text; /* as in the message, between their quotes */
    size_t n_name, n_text;
    bool is_text; /* it had quotes */
};

/* The next member; false: there is none, or is_bad. Begin with {at, end}. */
bool bag_values_next(struct bag_values *values, struct bag_value *ret_value);

/* What the text between quotes means: without escapes, at most size - 1 bytes, with a NUL; other
 * characters than those of a byte become '?'. Returns its length. */
size_t bag_value_unescape(const struct bag_value *value, char *ret_text, size_t size);

#endif
