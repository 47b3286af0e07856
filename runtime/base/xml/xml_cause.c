/* SPDX-License-Identifier: Apache-2.0 */
/* Causes of text that is no XML: see xml_cause.h. */
#include "xml_cause.h"

#include <expat.h>
#include <string.h>

#include "number.h"

/* The last place of `what` that begins before `end`; SIZE_MAX: there is none. */
static size_t last_before(struct dpl__text text, size_t end, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = end < text.n ? end : text.n; i-- > 0;) {
        if (i + n <= text.n && memcmp(text.bytes + i, what, n) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* The first place of `what` from `begin` on; SIZE_MAX: there is none. */
static size_t first_from(struct dpl__text text, size_t begin, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = begin; i + n <= text.n; i++) {
        if (memcmp(text.bytes + i, what, n) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Expat stops at or in the comment. Its "--" is the first behind the "<!--". */
static const char *in_comment(struct dpl__text text, size_t index, size_t *ret_at)
{
    size_t open = last_before(text, index + 1, "<!--");
    size_t dashes = open == SIZE_MAX ? SIZE_MAX : first_from(text, open + 4, "--");
    if (dashes == SIZE_MAX || dashes + 2 >= text.n || text.bytes[dashes + 2] == '>' ||
        dashes + 3 < index) {
        return NULL;
    }
    *ret_at = dashes;
    return "'--' is in a comment: XML allows it only at the comment's end, write '- -'";
}

static const char *of_token(struct dpl__text text, size_t index, size_t *ret_at)
{
    const char *cause = in_comment(text, index, ret_at);
    char found = index < text.n ? text.bytes[index] : '\0';
    char before = index > 0 && index <= text.n ? text.bytes[index - 1] : '\0';
    if (cause) {
        return cause;
    }
    if (found == '&' || before == '&') {
        *ret_at = found == '&' ? index : index - 1;
        return "'&' begins a reference such as &lt;: write &amp; for the character itself";
    }
    if (before == '=') {
        return "a value without quotes: write name=\"value\"";
    }
    if (found == '<') {
        return "'<' is here no tag: in a value or a text write &lt;; an end tag or a quote may be "
               "missing before it";
    }
    return NULL;
}

/* A recording of CARMEN's logger, which people take for a file of ours. */
static bool is_carmen(struct dpl__text text)
{
    static const char *const words[] = {"# CARMEN", "PARAM ",  "SYNC ",        "TRUEPOS ",
                                        "ODOM ",    "FLASER ", "ROBOTLASER1 ", "RAWLASER1 "};
    for (size_t at = 0, next = 0; next < text.n; at = next) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t n = strlen(words[i]);
            if (text.n - at >= n && memcmp(text.bytes + at, words[i], n) == 0) {
                return true;
            }
        }
        size_t end = first_from(text, at, "\n");
        next = text.bytes[at] == '#' && end != SIZE_MAX ? end + 1 : text.n;
    }
    return false;
}

const char *dpl__xml_cause(int code, struct dpl__text text, size_t index, size_t *ret_at)
{
    *ret_at = index;
    if ((code == XML_ERROR_INVALID_TOKEN || code == XML_ERROR_SYNTAX) && is_carmen(text)) {
        return "this is a log of CARMEN: `doppel map FILE --output WORLD.xml` makes a world of it";
    }
    switch (code) {
    case XML_ERROR_INVALID_TOKEN: return of_token(text, index, ret_at);
    case XML_ERROR_MISPLACED_XML_PI:
        return "<?xml ...?> is not the first thing of the file: delete what is before it, also "
               "empty lines";
    case XML_ERROR_NO_ELEMENTS: return "no element found: the file is empty, or no XML";
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "junk after document element: XML has one root element, which ends before this";
    case XML_ERROR_SYNTAX: return "this is no XML: expected '<' and the name of an element";
    default: return NULL;
    }
}
