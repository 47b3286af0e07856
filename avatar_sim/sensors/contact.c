/* SPDX-License-Identifier: Apache-2.0 */
/* A contact sensor on a body: on while it touches anything but the ground, or one body only. */
#include <errno.h>

#include <doppel/sim/mechanism.h>

#include "element.h"
#include "flag_sensor.h"

extern const struct dpl_sim_entry_class dpl_contact_sensor;

struct settings {
    struct dpl__flag_settings flag;
    char with[DPL_SIM_NAME_SIZE];
    int with_number; /* of a body of the mechanism; -1: any */
};

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, with, "with", "", "the body that it feels; empty: any"),
    DPL__FLAG_FIELDS(struct settings, flag),
};

static int attach(void *of, const struct dpl_sim_mechanism *mechanism, struct dpl_diag *reterr)
{
    struct settings *settings = of;
    bool any = settings->with[0] == '\0';
    settings->with_number = any ? -1 : dpl_mechanism_find_body(mechanism, settings->with);
    return any || settings->with_number >= 0
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "with: there is no body '%s'",
                          settings->with);
}

struct contact {
    struct dpl__flag flag; /* first: see flag_sensor.h */
    int with;              /* number of a body in the state; -1: any */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct contact *contact = state;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_span *span = &site->state->robots[site->robot];
    (void)reterr;
    contact->with = settings->with_number < 0 ? -1 : span->first_body + settings->with_number;
    return dpl__flag_build(&contact->flag, site, &settings->flag);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct contact *contact = state;
    const struct dpl_sim_site *site = contact->flag.measuring.site;
    const struct dpl_sim_contacts *contacts = &site->state->contacts;
    bool touches = false;
    for (size_t i = 0; i < contacts->n && !touches; i++) {
        const struct dpl_sim_contact *pair = &contacts->items[i];
        bool has_it = pair->a == site->body || pair->b == site->body;
        int other = pair->a == site->body ? pair->b : pair->a;
        touches = has_it && (contact->with < 0 || other == contact->with);
    }
    dpl__flag_take(&contact->flag, tick->now, touches);
}

DPL__FLAG_CALLS(dpl_contact_sensor)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("the body touches something")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_contact_sensor = {
    .name = "contact sensor",
    .summary = "is on while its body touches something",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct contact),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "contact",
    .attach = attach,
};
