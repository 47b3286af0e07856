/* SPDX-License-Identifier: Apache-2.0 */
/* The gates of a hosted world, each by its table: see doppel/sim/gate.h. */
#include <errno.h>
#include <string.h>

#include <doppel/host/catalog.h>

#include "arena.h"
#include "classes.h"
#include "hosted_alone.h"

static const struct dpl_place on_line = {.file = "--gate"};

static int check(const struct dpl_catalog_part *part, const void *const *all,
                 struct dpl_diag *reterr)
{
    const struct dpl_gate *gate = part->table;
    const struct dpl_place place = {.file = part->file};
    if (!gate->summary || !gate->open || !gate->close) {
        return dpl_fail(reterr, -ENOEXEC, place, "gate '%.60s': summary, open or close is missing",
                        part->name);
    }
    for (; *all; all++) {
        const struct dpl_gate *other = *all;
        if (dpl_name_equal(other->name, gate->name)) {
            return dpl_fail(reterr, -ENOEXEC, place, "the gate '%s' has the same name",
                            other->name);
        }
    }
    return dpl_catalog_check_fields(part, gate->settings.fields, gate->settings.n,
                                    gate->settings.size, reterr);
}

const struct dpl_gate *const *dpl_sim_gates(struct dpl_arena *arena, struct dpl_catalog *catalog,
                                            struct dpl_diags *diags)
{
    const struct dpl__part_kind kind = {"gate", sizeof(struct dpl_gate), check};
    return (const struct dpl_gate *const *)dpl__parts_list(arena, (const void *const *)dpl__gates,
                                                           &kind, catalog, diags);
}

/* ---- what a text asks for: NAME or NAME:SETTING=VALUE,... ---- */

