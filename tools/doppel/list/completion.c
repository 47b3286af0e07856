/* SPDX-License-Identifier: Apache-2.0 */
/* doppel completion: a bash completion script, generated from the tables of the sub-commands. What
 * depends on the machine (applications, bindings, classes, properties) the script asks for by
 * `doppel completion KIND`. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "completion_words.h"
#include "live_words.h"

/* What a command's operands are, by their text in the help. */
static const struct {
    const char *operands, *command; /* NULL: any */
    const char *kinds;              /* for `doppel completion` */
} operand_kinds[] = {
    {"APP", NULL, "apps"},
    {"PROFILE...", "bench", "benches"},
    {"PROFILE...", NULL, "apps bindings components worlds robots plans"},
    {"NAME...", NULL, "classes drivers entries worlds"},
    {"WORLD", NULL, "worlds"},
    {"PLAN", NULL, "plans"},
    {"plan|run|status|collect|report|rerun STUDY|DB [ID]", NULL, "studies"},
    {"VERB [TOPIC] [FIELD|JSON]", NULL, "run-topics"},
    {"VERB [NAME] [VALUE]", NULL, "run-parameters"},
    {"VERB [SERVICE] [JSON]", NULL, "run-services"},
    {"VERB [COMPONENT]", NULL, "run-components"},
    {"[TOPIC...]", NULL, "run-record"},
};

/* What an option's argument is, by its text in the help. */
static const struct {
    const char *argument, *kind;
} argument_kinds[] = {
    {"BINDING", "bindings"},
    {"C.P=VALUE", "properties"},
    {"NAME|PID", "run-names"},
};

static void print_options(const struct command *command)
{
    const struct option *option;
    printf("    %s) options=\"--help", command->name);
    for (size_t i = 0; (option = options_at(command, i, NULL)); i++) {
        printf(" --%s", option->name);
    }
    printf("\" ;;\n");
}

static void print_choices(const char *choices)
{
    for (const char *c = choices; *c; c++) {
        putchar(*c == '|' ? ' ' : *c);
    }
}

/* The kind of words that an option takes; NULL: none of the catalogue's. */
static const char *kind_of(const struct option *option)
{
    if (option->values && strcmp(option->values, "binding") == 0) {
        return "bindings";
    }
    for (size_t i = 0; option->argument && i < DPL_COUNT(argument_kinds); i++) {
        if (strcmp(option->argument, argument_kinds[i].argument) == 0) {
            return argument_kinds[i].kind;
        }
    }
    return NULL;
}

/* The values of an option: a list of words, a file, words of the catalogue. */
static void print_values(const struct command *command)
{
    const struct option *option;
    for (size_t i = 0; (option = options_at(command, i, NULL)); i++) {
        const char *kind = kind_of(option);
        if (!kind && (!option->values || strcmp(option->values, "file") == 0)) {
            continue;
        }
        printf("    '%s --%s') values=\"", command->name, option->name);
        if (kind) {
            printf("$(_doppel_words %s)", kind);
        } else {
            print_choices(option->values);
        }
        printf("\" ;;\n");
    }
}

/* Operands: words of the catalogue, or devices, whose options are sets. */
static void print_operands(const struct command *command)
{
    const struct option_set *set;
    if (command->set) {
        printf("    %s) values=\"", command->name);
        for (size_t i = 0; (set = command->set(i)); i++) {
            printf("%s ", set->name);
        }
        printf("\" ;;\n");
        return;
    }
    for (size_t i = 0; command->operands && i < DPL_COUNT(operand_kinds); i++) {
        bool fits =
            !operand_kinds[i].command || strcmp(command->name, operand_kinds[i].command) == 0;
        if (fits && strcmp(command->operands, operand_kinds[i].operands) == 0) {
            printf("    %s) values=\"$(_doppel_words %s)\" ;;\n", command->name,
                   operand_kinds[i].kinds);
            return;
        }
    }
}

static void for_each(void (*print)(const struct command *))
{
    for (size_t i = 0; i < n_commands; i++) {
        print(commands[i]);
    }
}

static void print_script(void)
{
    printf("# bash completion for doppel; use: source <(doppel completion)\n"
           "_doppel_words() {\n"
           "  local kind\n"
           "  for kind in \"$@\"; do\n"
           "    doppel completion \"$kind\" -- \"${COMP_WORDS[@]:2:COMP_CWORD-2}\" 2>/dev/null\n"
           "  done\n}\n"
           "_doppel() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  local command=${COMP_WORDS[1]} options= values=\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < n_commands; i++) {
        printf("%s ", commands[i]->name);
    }
    printf("--help --version\" -- \"$word\")); return\n  fi\n  case \"$command $before\" in\n");
    for_each(print_values);
    printf("  esac\n"
           "  if [ -n \"$values\" ]; then\n"
           "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
           "    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
           "    return\n"
           "  fi\n"
           "  case \"$word\" in\n"
           "    -*)\n"
           "  case \"$command\" in\n");
    for_each(print_options);
    printf("  esac\n"
           "      COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;;\n"
           "  esac\n"
           "  case \"$command\" in\n");
    for_each(print_operands);
    printf("  esac\n"
           "  COMPREPLY=($(compgen -W \"$values\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _doppel doppel\n");
}

static int print_words(char **words, size_t n)
{
    if (live_print_words(words[0], words + 1, n - 1)) {
        return DPL_EXIT_DONE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("completion");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    bool known = completion_print_words(catalog, words[0], words + 1, n - 1);
    dpl_catalog_destroy(catalog);
    if (!known) {
        fprintf(stderr, "doppel completion: unknown kind '%s'; %s", words[0],
                command_completion.more);
    }
    return known ? DPL_EXIT_DONE : DPL_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_completion, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (n > 0) {
        return print_words(argv + 1, (size_t)n);
    }
    print_script();
    return DPL_EXIT_DONE;
}

const struct command command_completion = {
    .name = "completion",
    .operands = "[KIND [-- WORD...]]",
    .summary = "prints a bash completion script, or the words of a kind",
    .max_operands = 1024,
    .more =
        "use: source <(doppel completion)\n"
        "kinds: classes drivers entries properties apps benches bindings components worlds plans\n"
        "robots services types; entries are what worlds are made of: sensors, actuators, signals\n"
        "and subsystems; properties are those of the application in the command line WORD...\n"
        "run-names run-topics run-record run-parameters run-services run-components: what runs "
        "have\n"
        "that can be viewed; WORD... is the line behind the command\n",
    .run = run,
};
