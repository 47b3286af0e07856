/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format as worlds of Doppel: channels, commands, switching, snapshots, files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/multibody_world.h>
#include <doppel/sim/state.h>

#include "reading.h"
#include "saved_world.h"
#include "star_text.h"

#define HEAD                                                                                       \
    "{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', 'length': "      \
    "'meters', 'mass': 'kilograms', 'time': 'seconds'}, 'gravity': [0, 0, -9.81]}, 'assembly': {"
#define INERTIA "'moment_of_inertia': {'Ixx': 0.02, 'Iyy': 0.02, 'Izz': 0.02}"
/* A pendulum of 2 kg, 0.5 m, whose moment about its joint is 0.02 + 2 * 0.25 = 0.52 kg m^2. */
#define PENDULUM(more)                                                                             \
    "'arm': {'bodies': {'bar': {'mass': 2, 'center_of_mass': [0, 0, -0.5], " INERTIA "}},"         \
    "'joints': {'hinge': {'type': 'Ry', 'body_frame_pairs': [['fixed', 'origin'], ['bar', "        \
    "'origin']]" more "}}}"
#define MOTOR ", 'motor': {'mode': 'position', 'kp': 200, 'kd': 20}"
#define M_G_L (2.0 * 9.81 * 0.5)

static char folder[] = "/tmp/doppel_star_XXXXXX";
static char world_file[64], other_file[64];
static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(world_file, sizeof world_file, "%s/world.json", folder);
    snprintf(other_file, sizeof other_file, "%s/other.xml", folder);
}

static void close_world(void)
{
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    channels = NULL;
    world = NULL;
    model = NULL;
}

