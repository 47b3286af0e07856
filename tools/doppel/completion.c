/* SPDX-License-Identifier: Apache-2.0 */
/* doppel completion: a bash completion script, generated from the tables of the sub-commands. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static void print_options(const struct command *command)
{
    const struct option *option;
    printf("    %s) options=\"--help", command->name);
    for (size_t i = 0; (option = options_at(command, i, NULL)); i++) {
        printf(" --%s", option->name);
    }
    printf("\" ;;\n");
}

/* The values of an option: a list of words, a file, a binding. */
static void print_values(const struct command *command)
{
    const struct option *option;
    for (size_t i = 0; (option = options_at(command, i, NULL)); i++) {
        if (!option->values || strcmp(option->values, "file") == 0) {
            continue;
        }
        printf("    '%s --%s') values=\"", command->name, option->name);
        if (strcmp(option->values, "binding") == 0) {
            printf("$(doppel list bindings 2>/dev/null | cut -d' ' -f1)");
        } else {
            for (const char *c = option->values; *c; c++) {
                putchar(*c == '|' ? ' ' : *c);
            }
        }
        printf("\" ;;\n");
    }
}

static int run(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_completion, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : 2;
    }
    printf("# bash completion for doppel; use: source <(doppel completion)\n"
           "_doppel() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  local command=${COMP_WORDS[1]} options= values=\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < n_commands; i++) {
        printf("%s ", commands[i]->name);
    }
    printf("--help --version\" -- \"$word\")); return\n  fi\n  case \"$command $before\" in\n");
    for (size_t i = 0; i < n_commands; i++) {
        print_values(commands[i]);
    }
    printf("  esac\n"
           "  if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\")); "
           "return; fi\n"
           "  case \"$command\" in\n");
    for (size_t i = 0; i < n_commands; i++) {
        print_options(commands[i]);
    }
    printf("  esac\n"
           "  case \"$word\" in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "  esac\n}\n"
           "complete -o filenames -F _doppel doppel\n");
    return 0;
}

const struct command command_completion = {
    .name = "completion",
    .summary = "prints a bash completion script",
    .more = "use: source <(doppel completion)\n",
    .run = run,
};
