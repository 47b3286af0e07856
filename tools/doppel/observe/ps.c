/* SPDX-License-Identifier: Apache-2.0 */
/* doppel ps: the runs of this user that viewers can look into. */
#include <jansson.h>
#include <stdio.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "runs.h"

struct values {
    bool json;
};

static void print_table(const json_t *notes)
{
    size_t i;
    json_t *note;
    json_array_foreach(notes, i, note)
    {
        long long port = (long long)json_integer_value(json_object_get(note, "port"));
        printf("%7lld  %-24s ws://127.0.0.1:%lld/%s\n",
               (long long)json_integer_value(json_object_get(note, "pid")),
               cli_clean(json_string_value(json_object_get(note, "name"))), port,
               json_string_value(json_object_get(note, "token")));
    }
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n = options_parse(&command_ps, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    json_t *notes = runs_read("ps");
    if (!notes) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (values.json) {
        json_dumpf(notes, stdout, JSON_INDENT(1));
        putchar('\n');
    } else if (json_array_size(notes) == 0) {
        fprintf(stderr, "no run of this user can be viewed: `doppel run --view` starts one\n");
    } else {
        print_table(notes);
    }
    json_decref(notes);
    return DPL_EXIT_DONE;
}

static const struct option options[] = {
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_ps = {
    .name = "ps",
    .summary = "lists the runs that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more =
        "Those of this user that `doppel run --view` has started: process, application, and the\n"
        "address for a viewer.\n",
    .run = run,
};
