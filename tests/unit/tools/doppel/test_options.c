/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines: options and operands mix, what does not fit is refused and named. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "options.h"

struct values {
    bool quick;
    const char *name;
    struct option_list many;
    double rate;
    uint64_t seed, small;
};

#define V(member) offsetof(struct values, member)

static const struct option known[] = {
    {"quick", NULL, OPTION_FLAG, V(quick), 0, 0, "be quick", NULL},
    {"name", "TEXT", OPTION_STRING, V(name), 0, 0, "a name", NULL},
    {"many", "TEXT", OPTION_LIST, V(many), 0, 0, "more of them", NULL},
    {"rate", "X", OPTION_NUMBER, V(rate), 0.5, 10, "a rate", NULL},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0, "a seed", NULL},
    {"small", "N", OPTION_COUNT, V(small), 1, 9, "a few", NULL},
    {"shade", "COLOUR", OPTION_STRING, V(name), 0, 0, "a shade", "light|middle|dark"},
    {"shape", "SHAPE", OPTION_STRING, V(name), 0, 0, "round, or square (default)", "round|square"},
    {"clock", "real|sim", OPTION_STRING, V(name), 0, 0, "a clock", "real|sim"},
    {"file", "FILE", OPTION_STRING, V(name), 0, 0, "a file", "file"},
};

static const struct command command = {
    .name = "try",
    .operands = "FILE...",
    .summary = "tries",
    .options = known,
    .n_options = sizeof known / sizeof known[0],
    .min_operands = 1,
    .max_operands = 2,
};

static struct values values;
static char *line[400];

static int parse(int argc, const char *const *words)
{
    memset(&values, 0, sizeof values);
    line[0] = (char *)(uintptr_t) "doppel";
    for (int i = 0; i < argc; i++) {
        line[i + 1] = (char *)(uintptr_t)words[i];
    }
    return options_parse(&command, argc + 1, line, &values);
}

