/* SPDX-License-Identifier: Apache-2.0 */
/* Names of new projects. */
#include "new_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "auto",     "bool",     "break",  "case",     "char",      "const",         "continue",
    "default",  "do",       "double", "else",     "enum",      "extern",        "false",
    "float",    "for",      "goto",   "if",       "inline",    "int",           "long",
    "register", "restrict", "return", "short",    "signed",    "sizeof",        "static",
    "struct",   "switch",   "true",   "typedef",  "typeof",    "union",         "unsigned",
    "void",     "volatile", "while",  "main",     "test",      "codec",         "class",
    "new",      "delete",   "this",   "template", "namespace", "template_name", "template_class",
};

static bool is_valid(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > NEW_NAME_MAX || !islower((unsigned char)name[0]) ||
        name[length - 1] == '_' || strstr(name, "__")) {
        return false;
    }
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strcmp(name, keywords[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The valid name that is most similar: "LapTimer" and "lap-timer" become "lap_timer". */
static void similar(const char *name, char ret[NEW_NAME_MAX + 1])
{
    size_t n = 0;
    for (const char *at = name; *at && n + 1 < NEW_NAME_MAX; at++) {
        unsigned char c = (unsigned char)*at;
        bool starts_word = isupper(c) && at > name && !isupper((unsigned char)at[-1]);
        if ((starts_word || !isalnum(c)) && n > 0 && ret[n - 1] != '_') {
            ret[n++] = '_';
        }
        if (isalpha(c) || (isdigit(c) && n > 0)) {
            ret[n++] = (char)tolower(c);
        }
    }
    while (n > 0 && ret[n - 1] == '_') {
        n--;
    }
    ret[n] = '\0';
}

static void make_forms(const char *name, char *ret_title, char *ret_upper)
{
    size_t n = 0, length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        bool first = i == 0 || name[i - 1] == '_';
        ret_upper[i] = (char)toupper((unsigned char)name[i]);
        if (ret_title && name[i] != '_') {
            ret_title[n++] = first ? ret_upper[i] : name[i];
        }
    }
    ret_upper[length] = '\0';
    if (ret_title) {
        ret_title[n] = '\0';
    }
}

int new_words_init(struct new_words *words, const char *name, const char *device_class,
                   struct dpl_diag *reterr)
{
    char hint[NEW_NAME_MAX + 1];
    *words = (struct new_words){0};
    if (!is_valid(name)) {
        similar(name, hint);
        bool has_hint = is_valid(hint) && !is_reserved(hint);
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "'%.60s' is not a name: expected lower-case letters, digits and single "
                        "underscores, a letter first, at most %d characters%s%s%s",
                        name, NEW_NAME_MAX, has_hint ? "; did you mean '" : "",
                        has_hint ? hint : "", has_hint ? "'?" : "");
    }
    if (is_reserved(name)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "'%s' cannot be a name: it is reserved in C, C++ or the templates", name);
    }
    snprintf(words->name, sizeof words->name, "%s", name);
    snprintf(words->device_class, sizeof words->device_class, "%s", device_class);
    make_forms(words->name, words->title, words->upper);
    make_forms(words->device_class, NULL, words->upper_class);
    return 0;
}

void new_words_finish(struct new_words *words)
{
    for (size_t i = 0; i < NEW_N_PARTS; i++) {
        free(words->parts[i]);
        words->parts[i] = NULL;
    }
}

char *new_words_replace(const struct new_words *words, const char *text)
{
    const struct {
        const char *from, *to;
    } pairs[] = {
        {"template_name", words->name},
        {"TemplateName", words->title},
        {"TEMPLATE_NAME", words->upper},
        {"template_class", words->device_class},
        {"TEMPLATE_CLASS", words->upper_class},
        {"    /* template_state */", words->parts[NEW_PART_STATE]},
        {"/* template_functions */", words->parts[NEW_PART_FUNCTIONS]},
        {"    /* template_api */", words->parts[NEW_PART_API]},
        {"template_table", words->parts[NEW_PART_TABLE]},
        {"template_users", words->parts[NEW_PART_USERS]},
    };
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    while (out && *text) {
        size_t i = 0, n_pairs = sizeof pairs / sizeof pairs[0];
        while (i < n_pairs &&
               (!pairs[i].to || strncmp(text, pairs[i].from, strlen(pairs[i].from)) != 0)) {
            i++;
        }
        if (i < n_pairs) {
            fputs(pairs[i].to, out);
            text += strlen(pairs[i].from);
        } else {
            fputc(*text++, out);
        }
    }
    bool failed = !out || ferror(out);
    if (out && fclose(out) != 0) {
        failed = true;
    }
    if (failed) {
        free(result);
        return NULL;
    }
    return result;
}
