/* SPDX-License-Identifier: Apache-2.0 */
/* Values with expressions: see xml_value.h. */
#include "xml_value.h"

#include <errno.h>
#include <string.h>

/* Bytes of the character whose UTF-8 begins with this byte. */
static size_t utf8_length(char first)
{
    unsigned char byte = (unsigned char)first;
    return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/* Bytes in the file that are the one character at `value`: itself, a reference, or a line's end. */
static size_t written_length(const char *written, const char *value)
{
    if (*written == '&') {
        const char *end = strchr(written, ';');
        return end ? (size_t)(end + 1 - written) : 1;
    }
    if (strncmp(written, "\r\n", 2) == 0) {
        return 2;
    }
    return utf8_length(*value);
}

static void advance(struct dpl_place *place, const char *written, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (written[i] == '\n' || (written[i] == '\r' && written[i + 1] != '\n')) {
            place->line++;
            place->column = 1;
        } else if (written[i] != '\r') {
            place->column += ((unsigned char)written[i] & 0xc0) != 0x80;
        }
    }
}

struct dpl_place dpl__xml_value_place(const struct dpl_xml_attribute *attribute, size_t offset)
{
    struct dpl_place place = attribute->value_place;
    const char *value = attribute->value, *end = value + offset;
    const char *written = attribute->written ? attribute->written : attribute->raw;
    written = written ? written : value;
    size_t left = strlen(written);
    while (value < end && *value != '\0' && left > 0) {
        size_t n = written_length(written, value);
        n = n < left ? n : left;
        advance(&place, written, n);
        written += n;
        left -= n;
        size_t length = utf8_length(*value);
        value += strnlen(value, length);
    }
    return place;
}

struct writer {
    const struct dpl_xml_attribute *attribute;
    const struct dpl__expr_name *names;
    size_t n_names;
    char *out;
};

/* Writes the number of the expression behind the brace at `open`; returns what follows its closing
 * brace. NULL with reterr. */
static const char *write_expression(struct writer *writer, const char *open,
                                    struct dpl_diag *reterr)
{
    const char *value = writer->attribute->value;
    size_t n = strcspn(open + 1, "{}"), at = (size_t)(open - value);
    struct dpl__expr_error error = {0};
    double number;
    if (open[1 + n] != '}') {
        dpl_fail(reterr, -EINVAL, dpl__xml_value_place(writer->attribute, at),
                 "'{' without '}': an expression is written {2*i}, a brace {{");
        return NULL;
    }
    if (dpl__expr_value(open + 1, n, writer->names, writer->n_names, &number, &error)) {
        dpl_fail(reterr, -EINVAL, dpl__xml_value_place(writer->attribute, at + 1 + error.offset),
                 "%s", error.text);
        return NULL;
    }
    dpl__expr_write(number, writer->out);
    writer->out += strlen(writer->out);
    return open + n + 2;
}

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += *text == c;
    }
    return n;
}

int dpl__xml_value_expand(struct dpl_arena *arena, const struct dpl_xml_attribute *attribute,
                          const struct dpl__expr_name *names, size_t n_names,
                          const char **ret_value, struct dpl_diag *reterr)
{
    const char *at = attribute->value;
    size_t size = strlen(at) + count(at, '{') * DPL_EXPR_NUMBER_SIZE + 1;
    char *start = dpl_arena_alloc(arena, size);
    struct writer writer = {attribute, names, n_names, start};
    while (*at != '\0') {
        if ((at[0] == '{' || at[0] == '}') && at[1] == at[0]) {
            *writer.out++ = *at;
            at += 2;
        } else if (*at == '}') {
            struct dpl_place place =
                dpl__xml_value_place(attribute, (size_t)(at - attribute->value));
            return dpl_fail(reterr, -EINVAL, place, "'}' without '{': a brace is written }}");
        } else if (*at == '{') {
            at = write_expression(&writer, at, reterr);
            if (!at) {
                return -EINVAL;
            }
        } else {
            *writer.out++ = *at++;
        }
    }
    *writer.out = '\0';
    *ret_value = start;
    return 0;
}
