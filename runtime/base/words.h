/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words in one string, "fast|slow": choices and aliases of the const tables. */
#ifndef DOPPEL_BASE_WORDS_H
#define DOPPEL_BASE_WORDS_H

#define DPL__WORD_MAX 64

/* Copies the first word of the list (NULL: empty) and returns the rest; NULL when there is none. */
const char *dpl__word_next(const char *list, char ret_word[DPL__WORD_MAX]);

/* The index of the word in the list that is equal by dpl_name_equal, or -1. */
int dpl__word_index(const char *list, const char *word);

/* Copies the word of the list that is most similar to a misspelled one; NULL: none is similar. */
const char *dpl__word_nearest(const char *list, const char *word, char ret_word[DPL__WORD_MAX]);

#endif
