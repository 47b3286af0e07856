/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of command lines by table. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/text.h>

enum { NAMES_MAX = 128 };
enum { HELP_COLUMN = 31, LINE_COLUMNS = 100 }; /* of --help */

/* The structs that the values go to: of the command, and of its sets. */
struct targets {
    void *own;
    void *const *sets;
};

static const struct option_set *set_at(const struct command *command, int i)
{
    return command->set ? command->set((size_t)i) : NULL;
}

const struct option *options_at(const struct command *command, size_t i, int *ret_set)
{
    const struct option_set *set;
    int number = -1;
    const struct option *options = command->options;
    size_t n = command->n_options;
    while (i >= n) {
        i -= n;
        set = set_at(command, ++number);
        if (!set) {
            return NULL;
        }
        options = set->options;
        n = set->n_options;
    }
    if (ret_set) {
        *ret_set = number;
    }
    return &options[i];
}

static const struct option *find(const struct command *command, const char *name, size_t length,
                                 int *ret_set)
{
    const struct option *option;
    for (size_t i = 0; (option = options_at(command, i, ret_set)); i++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static const char *program_of(const struct command *command)
{
    return command->is_program ? "" : "doppel ";
}

static void say_unknown(const struct command *command, const char *word)
{
    char shown[1024];
    dpl_text_clean(word, shown, sizeof shown);
    fprintf(stderr, "%s%s: unknown option '%s'", program_of(command), command->name, shown);
}

static void complain_unknown(const struct command *command, const char *word)
{
    const char *names[NAMES_MAX];
    const struct option *option;
    size_t n = 0;
    while (n < NAMES_MAX && (option = options_at(command, n, NULL))) {
        names[n++] = option->name;
    }
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near = dpl_nearest(name, names, n);
    say_unknown(command, word);
    if (near) {
        fprintf(stderr, ", did you mean '--%s'?", near);
    }
    fprintf(stderr, "\n  `%s%s --help` lists the options\n", program_of(command), command->name);
}

static int bad_number(const struct command *command, const struct option *option, const char *text,
                      const char *expected)
{
    char shown[1024];
    dpl_text_clean(text, shown, sizeof shown);
    fprintf(stderr, "%s%s: --%s: found '%s', expected %s", program_of(command), command->name,
            option->name, shown, expected);
    if (option->min != 0.0 || option->max != 0.0) {
        fprintf(stderr, " from %g to %g", option->min, option->max);
    }
    fprintf(stderr, "\n");
    return -1;
}

static bool is_in_range(const struct option *option, double value)
{
    return (option->min == 0.0 && option->max == 0.0) ||
           (value >= option->min && value <= option->max);
}

static int store_number(const struct command *command, const struct option *option,
                        const char *text, double *target)
{
    char *end;
    double value = strtod(text, &end);
    bool decimal = text[strspn(text, "+-.0123456789eE")] == '\0';
    if (end == text || *end || !decimal || !isfinite(value) || !is_in_range(option, value)) {
        return bad_number(command, option, text, "a number");
    }
    *target = value;
    return 0;
}

static int store_count(const struct command *command, const struct option *option, const char *text,
                       uint64_t *target)
{
    errno = 0;
    uint64_t value = strtoull(text, NULL, 10);
    bool digits = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    if (!digits || errno == ERANGE || !is_in_range(option, (double)value)) {
        return bad_number(command, option, text, "a whole number");
    }
    *target = value;
    return 0;
}

static int store_port(const struct command *command, const struct option *option, const char *text,
                      int *target)
{
    uint64_t port;
    if (store_count(command, option, text, &port) < 0) {
        return -1;
    }
    *target = (int)port;
    return 0;
}

static int store(const struct command *command, const struct option *option, const char *text,
                 void *values)
{
    void *target = (char *)values + option->offset;
    struct option_list *list = target;
    switch (option->type) {
    case OPTION_FLAG: *(bool *)target = true; return 0;
    case OPTION_STRING: *(const char **)target = text; return 0;
    case OPTION_LIST:
        if (list->n == OPTION_LIST_MAX) {
            fprintf(stderr, "%s%s: --%s: given more than %d times\n", program_of(command),
                    command->name, option->name, OPTION_LIST_MAX);
            return -1;
        }
        list->items[list->n++] = text;
        return 0;
    case OPTION_NUMBER: return store_number(command, option, text, target);
    case OPTION_COUNT: return store_count(command, option, text, target);
    case OPTION_PORT: return store_port(command, option, text, target);
    }
    return -1;
}

/* An empty operand usually comes from an unset variable in a script. */
static bool has_empty_operand(const struct command *command, char **argv, size_t n)
{
    for (size_t i = 1; i <= n; i++) {
        if (argv[i][0] == '\0') {
            fprintf(stderr, "%s%s: operand %zu is empty: expected %s\n", program_of(command),
                    command->name, i, command->operands ? command->operands : "none");
            return true;
        }
    }
    return false;
}

/* Whether the next word is the number that a port may have. */
static bool has_port(int argc, char **argv, int at)
{
    return at + 1 < argc && argv[at + 1][0] != '\0' &&
           argv[at + 1][strspn(argv[at + 1], "0123456789")] == '\0';
}

/* Takes the option at argv[*at] and its argument. */
static int take_option(const struct command *command, int argc, char **argv, int *at,
                       const struct targets *targets)
{
    const char *word = argv[*at];
    size_t length = strcspn(word + 2, "=");
    int set;
    const struct option *option = find(command, word + 2, length, &set);
    const char *text = word[2 + length] == '=' ? word + 3 + length : NULL;
    if (!option) {
        complain_unknown(command, word);
        return -1;
    }
    if (option->type == OPTION_FLAG && text) {
        fprintf(stderr, "%s%s: --%s takes no value\n", program_of(command), command->name,
                option->name);
        return -1;
    }
    if (option->type == OPTION_PORT && !text && !has_port(argc, argv, *at)) {
        *(int *)((char *)(set < 0 ? targets->own : targets->sets[set]) + option->offset) =
            OPTION_ANY_PORT;
        return 0;
    }
    if (option->type != OPTION_FLAG && !text) {
        if (*at + 1 >= argc) {
            fprintf(stderr, "%s%s: --%s: expected %s\n", program_of(command), command->name,
                    option->name, option->argument);
            return -1;
        }
        text = argv[++*at];
    }
    return store(command, option, text, set < 0 ? targets->own : targets->sets[set]);
}

static int check_operands(const struct command *command, size_t n)
{
    if (n >= command->min_operands && n <= command->max_operands) {
        return (int)n;
    }
    fprintf(stderr, "%s%s: %s operand%s%s%s\n  `%s%s --help` shows how to use it\n",
            program_of(command), command->name, n < command->min_operands ? "missing" : "too many",
            n < command->min_operands ? ": expected " : "s",
            n < command->min_operands ? command->operands : "", "", program_of(command),
            command->name);
    return -1;
}

int options_parse(const struct command *command, int argc, char **argv, void *values)
{
    return options_parse_sets(command, argc, argv, values, NULL);
}

/* A negative number is an operand, as a value of a parameter. */
static bool is_negative(const char *word)
{
    return strchr(".0123456789", word[1]) != NULL;
}

int options_parse_sets(const struct command *command, int argc, char **argv, void *values,
                       void *const *set_values)
{
    const struct targets targets = {values, set_values};
    size_t n = 0;
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = true;
        } else if (!ended && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            options_print_help(stdout, command);
            return -2;
        } else if (!ended && strncmp(argv[i], "--", 2) == 0) {
            if (take_option(command, argc, argv, &i, &targets) < 0) {
                return -1;
            }
        } else if (!ended && argv[i][0] == '-' && argv[i][1] && !is_negative(argv[i])) {
            say_unknown(command, argv[i]);
            fputc('\n', stderr);
            return -1;
        } else {
            argv[++n] = argv[i];
        }
    }
    return has_empty_operand(command, argv, n) ? -1 : check_operands(command, n);
}

