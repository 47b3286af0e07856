/* SPDX-License-Identifier: Apache-2.0 */
#include "mechanism_rig.h"

#include <errno.h>

#include <doppel/sim/trigger.h>

/* A ball falls onto a second one, which falls onto the ground. */
#define SCENE                                                                                      \
    "<objects>"                                                                                    \
    "<RigidObject name='ball' mass='1'><position z='1'/><SphereShape radius='0.1'/></RigidObject>" \
    "<RigidObject name='low' mass='1'><position z='0.4'/><SphereShape radius='0.1'/>"              \
    "</RigidObject></objects>"

struct scene {
    struct mechanism_rig rig;
    struct dpl_world_channels *channels;
};

static void open_scene(struct scene *scene)
{
    rig_open(&scene->rig, SCENE, 1e-3);
    cr_assert_eq(dpl_world_channels_create(scene->rig.world, &scene->channels), 0);
}

static void close_scene(struct scene *scene)
{
    dpl_world_channels_destroy(scene->channels);
    rig_close(&scene->rig);
}

static struct dpl_trigger *trigger_of(const struct scene *scene, const char *text)
{
    struct dpl_trigger *trigger;
    struct dpl_diag error = {0};
    int err = dpl_trigger_create(scene->rig.world, scene->channels, text, &trigger, &error);
    cr_assert_eq(err, 0, "%s: %s", text, error.text);
    return trigger;
}

static bool holds(struct dpl_trigger *trigger)
{
    bool yes = false;
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_trigger_holds(trigger, &yes, &error), 0, "%s", error.text);
    return yes;
}

/* ms until it holds first; -1: not within a second. */
static int first_ms(struct scene *scene, const char *text)
{
    struct dpl_trigger *trigger = trigger_of(scene, text);
    int at = -1;
    for (int i = 0; i <= 1000 && at < 0; i++) {
        at = holds(trigger) ? i : -1;
        dpl_world_step(scene->rig.world, 1);
    }
    dpl_trigger_destroy(trigger);
    return at;
}

static int first_of(const char *text)
{
    struct scene scene;
    open_scene(&scene);
    int at = first_ms(&scene, text);
    close_scene(&scene);
    return at;
}

Test(trigger, a_channel_reaches_a_limit)
{
    /* 0.1 m of fall take sqrt(2 * 0.1 / g) = 142.8 ms; the stepper is half a step early */
    int at = first_of("[m/ball/pose[2]] < 0.9");
    cr_expect(at >= 142 && at <= 143, "%d", at);
    cr_expect_eq(first_of("[m/ball/pose[2]] < -1"), -1);
    cr_expect_eq(first_of("[time] >= 0.5 and [m/ball/pose[2]] > 0"), 500);
}

Test(trigger, two_objects_touch)
{
    /* the low one falls 0.3 m to the ground in 247.4 ms; then the other comes onto it, 0.7 m in
       377.9 ms at least, and reaches the ground never */
    int ground = first_of("[touch(m/low, ground)]");
    int pair = first_of("[touch(m/ball,m/low)]");
    cr_expect(ground >= 246 && ground <= 249, "%d", ground);
    cr_expect(pair >= 376 && pair <= 400, "%d", pair);
    cr_expect_eq(first_of("[ touch( m/low , m/ball ) ] > 0"), pair, "both ways");
    cr_expect_eq(first_of("[touch(ground, m/low)]"), ground);
    cr_expect_eq(first_of("[touch(m, ground)]"), ground, "any body of a robot");
    cr_expect_eq(first_of("[touch(m/ball, ground)] and [time] < 0.377"), -1);
    cr_expect_eq(first_of("[touch(m/ball, m/low)] and not [touch(m/low, ground)]"), -1);
}

static void expect_refused(const struct scene *scene, const char *text, const char *why)
{
    struct dpl_trigger *trigger;
    struct dpl_diag error = {0};
    cr_expect_eq(dpl_trigger_create(scene->rig.world, scene->channels, text, &trigger, &error),
                 -EINVAL, "%s", text);
    cr_expect(strstr(error.text, why), "%s: found '%s', expected '%s'", text, error.text, why);
}

Test(trigger, what_makes_no_sense_is_refused_with_its_place)
{
    struct scene scene;
    open_scene(&scene);
    expect_refused(&scene, "1 + [m/bal/pose[2]]", "at character 6: ");
    expect_refused(&scene, "[m/ball/pose]", "say which");
    expect_refused(&scene, "[m/ball/pose[2]", "has no ']'");
    expect_refused(&scene, "[touch(m/ball)]", "expected touch(OBJECT, OBJECT)");
    expect_refused(&scene, "[touch(m/ball, m/low, m)]", "expected touch(OBJECT, OBJECT)");
    expect_refused(&scene, "[touch(]", "expected touch(OBJECT, OBJECT)");
    expect_refused(&scene, "[touch(m/ball, m/high)]", "robot 'm' has no body 'high'");
    expect_refused(&scene, "[touch(m/ball, moon)]", "nothing is called 'moon'");
    expect_refused(&scene, "[touch(ground, ground)]", "the ground does not touch itself");
    expect_refused(&scene, "", "the expression ends");
    close_scene(&scene);
}

Test(trigger, a_value_that_cannot_be_is_an_error_when_it_comes)
{
    struct scene scene;
    bool yes;
    struct dpl_diag error = {0};
    open_scene(&scene);
    struct dpl_trigger *trigger = trigger_of(&scene, "1 / ([time] < 0.002) > 0");
    cr_expect(holds(trigger));
    dpl_world_step(scene.rig.world, 5);
    cr_expect_eq(dpl_trigger_holds(trigger, &yes, &error), -EINVAL);
    cr_expect(strstr(error.text, "division"), "%s", error.text);
    dpl_trigger_destroy(trigger);
    close_scene(&scene);
}
