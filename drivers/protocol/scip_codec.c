/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP sums and 6-bit characters. */
#include <doppel/protocol/scip_codec.h>

#include <errno.h>

enum { BITS = 6, MASK = 0x3f, BASE = 0x30 };

char dpl_scip_sum(const char *text, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum += (unsigned char)text[i];
    }
    return (char)((sum & MASK) + BASE);
}

void dpl_scip_encode(uint32_t value, unsigned chars, char *out)
{
    uint32_t most = (1u << (BITS * chars)) - 1;
    uint32_t rest = value < most ? value : most;
    for (unsigned i = chars; i > 0; i--) {
        out[i - 1] = (char)((rest & MASK) + BASE);
        rest >>= BITS;
    }
}

int dpl_scip_decode(const char *text, unsigned chars, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < chars; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - BASE;
        if (digit > MASK) {
            return -EPROTO;
        }
        value = value << BITS | digit;
    }
    *ret_value = value;
    return 0;
}
