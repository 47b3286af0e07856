/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the `check` of a text property (DPL_TEXT_CHECKED of field.h). The loader adds the name
 * of the property and the position of the value in its profile for `doppel check`. */
#ifndef DOPPEL_TEXT_CHECK_H
#define DOPPEL_TEXT_CHECK_H

#include <errno.h>
#include <stddef.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports the error `what` for the part of `text` that begins at `at`. Returns -EINVAL. */
static inline int dpl_check_fail(const char *text, const char *at, const char *what,
                                 struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "character %zu (\"%.20s\"): %s",
                    (size_t)(at - text) + 1, at, what);
}

#ifdef __cplusplus
}
#endif

#endif
