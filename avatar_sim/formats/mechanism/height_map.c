/* SPDX-License-Identifier: Apache-2.0 */
/* See height_map.h. */
#include "height_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/sim/solid.h>

#include "arena.h"

/* As text a value takes 6 bytes at most; the rest is for comments. */
enum { FILE_BYTES_MAX = 8 * DPL_SOLID_GRID_MAX };

struct text {
    const unsigned char *bytes;
    size_t n, at;
    int line, column; /* of `at` */
};

static struct dpl_place place_of(const struct text *text)
{
    return (struct dpl_place){.line = text->line, .column = text->column};
}

static void advance(struct text *text)
{
    bool ends = text->bytes[text->at++] == '\n';
    text->line += ends;
    text->column = ends ? 1 : text->column + 1;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* Blanks, and comments from # to the end of the line. */
static void skip_blanks(struct text *text)
{
    bool is_comment = false;
    while (text->at < text->n) {
        unsigned char c = text->bytes[text->at];
        is_comment = c == '#' || (is_comment && c != '\n');
        if (!is_comment && !is_blank(c)) {
            return;
        }
        advance(text);
    }
}

static int take_number(struct text *text, const char *what, unsigned least, unsigned most,
                       unsigned *ret_number, struct dpl_diag *reterr)
{
    skip_blanks(text);
    struct text start = *text;
    unsigned number = 0;
    while (text->at < text->n && is_digit(text->bytes[text->at]) && number <= most) {
        number = 10 * number + (unsigned)(text->bytes[text->at] - '0');
        advance(text);
    }
    bool is_there = text->at > start.at;
    bool ends = text->at == text->n || is_blank(text->bytes[text->at]) ||
                text->bytes[text->at] == '#' || number > most;
    if (!is_there || !ends) {
        return dpl_fail(reterr, -EINVAL, place_of(is_there ? text : &start),
                        text->at == text->n ? "it ends before %s" : "expected a number: %s", what);
    }
    if (number < least || number > most) {
        return dpl_fail(reterr, -EINVAL, place_of(&start), "%s is out of range, expected %u to %u",
                        what, least, most);
    }
    *ret_number = number;
    return 0;
}

/* What its header says. */
struct header {
    bool is_text;
    unsigned columns, rows, most;
};

static int take_header(struct text *text, struct header *ret_header, struct dpl_diag *reterr)
{
    struct header header = {0};
    if (text->n < 2 || text->bytes[0] != 'P' || (text->bytes[1] != '2' && text->bytes[1] != '5')) {
        return dpl_fail(reterr, -EINVAL, place_of(text),
                        "it is no graymap: expected P2 or P5 at its beginning");
    }
    header.is_text = text->bytes[1] == '2';
    advance(text);
    advance(text);
    int err = take_number(text, "its width", 2, DPL_SOLID_SIDE_MAX, &header.columns, reterr);
    err = err ? err : take_number(text, "its height", 2, DPL_SOLID_SIDE_MAX, &header.rows, reterr);
    if (err == 0 && (size_t)header.columns * header.rows > DPL_SOLID_GRID_MAX) {
        err = dpl_fail(reterr, -EINVAL, place_of(text), "%u x %u values are more than %d",
                       header.columns, header.rows, DPL_SOLID_GRID_MAX);
    }
    err = err ? err : take_number(text, "its greatest value", 1, 65535, &header.most, reterr);
    *ret_header = header;
    return err;
}

static double *value_at(const struct dpl__height_map *map, size_t i)
{
    size_t row = i / map->columns;
    return &map->values[(map->rows - 1 - row) * map->columns + i % map->columns];
}

static int take_words(struct text *text, const struct header *header, struct dpl__height_map *map,
                      struct dpl_diag *reterr)
{
    size_t n = (size_t)map->columns * map->rows;
    for (size_t i = 0; i < n; i++) {
        unsigned value;
        int err = take_number(text, "a value", 0, header->most, &value, reterr);
        if (err) {
            return err;
        }
        *value_at(map, i) = (double)value / header->most;
    }
    skip_blanks(text);
    return text->at == text->n
               ? 0
               : dpl_fail(reterr, -EINVAL, place_of(text), "more follows its %zu values", n);
}

/* After one blank; what follows is no text any more. */
static int take_bytes(struct text *text, const struct header *header, struct dpl__height_map *map,
                      struct dpl_diag *reterr)
{
    size_t n = (size_t)map->columns * map->rows, size = header->most > 255 ? 2 : 1;
    size_t first = text->at + 1;
    if (first > text->n || !is_blank(text->bytes[text->at]) || text->n - first != n * size) {
        return dpl_fail(reterr, -EINVAL, place_of(text),
                        "it has %zu bytes after its header, expected %zu",
                        first > text->n ? 0 : text->n - first, n * size);
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char *at = &text->bytes[first + i * size];
        unsigned value = size == 2 ? at[0] * 256u + at[1] : at[0];
        if (value > header->most) {
            return dpl_fail(reterr, -EINVAL, place_of(text),
                            "value %zu is %u, more than the %u of its header", i, value,
                            header->most);
        }
        *value_at(map, i) = (double)value / header->most;
    }
    return 0;
}

int dpl__height_map_parse(struct dpl_arena *arena, const void *bytes, size_t n,
                          struct dpl__height_map *ret_map, struct dpl_diag *reterr)
{
    struct text text = {.bytes = bytes, .n = n, .line = 1, .column = 1};
    struct header header = {0};
    int err = take_header(&text, &header, reterr);
    if (err) {
        return err;
    }
    struct dpl__height_map map = {.columns = header.columns, .rows = header.rows};
    size_t least = (size_t)map.columns * map.rows;
    if (n - text.at < least) { /* before memory is taken for what is not there */
        return dpl_fail(reterr, -EINVAL, place_of(&text), "%zu bytes are not its %zu values",
                        n - text.at, least);
    }
    map.values = dpl_arena_alloc(arena, least * sizeof *map.values);
    err = header.is_text ? take_words(&text, &header, &map, reterr)
                         : take_bytes(&text, &header, &map, reterr);
    if (err == 0) {
        *ret_map = map;
    }
    return err;
}

/* ---- files ---- */

/* False: there are fewer bytes, or they cannot be read. */
static bool read_whole(int file, char *bytes, size_t size)
{
    size_t n = 0;
    while (n < size) {
        ssize_t got = read(file, bytes + n, size - n);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        n += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static int read_bytes(struct dpl_arena *arena, const char *path, char **ret_bytes, size_t *ret_n,
                      struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = path};
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        int err = file < 0 ? errno : EINVAL;
        if (file >= 0) {
            close(file);
        }
        return dpl_fail(reterr, -err, place, "it is not a file that can be read");
    }
    if (status.st_size > FILE_BYTES_MAX) {
        close(file);
        return dpl_fail(reterr, -EFBIG, place, "it has more than %d bytes", FILE_BYTES_MAX);
    }
    size_t size = (size_t)status.st_size;
    char *bytes = dpl_arena_alloc(arena, size + 1);
    bool is_whole = read_whole(file, bytes, size);
    close(file);
    if (!is_whole) {
        return dpl_fail(reterr, -EIO, place, "it cannot be read");
    }
    *ret_bytes = bytes;
    *ret_n = size;
    return 0;
}

int dpl__height_map_read(struct dpl_arena *arena, const char *path, struct dpl__height_map *ret_map,
                         struct dpl_diag *reterr)
{
    struct dpl_diag diag;
    char *bytes = NULL;
    size_t n = 0;
    int err = read_bytes(arena, path, &bytes, &n, reterr);
    if (err) {
        return err;
    }
    err = dpl__height_map_parse(arena, bytes, n, ret_map, &diag);
    if (err && reterr) {
        diag.place.file = path;
        *reterr = diag;
    }
    return err;
}
