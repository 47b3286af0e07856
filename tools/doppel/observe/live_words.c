/* SPDX-License-Identifier: Apache-2.0 */
#include "live_words.h"

#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "fields.h"
#include "remote.h"

static void print_name(const char *name)
{
    if (name && !strpbrk(name, " \t\n")) {
        printf("%s\n", cli_clean(name));
    }
}

static void print_topics(struct remote *remote)
{
    for (size_t i = 0; i < remote->client.n_topics; i++) {
        print_name(remote->client.topics[i]->name);
    }
}

static void print_services(struct remote *remote)
{
    for (size_t i = 0; i < remote->client.n_services; i++) {
        print_name(remote->client.services[i]->name);
    }
}

static void print_members(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        print_name(json_string_value(json_object_get(item, "name")));
    }
}

static void print_components(struct remote *remote)
{
    json_t *components = NULL;
    remote_newest(remote, "/run/components", &components);
    print_members(components);
    json_decref(components);
}

static void print_parameters(struct remote *remote)
{
    int code;
    json_t *parameters = remote_parameters(remote, NULL, NULL, &code);
    print_members(parameters);
    json_decref(parameters);
}

static const struct {
    const char *kind, *verbs; /* verbs "": the command has none */
    void (*print)(struct remote *remote);
} kinds[] = {
    {"run-topics", "list\ninfo\necho\nhz\ndelay\nbw\npub\n", print_topics},
    {"run-record", "", print_topics},
    {"run-parameters", "list\nget\nset\nsave\n", print_parameters},
    {"run-services", "list\ncall\n", print_services},
    {"run-components", "list\nstart\nstop\nreset\n", print_components},
};

/* How many operands are there already; *ret_run is the value of --run. */
static size_t count_operands(char **words, size_t n, const char **ret_run)
{
    size_t n_operands = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], "--run") == 0 && i + 1 < n) {
            *ret_run = words[++i];
        } else {
            n_operands += words[i][0] != '-';
        }
    }
    return n_operands;
}

bool live_print_words(const char *kind, char **words, size_t n)
{
    struct remote remote = {0};
    const char *run = NULL;
    size_t i = 0, n_operands = count_operands(words, n, &run);
    if (strcmp(kind, "run-names") == 0) {
        json_t *notes = runs_read("completion");
        print_members(notes);
        json_decref(notes);
        return true;
    }
    while (i < DPL_COUNT(kinds) && strcmp(kinds[i].kind, kind) != 0) {
        i++;
    }
    if (i == DPL_COUNT(kinds)) {
        return false;
    }
    if (n_operands == 0 && kinds[i].verbs[0]) {
        printf("%s", kinds[i].verbs);
        return true;
    }
    if (remote_open(&remote, "completion", run) == DPL_EXIT_DONE) {
        kinds[i].print(&remote);
    }
    remote_close(&remote);
    return true;
}
