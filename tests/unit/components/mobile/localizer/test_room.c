/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the rooms of the experiment. */
#include "room.h"

#include <criterion/criterion.h>

#define OFFICE_WALLS 20 /* the first objects of the office */

static struct room room;

Test(localization_room, walls_stay_where_the_plan_has_them)
{
    room_load(&room, PROFILES "/worlds/office.xml", 0.17);
    static struct room plan;
    bool moved[ROOM_OBJECTS_MAX];
    struct dpl_random rng = dpl_random_seeded(1, 1);
    plan = room;
    room_rearrange(&room, 1.0, 0.5, &rng, moved);
    size_t n_moved = 0;
    for (size_t i = 0; i < room.n; i++) {
        const struct dpl_raycast_outline *was = &plan.objects[i].outlines[0];
        const struct dpl_raycast_outline *is = &room.objects[i].outlines[0];
        double way = hypot(is->x - was->x, is->y - was->y);
        cr_assert(fabs(way - (moved[i] ? 0.5 : 0.0)) < 1e-9, "object %zu by %g", i, way);
        cr_assert(moved[i] == (i >= OFFICE_WALLS), "object %zu", i);
        n_moved += moved[i];
    }
    cr_assert(n_moved > 60);
}
