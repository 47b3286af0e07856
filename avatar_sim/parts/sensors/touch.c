/* SPDX-License-Identifier: Apache-2.0 */
/* What a body feels of contacts, by sectors of directions: see touch.h. */
#include "touch.h"

#include <string.h>

#include "touches.h"

struct touch {
    const struct dpl_sim_model *model;
    const struct dpl_sim_state *state;
    int body;
    uint64_t contacts;
    struct dpl_world_contact with[DPL_WORLD_CONTACTS_MAX]; /* [n_with] */
    size_t n_with;
    dpl_ns touched_until[DPL_SIM_SECTORS]; /* 0: never touched there */
    struct dpl_touches touches;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct touch *touch = state;
    (void)reterr;
    touch->model = site->model;
    touch->state = site->state;
    touch->body = site->body;
    return 0;
}

/* That of the obstacle, or of the robot that the body is of. */
static const char *name_of(const struct touch *touch, int body)
{
    if (body < 0) {
        return touch->model->obstacles[-1 - body].name;
    }
    for (size_t i = 0; i < touch->model->n_robots; i++) {
        const struct dpl_sim_span *span = &touch->state->robots[i];
        if (body >= span->first_body && body - span->first_body < (int)span->n_bodies) {
            return touch->model->robots[i].name;
        }
    }
    return "";
}

static void note_touch(struct touch *touch, int other, dpl_ns now)
{
    const char *name = name_of(touch, other);
    size_t i = 0;
    touch->contacts++;
    while (i < touch->n_with && strcmp(touch->with[i].with, name) != 0) {
        i++;
    }
    if (i == DPL_WORLD_CONTACTS_MAX) {
        return;
    }
    if (i == touch->n_with) {
        touch->with[touch->n_with++] = (struct dpl_world_contact){.with = name, .first = now};
    }
    touch->with[i].n++;
}

static void feel(struct touch *touch, const struct dpl_sim_contact *contact, dpl_ns now)
{
    int other = contact->a == touch->body ? contact->b : contact->a;
    struct dpl_pose2 pose = dpl_sim_body_pose2(touch->state, touch->body);
    double bearing = atan2(contact->point[1] - pose.y, contact->point[0] - pose.x) - pose.theta;
    double sectors = dpl_wrap_angle(bearing) * DPL_SIM_SECTORS / (2.0 * DPL_PI);
    unsigned sector = (unsigned)floor(sectors + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    touch->touched_until[sector] = now + DPL_TOUCHES_PAUSE;
    if (dpl__touches_see(&touch->touches, touch->body, other, now)) {
        note_touch(touch, other, now);
    }
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct touch *touch = state;
    const struct dpl_sim_contacts *contacts = &touch->state->contacts;
    for (size_t i = 0; i < contacts->n; i++) {
        if (contacts->items[i].a == touch->body || contacts->items[i].b == touch->body) {
            feel(touch, &contacts->items[i], tick->now);
        }
    }
    dpl__touches_expire(&touch->touches, tick->now);
}

const struct dpl_sim_entry_class dpl_touch = {
    .name = "touch",
    .summary = "what a body feels of contacts",
    .phase = DPL_SIM_SENSOR,
    .state_size = sizeof(struct touch),
    .build = build,
    .step = step,
};

static const struct touch *touch_of(const struct dpl_world *world, int robot)
{
    const struct dpl_sim_site *site;
    for (int i = 0; (site = dpl_world_entry_site(world, &dpl_touch, i)); i++) {
        if (site->robot == robot) {
            return dpl_world_entry(world, &dpl_touch, i);
        }
    }
    return NULL;
}

size_t dpl_world_get_contacts(const struct dpl_world *world, int robot,
                              struct dpl_world_contact *ret_contacts, size_t most)
{
    const struct touch *touch = touch_of(world, robot);
    size_t n = touch ? touch->n_with < most ? touch->n_with : most : 0;
    for (size_t i = 0; i < n; i++) {
        ret_contacts[i] = touch->with[i];
    }
    return n;
}

void dpl__touch_get(const struct dpl_world *world, int robot, uint64_t *ret_contacts,
                    uint32_t *ret_sectors)
{
    const struct touch *touch = touch_of(world, robot);
    *ret_contacts = touch ? touch->contacts : 0;
    *ret_sectors = 0;
    for (unsigned i = 0; touch && i < DPL_SIM_SECTORS; i++) {
        *ret_sectors |= (uint32_t)(touch->touched_until[i] > dpl_world_now(world)) << i;
    }
}
