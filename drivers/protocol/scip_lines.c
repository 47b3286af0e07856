/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP line reader. */
#include <doppel/protocol/scip_codec.h>
#include <doppel/protocol/scip_lines.h>
#include <errno.h>

void dpl_scip_lines_init(struct dpl_scip_lines *lines, bool cr_ends)
{
    *lines = (struct dpl_scip_lines){.cr_ends = cr_ends};
}

static void start_line(struct dpl_scip_lines *lines)
{
    lines->filled = 0;
    lines->too_long = false;
    lines->delivered = false;
    lines->line_offset = lines->offset;
}

static void add(struct dpl_scip_lines *lines, char c)
{
    if (lines->filled == sizeof lines->buffer) {
        lines->too_long = true;
        return;
    }
    lines->buffer[lines->filled++] = c;
}

/* Takes one byte; true when it ends a line. */
static bool take(struct dpl_scip_lines *lines, uint8_t byte)
{
    bool skip = lines->after_cr && byte == '\n';
    lines->offset++;
    lines->after_cr = lines->cr_ends && byte == '\r';
    if (skip) {
        lines->line_offset = lines->offset;
        return false;
    }
    if (byte == '\n' || lines->after_cr) {
        return true;
    }
    add(lines, (char)byte);
    return false;
}

bool dpl_scip_lines_next(struct dpl_scip_lines *lines, struct dpl_byte_view *input,
                         struct dpl_scip_line *ret_line)
{
    if (lines->delivered) {
        start_line(lines);
    }
    while (input->size > 0) {
        uint8_t byte = *input->data++;
        input->size--;
        if (take(lines, byte)) {
            lines->delivered = true;
            *ret_line = (struct dpl_scip_line){
                .text = lines->buffer,
                .length = lines->filled,
                .offset = lines->line_offset,
                .too_long = lines->too_long,
            };
            return true;
        }
    }
    return false;
}

/* ---- numbers ---- */

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
