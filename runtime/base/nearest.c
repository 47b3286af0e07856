/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing names: equality that ignores blanks and case, and the most similar of several
 * candidates (Damerau-Levenshtein, the variant with adjacent transpositions: optimal string
 * alignment). */
#include <doppel/diag.h>

#include <string.h>

enum { WORD_MAX = 64 };

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Bytes of multi-byte UTF-8 characters count as letters. */
static bool counts(char c)
{
    char l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static const char *skip(const char *text)
{
    while (*text != '\0' && !counts(*text)) {
        text++;
    }
    return text;
}

bool dpl_name_equal(const char *a, const char *b)
{
    a = skip(a);
    b = skip(b);
    if (*a == '\0' || *b == '\0') {
        return false;
    }
    while (*a != '\0' && *b != '\0') {
        if (lower(*a) != lower(*b)) {
            return false;
        }
        a = skip(a + 1);
        b = skip(b + 1);
    }
    return *a == *b;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

struct word {
    const char *text;
    size_t n;
};

static size_t distance(struct word a, struct word b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *previous = rows[1], *current = rows[2];
    for (size_t j = 0; j <= b.n; j++) {
        previous[j] = j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= a.n; i++) {
        current[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            char x = lower(a.text[i - 1]), y = lower(b.text[j - 1]);
            size_t cost = x == y ? 0 : 1;
            current[j] = smallest(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost);
            if (i > 1 && j > 1 && x == lower(b.text[j - 2]) && lower(a.text[i - 2]) == y &&
                before[j - 2] + 1 < current[j]) {
                current[j] = before[j - 2] + 1;
            }
        }
        size_t *oldest = before;
        before = previous;
        previous = current;
        current = oldest;
    }
    return previous[b.n];
}

const char *dpl_nearest(const char *word, const char *const *candidates, size_t n)
{
    struct word wanted = {word, strlen(word)};
    if (wanted.n == 0 || wanted.n > WORD_MAX) {
        return NULL;
    }
    size_t limit = wanted.n / 3 > 1 ? wanted.n / 3 : 1;
    const char *nearest = NULL;
    size_t nearest_distance = limit + 1;
    for (size_t i = 0; i < n; i++) {
        struct word candidate = {candidates[i], strlen(candidates[i])};
        if (candidate.n > WORD_MAX) {
            continue;
        }
        size_t d = distance(wanted, candidate);
        if (d < nearest_distance) {
            nearest = candidates[i];
            nearest_distance = d;
        }
    }
    return nearest;
}
