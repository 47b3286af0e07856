/* SPDX-License-Identifier: Apache-2.0 */
/* doppel service: services that a run offers. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "field_path.h"
#include "fields.h"
#include "remote.h"

#define NAMES_MAX 1024

struct values {
    const char *run;
    bool json;
    double timeout_s;
};

/* The name of a protobuf type; of a JSON schema the members: {"time_s": number}. */
static void print_request(const struct wire_schema *request)
{
    json_t *schema = strcmp(request->language, "jsonschema") == 0
                         ? json_loadb((const char *)request->bytes.data, request->bytes.n, 0, NULL)
                         : NULL;
    const char *name, *comma = "";
    json_t *member;
    if (!schema) {
        printf("%s\n", cli_clean(request->name));
        return;
    }
    printf("{");
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        const char *type = json_string_value(json_object_get(member, "type"));
        printf("%s\"%s\": ", comma, cli_clean(name));
        printf("%s", cli_clean(type ? type : "any"));
        comma = ", ";
    }
    printf("}\n");
    json_decref(schema);
}

static int list(const struct remote *remote, bool json)
{
    json_t *all = json_array();
    for (size_t i = 0; i < remote->client.n_services; i++) {
        const struct wire_service *service = remote->client.services[i];
        if (!json) {
            printf("%-48s ", cli_clean(service->name));
            print_request(&service->request);
        }
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s}", "name", service->name, "type",
                                             service->type, "request", service->request.name,
                                             "answer", service->answer.name));
    }
    if (json) {
        remote_print_json(all);
    }
    json_decref(all);
    return DPL_EXIT_DONE;
}

static struct wire_service *find(const struct remote *remote, const char *name)
{
    const char *names[NAMES_MAX];
    char whole[512];
    size_t n = 0;
    snprintf(whole, sizeof whole, "%s%s", name[0] == '/' ? "" : "/", name);
    struct wire_service *service = wire_client_service(&remote->client, whole);
    for (size_t i = 0; i < remote->client.n_services && n < NAMES_MAX; i++) {
        names[n++] = remote->client.services[i]->name;
    }
    if (!service) {
        const char *near = dpl_nearest(whole, names, n);
        remote_complain(remote, "there is no service '%s'%s%s%s", whole,
                        near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
        fprintf(stderr, "  `doppel service list` lists them\n");
    }
    return service;
}

static int call(struct remote *remote, const char *name, const char *text,
                const struct values *values)
{
    json_error_t error;
    json_t *answer = NULL, *request = json_loads(text, 0, &error);
    struct wire_service *service = find(remote, name);
    int code = DPL_EXIT_BAD_INPUT;
    if (service && !request) {
        remote_complain(remote, "the request is no JSON: character %d: %s", error.column,
                        error.text);
    } else if (service) {
        code = remote_call(remote, service, request, values->timeout_s, &answer);
    }
    if (code == DPL_EXIT_DONE && values->json) {
        remote_print_json(answer);
    } else if (code == DPL_EXIT_DONE) {
        struct dpl_bytes out = {0};
        field_yaml(answer, 1000, &out);
        fwrite(out.data, 1, out.n, stdout);
        dpl_bytes_finish(&out);
    }
    json_decref(request);
    json_decref(answer);
    return code;
}

static int run(int argc, char **argv)
{
    static const char *const verbs[] = {"list", "call"};
    struct values values = {.timeout_s = 5.0};
    struct remote remote = {0};
    int n = options_parse(&command_service, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int verb = cli_choose("service", argv[1], verbs, DPL_COUNT(verbs));
    if (verb < 0) {
        return DPL_EXIT_USAGE;
    }
    if (verb == 0 ? n > 1 : n < 2) {
        fprintf(stderr, "doppel service %s: %s\n  `doppel service --help` shows how to use it\n",
                argv[1], verb == 0 ? "too many operands" : "expected a service");
        return DPL_EXIT_USAGE;
    }
    int code = remote_open(&remote, "service", values.run);
    if (code == DPL_EXIT_DONE) {
        code = verb == 0 ? list(&remote, values.json)
                         : call(&remote, argv[2], n > 2 ? argv[3] : "{}", &values);
    }
    remote_close(&remote);
    return code;
}

static const struct option options[] = {
    REMOTE_OPTION(struct values),
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
    {"timeout", "S", OPTION_NUMBER, offsetof(struct values, timeout_s), 0.001, 1e6,
     "wait at most S seconds for the answer (default 5)", NULL},
};

const struct command command_service = {
    .name = "service",
    .operands = "VERB [SERVICE] [JSON]",
    .summary = "calls services of a run that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 3,
    .more = "verbs:\n"
            "  list                 services and the types of their requests\n"
            "  call SERVICE [JSON]  calls one: '{\"on\": true}'; without JSON every field has its\n"
            "                       default\n"
            "Exit codes: 0 done; 1 there is no such run, service or field, or it is refused;\n"
            "2 usage; 3 no answer.\n",
    .run = run,
};
