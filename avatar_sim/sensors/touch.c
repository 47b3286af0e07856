/* SPDX-License-Identifier: Apache-2.0 */
/* What a body feels of contacts, by sectors of directions: see touch.h. */
#include "touch.h"

#include <doppel/sim/world.h>

#include "touches.h"

struct touch {
    const struct dpl_sim_state *state;
    int body;
    uint64_t contacts;
    dpl_ns touched_until[DPL_SIM_SECTORS]; /* 0: never touched there */
    struct dpl_touches touches;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct touch *touch = state;
    (void)reterr;
    touch->state = site->state;
    touch->body = site->body;
    return 0;
}

static void feel(struct touch *touch, const struct dpl_sim_contact *contact, dpl_ns now)
{
    int other = contact->a == touch->body ? contact->b : contact->a;
    struct dpl_pose2 pose = dpl_sim_body_pose2(touch->state, touch->body);
    double bearing = atan2(contact->point[1] - pose.y, contact->point[0] - pose.x) - pose.theta;
    double sectors = dpl_wrap_angle(bearing) * DPL_SIM_SECTORS / (2.0 * DPL_PI);
    unsigned sector = (unsigned)floor(sectors + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    touch->touched_until[sector] = now + DPL_TOUCHES_PAUSE;
    touch->contacts += dpl__touches_see(&touch->touches, touch->body, other, now);
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
