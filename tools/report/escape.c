/* SPDX-License-Identifier: Apache-2.0 */
/* Text of others in XML and HTML. */
#include <stdint.h>
#include <string.h>

#include <doppel/text.h>

#include "svg.h"

static bool is_kept(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || !dpl_text_is_control(code);
}

static void write_clean(FILE *out, const char *text, size_t n)
{
    char one[8] = "", clean[DPL_TEXT_CLEAN_SIZE(4)];
    memcpy(one, text, n);
    dpl_text_clean(one, clean, sizeof clean);
    fputs(clean, out);
}

void xml_escape(FILE *out, const char *text)
{
    for (size_t n; *text; text += n) {
        uint32_t code;
        size_t found = dpl_text_next(text, &code);
        n = found > 0 ? found : 1;
        if (found == 0 || !is_kept(code)) {
            write_clean(out, text, n);
            continue;
        }
        switch (code) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fwrite(text, 1, n, out);
        }
    }
}