static void end(void)
{
    close_world();
    unlink(world_file);
    unlink(other_file);
    rmdir(folder);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(multibody, .init = begin, .fini = end);

static void open_file(const char *file)
{
    struct dpl_diag diag = {.text = ""};
    int err = dpl_sim_read_world(&arena, file, NULL, &model, &diags);
    cr_assert_eq(err, 0, "%s", reading_first());
    err = dpl_world_create(model, &world, &diag);
    cr_assert_eq(err, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
}

static void open_text(const char *json)
{
    star_text_write(world_file, json);
    open_file(world_file);
}

static size_t find(const char *path, bool put)
{
    struct dpl_diag diag = {.text = ""};
    int channel = dpl_world_channels_find(
        channels, &(struct dpl_channel_want){.path = path, .put = put}, &diag);
    cr_assert_geq(channel, 0, "%s", diag.text);
    return (size_t)channel;
}

static int try_get(const char *path, double *ret)
{
    dpl_ns stamp = 0;
    return dpl_world_channels_get(channels, find(path, false), ret, &stamp);
}

static double get(const char *path)
{
    double value[8] = {0.0};
    cr_assert_eq(try_get(path, value), 0, "%s", path);
    return value[0];
}

static bool get_flag(const char *path)
{
    bool value = false;
    dpl_ns stamp = 0;
    cr_assert_eq(dpl_world_channels_get(channels, find(path, false), &value, &stamp), 0);
    return value;
}

static void put(const char *path, const void *value)
{
    cr_assert_eq(dpl_world_channels_put(channels, find(path, true), value), 0, "%s", path);
}

static void put_number(const char *path, double value)
{
    put(path, &value);
}

static void run(double seconds)
{
    dpl_world_run_until(world, dpl_world_now(world) + dpl_ns_from_s(seconds));
}

/* ---- motion ---- */

Test(multibody, pendulum_swings_with_the_period_of_the_closed_form)
{
    open_text(HEAD PENDULUM(", 'initial_displacement': 0.001") "}}");
    double period = 2.0 * DPL_PI * sqrt(0.52 / M_G_L);
    run(round(period * 1e3) * 1e-3);
    double late = 2.0 * DPL_PI / period * (period - round(period * 1e3) * 1e-3);
    cr_assert_float_eq(get("arm/hinge/position"), 0.001 * cos(late), 1e-9);
    run(7.0);
    cr_assert_float_eq(get("multibody/kinetic_energy") + get("multibody/potential_energy"),
                       -M_G_L * cos(0.001), 1e-12);
}

/* Not of the last stage of the newest step. */
Test(multibody, acceleration_is_that_of_the_position_beside_it)
{
    open_text(HEAD PENDULUM(", 'initial_displacement': 0.5") "}}");
    for (int i = 0; i < 5; i++) {
        run(0.123);
        double q = get("arm/hinge/position");
        cr_assert_float_eq(get("arm/hinge/acceleration"), -M_G_L * sin(q) / 0.52, 1e-13);
    }
}

Test(multibody, effort_holds_the_pendulum_and_goes_when_it_is_released)
{
    open_text(HEAD PENDULUM(", 'initial_displacement': 0.5") "}}");
    put_number("arm/hinge/apply", M_G_L * sin(0.5));
    run(1.0);
    cr_assert_float_eq(get("arm/hinge/position"), 0.5, 1e-9);
    dpl_world_channels_release(channels, find("arm/hinge/apply", true));
    run(0.001);
    cr_assert_float_eq(get("arm/hinge/acceleration"), -M_G_L * sin(0.5) / 0.52, 1e-4);
}

Test(multibody, motor_goes_where_it_is_told_but_for_what_the_weight_takes)
{
    open_text(HEAD PENDULUM(MOTOR) "}}");
    put_number("arm/hinge/command/position", 0.8);
    run(5.0);
    double q = get("arm/hinge/position");
    cr_assert_float_eq(200.0 * (0.8 - q), M_G_L * sin(q), 1e-9);
    cr_assert_float_eq(get("arm/hinge/effort"), M_G_L * sin(q), 1e-9);
    put_number("arm/hinge/command/effort", 0.0);
    run(0.001);
    cr_assert_lt(get("arm/hinge/acceleration"), -0.9 * M_G_L * sin(q) / 0.52);
}

Test(multibody, handle_pulls_a_body_that_floats)
{
    static const double handle[5] = {0.3, -0.2, 1.0, 400.0, 40.0};
    open_text(HEAD "'a': {'bodies': {'ball': {'mass': 1, " INERTIA "}}, 'joints': {'loose': "
                   "{'type': 'float', 'body_frame_pairs': [['fixed', 'origin'], ['ball', "
                   "'origin']]}}}}}");
    put("a/ball/handle", handle);
    run(5.0);
    double pose[8] = {0.0};
    cr_assert_eq(try_get("a/ball/pose", pose), 0);
    cr_assert_float_eq(pose[0], 0.3, 1e-9);
    cr_assert_float_eq(pose[1], -0.2, 1e-9);
    cr_assert_float_eq(pose[2], 1.0 - 9.81 / 400.0, 1e-9);
}

Test(multibody, grip_pulls_a_body_at_a_point)
{
    static const double grip[7] = {0.05, 0.0, 0.0, 0.3, -0.2, 1.0, 0.0};
    open_text(HEAD "'a': {'bodies': {'ball': {'mass': 1, " INERTIA "}}, 'joints': {'loose': "
                   "{'type': 'float', 'body_frame_pairs': [['fixed', 'origin'], ['ball', "
                   "'origin']]}}}}}");
    put("a/ball/grip", grip);
    run(20.0);
    double pose[8] = {0.0};
    cr_assert_eq(try_get("a/ball/pose", pose), 0);
    double away = hypot(pose[0] - 0.3, pose[1] + 0.2);
    cr_assert_lt(hypot(away, pose[2] - 1.0), 0.05 + 0.03, "its point is there, but for the weight");
}

/* A weight that falls on the limit of its joint, which springs back nearly without loss. */
Test(multibody, energy_has_what_is_in_the_spring_of_a_limit)
{
    open_text("{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', "
              "'length': 'meters', 'mass': 'kilograms', 'time': 'seconds'}, 'gravity': [0, 0, "
              "-9.81], 'integrator': {'type': 'dopri5', 'relative_error': 1e-11, 'absolute_error': "
              "1e-11}}, 'assembly': {'a': {'bodies': {'b': {'mass': 2, " INERTIA "}}, 'joints': "
              "{'j': {'type': 'Tz', 'body_frame_pairs': [['fixed', 'origin'], ['b', 'origin']], "
              "'limits': {'lower': -0.2, 'upper': 1, 'stiffness': 2000, 'damping': 1e-9}}}}}}");
    double most = 0.0;
    for (int i = 0; i < 40; i++) {
        run(0.01);
        most = fmax(most, -0.2 - get("a/j/position"));
        cr_assert_float_eq(get("multibody/kinetic_energy") + get("multibody/potential_energy"), 0.0,
                           1e-6);
    }
    cr_assert_gt(most, 0.04, "it was in the limit");
}

/* ---- switching ---- */

#define TWO_ARMS                                                                                   \
    HEAD PENDULUM(                                                                                 \
        ", 'initial_displacement': 0.5") ", 'second': {'bodies': {'bar': {'mass': 1, " INERTIA     \
                                         "}}, 'joints': {'hinge': {'type': 'Rz', "                 \
                                         "'initial_velocity': 2, 'body_frame_pairs': "             \
                                         "[['fixed', 'origin'], ['bar', 'origin']]}}}}}"

Test(multibody, what_is_switched_off_has_no_values_and_others_go_on)
{
    double value;
    const bool on = true, off = false;
    open_text(TWO_ARMS);
    run(0.5);
    double before = get("arm/hinge/position");
    put("second/switch", &off);
    run(0.001);
    cr_assert_eq(try_get("second/hinge/position", &value), -EAGAIN);
    cr_assert(!get_flag("second/active"));
    cr_assert(fabs(get("arm/hinge/position") - before) < 0.01, "it goes on from where it was");
    cr_assert_neq(get("arm/hinge/velocity"), 0.0);
    put("second/switch", &on);
    run(0.1);
    cr_assert_float_eq(get("second/hinge/velocity"), 2.0, 1e-12);
    cr_assert(get_flag("second/active"));
}

/* The clamp's pin is where the bar never comes. */
Test(multibody, switch_that_cannot_be_is_refused_and_all_goes_on)
{
    const bool on = true;
    open_text(HEAD PENDULUM("") ", 'clamp': {'active': false, 'joints': {'pin': {'type': 'Ry', "
                                "'body_frame_pairs': [['fixed', 'far'], ['arm:bar', "
                                "'origin']]}}}}, 'fixed': {'frames': {'far': {'T': [3, 0, 0]}}}}");
    put("clamp/switch", &on);
    run(0.01);
    cr_assert(get_flag("multibody/switch_refused"));
    cr_assert(!get_flag("clamp/active"));
    cr_assert_float_eq(get("arm/hinge/position"), 0.0, 1e-12);
}

Test(multibody, world_that_goes_back_over_a_switch_goes_on_bit_by_bit)
{
    const bool off = false;
    open_text(TWO_ARMS);
    run(0.3);
    struct saved_world saved = world_saved(world);
    run(0.7);
    double first = get("arm/hinge/position");
    put("second/switch", &off);
    run(0.5);
    world_back(world, &saved);
    run(0.7);
    double again = get("arm/hinge/position");
    cr_assert_eq(memcmp(&first, &again, sizeof first), 0);
    cr_assert(get_flag("second/active"));
    free(saved.bytes);
}

Test(multibody, steps_take_no_memory)
{
    open_text(TWO_ARMS);
    run(0.01);
    size_t size = dpl_world_snapshot_size(world);
    run(2.0);
    cr_assert_eq(dpl_world_snapshot_size(world), size);
}

/* ---- in other worlds, and other worlds in it ---- */

Test(multibody, robot_of_a_world_stands_where_it_is_put)
{
    star_text_write(world_file, HEAD PENDULUM(", 'initial_displacement': 0.5") "}}");
    star_text_write(other_file,
                    "<world name='w'><robot name='p' star='world.json' x='2' y='1' z='3' yaw='90 "
                    "deg'/><robot name='q' star='world.json'/></world>");
    open_file(other_file);
    run(0.4);
    cr_assert_eq(get("p/arm/hinge/position"), get("q/arm/hinge/position"));
    const struct dpl_sim_bodies *bodies = &dpl_world_state(world)->bodies;
    const double expected[3] = {2.0, 1.0, 3.0};
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(bodies->position[0][i], expected[i], 1e-15);
        /* The turn of p is that of q, then a quarter about z: its x is q's y, turned round. */
        cr_assert_float_eq(bodies->rotation[0][0][i], -bodies->rotation[1][1][i], 1e-15);
        cr_assert_float_eq(bodies->rotation[0][1][i], bodies->rotation[1][0][i], 1e-15);
    }
}

Test(multibody, world_names_worlds_in_xml)
{
    star_text_write(other_file,
                    "<world name='w'><box name='wall' x='4' y='0' z='0.5' size_x='1' size_y='1' "
                    "size_z='1'/></world>");
    open_text("{'model_parameters': {'star_version': '2.0.1', 'include_worlds': ['other.xml'], "
              "'units': {'angle': 'radians', 'length': 'meters', 'mass': 'kilograms', 'time': "
              "'seconds'}, 'gravity': [0, 0, -9.81]}, 'assembly': {" PENDULUM("") "}}");
    cr_assert_eq(model->n_obstacles, 1);
    cr_assert_str_eq(model->obstacles[0].name, "wall");
}

/* ---- files ---- */

Test(multibody, saved_world_goes_on_as_the_world_does)
{
    struct dpl_diag diag = {.text = ""};
    open_text(TWO_ARMS);
    run(0.7);
    int err = dpl_world_save_star(world, 0, world_file, &diag);
    cr_assert_eq(err, 0, "%s", diag.text);
    run(0.5);
    double expected = get("arm/hinge/position"), rate = get("arm/hinge/velocity");
    close_world();
    open_file(world_file);
    run(0.5);
    cr_assert_float_eq(get("arm/hinge/position"), expected, 1e-13);
    cr_assert_float_eq(get("arm/hinge/velocity"), rate, 1e-12);
}

Test(multibody, loop_that_cannot_close_is_an_error_of_the_world)
{
    struct dpl_diag diag = {.text = ""};
    star_text_write(
        world_file,
        HEAD PENDULUM("") ", 'clamp': {'joints': {'pin': {'type': 'Ry', 'body_frame_pairs': "
                          "[['fixed', 'far'], ['arm:bar', 'origin']]}}}}, 'fixed': "
                          "{'frames': {'far': {'T': [3, 0, 0]}}}}");
    cr_assert_eq(dpl_sim_read_world(&arena, world_file, NULL, &model, &diags), 0);
    cr_assert_eq(dpl_world_create(model, &world, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "clamp:pin"), "%s", diag.text);
}
