/* SPDX-License-Identifier: Apache-2.0 */
/* What a robot is told about its start (by a binding, --set or sim --set: all are sets) moves that
 * robot and nothing else: what a seed places at random stays where it is. */
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/load.h>

#include "arena.h"

#define MODEL "model='" PROFILES "/robots/kobuki_urg.xml'"

#define SCATTER   "<scatter n='12' x1='-6' y1='-4' x2='6' y2='4' clearance='0.4'/>"
#define A         "<robot name='a' " MODEL " x='-2' y='1'/>"
#define B         "<robot name='b' " MODEL " x='3' y='-1'/>"
#define C         "<robot name='c' " MODEL " x='0' y='2'/>"
#define START_A   "<start robot='a' x1='-6' y1='-4' x2='6' y2='4'/>"
#define START_B   "<start robot='b' x1='-6' y1='-4' x2='6' y2='4' always='true'/>"
#define MECHANISM "<robot name='m' model='" PROFILES "/robots/delta.xml' x='40' y='0'/>"

static struct dpl_arena arena;
static struct dpl_diags diags;
static struct dpl_sim_model *plain, *told;

static void end(void)
{
    dpl_sim_model_destroy(plain);
    dpl_sim_model_destroy(told);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(told_starts, .fini = end);

static int load(const char *text, const char *const *texts, size_t n, uint64_t seed,
                struct dpl_sim_model **ret_model)
{
    struct dpl_sim_set sets[8];
    cr_assert_leq(n, 8);
    dpl_diags_finish(&diags);
    diags = (struct dpl_diags){0};
    for (size_t i = 0; i < n; i++) {
        sets[i] = (struct dpl_sim_set){texts[i], {.file = "start.xml", .line = (int)i + 1}};
    }
    struct dpl_sim_load_options options = {
        .sets = sets, .n_sets = n, .has_seed = seed != 0, .seed = seed};
    return dpl_sim_read_world_text(&arena, PROFILES "/worlds/test.xml", text, strlen(text),
                                   &options, ret_model, &diags);
}

static void read_both(const char *text, const char *const *texts, size_t n, uint64_t seed)
{
    cr_assert_eq(load(text, NULL, 0, seed, &plain), 0, "%s", diags.n ? diags.items->text : "");
    cr_assert_eq(load(text, texts, n, seed, &told), 0, "%s", diags.n ? diags.items->text : "");
}

static void expect_same_things(void)
{
    cr_assert_eq(plain->n_obstacles, told->n_obstacles);
    cr_assert_gt(plain->n_obstacles, 0);
    for (size_t i = 0; i < plain->n_obstacles; i++) {
        const struct dpl_sim_shape *p = &plain->obstacles[i].shape, *t = &told->obstacles[i].shape;
        cr_assert(p->x == t->x && p->y == t->y && p->yaw == t->yaw && p->size_x == t->size_x &&
                      p->size_y == t->size_y && p->radius == t->radius,
                  "thing %zu: (%g, %g) and (%g, %g)", i, p->x, p->y, t->x, t->y);
    }
}

static void expect_start(const struct dpl_sim_model *model, size_t robot, double x, double y,
                         double yaw)
{
    struct dpl_pose2 at = model->robots[robot].start;
    cr_assert(at.x == x && at.y == y && at.theta == yaw, "(%g, %g, %g)", at.x, at.y, at.theta);
}

static void expect_same_start(size_t robot)
{
    struct dpl_pose2 at = plain->robots[robot].start;
    expect_start(told, robot, at.x, at.y, at.theta);
}

/* Places in the wide border that nothing is scattered in. */
static const char *const far_a[] = {"a.x=-9", "a.y=7.5", "a.yaw=17 deg"};

Test(told_starts, a_told_robot_that_a_start_would_move_moves_no_thing)
{
    for (uint64_t seed = 2; seed <= 20; seed++) {
        read_both("<world name='w'>" A START_A SCATTER "</world>", far_a, 3, seed);
        expect_same_things();
        expect_start(told, 0, -9.0, 7.5, 17.0 * DPL_PI / 180.0);
        dpl_sim_model_destroy(plain);
        dpl_sim_model_destroy(told);
        plain = told = NULL;
    }
}

Test(told_starts, neither_does_one_that_no_start_moves)
{
    for (uint64_t seed = 0; seed <= 10; seed++) { /* 0: that of the world */
        read_both("<world name='w'>" SCATTER A "</world>", far_a, 3, seed);
        expect_same_things();
        expect_start(told, 0, -9.0, 7.5, 17.0 * DPL_PI / 180.0);
        dpl_sim_model_destroy(plain);
        dpl_sim_model_destroy(told);
        plain = told = NULL;
    }
}

/* What is told into the middle of the floor would push things away, too. */
Test(told_starts, a_told_start_keeps_no_room_free_that_was_not)
{
    size_t same = 0;
    for (uint64_t seed = 2; seed <= 20; seed++) {
        static const char *const middle[] = {"a.x=0.5", "a.y=-0.25"};
        cr_assert_eq(load("<world name='w'>" A START_A SCATTER "</world>", NULL, 0, seed, &plain),
                     0);
        if (load("<world name='w'>" A START_A SCATTER "</world>", middle, 2, seed, &told) == 0) {
            expect_same_things();
            same++;
        } else { /* a thing stands there: told at the robot */
            cr_assert_not_null(strstr(diags.items[diags.n - 1].text, "inside"), "%s",
                               diags.items[diags.n - 1].text);
        }
        dpl_sim_model_destroy(plain);
        dpl_sim_model_destroy(told);
        plain = told = NULL;
    }
    cr_assert_gt(same, 10);
}

Test(told_starts, of_many_robots_those_that_are_not_told_start_where_they_did)
{
    static const char *const two[] = {"a.x=-9", "c.y=8", "c.x=9"};
    for (uint64_t seed = 0; seed <= 10; seed++) {
        read_both("<world name='w'>" START_B SCATTER C A START_A SCATTER B "</world>", two, 3,
                  seed);
        expect_same_things();
        expect_same_start(2);
        expect_start(told, 0, 9.0, 8.0, 0.0);
        expect_start(told, 1, -9.0, 1.0, 0.0); /* the rest is the file's */
        dpl_sim_model_destroy(plain);
        dpl_sim_model_destroy(told);
        plain = told = NULL;
    }
}

Test(told_starts, nor_does_a_machine_that_is_told)
{
    static const char *const machine[] = {"m.x=0", "m.y=0", "m.yaw=1"};
    cr_assert_eq(load("<world name='w'>" MECHANISM SCATTER "</world>", NULL, 0, 3, &plain), 0, "%s",
                 diags.n ? diags.items->text : "");
    cr_assert_eq(load("<world name='w'>" MECHANISM SCATTER "</world>", machine, 3, 3, &told), 0);
    expect_same_things();
    expect_start(told, 0, 0.0, 0.0, 1.0);
}

/* The draw has no room for it, but nobody needs one. */
Test(told_starts, a_told_robot_needs_no_room_in_its_start)
{
    static const char *const texts[] = {"a.x=-9"};
    const char *tight =
        "<world name='w'>" A "<box x='0' y='0' size_x='2' size_y='2'/>"
        "<start robot='a' x1='-0.5' y1='-0.5' x2='0.5' y2='0.5'/>" SCATTER "</world>";
    cr_assert_neq(load(tight, NULL, 0, 4, &plain), 0);
    cr_assert_eq(load(tight, texts, 1, 4, &told), 0);
    expect_start(told, 0, -9.0, 1.0, 0.0);
}

Test(told_starts, yaw_alone_is_told_too)
{
    static const char *const texts[] = {"a.yaw=90 deg"};
    read_both("<world name='w'>" A START_A SCATTER "</world>", texts, 1, 5);
    expect_same_things();
    expect_start(told, 0, -2.0, 1.0, 0.5 * DPL_PI);
}
