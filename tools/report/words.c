/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cell without quotes; false: it is no word. */
static bool word_at(const struct table *table, size_t row, int column, char ret_word[WORD_SIZE])
{
    char cell[WORD_SIZE + 2];
    table_word(table, row, column, cell, sizeof cell);
    size_t begin = cell[0] == '"', n = strlen(cell);
    n -= n > begin && cell[n - 1] == '"';
    memcpy(ret_word, cell + begin, n - begin < WORD_SIZE ? n - begin : WORD_SIZE - 1);
    ret_word[n - begin < WORD_SIZE ? n - begin : WORD_SIZE - 1] = '\0';
    return isalpha((unsigned char)ret_word[0]) && strcmp(ret_word, "nan") != 0 &&
           strcmp(ret_word, "inf") != 0;
}

static bool has_numbers(const struct table *table, int column)
{
    for (size_t row = 0; row < table->n_rows; row++) {
        if (isfinite(table_at(table, row, column))) {
            return true;
        }
    }
    return false;
}

/* Its number, or WORDS_MAX: there is no room. */
static size_t number_of(struct words *words, const char *text)
{
    size_t i = 0;
    while (i < words->n && strcmp(words->text[i], text) != 0) {
        i++;
    }
    if (i == words->n && i < WORDS_MAX) {
        strcpy(words->text[words->n++], text);
    }
    return i;
}

static bool fill(const struct table *table, int column, struct words *words)
{
    for (size_t row = 0; row < table->n_rows; row++) {
        char text[WORD_SIZE];
        words->levels[row] = (double)NAN;
        if (word_at(table, row, column, text)) {
            size_t number = number_of(words, text);
            words->levels[row] = (double)number;
            if (number == WORDS_MAX) {
                return false;
            }
        }
    }
    return words->n > 1;
}

bool words_read(const struct table *table, int column, struct words *ret_words)
{
    *ret_words = (struct words){.n = 0};
    ret_words->levels =
        has_numbers(table, column) ? NULL : malloc((table->n_rows + 1) * sizeof *ret_words->levels);
    if (!ret_words->levels || !fill(table, column, ret_words)) {
        words_finish(ret_words);
        return false;
    }
    for (size_t i = 0; i < ret_words->n; i++) {
        ret_words->list[i] = ret_words->text[i];
    }
    return true;
}

void words_finish(struct words *words)
{
    free(words->levels);
    words->levels = NULL;
}
