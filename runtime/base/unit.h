/* SPDX-License-Identifier: Apache-2.0 */
/* Units of properties, for the messages of the field parser and for the schemas. */
#ifndef DOPPEL_BASE_UNIT_H
#define DOPPEL_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether dpl_unit_convert supports `unit`. */
bool dpl__unit_is_known(const char *unit);

/* Another unit of the same dimension in which `value` is within [min, max] of `unit`, for a
 * suggestion. Returns its name and the value in `unit`; NULL: none. */
const char *dpl__unit_guess(double value, const char *unit, const double range[2],
                            double *ret_value);

/* The units that can be converted to `unit`, including itself, one per call: start with *inout_next
 * 0. NULL: no more. */
const char *dpl__unit_next(const char *unit, size_t *inout_next);

#endif
