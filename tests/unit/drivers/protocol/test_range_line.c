/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a board with range finders and bumpers. The checks were computed by hand. */
#include <doppel/protocol/range_line.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct dpl_range_parser parser;
static struct dpl_range_line line;

/* 'R'^' '^'f'^' '^'1'^'.'^'5' is 0x1e; 'B'^' '^'b'^' '^'1' is 0x11. */
#define RANGE   "R f 1.5*1E\n"
#define TOUCHED "B b 1*11\n"

static int hear(const char *text)
{
    struct dpl_byte_view input = {(const uint8_t *)text, strlen(text)};
    int n = 0;
    while (dpl_range_line_next(&parser, &input, &line)) {
        n++;
    }
    cr_assert_eq(input.size, 0);
    return n;
}

Test(range_line, reads_ranges_and_bumpers)
{
    cr_assert_eq(hear(RANGE), 1);
    cr_assert_not(line.is_contact);
    cr_assert_str_eq(line.id, "f");
    cr_assert_eq(line.value, 1.5);
    cr_assert_eq(hear("B b 1*11\r\n"), 1);
    cr_assert(line.is_contact);
    cr_assert_str_eq(line.id, "b");
    cr_assert_eq(line.value, 1.0);
    cr_assert_eq(parser.lines, 2);
    cr_assert_eq(parser.dropped_bytes, 0);
}

static void expect_written(const struct dpl_range_line *given, const char *text)
{
    char bytes[DPL_RANGE_LINE_MAX];
    size_t n = dpl_range_line_write(given, bytes);
    cr_assert_eq(n, strlen(text), "%.*s", (int)n, bytes);
    cr_assert_eq(memcmp(bytes, text, n), 0, "%.*s", (int)n, bytes);
    cr_assert_eq(hear(text), 1);
    cr_assert_str_eq(line.id, given->id);
}

Test(range_line, writes_what_it_reads)
{
    expect_written(&(struct dpl_range_line){.is_contact = true, .id = "b", .value = 1.0}, TOUCHED);
    expect_written(&(struct dpl_range_line){.id = "f", .value = 1.5}, "R f 1.500*1E\n");
    expect_written(&(struct dpl_range_line){.id = "f", .value = (double)INFINITY}, "R f -*19\n");
    cr_assert(isinf(line.value));
    expect_written(&(struct dpl_range_line){.id = "f", .value = -3.0}, "R f 0.000*1A\n");
    expect_written(&(struct dpl_range_line){.id = "f", .value = (double)NAN}, "R f 0.000*1A\n");
}

static const char *const no_lines[] = {
    "\n",
    "*\n",
    "R f 1.5*1F\n",
    "R f 1.5\n",
    "R f 1.5*1\n",
    "R f  1.5*3E\n",
    "X f 1.5*14\n",
    "R 1.5*58\n",
    "R f *34\n",
    "R f .*1A\n",
    "R f 1.5.5*05\n",
    "R f -1*28\n",
    "R f 1e5*60\n",
    "R f nan*5B\n",
    "B b 2*12\n",
    "R a_name_of_16_let 1*00\n",
    "R f 1.5*1E R f 1.5*1E\n",
    "R f 000000000000000001*00\n",
    "R f-g 1.5*00\n",
};

/* The check is set right where it is not what is wrong. */
Test(range_line, drops_all_else)
{
    for (size_t i = 0; i < sizeof no_lines / sizeof *no_lines; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", no_lines[i]);
        char *star = strrchr(text, '*');
        if (star && strlen(star) == 4 && i != 2) {
            unsigned check = 0;
            for (const char *at = text; at < star; at++) {
                check ^= (unsigned char)*at;
            }
            snprintf(star, 5, "*%02X\n", check & 0xffu);
        }
        parser = (struct dpl_range_parser){0};
        cr_assert_eq(hear(text), 0, "%s", text);
        cr_assert_eq(parser.dropped_bytes, strlen(text), "%s", text);
        cr_assert_eq(parser.checksum_errors, i == 2, "%s", text);
        cr_assert_eq(hear(RANGE), 1, "after %s", text);
    }
}

Test(range_line, a_line_without_an_end_is_dropped)
{
    char endless[200];
    memset(endless, 'R', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    cr_assert_eq(hear(endless), 0);
    cr_assert_eq(hear(RANGE), 0, "it is the end of that line");
    cr_assert_eq(hear(RANGE), 1);
}
