/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP line reader. */
#include <doppel/protocol/scip_lines.h>

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

bool dpl_scip_lines_next(struct dpl_scip_lines *lines, struct dpl_bytes *input,
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
