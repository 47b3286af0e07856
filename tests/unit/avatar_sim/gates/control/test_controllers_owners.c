/* SPDX-License-Identifier: Apache-2.0 */
/* Which channels a controller may have: names, units, directions, and who else has them. */
#include "controller_rig.h"

/* Begins; it must fail with this code. */
static const char *refusal(struct doppel_hil *hil, int code)
{
    cr_assert_eq(doppel_hil_begin(hil), -1);
    cr_assert_eq(doppel_hil_code(hil), code, "%d: %s", doppel_hil_code(hil), doppel_hil_error(hil));
    return doppel_hil_error(hil);
}

/* The number of a channel that is commanded. */
static size_t setpoint(const struct rig *rig, const char *path)
{
    struct dpl_channel_want want = {.path = path, .put = true};
    int channel = dpl_world_channels_find(rig->world->channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    return (size_t)channel;
}

/* A controller that wants the left wheel is refused, and this is said. */
static void left_is_busy(struct rig *rig, const char *said)
{
    struct doppel_hil *hil = rig_connect(rig, (struct doppel_hil_options){0});
    doppel_hil_command(hil, "avatar/LeftWheel/speed", NULL);
    const char *text = refusal(hil, DOPPEL_HIL_BUSY);
    cr_assert(strstr(text, said), "%s", text);
    doppel_hil_close(hil);
}

Test(controllers_owners, every_wrong_channel_is_named_with_the_nearest_one)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_connect(&rig, (struct doppel_hil_options){.name = "typo"});
    doppel_hil_sensor(hil, "avatar/enc_left/velocty\x1b[2J", NULL);
    doppel_hil_sensor(hil, "avatar/enc_left/velocity", "m/s");
    doppel_hil_sensor(hil, "avatar/enc_right/velocity", "rad/s");
    doppel_hil_command(hil, "avatar/LeftWhel/speed", NULL);
    doppel_hil_command(hil, "avatar/enc_left/velocity", NULL);
    doppel_hil_command(hil, "avatar/place", NULL);
    const char *text = refusal(hil, DOPPEL_HIL_CHANNEL);
    cr_assert(strstr(text, "did you mean 'avatar/enc_left/velocity'"), "%s", text);
    cr_assert(strstr(text, "did you mean 'avatar/LeftWheel/speed'"), "%s", text);
    cr_assert(strstr(text, "m/s"), "%s", text);
    cr_assert(strstr(text, "is a request"), "%s", text);
    int lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    cr_assert_eq(lines, 5, "%s", text);
    doppel_hil_close(hil);
    rig_stop(&rig);
    cr_assert(strstr(rig.notices, "controller 'typo' is refused, byte 52"), "%s", rig.notices);
    cr_assert(strstr(rig.notices, "velocty\\x1b[2J"), "nothing that a terminal obeys: %s",
              rig.notices);
}

Test(controllers_owners, a_channel_has_one_controller_until_that_leaves)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *first = rig_join_left(&rig, (struct doppel_hil_options){.name = "first"});
    left_is_busy(&rig, "is commanded by controller 'first'");
    struct doppel_hil *other = rig_join_wheel(&rig, (struct doppel_hil_options){.name = "other"},
                                              "avatar/enc_left/velocity", /* reading is free */
                                              "avatar/RightWheel/speed");
    doppel_hil_close(first);
    EVENTUALLY((rig_turn(&rig), rig_joined(&rig) == 1));
    first = rig_join_left(&rig, (struct doppel_hil_options){.name = "first again"});
    doppel_hil_close(first);
    doppel_hil_close(other);
    rig_stop(&rig);
}

