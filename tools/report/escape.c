/* SPDX-License-Identifier: Apache-2.0 */
/* Text of others in XML and HTML. */
#include <stdint.h>

#include "svg.h"

/* The length in bytes of the XML 1.0 character in UTF-8 that begins here; 0: not a valid one. */
static size_t character_length(const unsigned char *c)
{
    if (c[0] < 0x80) {
        return c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n' || c[0] == '\r' ? 1 : 0;
    }
    size_t n = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    uint32_t code = c[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool is_character = c[0] >= 0xc0 && c[0] < 0xf8 && code >= least[n] && code <= 0x10ffff &&
                        !(code >= 0xd800 && code <= 0xdfff) && code != 0xfffe && code != 0xffff;
    return is_character ? n : 0;
}

void xml_escape(FILE *out, const char *text)
{
    for (size_t n; *text; text += n) {
        n = character_length((const unsigned char *)text);
        if (n != 1) {
            fwrite(n ? text : "?", 1, n ? n : 1, out);
            n = n ? n : 1;
            continue;
        }
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}