static int fail_unknown(const char *what, const char *text, const char *const *names, size_t n,
                        struct dpl_diag *reterr)
{
    const char *near = dpl_nearest(text, names, n);
    return dpl_fail(reterr, -EINVAL, on_line, "there is no %s '%.60s'%s%s%s", what, text,
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int read_setting(const struct dpl_gate *gate, char *text, void *settings,
                        struct dpl_diag *reterr)
{
    const struct dpl_sim_settings *all = &gate->settings;
    const char *names[64];
    size_t n = 0;
    char *value = strchr(text, '=');
    if (value) {
        *value++ = '\0';
    }
    const struct dpl_field *field = dpl_field_find(all->fields, all->n, text);
    while (n < all->n && n < DPL_COUNT(names)) {
        names[n] = all->fields[n].name;
        n++;
    }
    if (!field) {
        return fail_unknown("setting", text, names, n, reterr);
    }
    const struct dpl_field_text given = {.text = value ? value : "true", .place = on_line};
    return dpl_field_parse(field, &given, settings, reterr);
}

/* A setting without a default that the text does not give. */
static int check_given(const struct dpl_gate *gate, const char *text, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < gate->settings.n; i++) {
        const struct dpl_field *field = &gate->settings.fields[i];
        const char *at = field->default_text ? "" : strchr(text, ':');
        size_t n = strlen(field->name);
        while (at && *at && !(strncmp(at + 1, field->name, n) == 0 && at[n + 1] == '=')) {
            at = strchr(at + 1, ',');
        }
        if (!at) {
            return dpl_fail(reterr, -EINVAL, on_line, "%s lacks the setting '%s' (%s)", gate->name,
                            field->name, field->summary);
        }
    }
    return 0;
}

static int find_gate(struct dpl_arena *arena, struct dpl_catalog *catalog, const char *name,
                     const struct dpl_gate **ret_gate, struct dpl_diag *reterr)
{
    struct dpl_diags refused = {0};
    const struct dpl_gate *const *all = dpl_sim_gates(arena, catalog, &refused);
    const char *names[64];
    size_t n = 0;
    for (*ret_gate = NULL; all[n] && n < DPL_COUNT(names); n++) {
        names[n] = all[n]->name;
        *ret_gate = dpl_name_equal(names[n], name) ? all[n] : *ret_gate;
    }
    int err = *ret_gate ? 0 : fail_unknown("gate", name, names, n, reterr);
    const char *file = dpl_arena_printf(arena, "/gate-%s.so", name);
    for (size_t i = 0; err < 0 && i < refused.n; i++) {
        if (strstr(refused.items[i].place.file, file)) {
            *reterr = refused.items[i];
        }
    }
    dpl_diags_finish(&refused);
    return err;
}

static bool claim(void *user, size_t channel)
{
    const struct hosted_gate *made = user;
    return hosted_channel_join(made->world, channel, made->commander) == HOSTED_NOBODY;
}

static void unclaim(void *user, size_t channel)
{
    const struct hosted_gate *made = user;
    hosted_channel_leave(made->world, channel, made->commander);
}

/* Whatever a gate gives, an error has a text. */
static int open_at(const struct dpl_gate *gate, const struct dpl_gate_site *site, void **ret_state,
                   struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    int given = gate->open(site, ret_state, &why);
    if (given > 0) {
        return dpl_fail(reterr, -EINVAL, on_line, "%s: open gives %d, expected 0 or an -errno",
                        gate->name, given);
    }
    if (given < 0 && why.text[0] == '\0') {
        return dpl_fail(reterr, given, on_line, "%s refuses, and gives no reason: %s", gate->name,
                        strerror(-given));
    }
    return given < 0 ? dpl_fail(reterr, given, why.place, "%s", why.text) : 0;
}

static int open_one(struct dpl_sim_hosted *hosted, struct dpl_arena *arena,
                    const struct dpl_sim_hosted_options *options, const char *text,
                    struct dpl_diag *reterr)
{
    const struct dpl_gate *gate;
    struct hosted_gate *made = &hosted->gates[hosted->n_gates];
    char *rest = dpl_arena_strdup(arena, text), *name = strsep(&rest, ":"), *one;
    int err = find_gate(arena, options->load.catalog, name, &gate, reterr);
    if (err < 0) {
        return err;
    }
    void *settings = dpl__settings_make(&hosted->memory, &gate->settings);
    dpl_fields_set_defaults(gate->settings.fields, gate->settings.n, settings);
    while (err == 0 && (one = strsep(&rest, ","))) {
        err = read_setting(gate, one, settings, reterr);
    }
    err = err < 0 ? err : check_given(gate, text, reterr);
    const struct dpl_gate_site site = {
        .world = hosted->world->world,
        .channels = hosted->world->channels,
        .settings = settings,
        .host = options->host,
        .notice = options->notice,
        .notice_user = options->notice_user,
        .claim = claim,
        .unclaim = unclaim,
        .claim_user = made,
        .owner = hosted->world,
    };
    made->world = hosted->world;
    made->commander = (enum hosted_commander)(HOSTED_GATE + hosted->n_gates);
    err = err < 0 ? err : open_at(gate, &site, &made->state, reterr);
    if (err == 0) {
        made->gate = gate;
        hosted->n_gates++;
    }
    if (err == 0 && gate->boundary) {
        hosted_world_attend(hosted->world, &(struct hosted_attendant){gate->boundary, gate->jumped,
                                                                      gate->holds, made->state});
    }
    return err;
}

int hosted_open_gates(struct dpl_sim_hosted *hosted, const struct dpl_sim_hosted_options *options,
                      struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    int err = options->n_gates <= HOSTED_GATES_MAX
                  ? 0
                  : dpl_fail(reterr, -ENOSPC, on_line, "more than %d gates", HOSTED_GATES_MAX);
    for (size_t i = 0; err == 0 && i < options->n_gates; i++) {
        err = open_one(hosted, &arena, options, options->gates[i], reterr);
    }
    dpl_arena_finish(&arena);
    return err;
}

void hosted_close_gates(struct dpl_sim_hosted *hosted)
{
    while (hosted->n_gates > 0) {
        const struct hosted_gate *made = &hosted->gates[--hosted->n_gates];
        hosted_world_leave(hosted->world, made->state);
        made->gate->close(made->state);
    }
    dpl_arena_finish(&hosted->memory);
}

const struct dpl_gate *dpl_sim_hosted_gate(const struct dpl_sim_hosted *hosted, size_t i,
                                           uint16_t *ret_port)
{
    if (i >= hosted->n_gates) {
        return NULL;
    }
    const struct hosted_gate *made = &hosted->gates[i];
    *ret_port = made->gate->port ? made->gate->port(made->state) : 0;
    return made->gate;
}

uint16_t dpl_sim_hosted_port(const struct dpl_sim_hosted *hosted, const char *name)
{
    const struct dpl_gate *gate;
    uint16_t port = 0;
    size_t i = 0;
    while ((gate = dpl_sim_hosted_gate(hosted, i, &port)) && !dpl_name_equal(gate->name, name)) {
        i++;
    }
    return gate ? port : 0;
}

void dpl_sim_hosted_stop(struct dpl_sim_hosted *hosted)
{
    for (size_t i = 0; i < hosted->n_gates; i++) {
        if (hosted->gates[i].gate->stop) {
            hosted->gates[i].gate->stop(hosted->gates[i].state);
        }
    }
}
