/* SPDX-License-Identifier: Apache-2.0 */
/* doppel-man COMMAND: writes the manual page of a sub-command, "doppel" of the program, as source
 * for scdoc. It is used by the build only. The pages say what --help says, from the same tables. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

/* Text as it is: scdoc gives a meaning to these characters. */
static void print_text(const char *text)
{
    for (const char *c = text; *c; c++) {
        bool starts_line = c == text || c[-1] == '\n';
        if (strchr("_*\\<>`~[]{}", *c) || (starts_line && strchr("-#.|:;+!", *c))) {
            putchar('\\');
        }
        putchar(*c);
    }
}

/* Lines of the help that are laid out by spaces stay as they are. */
static void print_literal(const char *text)
{
    printf("```\n%s%s```\n\n", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void print_rows(const struct option *options, size_t n)
{
    char values[512];
    for (size_t i = 0; i < n; i++) {
        printf("*--");
        print_text(options[i].name);
        printf("*");
        if (options[i].argument) {
            printf(" ");
            print_text(options[i].argument);
        }
        printf("\n\t");
        print_text(options[i].help);
        options_describe_values(&options[i], values, sizeof values);
        printf("%s", values[0] != '\0' ? "; " : "");
        print_text(values);
        printf("\n\n");
    }
}

static void print_command(const struct command *command)
{
    const struct option_set *set;
    printf("doppel-%s(1) \"doppel " DOPPEL_VERSION "\"\n\n# NAME\n\ndoppel-%s - ", command->name,
           command->name);
    print_text(command->summary);
    printf("\n\n# SYNOPSIS\n\n*doppel %s*%s ", command->name,
           command->n_options ? " \\[options\\]" : "");
    print_text(command->operands ? command->operands : "");
    printf("\n\n");
    if (command->n_options) {
        printf("# OPTIONS\n\n");
    }
    print_rows(command->options, command->n_options);
    for (size_t i = 0; command->set && (set = command->set(i)); i++) {
        printf("# OPTIONS OF ");
        print_text(set->name);
        printf("\n\n");
        print_text(set->summary);
        printf("\n\n");
        print_rows(set->options, set->n_options);
    }
    if (command->more) {
        printf("# NOTES\n\n");
        print_literal(command->more);
    }
    printf("# SEE ALSO\n\n*doppel*(1)\n");
}

static void print_program(void)
{
    printf("doppel(1) \"doppel " DOPPEL_VERSION "\"\n\n# NAME\n\n"
           "doppel - runs a robot application and its avatar side by side\n\n"
           "# SYNOPSIS\n\n*doppel* COMMAND \\[options\\]\n\n# COMMANDS\n\n");
    for (size_t i = 0; i < n_commands; i++) {
        printf("*doppel-%s*(1)\n\t", commands[i]->name);
        print_text(commands[i]->summary);
        printf("\n\n");
    }
    printf("# NOTES\n\n");
    print_literal(usage_notes);
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    if (strcmp(name, "doppel") == 0) {
        print_program();
        return 0;
    }
    for (size_t i = 0; i < n_commands; i++) {
        if (strcmp(name, commands[i]->name) == 0) {
            print_command(commands[i]);
            return 0;
        }
    }
    fprintf(stderr, "doppel-man: expected \"doppel\" or the name of a sub-command\n");
    return 2;
}