/* A list of values has '|' in it; its argument or its help may have the values already. */
static bool has_unnamed_values(const struct option *option)
{
    const char *last = option->values ? strrchr(option->values, '|') : NULL;
    return last && !strchr(option->argument, '|') && !strstr(option->help, last + 1);
}

void options_describe_values(const struct option *option, char *ret_text, size_t size)
{
    ret_text[0] = '\0';
    if (!has_unnamed_values(option)) {
        return;
    }
    size_t n = (size_t)snprintf(ret_text, size, "one of: ");
    for (const char *c = option->values; *c && n < size; c++) {
        const char one[] = {*c, '\0'};
        n += (size_t)snprintf(ret_text + n, size - n, "%s", *c == '|' ? ", " : one);
    }
}

/* Below the help of an option, in the same column. */
static void print_values(FILE *stream, const struct option *option)
{
    char text[512];
    size_t column = 0;
    options_describe_values(option, text, sizeof text);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        bool fits = column > 0 && column + 1 + strlen(word) <= LINE_COLUMNS;
        fprintf(stream, "%s%*s%s", column > 0 && !fits ? "\n" : "", fits ? 1 : HELP_COLUMN, "",
                word);
        column = (fits ? column + 1 : HELP_COLUMN) + strlen(word);
    }
    if (column > 0) {
        fprintf(stream, "\n");
    }
}

static void print_rows(FILE *stream, const struct option *options, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct option *option = &options[i];
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(stream, "  %-28s %s\n", left, option->help);
        print_values(stream, option);
    }
}

void options_print_help(FILE *stream, const struct command *command)
{
    const struct option_set *set;
    fprintf(stream, "usage: %s%s%s%s%s\n\n%s\n", program_of(command), command->name,
            command->n_options ? " [options]" : "", command->operands ? " " : "",
            command->operands ? command->operands : "", command->summary);
    if (command->n_options) {
        fprintf(stream, "\noptions:\n");
    }
    print_rows(stream, command->options, command->n_options);
    for (int i = 0; (set = set_at(command, i)); i++) {
        fprintf(stream, "\n%s: %s\n", set->name, set->summary);
        print_rows(stream, set->options, set->n_options);
    }
    if (command->more) {
        fprintf(stream, "\n%s", command->more);
    }
}
