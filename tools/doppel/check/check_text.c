/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of diagnostics: UTF-8, URIs, codes. */
#include "check_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/text.h>

#include "unit.h"

char *check_text_plain(const char *text, bool keeps_control)
{
    char *plain = malloc(DPL_TEXT_CLEAN_SIZE(strlen(text)) + 8);
    char *to = plain;
    while (plain && *text != '\0') {
        uint32_t code;
        size_t n = dpl_text_next(text, &code);
        if (n == 0 || !keeps_control) {
            char one[8] = "";
            memcpy(one, text, n > 0 ? n : 1);
            to += dpl_text_clean(one, to, sizeof one);
            text += n > 0 ? n : 1;
        } else {
            memcpy(to, text, n);
            to += n;
            text += n;
        }
    }
    if (plain) {
        *to = '\0';
    }
    return plain;
}

static char *absolute(const char *file)
{
    char folder[PATH_MAX];
    if (file[0] == '/') {
        return strdup(file);
    }
    while (file[0] == '.' && file[1] == '/') {
        file += 2;
    }
    if (!getcwd(folder, sizeof folder)) {
        return NULL;
    }
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, file);
    }
    return path;
}

char *check_text_uri(const char *file, bool is_absolute)
{
    char *path = is_absolute ? absolute(file) : strdup(file);
    char *uri = path ? malloc(3 * strlen(path) + sizeof "file://") : NULL;
    if (uri) {
        char *to = uri + sprintf(uri, "%s", path[0] == '/' ? "file://" : "");
        for (const char *from = path; *from != '\0'; from++) {
            bool is_plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                            (*from >= '0' && *from <= '9') || strchr("-._~/", *from);
            to += sprintf(to, is_plain ? "%c" : "%%%02X", (unsigned char)*from);
        }
    }
    free(path);
    return uri;
}

/* Behind a quotation that begins here; the text itself when none does. */
static const char *skip_quotation(const char *text, char before)
{
    if (*text != '\'' || isalnum((unsigned char)before)) {
        return text;
    }
    const char *end = text + 1;
    while (*end != '\0' && !(*end == '\'' && !isalnum((unsigned char)end[1]))) {
        end++;
    }
    return *end == '\'' ? end + 1 : text;
}

/* Words are lower case; others, and what is in quotes or in < >, are names and values. A unit may
 * follow a value at the start. */
static bool is_word(const char *text, size_t n, bool is_first)
{
    char unit[8] = "";
    if (is_first && n < sizeof unit) {
        memcpy(unit, text, n);
        if (dpl__unit_is_known(unit)) {
            return false;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!(text[i] >= 'a' && text[i] <= 'z')) {
            return false;
        }
    }
    return n > 0;
}

/* "WheelDiameter: " before what is said about it. */
static const char *skip_subject(const char *text)
{
    const char *space = strchr(text, ' ');
    while (space && space > text && space[-1] == ':' && space[1] != '\0') {
        text = space + 1;
        space = strchr(text, ' ');
    }
    return text;
}

void check_text_code(const char *message, char ret_code[CHECK_CODE_SIZE])
{
    enum { WORDS_MAX = 5 };
    size_t n = 0, length = 0;
    char before = ' ';
    ret_code[0] = '\0';
    for (const char *at = skip_subject(message); *at != '\0' && n < WORDS_MAX;) {
        const char *end = skip_quotation(at, before);
        if (end == at) {
            end = at + strcspn(at, " ,;:(");
            size_t size = (size_t)(end - at);
            if (is_word(at, size, n == 0) && length + size + 2 < CHECK_CODE_SIZE) {
                length += (size_t)snprintf(ret_code + length, CHECK_CODE_SIZE - length, "%s%.*s",
                                           n++ > 0 ? "-" : "", (int)size, at);
            }
        }
        if (n > 0 && *end != '\0' && strchr(",;:(", *end)) {
            break;
        }
        at = *end != '\0' ? end + 1 : end;
        before = ' ';
    }
    if (n == 0) {
        snprintf(ret_code, CHECK_CODE_SIZE, "other");
    }
}
