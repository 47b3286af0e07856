/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines from tables: one table of options is used to parse, to print --help and for shell
 * completion. */
#ifndef DOPPEL_CLI_OPTIONS_H
#define DOPPEL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_STRING, /* const char * */
    OPTION_LIST,   /* struct option_list: may be repeated */
    OPTION_NUMBER, /* double, finite */
    OPTION_COUNT,  /* uint64_t */
    OPTION_PORT,   /* int: a TCP port, 0: a free one; without a number OPTION_ANY_PORT */
};

#define OPTION_LIST_MAX 256
#define OPTION_ANY_PORT 8765 /* where viewers look first */

struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t n;
};

struct option {
    const char *name;     /* without the dashes */
    const char *argument; /* NULL for a flag; shown in --help */
    enum option_type type;
    size_t offset;   /* of the member in the command's own struct */
    double min, max; /* numbers; both 0: any */
    const char *help;
    const char *values; /* values for completion: "a|b|c", or "file", "binding"; NULL: none */
};

/* Options of a part of a command, with a struct of their own for their values. */
struct option_set {
    const char *name, *summary; /* shown in --help above them */
    const struct option *options;
    size_t n_options;
    size_t size;          /* of the struct; 0: there are no options */
    const void *defaults; /* [size] */
};

/* One sub-command, or the command line of a program. */
struct command {
    const char *name;
    bool is_program;      /* not a part of doppel */
    const char *operands; /* "APP", "FILE...", NULL: none */
    const char *summary;
    const struct option *options;
    size_t n_options;
    const struct option_set *(*set)(size_t i); /* further options; NULL after the last set. NULL: no
                                                  sets */
    size_t min_operands, max_operands;
    const char *more; /* further text for --help; NULL: none */
    int (*run)(int argc, char **argv);
};

/* Parses argv[1..] into `values`. Options and operands may be mixed; "--" ends options;
 * "--name=value" works. Returns the number of operands (moved to argv[1..]; none is empty), -1
 * after an error (printed, with the nearest option's name), -2 after --help (printed). */
int options_parse(const struct command *command, int argc, char **argv, void *values);

/* The same for a command with sets: set_values[i] is the struct of set i. */
int options_parse_sets(const struct command *command, int argc, char **argv, void *values,
                       void *const *set_values);

/* Option `i` of a command: first its own, then those of its sets; NULL: there are no more. The
 * number of its set goes to ret_set, -1: its own (NULL allowed). */
const struct option *options_at(const struct command *command, size_t i, int *ret_set);

/* "one of: a, b, c": the values of an option whose argument and help do not name them, for --help
 * and the manual; "" for any other option. */
void options_describe_values(const struct option *option, char *ret_text, size_t size);

void options_print_help(FILE *stream, const struct command *command);

#endif
