/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Localizer in a room that is nearly the same when it is turned by 180 degrees. */
#include <string.h>

#include <criterion/criterion.h>

#include "localizer.h"
#include "plan.h"

#define NONE DPL_RAYCAST_NO_OWNER

/* Walls of 6 x 4 m, two pillars that are each other's copies, and one that has none. */
static const struct dpl_raycast_outline room[] = {
    {0.0, 0.0, 6.0, 0.0, 0.0, NONE},  {6.0, 0.0, 0.0, 4.0, 0.0, NONE},
    {6.0, 4.0, -6.0, 0.0, 0.0, NONE}, {0.0, 4.0, 0.0, -4.0, 0.0, NONE},
    {1.2, 2.8, 0.0, 0.0, 0.2, 0},     {4.8, 1.2, 0.0, 0.0, 0.2, 1},
    {3.0, 3.2, 0.0, 0.0, 0.15, 2},
};
#define OUTLINES (sizeof room / sizeof room[0])

static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};
static const struct dpl_pose2 copy = {3.5, 2.6, 0.3 - DPL_PI};
static const struct dpl_raycast_index *seen; /* what really stands there */
static struct localizer *localizer;
static double now;

static void begin_at(struct dpl_pose2 start)
{
    struct localizer_config config;
    localizer_config_init(&config);
    config.outlines = room;
    config.n_outlines = OUTLINES;
    config.n_objects = 3;
    config.axle_m = 0.25;
    config.judged = false; /* the estimator is tested */
    config.start = start;
    seen = plan_index(room, OUTLINES);
    now = 0.0;
    cr_assert(localizer_create(&config, &localizer) == 0);
}

static void end(void)
{
    localizer_destroy(localizer);
}

/* Two panes, each the copy of the other, in the plan as objects 3 and 4: no beam sees them. */
static void begin_behind_glass(void)
{
    struct dpl_raycast_outline glazed[OUTLINES + 2];
    struct localizer_config config;
    memcpy(glazed, room, sizeof room);
    glazed[OUTLINES] = (struct dpl_raycast_outline){3.9, 1.5, 0.6, 2.1, 0.0, 3};
    glazed[OUTLINES + 1] = (struct dpl_raycast_outline){2.1, 2.5, -0.6, -2.1, 0.0, 4};
    localizer_config_init(&config);
    config.outlines = glazed;
    config.n_outlines = OUTLINES + 2;
    config.n_objects = 5;
    config.axle_m = 0.25;
    config.judged = false; /* the estimator is tested */
    config.search_at_start = true;
    seen = plan_index(room, OUTLINES);
    now = 0.0;
    cr_assert(localizer_create(&config, &localizer) == 0);
}

/* A tenth of a second of a robot that stands, with a scan that differs from the one before. */
static struct localizer_estimate look(void)
{
    static int n;
    struct localizer_estimate e;
    float ranges[PLAN_BEAMS];
    for (int i = 0; i < 5; i++) {
        now += 0.02;
        struct localizer_odometry sample = {now, 0.0, 0.0, true, 0.0};
        localizer_odometry(localizer, &sample);
        localizer_step(localizer, now);
    }
    struct localizer_scan scan = plan_scan(seen, truth, now);
    memcpy(ranges, scan.ranges, sizeof ranges);
    ranges[0] += 0.001f * (float)(n++ % 7);
    scan.ranges = ranges;
    localizer_scan(localizer, &scan);
    localizer_step(localizer, now);
    localizer_estimate(localizer, now, &e);
    return e;
}

static bool is_known(enum localizer_state state)
{
    return state == LOCALIZER_TRACKING || state == LOCALIZER_DEGRADED ||
           state == LOCALIZER_COASTING;
}

