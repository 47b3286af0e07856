/* SPDX-License-Identifier: Apache-2.0 */
/* The units a property may bear, for the field parser's messages and the schemas. */
#ifndef DOPPEL_BASE_UNIT_H
#define DOPPEL_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `unit` is one that dpl_unit_convert knows. */
bool dpl__unit_is_known(const char *unit);

/* Another unit of the same dimension in which `value` lies within [min, max] of `unit`: the reading
 * that a person may have meant. Returns its name and the value in `unit`; NULL: none. */
const char *dpl__unit_guess(double value, const char *unit, const double range[2],
                            double *ret_value);

/* The units that convert to `unit`, itself among them, one a call: start with *inout_next 0. NULL:
 * no more. */
const char *dpl__unit_next(const char *unit, size_t *inout_next);

#endif
