/* SPDX-License-Identifier: Apache-2.0 */
/* What a test reads objects into, and the findings about them; a suite ends with reading_end. */
#ifndef DOPPEL_TEST_OBJECTS_READING_H
#define DOPPEL_TEST_OBJECTS_READING_H

#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/objects.h>

#include "reading.h"

static struct dpl_sim_objects objects;

static inline void reading_end(void)
{
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

/* The text of a file. 0, or an error with its findings, which come behind those of before. */
static inline int reading_text(const char *text)
{
    return dpl_sim_read_objects_text(&arena, "test.xml", text, strlen(text), NULL, &objects,
                                     &diags);
}

/* The same; findings of before are forgotten. */
static inline int reading_anew(const char *text)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    return reading_text(text);
}

/* A mechanism with these children, which must have no error; findings of before are forgotten. */
static inline void reading_mechanism(const char *children)
{
    const char *text = dpl_arena_printf(&arena, "<mechanism>\n%s</mechanism>", children);
    cr_assert_eq(reading_anew(text), 0, "%s\n%s", reading_first(), text);
}

#endif
