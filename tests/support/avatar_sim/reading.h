/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and findings of what a test reads: see objects_reading.h and world_reading.h. */
#ifndef DOPPEL_TEST_READING_H
#define DOPPEL_TEST_READING_H

#include <criterion/criterion.h>
#include <doppel/diag.h>

#include "arena.h"

static struct dpl_arena arena;
static struct dpl_diags diags;

/* The text of the first finding; "": there is none. */
static inline const char *reading_first(void)
{
    return diags.n ? diags.items[0].text : "";
}

/* `err`: of reading, which must be without a finding. */
static inline void reading_is_good(int err)
{
    cr_assert_eq(err, 0, "%s", reading_first());
    cr_assert_eq(diags.n, 0, "%s", reading_first());
}

#endif