#define PARSE(...)                                                                                 \
    parse((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                           \
          (const char *[]){__VA_ARGS__})

/* ---- sets ---- */

struct part {
    const char *colour;
    uint64_t size;
};

static const struct part part_defaults = {"red", 3};
static const struct option part_options[] = {
    {"colour", "NAME", OPTION_STRING, offsetof(struct part, colour), 0, 0, "its colour", NULL},
    {"size", "N", OPTION_COUNT, offsetof(struct part, size), 1, 9, "its size", NULL},
};
static const struct option_set part_set = {
    .name = "part",
    .summary = "a part of it",
    .options = part_options,
    .n_options = 2,
    .size = sizeof part_defaults,
    .defaults = &part_defaults,
};
static const struct option_set bare_set = {.name = "bare", .summary = "without options"};

static const struct option_set *set_at(size_t i)
{
    static const struct option_set *const sets[] = {&bare_set, &part_set, NULL};
    return i < 3 ? sets[i] : NULL;
}

static struct part part;

static int parse_with_sets(int argc, const char *const *words)
{
    struct command with_sets = command;
    with_sets.set = set_at;
    memset(&values, 0, sizeof values);
    part = part_defaults;
    line[0] = (char *)(uintptr_t) "doppel";
    for (int i = 0; i < argc; i++) {
        line[i + 1] = (char *)(uintptr_t)words[i];
    }
    return options_parse_sets(&with_sets, argc + 1, line, &values, (void *[]){NULL, &part});
}

static void begin(void)
{
    cr_redirect_stdout();
    cr_redirect_stderr();
}

TestSuite(options, .init = begin);

static void expect_complaint(const char *expected)
{
    char text[2048];
    fflush(stderr);
    FILE *stream = cr_get_redirected_stderr();
    size_t n = fread(text, 1, sizeof text - 1, stream);
    text[n] = '\0';
    cr_assert_not_null(strstr(text, expected), "%s", text);
}

Test(options, mix_with_operands)
{
    cr_assert_eq(PARSE("--name", "a", "one", "--quick", "--rate=2.5", "two", "--seed", "7"), 2);
    cr_assert(values.quick);
    cr_assert_str_eq(values.name, "a");
    cr_assert_float_eq(values.rate, 2.5, 1e-12);
    cr_assert_eq(values.seed, 7);
    cr_assert_str_eq(line[1], "one");
    cr_assert_str_eq(line[2], "two");
}

Test(options, take_what_follows_them_even_when_it_is_empty_or_looks_like_an_option)
{
    cr_assert_eq(PARSE("--name=", "x"), 1);
    cr_assert_str_eq(values.name, "");
    cr_assert_eq(PARSE("--name=a=b", "x"), 1);
    cr_assert_str_eq(values.name, "a=b");
    cr_assert_eq(PARSE("--name", "--quick", "x"), 1);
    cr_assert_str_eq(values.name, "--quick");
    cr_assert_not(values.quick);
}

Test(options, end_at_two_dashes)
{
    cr_assert_eq(PARSE("--", "--quick", "-"), 2);
    cr_assert_not(values.quick);
    cr_assert_str_eq(line[1], "--quick");
    cr_assert_str_eq(line[2], "-");
}

Test(options, are_listed_by_help)
{
    cr_assert_eq(PARSE("--help"), -2);
    cr_assert_eq(PARSE("one", "-h"), -2);
    char text[2048];
    fflush(stdout);
    size_t n = fread(text, 1, sizeof text - 1, cr_get_redirected_stdout());
    text[n] = '\0';
    for (size_t i = 0; i < command.n_options; i++) {
        cr_assert_not_null(strstr(text, known[i].help), "no %s", known[i].name);
    }
    cr_assert_not_null(strstr(text, "usage: doppel try [options] FILE..."));
}

static void expect_values(const char *name, const char *expected)
{
    char text[64];
    for (size_t i = 0; i < command.n_options; i++) {
        if (strcmp(known[i].name, name) == 0) {
            options_describe_values(&known[i], text, sizeof text);
            cr_assert_str_eq(text, expected);
            return;
        }
    }
    cr_assert_fail("no option %s", name);
}

Test(options, describe_values_that_neither_their_argument_nor_their_help_names)
{
    expect_values("shade", "one of: light, middle, dark");
    expect_values("shape", "");
    expect_values("clock", "");
    expect_values("file", "");
    expect_values("quick", "");
    char cut[10];
    options_describe_values(&known[6], cut, sizeof cut);
    cr_assert_str_eq(cut, "one of: l");
}

Test(options, show_such_values_below_their_help)
{
    char names[256] = "first", expected[] = "\n                               ";
    for (int i = 0; i < 20; i++) {
        strcat(names, "|another");
    }
    struct option many = {"many", "NAME", OPTION_STRING, 0, 0, 0, "one of many", names};
    struct command of_many = {.name = "try", .summary = "tries", .options = &many, .n_options = 1};
    char text[2048];
    options_print_help(stdout, &of_many);
    fflush(stdout);
    size_t n = fread(text, 1, sizeof text - 1, cr_get_redirected_stdout());
    text[n] = '\0';
    cr_assert_not_null(strstr(text, "one of many\n                               one of: first, "));
    cr_assert_not_null(strstr(strstr(text, "first"), expected), "in one line: %s", text);
    for (char *row = strtok(text, "\n"); row; row = strtok(NULL, "\n")) {
        cr_assert_leq(strlen(row), 100, "%s", row);
    }
}

Test(options, of_a_set_go_to_its_own_struct)
{
    const char *words[] = {"--size", "5", "one", "--seed", "7"};
    cr_assert_eq(parse_with_sets(5, words), 1);
    cr_assert_eq(part.size, 5);
    cr_assert_str_eq(part.colour, "red");
    cr_assert_eq(values.seed, 7);
    cr_assert_eq(parse_with_sets(2, (const char *[]){"--size=10", "x"}), -1);
    expect_complaint("--size: found '10', expected a whole number from 1 to 9");
}

Test(options, of_sets_are_listed_and_suggested)
{
    cr_assert_eq(parse_with_sets(2, (const char *[]){"--color", "x"}), -1);
    expect_complaint("did you mean '--colour'");
    cr_assert_eq(parse_with_sets(1, (const char *[]){"--help"}), -2);
    char text[2048];
    fflush(stdout);
    size_t n = fread(text, 1, sizeof text - 1, cr_get_redirected_stdout());
    text[n] = '\0';
    cr_assert_not_null(strstr(text, "\nbare: without options\n"), "%s", text);
    cr_assert_not_null(strstr(text, "\npart: a part of it\n  --colour NAME"), "%s", text);
}

Test(options, suggest_the_nearest_when_unknown)
{
    cr_assert_eq(PARSE("--sede=3", "x"), -1);
    expect_complaint("did you mean '--seed'");
}

Test(options, refuse_single_dashes)
{
    cr_assert_eq(PARSE("-q", "x"), -1);
    expect_complaint("unknown option '-q'");
}

Test(options, refuse_missing_and_needless_values)
{
    cr_assert_eq(PARSE("x", "--name"), -1);
    expect_complaint("--name: expected TEXT");
    cr_assert_eq(PARSE("x", "--quick=1"), -1);
}

Test(options, count_operands)
{
    cr_assert_eq(PARSE("--quick"), -1);
    expect_complaint("missing operand: expected FILE...");
    cr_assert_eq(PARSE("1", "2", "3"), -1);
}

Test(options, refuse_an_empty_operand)
{
    cr_assert_eq(PARSE("one", ""), -1);
    expect_complaint("doppel try: operand 2 is empty: expected FILE...");
}

Test(options, take_numbers_in_range_only)
{
    cr_assert_eq(PARSE("--rate=0.5", "x"), 1);
    cr_assert_eq(PARSE("--rate=1e1", "x"), 1);
    cr_assert_float_eq(values.rate, 10.0, 1e-12);
    static const char *const bad[] = {"--rate=0.4", "--rate=11",  "--rate=nan", "--rate=inf",
                                      "--rate=",    "--rate=2 s", "--rate=0x2", "--rate=1e999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(PARSE(bad[i], "x"), -1, "%s was taken", bad[i]);
    }
    expect_complaint("expected a number from 0.5 to 10");
}

Test(options, take_counts_that_are_whole_in_decimal_digits_only)
{
    cr_assert_eq(PARSE("--seed=18446744073709551615", "x"), 1);
    cr_assert_eq(values.seed, UINT64_MAX);
    static const char *const bad[] = {
        "--seed=1e3", "--seed=0x10", "--seed=-1", "--seed=+1",  "--seed=1.0",
        "--seed= 1",  "--seed=",     "--small=0", "--small=10", "--seed=18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(PARSE(bad[i], "x"), -1, "%s was taken", bad[i]);
    }
    expect_complaint("expected a whole number");
}

Test(options, keep_a_list_up_to_its_limit)
{
    const char *words[OPTION_LIST_MAX + 2];
    for (int i = 0; i < OPTION_LIST_MAX + 1; i++) {
        words[i] = "--many=a";
    }
    words[OPTION_LIST_MAX] = "x";
    cr_assert_eq(parse(OPTION_LIST_MAX + 1, words), 1);
    cr_assert_eq(values.many.n, OPTION_LIST_MAX);
    words[OPTION_LIST_MAX] = "--many=b";
    cr_assert_eq(parse(OPTION_LIST_MAX + 1, words), -1);
    expect_complaint("more than 256 times");
}
