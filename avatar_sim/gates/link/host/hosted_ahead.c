/* SPDX-License-Identifier: Apache-2.0 */
/* Look-aheads of a hosted world: the world is copied for them at its boundaries. */
#include <errno.h>
#include <stdlib.h>

#include <doppel/sim/ahead.h>

#include "hosted_world.h"

struct hosted_ahead {
    struct dpl_sim_ahead *ahead;
    struct hosted_ahead *next;
};

static void boundary(void *user)
{
    struct hosted_ahead *const *aheads = user;
    const struct hosted_world *world =
        (const struct hosted_world *)((const char *)user - offsetof(struct hosted_world, aheads));
    for (const struct hosted_ahead *at = *aheads; at; at = at->next) {
        dpl_sim_ahead_boundary(at->ahead, world->offset);
    }
}

int hosted_world_open_ahead(struct hosted_world *world, const struct dpl_ahead_setup *setup,
                            struct dpl_ahead **ret_ahead, struct dpl_diag *reterr)
{
    if (world->moves) {
        return dpl_fail(reterr, -EBUSY, setup->place,
                        "a look-ahead is opened before its world moves");
    }
    struct hosted_ahead *made = calloc(1, sizeof *made);
    if (!made) {
        return -ENOMEM;
    }
    int err = dpl_sim_ahead_create(world->world, world->channels, setup, &made->ahead, reterr);
    if (err < 0) {
        free(made);
        return err;
    }
    if (!world->aheads) { /* the list is this attendant, so that it is no other one's */
        hosted_world_attend(
            world, &(struct hosted_attendant){.boundary = boundary, .user = &world->aheads});
    }
    made->next = world->aheads;
    world->aheads = made;
    *ret_ahead = dpl_sim_ahead_face(made->ahead);
    return 0;
}

int hosted_world_start_aheads(struct hosted_world *world, bool simulated, struct dpl_diag *reterr)
{
    int err = 0;
    for (struct hosted_ahead *at = world->aheads; at && err == 0; at = at->next) {
        err = dpl_sim_ahead_start(at->ahead, simulated, reterr);
    }
    return err;
}

void hosted_world_end_aheads(struct hosted_world *world)
{
    while (world->aheads) {
        struct hosted_ahead *ahead = world->aheads;
        world->aheads = ahead->next;
        dpl_sim_ahead_destroy(ahead->ahead);
        free(ahead);
    }
}
