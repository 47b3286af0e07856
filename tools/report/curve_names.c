/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_names.h"

#include <string.h>

/* Whether a word counts parts of one thing: "x", "yaw", "3". */
static bool is_index(const char *word)
{
    static const char *const words[] = {"x", "y", "z", "v", "w", "roll", "pitch", "yaw", "theta"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return *word && strspn(word, "0123456789") == strlen(word);
}

size_t curve_stem(const char *leaf)
{
    const char *bracket = strchr(leaf, '[');
    const char *underscore = strrchr(leaf, '_');
    size_t n = strlen(leaf);
    if (bracket) {
        return (size_t)(bracket - leaf);
    }
    if (underscore) {
        return is_index(underscore + 1) ? (size_t)(underscore - leaf) : n;
    }
    while (n > 1 && leaf[n - 1] >= '0' && leaf[n - 1] <= '9') {
        n--;
    }
    return n;
}

bool curve_same_stem(const char *a, const char *b)
{
    size_t n = curve_stem(a);
    return n == curve_stem(b) && strncmp(a, b, n) == 0;
}

bool curve_has_index(const char *leaf)
{
    return leaf[curve_stem(leaf)] != '\0';
}

const char *curve_index(const char *leaf)
{
    return curve_has_index(leaf) ? leaf + curve_stem(leaf) : leaf;
}

void curve_add_to_name(char *name, size_t size, const char *text)
{
    size_t n = strlen(name);
    for (; *text && n + 2 < size; text++) {
        bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                     (*text >= '0' && *text <= '9');
        if (plain || (n > 0 && name[n - 1] != '-')) {
            name[n++] = plain ? *text : '-';
        }
    }
    name[n] = '\0';
}
