/* SPDX-License-Identifier: Apache-2.0 */
/* What the `check` of a text property says (DPL_TEXT_CHECKED of field.h): the loader adds the
 * property and the place of the value in its profile, so that `doppel check` finds it. */
#ifndef DOPPEL_TEXT_CHECK_H
#define DOPPEL_TEXT_CHECK_H

#include <errno.h>
#include <stddef.h>

#include <doppel/diag.h>

/* `what` is wrong with what stands at `at` in `text`. Returns -EINVAL. */
static inline int dpl_check_fail(const char *text, const char *at, const char *what,
                                 struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "character %zu (\"%.20s\"): %s",
                    (size_t)(at - text) + 1, at, what);
}

#endif
