/* SPDX-License-Identifier: Apache-2.0 */
#include "clean.h"

#include <string.h>

#include <doppel/text.h>

#include "arena.h"

static struct dpl_arena kept;

static bool is_clean(const char *text)
{
    size_t n = 1;
    for (uint32_t code; *text != '\0' && n > 0; text += n) {
        n = dpl_text_next(text, &code);
        if (n == 0 || dpl_text_is_control(code)) {
            return false;
        }
    }
    return true;
}

const char *cli_clean(const char *text)
{
    if (!text || is_clean(text)) {
        return text ? text : "";
    }
    size_t size = DPL_TEXT_CLEAN_SIZE(strlen(text) + 1);
    char *clean = dpl_arena_alloc(&kept, size);
    dpl_text_clean(text, clean, size);
    return clean;
}
