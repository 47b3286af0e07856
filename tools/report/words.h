/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of words (states, modes, true and false) as levels over time. */
#ifndef DOPPEL_REPORT_WORDS_H
#define DOPPEL_REPORT_WORDS_H

#include <stdbool.h>

#include "table.h"

enum { WORDS_MAX = 16, WORD_SIZE = 40 };

struct words {
    char text[WORDS_MAX][WORD_SIZE]; /* in the order in which they came */
    const char *list[WORDS_MAX];     /* the same */
    size_t n;
    double *levels; /* [rows of the table] number of the word; NaN: none. words_finish frees it */
};

/* Reads a column. False, and nothing to finish: it has numbers, fewer than two different words, or
 * more than WORDS_MAX. */
bool words_read(const struct table *table, int column, struct words *ret_words);
void words_finish(struct words *words);

#endif
