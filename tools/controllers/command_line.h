/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a control unit. What is wrong is said on stderr; results are exit codes, 0:
 * continue. */
#ifndef CONTROLLERS_COMMAND_LINE_H
#define CONTROLLERS_COMMAND_LINE_H

#include <getopt.h>

struct command_line {
    const char *unit, *usage, *parameters; /* its name; texts of --help */
    const struct option *options;          /* 'h' is help */
    int (*take)(int option, void *into);   /* with optarg; 2: there is no such option */
};

/* Takes all options. The exit code, or -1: continue. */
int command_line_parse(const struct command_line *line, int argc, char **argv, void *into);

/* For take. optarg as a number within limits; or as NAME=VALUE, a longer name is cut. */
int command_line_bad(const char *option, const char *why);
int command_line_number(const char *option, double least, double most, double *ret_value);
int command_line_parameter(char ret_name[16], double *ret_value);

#endif
