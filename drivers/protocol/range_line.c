/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a board with range finders and bumpers: see range_line.h. */
#include <doppel/protocol/range_line.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool dpl_range_line_is_id(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool is_letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
        if (!is_letter && !is_digit(text[i]) && text[i] != '_') {
            return false;
        }
    }
    return n > 0 && n < DPL_RANGE_ID_SIZE;
}

/* ---- reading ---- */

static int hex_of(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static unsigned check_of(const char *text, size_t n)
{
    unsigned check = 0;
    for (size_t i = 0; i < n; i++) {
        check ^= (unsigned char)text[i];
    }
    return check;
}

/* Digits with at most one point among them, at most 15. */
static bool read_metres(const char *text, size_t n, double *ret)
{
    double digits = 0.0, scale = 1.0;
    bool has_point = false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '.' && !has_point) {
            has_point = true;
        } else if (is_digit(text[i])) {
            digits = digits * 10.0 + (text[i] - '0');
            scale *= has_point ? 10.0 : 1.0;
        } else {
            return false;
        }
    }
    *ret = digits / scale;
    return n > has_point && n <= 16;
}

static bool read_value(const char *text, size_t n, struct dpl_range_line *line)
{
    if (line->is_contact) {
        line->value = *text == '1';
        return n == 1 && (*text == '0' || *text == '1');
    }
    line->value = (double)INFINITY;
    return (n == 1 && *text == '-') || read_metres(text, n, &line->value);
}

/* "R ID VALUE", without the check. */
static bool read_line(const char *text, size_t n, struct dpl_range_line *ret)
{
    const char *id = text + 2, *end = text + n;
    if (n < 5 || (text[0] != 'R' && text[0] != 'B') || text[1] != ' ') {
        return false;
    }
    const char *space = memchr(id, ' ', (size_t)(end - id));
    if (!space || space + 1 == end || !dpl_range_line_is_id(id, (size_t)(space - id))) {
        return false;
    }
    ret->is_contact = text[0] == 'B';
    snprintf(ret->id, sizeof ret->id, "%.*s", (int)(space - id), id);
    return read_value(space + 1, (size_t)(end - space - 1), ret);
}

/* The line in the buffer, whose LF has come. */
static bool parse_line(struct dpl_range_parser *parser, struct dpl_range_line *ret)
{
    const char *text = parser->buffer;
    size_t n = parser->filled;
    n -= n > 0 && text[n - 1] == '\r';
    if (n < 4 || parser->too_long || text[n - 3] != '*' || hex_of(text[n - 2]) < 0 ||
        hex_of(text[n - 1]) < 0) {
        return false;
    }
    unsigned given = (unsigned)(hex_of(text[n - 2]) * 16 + hex_of(text[n - 1]));
    if (check_of(text, n - 3) != given) {
        parser->checksum_errors++;
        return false;
    }
    return read_line(text, n - 3, ret);
}

bool dpl_range_line_next(struct dpl_range_parser *parser, struct dpl_byte_view *input,
                         struct dpl_range_line *ret_line)
{
    while (input->size > 0) {
        char c = (char)*input->data++;
        input->size--;
        if (c == '\n') {
            bool is_line = parse_line(parser, ret_line);
            parser->dropped_bytes += is_line ? 0 : parser->filled + 1;
            parser->lines += is_line;
            parser->filled = 0;
            parser->too_long = false;
            if (is_line) {
                return true;
            }
        } else if (parser->filled < sizeof parser->buffer && !parser->too_long) {
            parser->buffer[parser->filled++] = c;
        } else {
            parser->dropped_bytes += parser->filled + 1;
            parser->filled = 0;
            parser->too_long = true;
        }
    }
    return false;
}

/* ---- writing ---- */

size_t dpl_range_line_write(const struct dpl_range_line *line, char ret_bytes[DPL_RANGE_LINE_MAX])
{
    int n;
    if (line->is_contact) {
        n = snprintf(ret_bytes, DPL_RANGE_LINE_MAX, "B %s %d", line->id, line->value > 0.5);
    } else if (line->value > 9999.0) {
        n = snprintf(ret_bytes, DPL_RANGE_LINE_MAX, "R %s -", line->id);
    } else {
        long mm = line->value > 0.0 ? lround(1e3 * line->value) : 0;
        n = snprintf(ret_bytes, DPL_RANGE_LINE_MAX, "R %s %ld.%03ld", line->id, mm / 1000,
                     mm % 1000);
    }
    size_t text = (size_t)n;
    n += snprintf(ret_bytes + n, DPL_RANGE_LINE_MAX - text, "*%02X\n", check_of(ret_bytes, text));
    return (size_t)n;
}
