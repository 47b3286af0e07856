/* SPDX-License-Identifier: Apache-2.0 */
/* One character of UTF-8. */
#ifndef DOPPEL_CLI_CHECK_UTF8_H
#define DOPPEL_CLI_CHECK_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the character that begins at `text` (not the end of the text); 0 when it
 * is not UTF-8 (RFC 3629): too long, a surrogate, beyond U+10FFFF, cut off. */
static inline size_t check_utf8_next(const char *text, uint32_t *ret_code)
{
    const unsigned char *byte = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = byte[0] < 0x80 ? 1 : byte[0] >> 5 == 6 ? 2 : byte[0] >> 4 == 14 ? 3 : 4;
    uint32_t code = n == 1 ? byte[0] : byte[0] & (0x7fu >> n);
    *ret_code = byte[0];
    if (n == 4 && byte[0] >> 3 != 30) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if (byte[i] >> 6 != 2) {
            return 0;
        }
        code = code << 6 | (byte[i] & 0x3fu);
    }
    if (code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) {
        return 0;
    }
    *ret_code = code;
    return n;
}

#endif
