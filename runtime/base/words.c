/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words in one string. */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include <doppel/diag.h>

const char *dpl__word_next(const char *list, char ret_word[DPL__WORD_MAX])
{
    if (!list || *list == '\0') {
        return NULL;
    }
    size_t n = strcspn(list, "|");
    snprintf(ret_word, DPL__WORD_MAX, "%.*s", (int)n, list);
    return list + n + (list[n] == '|');
}

int dpl__word_index(const char *list, const char *word)
{
    char candidate[DPL__WORD_MAX];
    for (int i = 0; (list = dpl__word_next(list, candidate)); i++) {
        if (dpl_name_equal(candidate, word) || strcmp(candidate, word) == 0) {
            return i;
        }
    }
    return -1;
}

const char *dpl__word_nearest(const char *list, const char *word, char ret_word[DPL__WORD_MAX])
{
    enum { MAX = 16 };
    char words[MAX][DPL__WORD_MAX];
    const char *candidates[MAX];
    size_t n = 0;
    while (n < MAX && (list = dpl__word_next(list, words[n]))) {
        candidates[n] = words[n];
        n++;
    }
    const char *nearest = dpl_nearest(word, candidates, n);
    if (!nearest) {
        return NULL;
    }
    return memcpy(ret_word, nearest, DPL__WORD_MAX);
}
