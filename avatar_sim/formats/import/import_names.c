/* SPDX-License-Identifier: Apache-2.0 */
/* Names of channels from those of a file: see import.h. Channels compare names without case and
 * without what is no letter and no digit (dpl_name_equal), and have room for 47 bytes; a file may
 * have any names. */
#include "import.h"

#include <stdio.h>
#include <string.h>

enum { TRIES_MAX = 10000 };

static bool is_taken(const struct dpl__import_taken *taken, size_t n, const char *name)
{
    bool found = dpl_name_equal(name, "world");
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < taken[k].n && !found; i++) {
            found = dpl_name_equal(name, (const char *)taken[k].names + i * taken[k].size);
        }
    }
    return found;
}

/* At most `most` bytes of a text, and no part of a character of UTF-8. */
static int cut(const char *text, size_t most)
{
    size_t n = strlen(text);
    if (n <= most) {
        return (int)n;
    }
    while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80) {
        most--;
    }
    return (int)most;
}

void dpl__import_channel_name(const char *name, const char *suffix,
                              const struct dpl__import_taken *taken, size_t n_taken,
                              char ret_name[DPL_SIM_NAME_SIZE])
{
    char base[DPL_SIM_NAME_SIZE], end[DPL_SIM_NAME_SIZE] = "";
    snprintf(base, sizeof base, "%.*s", cut(name, sizeof base - 1), name);
    for (char *c = base; *c; c++) { /* parts of channels' names, and of what names them */
        *c = (char)(strchr("/,=\"", *c) || (unsigned char)*c < ' ' || *c == 0x7f ? '_' : *c);
    }
    if (!dpl_name_equal(base, base)) { /* no letter and no digit */
        snprintf(base, sizeof base, "part");
    }
    snprintf(ret_name, DPL_SIM_NAME_SIZE, "%s", base);
    for (int i = 1; i < TRIES_MAX && is_taken(taken, n_taken, ret_name); i++) {
        if (i == 1) {
            snprintf(end, sizeof end, "%s", suffix);
        } else {
            snprintf(end, sizeof end, "%s_%d", suffix, i);
        }
        size_t n = (size_t)cut(base, sizeof base - 1 - strlen(end));
        memcpy(ret_name, base, n);
        memcpy(ret_name + n, end, strlen(end) + 1);
    }
}
