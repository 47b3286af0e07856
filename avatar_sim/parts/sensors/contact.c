/* SPDX-License-Identifier: Apache-2.0 */
/* A contact sensor on a body: on while it touches anything but the ground, or one body only. With a
 * sector it is a bumper: it feels what touches the body there. */
#include <errno.h>
#include <math.h>

#include <doppel/sim/mechanism.h>

#include "element.h"
#include "flag_sensor.h"

extern const struct dpl_sim_entry_class dpl_contact_sensor;

struct settings {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl__flag_settings flag;
    char with[DPL_SIM_NAME_SIZE];
    int with_number; /* of a body of the mechanism; -1: any */
    double yaw, sector, hold_s;
};

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, name, "name", NULL, "name of the contact sensor"),
    DPL_TEXT(struct settings, with, "with", "", "the body that it feels; empty: any"),
    DPL_NUMBER(struct settings, yaw, "yaw", "rad", "0", -10.0, 10.0,
               "middle of its sector: from x of the body towards y"),
    DPL_NUMBER(
        struct settings, sector, "sector", "rad", "6.283185307179586", 1e-3, 6.2832,
        "whole angle, seen from the body's origin, in which it feels; a full turn: everywhere"),
    DPL_NUMBER(struct settings, hold_s, "hold", "s", "0", 0.0, 10.0,
               "it stays on for so long after a touch: contacts of rigid bodies tremble"),
    DPL__FLAG_FIELDS(struct settings, flag),
    DPL__RATE_FIELD(struct settings, flag.measuring),
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
    dpl_ns touched;        /* the newest touch; below 0: none yet */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct contact *contact = state;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_span *span = &site->state->robots[site->robot];
    (void)reterr;
    contact->touched = -1;
    contact->with = settings->with_number < 0 ? -1 : span->first_body + settings->with_number;
    return dpl__flag_build(&contact->flag, site, &settings->flag);
}

/* Whether the sensor feels at this point. */
static bool is_in_sector(const struct settings *settings, struct dpl_pose3 body,
                         const double point[3])
{
    struct dpl_vector3 from = {point[0] - body.position.x, point[1] - body.position.y,
                               point[2] - body.position.z};
    struct dpl_vector3 at = dpl_quaternion_turn(dpl_quaternion_conjugate(body.orientation), from);
    double off = dpl_wrap_angle(atan2(at.y, at.x) - settings->yaw);
    return fabs(off) <= 0.5 * settings->sector;
}

static bool is_touched(const struct contact *contact)
{
    const struct dpl_sim_site *site = contact->flag.measuring.site;
    const struct dpl_sim_contacts *contacts = &site->state->contacts;
    for (size_t i = 0; i < contacts->n; i++) {
        const struct dpl_sim_contact *pair = &contacts->items[i];
        bool has_it = pair->a == site->body || pair->b == site->body;
        int other = pair->a == site->body ? pair->b : pair->a;
        if (has_it && (contact->with < 0 || other == contact->with) &&
            is_in_sector(site->entry->settings, dpl_sim_body_pose3(site->state, site->body),
                         pair->point)) {
            return true;
        }
    }
    return false;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct contact *contact = state;
    const struct settings *settings = contact->flag.measuring.site->entry->settings;
    bool touched = is_touched(contact);
    contact->touched = touched ? tick->now : contact->touched;
    bool holds =
        contact->touched >= 0 && tick->now - contact->touched <= dpl_ns_from_s(settings->hold_s);
    if (dpl__measuring_is_due(&contact->flag.measuring, tick->now)) {
        dpl__flag_take(&contact->flag, tick->now, touched || holds);
    }
}

DPL__FLAG_CALLS(dpl_contact_sensor)

static const struct dpl_channel_row rows[] = {DPL__FLAG_ROWS("the body touches something")};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_contact_sensor = {
    .name = "contact sensor",
    .summary = "a bumper: is on while its body touches something",
    .phase = DPL_SIM_SENSOR,
    .element = "contact",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct contact),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "contact",
    .attach = attach,
};
