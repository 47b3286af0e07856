/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of mechanisms that must be good, and rows of texts with the only finding that they have. */
#ifndef TEST_MECHANISM_ROWS_H
#define TEST_MECHANISM_ROWS_H

#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/objects.h>

#include "objects_reading.h"

static inline const struct dpl_sim_mechanism *read_good(const char *text)
{
    reading_is_good(reading_anew(text));
    return &objects.mechanism;
}

/* One row: a text, its only finding. An '@' marks the place of the finding and is not read;
 * without one it is that of the last joint, or of the last body when there is no joint. */
struct row {
    const char *text;
    enum dpl_severity severity;
    const char *said;
};

static inline const char *last(const char *text, const char *word)
{
    const char *found = NULL;
    for (const char *next = text; (next = strstr(next, word)); next++) {
        found = next;
    }
    return found;
}

/* Removes the mark; the place of what it stood before. */
static inline struct dpl_place remove_mark(char *text)
{
    char *mark = strchr(text, '@');
    const char *joint = last(text, "<Joint ");
    const char *place = mark ? mark : joint ? joint : last(text, "<RigidObject ");
    struct dpl_place found = {.line = 1, .column = 1};
    for (const char *c = text; c < place; c++) {
        found.line += *c == '\n';
        found.column = *c == '\n' ? 1 : found.column + 1;
    }
    if (mark) {
        memmove(mark, mark + 1, strlen(mark));
    }
    return found;
}

static inline void expect(const struct row *row)
{
    diags.n = diags.n_errors = diags.n_warnings = 0;
    char *text = dpl_arena_strdup(&arena, row->text);
    struct dpl_place place = remove_mark(text);
    int err = reading_text(text);
    cr_assert_eq(err, row->severity == DPL_SEVERITY_ERROR ? -EINVAL : 0, "%s", row->text);
    cr_assert_eq(diags.n, 1, "%zu findings in %s: %s", diags.n, row->text, reading_first());
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_eq(diag->severity, row->severity, "%s", diag->text);
    cr_assert_not_null(strstr(diag->text, row->said), "'%s' in %s", diag->text, row->text);
    cr_assert_eq(diag->place.line, place.line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, place.column, "column %d: %s", diag->place.column, diag->text);
}

#define EXPECT_ALL(rows)                                                                           \
    for (size_t i_ = 0; i_ < sizeof(rows) / sizeof((rows)[0]); i_++) {                             \
        expect(&(rows)[i_]);                                                                       \
    }
#define ERROR   DPL_SEVERITY_ERROR
#define WARNING DPL_SEVERITY_WARNING

#endif
