/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between a world and controllers outside of it. */
#include "controller_rig.h"

static double law(double speed, double time)
{
    return 6.0 * time + 0.5 * (3.0 - speed);
}

/* Commands both wheels, each by the law, for so many frames. */
struct driver {
    struct doppel_hil *hil;
    int n_frames;
    pthread_t thread;
};

static void *drive(void *argument)
{
    struct driver *driver = argument;
    struct doppel_hil *hil = driver->hil;
    for (int i = 0; i < driver->n_frames && doppel_hil_wait(hil, 5000) > 0; i++) {
        for (int wheel = 0; wheel < 2; wheel++) {
            double speed = doppel_hil_get(hil, wheel, 0);
            doppel_hil_set(hil, wheel, 0, law(speed, doppel_hil_time(hil)));
        }
        doppel_hil_send(hil);
    }
    return NULL;
}

static void start_driver(struct rig *rig, struct driver *driver, int n_frames, uint32_t every)
{
    struct doppel_hil_options options = {
        .name = "driver", .lock_step = 1, .timeout_ms = 5000, .every = every};
    driver->n_frames = n_frames;
    driver->hil = rig_connect(rig, options);
    doppel_hil_sensor(driver->hil, "avatar/enc_left/velocity", "rad/s");
    doppel_hil_sensor(driver->hil, "avatar/enc_right/velocity", "rad/s");
    doppel_hil_command(driver->hil, "avatar/LeftWheel/speed", "rad/s");
    doppel_hil_command(driver->hil, "avatar/RightWheel/speed", "rad/s");
    cr_assert_eq(doppel_hil_begin(driver->hil), 0, "%s", doppel_hil_error(driver->hil));
    cr_assert_eq(pthread_create(&driver->thread, NULL, drive, driver), 0);
}

static void end_driver(struct driver *driver)
{
    pthread_join(driver->thread, NULL);
    cr_assert_eq(doppel_hil_code(driver->hil), 0, "%s", doppel_hil_error(driver->hil));
    doppel_hil_close(driver->hil);
}

/* Bits of where the robot is. */
static void look(struct rig *rig, double ret_place[3])
{
    ret_place[0] = rig_number(rig, "avatar/x");
    ret_place[1] = rig_number(rig, "avatar/y");
    ret_place[2] = rig_number(rig, "avatar/heading");
}

/* The same law in this process, between the steps: as the controllers have it. */
static void drive_inside(int n_steps, int every, double ret_place[3])
{
    static const char *const sensors[] = {"avatar/enc_left/velocity", "avatar/enc_right/velocity"};
    static const char *const commands[] = {"avatar/LeftWheel/speed", "avatar/RightWheel/speed"};
    struct rig rig;
    rig_start(&rig);
    struct dpl_world_channels *channels = rig.world->channels;
    for (int step = 0; step < n_steps; step++) {
        for (int wheel = 0; wheel < 2 && step % every == 0; wheel++) {
            struct dpl_channel_want want = {.path = commands[wheel], .put = true};
            double value =
                law(rig_number(&rig, sensors[wheel]), dpl_ns_to_s(dpl_world_now(rig.world->world)));
            int channel = dpl_world_channels_find(channels, &want, NULL);
            dpl_world_channels_put(channels, (size_t)channel, &value);
        }
        rig_step(&rig, 1);
    }
    look(&rig, ret_place);
    rig_stop(&rig);
}

static void drive_outside(int n_steps, int every, double ret_place[3])
{
    struct rig rig;
    struct driver driver;
    rig_start(&rig);
    start_driver(&rig, &driver, n_steps / every + 1, (uint32_t)every);
    rig_step(&rig, n_steps);
    end_driver(&driver);
    look(&rig, ret_place);
    rig_stop(&rig);
}

Test(controllers, lock_step_gives_every_bit_of_the_motion_that_the_same_law_gives_inside)
{
    double inside[3], outside[3];
    drive_inside(600, 1, inside);
    drive_outside(600, 1, outside);
    cr_assert(inside[0] != 0.0);
    cr_assert_arr_eq(inside, outside, sizeof inside);
    drive_inside(600, 4, inside);
    drive_outside(600, 4, outside);
    cr_assert_arr_eq(inside, outside, sizeof inside);
}

