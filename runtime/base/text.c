/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of others, as they may be shown: see doppel/text.h. */
#include <doppel/text.h>

#include <string.h>

enum { IN_PLACE_MAX = 1024 };

size_t dpl_text_next(const char *text, uint32_t *ret_code)
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

bool dpl_text_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfffe || code == 0xffff;
}

/* \xNN, or \uNNNN: the length. */
static size_t write_code(uint32_t code, char ret[6])
{
    static const char digits[] = "0123456789abcdef";
    size_t n = code < 0x100 ? 2 : 4;
    ret[0] = '\\';
    ret[1] = n == 2 ? 'x' : 'u';
    for (size_t i = 0; i < n; i++) {
        ret[2 + i] = digits[code >> 4 * (n - 1 - i) & 15];
    }
    return 2 + n;
}

size_t dpl_text_clean(const char *text, char *ret_text, size_t size)
{
    size_t at = 0;
    while (*text != '\0') {
        uint32_t code;
        char coded[6];
        size_t n = dpl_text_next(text, &code);
        bool is_plain = n > 0 && !dpl_text_is_control(code);
        size_t length = is_plain ? n : write_code(code, coded);
        if (at + length >= size) {
            break;
        }
        memcpy(ret_text + at, is_plain ? text : coded, length);
        at += length;
        text += n > 0 ? n : 1;
    }
    ret_text[at] = '\0';
    return at;
}

void dpl_text_clean_in_place(char *text, size_t size)
{
    char clean[IN_PLACE_MAX];
    size_t room = size < sizeof clean ? size : sizeof clean;
    dpl_text_clean(text, clean, room);
    memcpy(text, clean, strlen(clean) + 1);
}
