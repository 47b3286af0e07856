/* SPDX-License-Identifier: Apache-2.0 */
/* doppel component: the life cycle of a run's components. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "remote.h"

#define PATIENCE_S 5.0

struct values {
    const char *run;
    bool json;
};

static const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? cli_clean(text) : "";
}

static int list(struct remote *remote, bool json)
{
    json_t *components = NULL, *component;
    size_t i;
    int code = remote_newest(remote, "/run/components", &components);
    if (code != DPL_EXIT_DONE) {
        return code;
    }
    json_array_foreach(json ? NULL : components, i, component)
    {
        printf("%-24s %-10s %-24s %s\n", member(component, "name"), member(component, "state"),
               member(component, "class"), member(component, "executor"));
    }
    if (json) {
        remote_print_json(components);
    }
    json_decref(components);
    return DPL_EXIT_DONE;
}

static int change(struct remote *remote, const char *verb, const char *name)
{
    char service_name[64];
    snprintf(service_name, sizeof service_name, "/component/%s", verb);
    struct wire_service *service = wire_client_service(&remote->client, service_name);
    if (!service) {
        remote_complain(remote, "the run does not offer %s", service_name);
        return DPL_EXIT_BAD_INPUT;
    }
    json_t *request = json_pack("{s:s}", "component", name), *answer = NULL;
    int code = remote_call(remote, service, request, PATIENCE_S, &answer);
    json_decref(request);
    json_decref(answer);
    return code;
}

static int run(int argc, char **argv)
{
    static const char *const verbs[] = {"list", "start", "stop", "reset"};
    struct values values = {0};
    struct remote remote = {0};
    int n = options_parse(&command_component, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int verb = cli_choose("component", argv[1], verbs, DPL_COUNT(verbs));
    if (verb < 0) {
        return DPL_EXIT_USAGE;
    }
    if (n != (verb == 0 ? 1 : 2)) {
        fprintf(stderr,
                "doppel component %s: %s\n  `doppel component --help` shows how to use it\n",
                argv[1], verb == 0 ? "too many operands" : "expected a component");
        return DPL_EXIT_USAGE;
    }
    int code = remote_open(&remote, "component", values.run);
    if (code == DPL_EXIT_DONE) {
        code = verb == 0 ? list(&remote, values.json) : change(&remote, argv[1], argv[2]);
    }
    remote_close(&remote);
    return code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_component = {
    .name = "component",
    .operands = "VERB [COMPONENT]",
    .summary = "shows and changes states of components of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 2,
    .more = "verbs:\n"
            "  list              components with state, class and executor\n"
            "  start COMPONENT   starts one that is stopped\n"
            "  stop COMPONENT    stops one\n"
            "  reset COMPONENT   brings one back that is in ERROR\n"
            "Exit codes: 0 done; 1 there is no such run or component, or it is refused; 2 usage;\n"
            "3 no answer.\n",
    .run = run,
};
