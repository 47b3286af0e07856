/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds of STAR's format in tests: their text, what the reader says of it, and whether two of them
 * are the same. */
#ifndef STAR_READING_H
#define STAR_READING_H

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/star.h>

#define GOOD_MASS  "\"mass\": 1, \"moment_of_inertia\": {\"Ixx\": 1, \"Iyy\": 1, \"Izz\": 1}"
#define NO_GRAVITY "\"gravity\": [0, 0, 0], \"units\": {}"
#define TWO_BODIES                                                                                 \
    "\"a\": {" GOOD_MASS ", \"frames\": {\"tip\": {\"T\": [1, 0, 0]}}},\n\"b\": {" GOOD_MASS "}"
#define A_TO_B     "\"body_frame_pairs\": [[\"a\", \"tip\"], [\"b\", \"origin\"]]"
#define FIXED_TO_A "\"body_frame_pairs\": [[\"fixed\", \"origin\"], [\"a\", \"origin\"]]"

/* A world of one assembly, `m`. Bodies begin in line 3, joints in line 6 of a world of two bodies.
 */
#define WORLD_OF(parameters, fixed, bodies, joints, rest)                                          \
    "{\"model_parameters\": {" parameters "}," fixed                                               \
    "\n\"assembly\": {\"m\": {\"bodies\": {\n" bodies "},\n\"joints\": {\n" joints "}" rest        \
    "\n}}}"
#define WORLD(joints, rest) WORLD_OF(NO_GRAVITY, "", TWO_BODIES, joints, rest)
#define BODIES(bodies)      WORLD_OF(NO_GRAVITY, "", bodies, "", "")

/* The world of a text, without any error. */
static inline struct dpl_star_world *read_star_bytes(const char *text, size_t n)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    int err = dpl_star_read_text("w.json", text, n, NULL, &world, &diags);
    char line[1024] = "";
    for (size_t i = 0; i < diags.n; i++) {
        if (diags.items[i].severity == DPL_SEVERITY_ERROR) {
            dpl_diag_format(&diags.items[i], line, sizeof line);
        }
    }
    cr_assert_eq(err, 0, "%s", line);
    dpl_diags_finish(&diags);
    return world;
}

static inline struct dpl_star_world *read_star(const char *text)
{
    return read_star_bytes(text, strlen(text));
}

/* What the reader says, line by line; only errors, or everything. `name` is of the test's row. */
static inline void expect_said(const char *name, const char *bytes, size_t n,
                               const struct dpl_star_options *options, bool everything,
                               const char *expected)
{
    static char said[1 << 16];
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    int err = dpl_star_read_text("w.json", bytes, n, options, &world, &diags);
    size_t length = 0;
    said[0] = '\0';
    for (size_t i = 0; i < diags.n && length + DPL_DIAG_TEXT_MAX + 64 < sizeof said; i++) {
        if (everything || diags.items[i].severity == DPL_SEVERITY_ERROR) {
            length += (size_t)dpl_diag_format(&diags.items[i], said + length, sizeof said - length);
            length += (size_t)snprintf(said + length, sizeof said - length, "\n");
        }
    }
    cr_expect_str_eq(said, expected, "%s: it says\n%sand not\n%s", name, said, expected);
    cr_expect_eq(err != 0, diags.n_errors > 0, "%s", name);
    cr_expect_eq(err == 0, world != NULL, "%s", name);
    dpl_star_destroy(world);
    dpl_diags_finish(&diags);
}

static inline void expect_errors(const char *text, const char *expected)
{
    expect_said(text, text, strlen(text), NULL, false, expected);
}

/* A text, and what the reader says of it. */
struct star_row {
    const char *name, *text, *said;
};

static inline void expect_rows(const struct star_row *rows, size_t n, bool everything)
{
    for (size_t i = 0; i < n; i++) {
        const struct star_row *row = &rows[i];
        expect_said(row->name, row->text, strlen(row->text), NULL, everything, row->said);
    }
}

#endif