Test(controllers, a_frame_comes_at_every_nth_step_and_once_at_each)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){.every = 3});
    rig_turn(&rig);
    rig_turn(&rig);
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1);
    cr_assert_eq(doppel_hil_step(hil), 0);
    cr_assert_float_eq(doppel_hil_period(hil), 0.003, 1e-12);
    cr_assert_eq(doppel_hil_wait(hil, 0), 0, "one frame at a boundary");
    rig_step(&rig, 2);
    cr_assert_eq(doppel_hil_wait(hil, 0), 0);
    rig_step(&rig, 1);
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1);
    cr_assert_eq(doppel_hil_step(hil), 3);
    cr_assert_float_eq(doppel_hil_time(hil), 0.003, 1e-12);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers, a_free_running_one_acts_from_the_next_step_on_and_nobody_waits)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){0});
    rig_step(&rig, 1); /* nobody has answered */
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1);
    doppel_hil_set(hil, 0, 0, 5.0);
    cr_assert_eq(doppel_hil_send(hil), 0);
    for (int i = 0; i < 2000 && rig_number(&rig, "avatar/enc_left/velocity") < 4.9; i++) {
        rig_step(&rig, 1);
        poll(NULL, 0, 1);
    }
    cr_assert_float_eq(rig_number(&rig, "avatar/enc_left/velocity"), 5.0, 0.1);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers, late_and_missing_answers_of_a_free_running_one_are_counted)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){.timeout_ms = 5000});
    rig_step(&rig, 1);
    EVENTUALLY(doppel_hil_wait(hil, 5000) == 1 && doppel_hil_step(hil) == 1);
    rig_step(&rig, 2);                     /* frames of steps 2 and 3 */
    cr_assert_eq(doppel_hil_send(hil), 0); /* answers the one of step 1 */
    struct hosted_controllers *counts = &rig.controllers->counts;
    for (int i = 0; i < 2000 && atomic_load(&counts->late) == 0; i++) {
        rig_turn(&rig);
        poll(NULL, 0, 1);
    }
    cr_assert_eq(atomic_load(&counts->late), 1);
    cr_assert_eq(atomic_load(&counts->missed), 1, "the one of step 0");
    EVENTUALLY(doppel_hil_wait(hil, 5000) == 1 && doppel_hil_step(hil) == 3);
    cr_assert_eq(doppel_hil_send(hil), 0); /* never one to step 2 */
    rig_step(&rig, 1);
    EVENTUALLY(doppel_hil_wait(hil, 5000) == 1 && doppel_hil_step(hil) == 4);
    cr_assert_eq(doppel_hil_late(hil), 1);
    doppel_hil_close(hil);
    EVENTUALLY((rig_turn(&rig), rig_joined(&rig) == 0));
    cr_assert_eq(atomic_load(&counts->missed), 2);
    rig_stop(&rig);
    cr_assert(strstr(rig.notices, "controller 'controller' left"), "%s", rig.notices);
    cr_assert(strstr(rig.notices, "1 late, 2 without an answer"), "%s", rig.notices);
}

Test(controllers, who_does_not_read_loses_frames_and_disturbs_nobody)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_connect(&rig, (struct doppel_hil_options){0});
    for (int i = 0; i < 10; i++) {
        doppel_hil_sensor(hil, "avatar/laser/ranges", "m");
    }
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    rig_step(&rig, 1000); /* 55 kB each, so that the buffers of the system are full at some time */
    cr_assert_gt(atomic_load(&rig.controllers->counts.dropped), 0);
    cr_assert_eq(rig_joined(&rig), 1);
    for (int i = 0; i < 2000 && doppel_hil_dropped(hil) == 0; i++) {
        rig_step(&rig, 1);
        cr_assert_geq(doppel_hil_wait(hil, 100), 0, "%s", doppel_hil_error(hil));
    }
    cr_assert_gt(doppel_hil_dropped(hil), 0);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers, a_reset_begins_anew_with_the_frame_of_step_0_and_is_told)
{
    struct rig rig;
    struct dpl_diag error = {0};
    rig_start(&rig);
    struct doppel_hil *hil = rig_join_left(&rig, (struct doppel_hil_options){.timeout_ms = 5000});
    rig_step(&rig, 5);
    EVENTUALLY(doppel_hil_wait(hil, 5000) == 1 && doppel_hil_step(hil) == 5);
    cr_assert_eq(doppel_hil_jumps(hil), 0);
    cr_assert_eq(dpl_sim_loop_control(rig.world->loop, "reset", &error), 0, "%s", error.text);
    rig_turn(&rig);
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1);
    cr_assert_eq(doppel_hil_step(hil), 0);
    cr_assert_eq(doppel_hil_jumps(hil), 1);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers, values_of_all_types_come_and_flags_go)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil *hil = rig_connect(&rig, (struct doppel_hil_options){.timeout_ms = 5000});
    int pose = doppel_hil_sensor(hil, "avatar/pose", NULL);
    int scans = doppel_hil_sensor(hil, "avatar/laser/scans", NULL);
    int ranges = doppel_hil_sensor(hil, "avatar/laser/ranges", "m");
    int start = doppel_hil_sensor(hil, "avatar/start", NULL);
    int on = doppel_hil_command(hil, "avatar/laser/on", NULL);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    cr_assert_eq(doppel_hil_sensor_size(hil, pose), 7);
    cr_assert_eq(doppel_hil_sensor_size(hil, ranges), 682);
    cr_assert_str_eq(doppel_hil_sensor_unit(hil, ranges), "m");
    rig_turn(&rig);
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1);
    cr_assert(isnan(doppel_hil_get(hil, ranges, 0)), "there is no scan yet");
    cr_assert_float_eq(doppel_hil_get(hil, pose, 0), rig_number(&rig, "avatar/x"), 1e-15);
    cr_assert_float_eq(doppel_hil_get(hil, start, 0), rig_number(&rig, "avatar/x"), 1e-6);
    cr_assert_eq(doppel_hil_get_integer(hil, scans, 0), 0);
    doppel_hil_set(hil, on, 0, 1.0);
    cr_assert_eq(doppel_hil_send(hil), 0);
    for (int i = 0; i < 3000 && !(doppel_hil_get_integer(hil, scans, 0) > 0); i++) {
        rig_step(&rig, 1);
        cr_assert_geq(doppel_hil_wait(hil, 100), 0, "%s", doppel_hil_error(hil));
        doppel_hil_send(hil);
    }
    cr_assert_gt(doppel_hil_get_integer(hil, scans, 0), 0);
    cr_assert(doppel_hil_get(hil, ranges, 0) >= 0.0);
    doppel_hil_close(hil);
    rig_stop(&rig);
}
