/* SPDX-License-Identifier: Apache-2.0 */
#include "command_line.h"

#include <stdio.h>
#include <string.h>

#include <doppel/math/number_rows.h>

static const char *unit = "";

int command_line_parse(const struct command_line *line, int argc, char **argv, void *into)
{
    int option, code = 0;
    unit = line->unit;
    while (!code && (option = getopt_long(argc, argv, "", line->options, NULL)) != -1) {
        if (option == 'h') {
            printf("%s%s", line->usage, line->parameters);
            return 0;
        }
        code = line->take(option, into);
    }
    code = !code && optind < argc ? 2 : code;
    fputs(code == 2 ? line->usage : "", stderr);
    return code ? code : -1;
}

int command_line_bad(const char *option, const char *why)
{
    fprintf(stderr, "%s: %s '%s': %s\n", unit, option, optarg, why);
    return 1;
}

int command_line_number(const char *option, double least, double most, double *ret_value)
{
    if (!dpl_rows_only(optarg, 1, ret_value) || *ret_value < least || *ret_value > most) {
        fprintf(stderr, "%s: %s: found '%s', expected a number from %g to %g\n", unit, option,
                optarg, least, most);
        return 1;
    }
    return 0;
}

int command_line_parameter(char ret_name[16], double *ret_value)
{
    const char *equals = strchr(optarg, '=');
    if (!equals || !dpl_rows_only(equals + 1, 1, ret_value)) {
        return command_line_bad("--param", "expected NAME=VALUE with a decimal number");
    }
    snprintf(ret_name, 16, "%.*s", (int)(equals - optarg), optarg);
    return 0;
}
