/* SPDX-License-Identifier: Apache-2.0 */
/* doppel param: properties of a run's components. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "commands.h"
#include "common.h"
#include "field_path.h"
#include "fields.h"
#include "remote.h"

#define NAMES_MAX 2048

struct values {
    const char *run;
    bool json;
};

static json_t *value_of(const json_t *values, const char *name)
{
    size_t i;
    json_t *parameter;
    json_array_foreach(values, i, parameter)
    {
        if (strcmp(json_string_value(json_object_get(parameter, "name")), name) == 0) {
            return json_object_get(parameter, "value");
        }
    }
    return NULL;
}

/* A value as `--set` and `set` take it. The caller frees it. */
static char *text_of(json_t *value)
{
    struct dpl_bytes out = {0};
    if (json_is_string(value)) {
        dpl_bytes_text(&out, json_string_value(value));
    } else {
        field_json(value, &out);
    }
    dpl_bytes_number(&out, 0, 1);
    return (char *)out.data;
}

static int complain_unknown(struct remote *remote, const char *name)
{
    const char *names[NAMES_MAX];
    int code;
    size_t i, n = 0;
    json_t *parameter, *all = remote_parameters(remote, NULL, NULL, &code);
    json_array_foreach(all, i, parameter)
    {
        n += n < NAMES_MAX ? (names[n] = json_string_value(json_object_get(parameter, "name")), 1u)
                           : 0;
    }
    const char *near = dpl_nearest(name, names, n);
    remote_complain(remote, "there is no parameter '%s'%s%s%s", name,
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    fprintf(stderr, "  `doppel param list` lists them\n");
    json_decref(all);
    return DPL_EXIT_BAD_INPUT;
}

static void print_value(json_t *value)
{
    char *text = text_of(value);
    printf("%s\n", text ? cli_clean(text) : "");
    free(text);
}

static int list(struct remote *remote, char **words, bool json)
{
    int code;
    size_t i;
    json_t *parameter, *all = remote_parameters(remote, NULL, NULL, &code);
    (void)words;
    json_array_foreach(json ? NULL : all, i, parameter)
    {
        printf("%-48s ", cli_clean(json_string_value(json_object_get(parameter, "name"))));
        print_value(json_object_get(parameter, "value"));
    }
    if (all && json) {
        remote_print_json(all);
    }
    json_decref(all);
    return code;
}

/* One value, after it has been set to `text` if that is there. */
static int one(struct remote *remote, const char *name, const char *text, bool json)
{
    int code;
    json_t *values = remote_parameters(remote, name, text, &code);
    json_t *value = value_of(values, name);
    if (values && !value) {
        code = complain_unknown(remote, name);
    } else if (values && remote->status[0]) {
        remote_complain(remote, "%s", remote->status);
        code = DPL_EXIT_BAD_INPUT;
    } else if (values && json) {
        remote_print_json(value);
    } else if (values) {
        print_value(value);
    }
    json_decref(values);
    return code;
}

static int get(struct remote *remote, char **words, bool json)
{
    return one(remote, words[0], NULL, json);
}

static int set(struct remote *remote, char **words, bool json)
{
    return one(remote, words[0], words[1], json);
}

/* A word as xargs and a shell read it. */
static void write_quoted(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, "--set '%s=", name);
    for (const char *c = value; *c; c++) {
        fprintf(stream, *c == '\'' ? "'\"'\"'" : "%c", *c);
    }
    fprintf(stream, "'\n");
}

static int save(struct remote *remote, char **words, bool json)
{
    struct dpl_output output = {0};
    struct dpl_diag why = {0};
    int code;
    size_t i;
    json_t *parameter, *all = remote_parameters(remote, NULL, NULL, &code);
    (void)json;
    if (!all) {
        return code;
    }
    int r = dpl_output_open(&output, words[0], &why);
    json_array_foreach(r == 0 ? all : NULL, i, parameter)
    {
        char *text = text_of(json_object_get(parameter, "value"));
        if (text && *text && !strchr(text, '\n')) {
            write_quoted(output.stream, json_string_value(json_object_get(parameter, "name")),
                         text);
        }
        free(text);
    }
    r = r == 0 ? dpl_output_close(&output, &why) : r;
    json_decref(all);
    if (r < 0) {
        remote_complain(remote, "%s", why.text);
        return (int)cli_code_of_output(r);
    }
    return DPL_EXIT_DONE;
}

static const struct {
    const char *name;
    int n_operands;
    int (*run)(struct remote *remote, char **words, bool json);
} verbs[] = {{"list", 0, list}, {"get", 1, get}, {"set", 2, set}, {"save", 1, save}};

static int run(int argc, char **argv)
{
    struct values values = {0};
    struct remote remote = {0};
    static const char *const names[] = {"list", "get", "set", "save"};
    int n = options_parse(&command_param, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int verb = cli_choose("param", argv[1], names, DPL_COUNT(names));
    if (verb < 0) {
        return DPL_EXIT_USAGE;
    }
    if (n - 1 != verbs[verb].n_operands) {
        fprintf(stderr,
                "doppel param %s: expected %d operands\n  `doppel param --help` shows how "
                "to use it\n",
                argv[1], verbs[verb].n_operands);
        return DPL_EXIT_USAGE;
    }
    int code = remote_open(&remote, "param", values.run);
    code = code == DPL_EXIT_DONE ? verbs[verb].run(&remote, argv + 2, values.json) : code;
    remote_close(&remote);
    return code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_param = {
    .name = "param",
    .operands = "VERB [NAME] [VALUE]",
    .summary = "shows and sets properties of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 3,
    .more =
        "verbs:\n"
        "  list             all properties, COMPONENT.PROPERTY, with their values\n"
        "  get NAME         its value\n"
        "  set NAME VALUE   sets it between two cycles, and prints the value that holds then\n"
        "  save FILE        writes all as options: `xargs -a FILE doppel run APP` has them again\n"
        "Exit codes: 0 done; 1 there is no such run or property, the run refuses the value, or "
        "the\n"
        "file cannot be made; 2 usage; 3 no answer, or the disk is full.\n",
    .run = run,
};
