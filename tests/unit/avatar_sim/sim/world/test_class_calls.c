/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever functions of a class give, a world is not made, and an error says whose they are. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/subsystem.h>
#include <doppel/sim/world.h>

#include "scene.h"

static struct {
    int check, build, connect, robot_check, robots_build, built;
    const char *text;
} give;

static int answer(int given, struct dpl_diag *reterr)
{
    return give.text ? dpl_fail(reterr, given, (struct dpl_place){0}, "%s", give.text) : given;
}

static int check(const void *settings, struct dpl_diag *reterr)
{
    (void)settings;
    return answer(give.check, reterr);
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    (void)state, (void)site;
    return answer(give.build, reterr);
}

static int connect(void *state, const struct dpl_sim_site *site,
                   const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    (void)state, (void)site, (void)channels;
    return answer(give.connect, reterr);
}

static int robot_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    (void)robot;
    return answer(give.robot_check, reterr);
}

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    (void)robot;
    inout->n_bodies = 1;
}

static int robots_build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)data, (void)site;
    return answer(give.robots_build, reterr);
}

static int built(void *data)
{
    (void)data;
    return give.built;
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    (void)data, (void)tick;
}

static const struct dpl_sim_entry_class compass = {.name = "compass",
                                                   .summary = "a compass",
                                                   .phase = DPL_SIM_SENSOR,
                                                   .check = check,
                                                   .build = build,
                                                   .connect = connect};
static const struct dpl_subsystem_class flyer = {.name = "flyer",
                                                 .noun = "flyer",
                                                 .summary = "flyers",
                                                 .check = robot_check,
                                                 .count = count,
                                                 .data_size = 8,
                                                 .build = robots_build,
                                                 .built = built,
                                                 .step = step};

/* Makes a world of one flyer with one compass. */
static int make(struct dpl_diag *ret_diag)
{
    struct dpl_sim_entry entry = {.class_ = &compass, .name = "needle", .joint = -1};
    struct dpl_sim_robot robot = {
        .name = "arm", .subsystem = &flyer, .entries = &entry, .n_entries = 1};
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct dpl_world *world = NULL;
    memset(ret_diag, 'x', sizeof *ret_diag); /* nobody has to empty it before */
    int rc = dpl_sim_model_add_robot(model, &robot, ret_diag);
    rc = rc ? rc : dpl_world_create(model, &world, ret_diag);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return rc;
}

static void refuse(int *at, int given, const char *said)
{
    struct dpl_diag diag;
    *at = given;
    cr_assert_eq(make(&diag), given == -ENOMEM ? -ENOMEM : -EINVAL, "no '%s'", said);
    cr_assert_not_null(strstr(diag.text, said), "%.200s, not %s", diag.text, said);
    *at = 0;
}

Test(class_calls, world_is_made_if_all_give_0)
{
    struct dpl_diag diag;
    cr_assert_eq(make(&diag), 0);
}

Test(class_calls, any_other_number_is_an_error_that_names_its_class)
{
    static const int numbers[] = {-ENOENT, 1, 7};
    for (size_t i = 0; i < DPL_COUNT(numbers); i++) {
        int n = numbers[i];
        refuse(&give.check, n, "sensor 'needle' (compass): check gives ");
        refuse(&give.build, n, "sensor 'needle' (compass) of robot 'arm': build gives ");
        refuse(&give.connect, n, "sensor 'needle' (compass) of robot 'arm': connect gives ");
        refuse(&give.robot_check, n, "subsystem 'flyer' of robot 'arm': check gives ");
        refuse(&give.robots_build, n, "subsystem 'flyer': build gives ");
        refuse(&give.built, n, "subsystem 'flyer': built gives ");
    }
}

Test(class_calls, refusal_without_a_text_gets_one)
{
    refuse(&give.check, -EINVAL, "sensor 'needle' (compass) refuses, and gives no reason");
    refuse(&give.build, -EINVAL,
           "sensor 'needle' (compass) of robot 'arm' refuses, and gives no reason");
    refuse(&give.robots_build, -EINVAL, "subsystem 'flyer' refuses, and gives no reason");
    refuse(&give.built, -EINVAL, "subsystem 'flyer' refuses, and gives no reason");
}

Test(class_calls, text_of_a_refusal_stays)
{
    give.text = "too near";
    refuse(&give.build, -EINVAL, "too near");
    refuse(&give.robot_check, -EINVAL, "too near");
    refuse(&give.build, -ENOMEM, "out of memory for world");
}
