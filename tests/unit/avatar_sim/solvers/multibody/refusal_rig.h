/* SPDX-License-Identifier: Apache-2.0 */
/* A graph with two bodies, and calls that it must refuse. */
#ifndef DOPPEL_TESTS_REFUSAL_RIG_H
#define DOPPEL_TESTS_REFUSAL_RIG_H

#include "graph_rig.h"

static int arm, hand;         /* two bodies */
static unsigned long changes; /* before the calls that are refused */

static inline void begin_with_two(void)
{
    begin();
    arm = body(0, "arm");
    hand = body(0, "hand");
    changes = graph->changes;
}

/* A call that was refused: its code, its text, no place, and nothing is new. */
static inline void assert_refused(int result, int err, const char *text)
{
    cr_assert_eq(result, err, "%d: %s", result, diag.text);
    cr_assert_str_eq(diag.text, text);
    cr_assert_null(diag.place.file);
    cr_assert_eq(diag.place.line, 0);
    cr_assert_eq(diag.severity, DPL_SEVERITY_ERROR);
    cr_assert_eq(graph->changes, changes);
    diag.text[0] = '\0';
}

#endif