/* Nine of ten beams fit the copy, and the pillar that has no copy is soon taken for moved. */
Test(copies, a_copy_of_the_place_gives_way_to_the_place_that_explains_all, .fini = end)
{
    struct localizer_estimate e;
    begin_at(copy);
    e = look();
    cr_assert(is_known(e.state) && e.agreement > 0.8, "the copy fits by %g only", e.agreement);
    for (int i = 0; i < 100; i++) {
        e = look();
        bool right = dpl_pose2_distance(e.pose, truth) < 0.05;
        cr_assert(i < 40 || right || !is_known(e.state), "scan %d: state %d", i, e.state);
    }
    cr_assert(e.state == LOCALIZER_TRACKING && dpl_pose2_distance(e.pose, truth) < 0.03);
    cr_assert(e.relocations == 1);
}

Test(copies, a_place_that_explains_all_is_not_doubted, .fini = end)
{
    begin_at(truth);
    for (int i = 0; i < 100; i++) {
        struct localizer_estimate e = look();
        cr_assert(e.state == LOCALIZER_TRACKING && e.hypotheses == 1, "scan %d", i);
        cr_assert(e.relocations == 0);
    }
}

/* No place explains the scans, and the copy fits nearly as well. */
Test(copies, a_place_where_things_were_moved_is_kept, .fini = end)
{
    struct dpl_raycast_outline moved[OUTLINES];
    struct localizer_estimate e = {0};
    memcpy(moved, room, sizeof moved);
    moved[OUTLINES - 1].x = 4.4;
    moved[OUTLINES - 1].y = 2.0;
    begin_at(truth);
    seen = plan_index(moved, OUTLINES);
    for (int i = 0; i < 300; i++) {
        e = look();
        cr_assert(is_known(e.state), "scan %d: state %d", i, e.state);
        cr_assert(dpl_pose2_distance(e.pose, truth) < 0.03, "scan %d", i);
    }
    cr_assert(e.agreement < 0.95, "nothing to doubt: %g", e.agreement);
    cr_assert(e.relocations == 0);
}

/* Some walls that the plan lacks stop the beams before the plan's surfaces, wherever it is. */
Test(copies, a_place_with_things_that_the_plan_lacks_is_kept, .fini = end)
{
    struct dpl_raycast_outline more[OUTLINES + 1];
    memcpy(more, room, sizeof room);
    more[OUTLINES] = (struct dpl_raycast_outline){4.0, 2.2, 0.0, 1.0, 0.0, NONE};
    begin_at(truth);
    seen = plan_index(more, OUTLINES + 1);
    for (int i = 0; i < 300; i++) {
        struct localizer_estimate e = look();
        cr_assert(is_known(e.state), "scan %d: state %d", i, e.state);
        cr_assert(dpl_pose2_distance(e.pose, truth) < 0.03, "scan %d", i);
    }
}

/* A long wall stands a metre farther off: the place may well be wrong. */
Test(copies, a_strong_doubt_is_published_while_other_places_are_looked_for, .fini = end)
{
    struct dpl_raycast_outline wider[OUTLINES];
    unsigned unsure = 0, sure = 0;
    memcpy(wider, room, sizeof wider);
    wider[0].y = -1.0;
    begin_at(truth);
    for (int i = 0; i < 80; i++) {
        seen = i == 10 ? plan_index(wider, OUTLINES) : seen;
        struct localizer_estimate e = look();
        unsure += e.state == LOCALIZER_DEGRADED && e.covariance[0] > 1.0;
        sure += e.state == LOCALIZER_TRACKING;
        cr_assert(dpl_pose2_distance(e.pose, truth) < 0.03, "scan %d", i);
    }
    cr_assert(unsure >= 5 && sure >= 40, "unsure in %u scans, sure in %u", unsure, sure);
}

/* A third of the beams goes through panes, at the right place and at its copy, which explains a
 * little less. At the right one these beams end on what is behind the panes. */
Test(copies, a_place_behind_glass_is_found, .fini = end)
{
    struct localizer_estimate e = {0};
    begin_behind_glass();
    for (int i = 0; i < 100; i++) {
        e = look();
        bool right = dpl_pose2_distance(e.pose, truth) < 0.05;
        cr_assert(right || !is_known(e.state), "scan %d: state %d, %g m off", i, e.state,
                  dpl_pose2_distance(e.pose, truth));
    }
    cr_assert(is_known(e.state), "state %d, agreement %g, %u hypotheses", e.state, e.agreement,
              e.hypotheses);
}
