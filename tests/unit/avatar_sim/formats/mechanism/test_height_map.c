/* SPDX-License-Identifier: Apache-2.0 */
/* Reading graymaps: values, and the exact places of what is wrong. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "arena.h"
#include "height_map.h"

static struct dpl_arena arena;
static struct dpl__height_map map;
static struct dpl_diag diag;
/* Of this thread, not of Criterion's: reads that a signal interrupts, and reads that give a byte.
 */
static _Thread_local int n_signals;
static _Thread_local bool is_slow;

/* In the place of libc's. */
ssize_t read(int file, void *bytes, size_t n)
{
    if (n_signals > 0) {
        n_signals--;
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_read, file, bytes, is_slow && n > 0 ? (size_t)1 : n);
}

static void end(void)
{
    dpl_arena_finish(&arena);
}

TestSuite(height_map, .fini = end);

static int parse(const char *text)
{
    return dpl__height_map_parse(&arena, text, strlen(text), &map, &diag);
}

static void expect_values(const double *values)
{
    for (unsigned i = 0; i < map.columns * map.rows; i++) {
        cr_assert_float_eq(map.values[i], values[i], 1e-15, "value %u is %g", i, map.values[i]);
    }
}

Test(height_map, text_is_read_with_the_lowest_row_first)
{
    cr_assert_eq(parse("P2 # two rows\n# of three\n3\t2 4\r\n0 1 2\n# between\n 3 4 0\n"), 0);
    cr_assert_eq(map.columns, 3);
    cr_assert_eq(map.rows, 2);
    expect_values((const double[]){0.75, 1.0, 0.0, 0.0, 0.25, 0.5});
}

Test(height_map, bytes_are_read_one_or_two_a_value)
{
    const unsigned char one[] = "P5 2 2 200\n\x00\x32\x64\xc8";
    const unsigned char two[] = "P5 2 2 65535\n\x00\x00\x01\x00\xff\xff\x80\x00";
    cr_assert_eq(dpl__height_map_parse(&arena, one, sizeof one - 1, &map, &diag), 0);
    expect_values((const double[]){0.5, 1.0, 0.0, 0.25});
    cr_assert_eq(dpl__height_map_parse(&arena, two, sizeof two - 1, &map, &diag), 0);
    expect_values((const double[]){1.0, 32768.0 / 65535.0, 0.0, 256.0 / 65535.0});
}

struct wrong {
    const char *text;
    int line, column;
    const char *what;
};

Test(height_map, what_is_wrong_is_said_with_its_place)
{
    static const struct wrong rows[] = {
        {"", 1, 1, "it is no graymap"},
        {"P3 2 2 255", 1, 1, "it is no graymap"},
        {"P2", 1, 3, "it ends before its width"},
        {"P2\n2", 2, 2, "it ends before its height"},
        {"P2 1 2 255 0 0", 1, 4, "its width is out of range, expected 2 to 16384"},
        {"P2 2 99999999999999 255 0", 1, 6, "its height is out of range"},
        {"P2 2 -2 255 0", 1, 6, "expected a number: its height"},
        {"P2\n2 2\n0\n0 0 0 0", 3, 1, "its greatest value is out of range, expected 1 to 65535"},
        {"P2\n2 2\n65536\n0 0 0 0", 3, 1, "its greatest value is out of range"},
        {"P2 16384 16384 255 0", 1, 15, "16384 x 16384 values are more than 1000000"},
        {"P2 1000 1000 255 0", 1, 17, "2 bytes are not its 1000000 values"},
        {"P2 2 2 9\n1 2\n3 10", 3, 3, "a value is out of range, expected 0 to 9"},
        {"P2 2 2 9\n1 2\n3x 4", 3, 2, "expected a number: a value"},
        {"P2 2 2 9\n1 2\n  3  ", 3, 6, "it ends before a value"},
        {"P2 2 2 9\n1 2\n3 4\n 5", 4, 2, "more follows its 4 values"},
        {"P5 2 2 9\n\1\2\3\4\5", 1, 9, "it has 5 bytes after its header, expected 4"},
        {"P5 2 2 9\n\1\2\3\xa", 1, 9, "value 3 is 10, more than the 9 of its header"},
        {"P5 2 2 300\n\1\2\3\4\5", 1, 11, "it has 5 bytes after its header, expected 8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(parse(rows[i].text), -EINVAL, "row %zu", i);
        cr_assert(strncmp(diag.text, rows[i].what, strlen(rows[i].what)) == 0, "row %zu: %s", i,
                  diag.text);
        cr_assert(diag.place.line == rows[i].line && diag.place.column == rows[i].column,
                  "row %zu: %d:%d", i, diag.place.line, diag.place.column);
    }
}

Test(height_map, what_is_no_file_is_refused)
{
    cr_assert_eq(dpl__height_map_read(&arena, UNIT "/avatar_sim/fixtures/shapes", &map, &diag),
                 -EINVAL);
    cr_assert_eq(dpl__height_map_read(&arena, "/dev/zero", &map, &diag), -EINVAL);
    cr_assert_eq(
        dpl__height_map_read(&arena, UNIT "/avatar_sim/fixtures/shapes/no.pgm", &map, &diag),
        -ENOENT);
    cr_assert_eq(diag.place.line, 0);
    cr_assert_eq(
        dpl__height_map_read(&arena, UNIT "/avatar_sim/fixtures/shapes/hills.pgm", &map, &diag), 0);
    cr_assert_eq(map.values[0], 0.0);
    cr_assert_eq(map.values[11], 1.0);
}

Test(height_map, a_signal_while_it_is_read_is_no_error)
{
    n_signals = 2;
    is_slow = true;
    int err =
        dpl__height_map_read(&arena, UNIT "/avatar_sim/fixtures/shapes/hills.pgm", &map, &diag);
    int left = n_signals;
    n_signals = 0;
    is_slow = false;
    cr_assert_eq(left, 0);
    cr_assert_eq(err, 0, "%s", diag.text);
    cr_assert_eq(map.values[11], 1.0);
}