Test(controllers_owners, one_cannot_command_a_channel_twice)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_connect(&rig, (struct doppel_hil_options){0});
    doppel_hil_command(hil, "avatar/LeftWheel/speed", NULL);
    doppel_hil_command(hil, "avatar/leftwheel/speed", NULL);
    const char *text = refusal(hil, DOPPEL_HIL_CHANNEL);
    cr_assert(strstr(text, "is commanded twice"), "%s", text);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers_owners, a_channel_is_of_controllers_or_of_a_driver_over_the_link)
{
    struct rig rig;
    rig_start(&rig);
    size_t left = setpoint(&rig, "avatar/LeftWheel/speed");
    size_t right = setpoint(&rig, "avatar/RightWheel/speed");
    /* as the link's server does for a client, and for another slot of it */
    cr_assert_eq(hosted_channel_join(rig.world, left, HOSTED_LINK), HOSTED_NOBODY);
    cr_assert_eq(hosted_channel_join(rig.world, left, HOSTED_LINK), HOSTED_NOBODY);
    left_is_busy(&rig, "is commanded by a driver over the link");
    hosted_channel_leave(rig.world, left, HOSTED_LINK);
    hosted_channel_leave(rig.world, left, HOSTED_LINK);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){0});
    cr_assert_eq(hosted_channel_join(rig.world, left, HOSTED_LINK), HOSTED_CONTROLLER);
    cr_assert_eq(hosted_channel_join(rig.world, right, HOSTED_LINK), HOSTED_NOBODY,
                 "it does not command that");
    doppel_hil_close(hil);
    EVENTUALLY(
        (rig_turn(&rig), hosted_channel_join(rig.world, left, HOSTED_LINK) == HOSTED_NOBODY));
    rig_stop(&rig);
}

Test(controllers_owners, a_channel_of_a_modbus_unit_is_busy)
{
    struct rig rig;
    rig_start(&rig);
    size_t left = setpoint(&rig, "avatar/LeftWheel/speed");
    cr_assert_eq(hosted_channel_join(rig.world, left, HOSTED_MODBUS), HOSTED_NOBODY);
    left_is_busy(&rig, "'avatar/LeftWheel/speed' is commanded by a Modbus master");
    hosted_channel_leave(rig.world, left, HOSTED_MODBUS);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){0});
    cr_assert_eq(hosted_channel_join(rig.world, left, HOSTED_MODBUS), HOSTED_CONTROLLER);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

/* Each kind, with itself and with each other one. */
Test(controllers_owners, a_channel_has_commanders_of_one_kind)
{
    struct rig rig;
    rig_start(&rig);
    size_t left = setpoint(&rig, "avatar/LeftWheel/speed");
    for (enum hosted_commander a = HOSTED_LINK; a <= HOSTED_MODBUS; a++) {
        for (enum hosted_commander b = HOSTED_LINK; b <= HOSTED_MODBUS; b++) {
            cr_assert_eq(hosted_channel_join(rig.world, left, a), HOSTED_NOBODY);
            cr_assert_eq(hosted_channel_join(rig.world, left, a), HOSTED_NOBODY);
            enum hosted_commander holder = hosted_channel_join(rig.world, left, b);
            cr_assert_eq(holder, a == b ? HOSTED_NOBODY : a, "%d and %d: %d", a, b, holder);
            hosted_channel_leave(rig.world, left, a);
            holder = hosted_channel_join(rig.world, left, b);
            cr_assert_eq(holder, a == b ? HOSTED_NOBODY : a, "one of two is left");
            for (int i = 0; i < (a == b ? 3 : 1); i++) {
                hosted_channel_leave(rig.world, left, a);
            }
        }
    }
    rig_stop(&rig);
}

Test(controllers_owners, a_channel_that_becomes_free_in_a_moment_is_waited_for)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *first = rig_join_left(&rig, (struct doppel_hil_options){.name = "first"});
    rig_turn(&rig);
    doppel_hil_close(first);
    rig_turn(&rig); /* the world lets it go */
    first = rig_join_left(&rig, (struct doppel_hil_options){.name = "first"}); /* at once */
    doppel_hil_close(first);
    rig_stop(&rig);
}

Test(controllers_owners, who_comes_when_all_places_are_taken_is_told)
{
    struct rig rig;
    struct doppel_hil *all[CONTROLLERS_MAX];
    rig_start(&rig);
    for (int i = 0; i < CONTROLLERS_MAX; i++) {
        all[i] = rig_connect(&rig, (struct doppel_hil_options){0});
        doppel_hil_sensor(all[i], "time", "s");
        cr_assert_eq(doppel_hil_begin(all[i]), 0, "%s", doppel_hil_error(all[i]));
    }
    struct doppel_hil *late = rig_connect(&rig, (struct doppel_hil_options){0});
    doppel_hil_sensor(late, "time", "s");
    const char *text = refusal(late, DOPPEL_HIL_BUSY);
    cr_assert(strstr(text, "there are 16 controllers already"), "%s", text);
    doppel_hil_close(late);
    for (int i = 0; i < CONTROLLERS_MAX; i++) {
        doppel_hil_close(all[i]);
    }
    rig_stop(&rig);
}
