/* SPDX-License-Identifier: Apache-2.0 */
/* Parses values for six degrees of freedom from texts of properties and small files: x y z (m, N),
 * then roll pitch yaw (rad, N m). Header only, no state, no allocation; every folder may include
 * it. */
#ifndef DOPPEL_MATH_SIX_AXES_H
#define DOPPEL_MATH_SIX_AXES_H

#include <doppel/math/number_rows.h>
#include <doppel/math/six.h>

#ifdef __cplusplus
extern "C" {
#endif

static const char *const dpl_six_names[DPL_SIX] = {"x", "y", "z", "roll", "pitch", "yaw"};

/* Reads the next word of a row if it is one of `n` words; false leaves the reader unchanged. */
static inline bool dpl_rows_word(struct dpl_rows *rows, const char *const *words, size_t n,
                                 size_t *ret_index)
{
    size_t length = strcspn(rows->at, " \t\r\n;#");
    for (size_t i = 0; i < n; i++) {
        if (strlen(words[i]) == length && strncmp(words[i], rows->at, length) == 0) {
            rows->at += length;
            dpl_rows_skip_blanks(rows);
            *ret_index = i;
            return true;
        }
    }
    return false;
}

/* Reads six values from a text of one row. One number is used for all six; two numbers are for x y
 * z and for roll pitch yaw; six numbers are for one each. False: *ret_at is the position of the
 * error (never NULL), and ret_values is unchanged. */
static inline bool dpl_six_read(const char *text, double ret_values[DPL_SIX], const char **ret_at)
{
    double values[DPL_SIX] = {0.0}, more;
    struct dpl_rows rows = dpl_rows_begin(text);
    int n = dpl_rows_next(&rows, 1, DPL_SIX, values);
    bool shape = n == 1 || n == 2 || n == DPL_SIX;
    *ret_at = shape ? rows.at : n < 0 ? rows.at : rows.row;
    if (!shape || dpl_rows_next(&rows, 1, 1, &more) != 0) {
        *ret_at = shape ? rows.row : *ret_at;
        return false;
    }
    for (int i = 0; i < DPL_SIX; i++) {
        ret_values[i] = n == DPL_SIX ? values[i] : n == 2 ? values[i / 3] : values[0];
    }
    return true;
}

/* Whether two texts give the same six values: "10 20" is "10 10 10 20 20 20". */
static inline bool dpl_six_same(const char *a, const char *b)
{
    double first[DPL_SIX], second[DPL_SIX];
    const char *at;
    bool same = dpl_six_read(a, first, &at) && dpl_six_read(b, second, &at);
    for (int i = 0; i < DPL_SIX && same; i++) {
        same = first[i] == second[i];
    }
    return same;
}

/* Reads a set of degrees of freedom by their names, "x z pitch"; an empty text is the empty set.
 * False as above. */
static inline bool dpl_six_read_set(const char *text, bool ret_set[DPL_SIX], const char **ret_at)
{
    bool set[DPL_SIX] = {false};
    struct dpl_rows rows = dpl_rows_begin(text);
    size_t axis = 0;
    dpl_rows_skip_blanks(&rows);
    while (*rows.at != '\0' && dpl_rows_word(&rows, dpl_six_names, DPL_SIX, &axis)) {
        set[axis] = true;
    }
    *ret_at = rows.at;
    if (*rows.at != '\0') {
        return false;
    }
    memcpy(ret_set, set, sizeof set);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
