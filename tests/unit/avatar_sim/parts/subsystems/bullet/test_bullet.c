/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms in a running world. */
#include "mechanism_rig.h"
#include "saved_world.h"

#include <malloc.h>
#include <math.h>

#include <doppel/math/geometry.h>
#include <doppel/math/gravity.h>

/* A sphere of 1 kg on a rod of 1 m without mass, let go at `angle` from hanging. */
#define PENDULUM                                                                                   \
    "<mechanism><RigidObject name=\"bob\" mass=\"1\">"                                             \
    "<position x=\"0.0871557427476582\" z=\"-0.996194698091746\"/>"                                \
    "<SphereShape radius=\"0.05\"/></RigidObject>"                                                 \
    "<Joint name=\"pin\" type=\"hinge\" child=\"bob\"><axis y=\"1\" z=\"0\"/>"                     \
    "<childFrame><position x=\"-0.0871557427476582\" z=\"0.996194698091746\"/></childFrame>"       \
    "</Joint></mechanism>"

/* The mean of n periods, by upward passages through the lowest point. */
static double period(struct mechanism_rig *rig, double lowest, int n)
{
    const struct dpl_sim_joints *joints = &rig->state->joints;
    double dt = dpl_ns_to_s(rig->model->step), first = 0.0, last = 0.0;
    for (int passages = 0; passages <= n;) {
        double before = joints->position[0] - lowest;
        dpl_world_step(rig->world, 1);
        double after = joints->position[0] - lowest;
        if (before < 0.0 && after >= 0.0) {
            last = dpl_ns_to_s(dpl_world_now(rig->world)) - dt * after / (after - before);
            first = passages++ == 0 ? last : first;
        }
    }
    return (last - first) / n;
}

Test(bullet, a_pendulum_swings_as_long_as_its_elliptic_integral_says)
{
    struct mechanism_rig rig;
    rig_open(&rig, PENDULUM, 1e-3);
    cr_assert_float_eq(rig.state->joints.position[0], 0.0, 1e-12);
    double measured = period(&rig, DPL_PI / 180.0 * 5.0, 20);
    cr_expect_float_eq(measured, 2.00836812, 1e-6, "period %.9f s", measured);
    rig_close(&rig);
}

Test(bullet, a_joint_starts_where_its_bodies_are)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name=\"a\" mass=\"1\"><position x=\"1\" z=\"2\"/>"
             "<orientation yaw=\"0.3\"/><BoxShape x=\"1\" y=\"0.2\" z=\"0.1\"/></RigidObject>"
             "<RigidObject name=\"b\" mass=\"2\"><position x=\"3\" y=\"0.5\" z=\"2\"/>"
             "<orientation yaw=\"0.7\"/><BoxShape x=\"1\" y=\"0.2\" z=\"0.3\"/></RigidObject>"
             "<Joint name=\"h\" type=\"hinge\" parent=\"b\" child=\"a\">"
             "<frame><position x=\"-1.7243\" y=\"0.3966\"/></frame></Joint>"
             "<Joint name=\"s\" type=\"slider\" parent=\"a\"  child=\"world\">"
             "<axis x=\"1\" z=\"0\"/><childFrame><position x=\"1.5\" y=\"0.1547\" z=\"2\"/>"
             "<orientation yaw=\"0.3\"/></childFrame></Joint>"
             "</mechanism>",
             1e-3);
    const struct dpl_sim_mechanism *mechanism = &rig.objects.mechanism;
    for (int i = 0; i < 2; i++) {
        const double *at = rig.state->bodies.position[i];
        const struct dpl_vector3 *start = &mechanism->bodies[i].pose.position;
        cr_expect_float_eq(at[0], start->x, 1e-3);
        cr_expect_float_eq(at[1], start->y, 1e-3);
        cr_expect_float_eq(at[2], start->z, 1e-3);
    }
    rig_close(&rig);
}

/* Two hinged cranks of different lengths with a rod between their ends, which closes the loop. The
 * three joints of the rod's far end are given by `last`. */
#define FOUR_BARS(last)                                                                            \
    "<mechanism>"                                                                                  \
    "<RigidObject name=\"left\" mass=\"1\"><position z=\"1.2\"/>"                                  \
    "<CapsuleShape radius=\"0.02\" height=\"0.36\"/></RigidObject>"                                \
    "<RigidObject name=\"right\" mass=\"1\"><position x=\"1\" z=\"1.2\"/>"                         \
    "<CapsuleShape radius=\"0.02\" height=\"0.36\"/></RigidObject>"                                \
    "<RigidObject name=\"rod\" mass=\"0.5\"><position x=\"0.5\" z=\"1.4\"/>"                       \
    "<orientation pitch=\"90 deg\"/><CapsuleShape radius=\"0.02\" height=\"0.9\"/></RigidObject>"  \
    "<Joint name=\"a\" type=\"hinge\" child=\"left\"><frame><position z=\"1\"/></frame>"           \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"b\" type=\"hinge\" child=\"right\"><frame><position x=\"1\" z=\"1\"/></frame>"  \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"c\" type=\"hinge\" parent=\"left\" child=\"rod\"><frame><position z=\"0.2\"/>"  \
    "</frame><axis y=\"1\" z=\"0\"/></Joint>" last "</mechanism>"

#define AT_RIGHT(type, more)                                                                       \
    "<Joint name=\"d\" type=\"" type                                                               \
    "\" parent=\"rod\" child=\"right\"><frame><position z=\"0.5\"/>"                               \
    "<orientation pitch=\"-90 deg\"/></frame>" more "</Joint>"

static void swings_closed(const char *text, double most_m)
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 5e-4);
    rig.state->joints.push[0] = 2.0;
    rig.state->joints.driven[0] = true;
    double worst = 0.0, travelled = 0.0;
    for (int i = 0; i < 4000; i++) {
        rig_step(&rig, 5e-4);
        for (size_t k = 0; k < rig.objects.mechanism.n_joints; k++) {
            worst = fmax(worst, rig_gap(&rig, k));
        }
        travelled = fmax(travelled, fabs(rig.state->joints.position[0]));
    }
    cr_expect_lt(worst, most_m, "%.3g m", worst);
    cr_expect_gt(travelled, 1.0);
    rig_close(&rig);
}

Test(bullet, a_loop_stays_closed_by_a_ball)
{
    swings_closed(FOUR_BARS(AT_RIGHT("ball", "")), 2e-5);
}

Test(bullet, a_loop_stays_closed_by_a_universal_joint)
{
    swings_closed(FOUR_BARS(AT_RIGHT("universal", "<axis y=\"1\" z=\"0\"/>")), 2e-5);
}

/* ---- a delta robot: three loops of six rods ---- */

static void read_file(char *ret_text, size_t size)
{
    FILE *file = fopen(UNIT "/avatar_sim/fixtures/delta.xml", "r");
    cr_assert(file != NULL);
    size_t n = fread(ret_text, 1, size - 1, file);
    ret_text[n] = '\0';
    fclose(file);
}

static void open_delta(struct mechanism_rig *rig, double step_s)
{
    static char text[16384];
    read_file(text, sizeof text);
    rig_open(rig, text, step_s);
}

/* Slots of the three arms: the first hinge of each. */
static const size_t arm_slots[] = {0, 5, 10};

Test(bullet, a_delta_that_is_held_needs_the_torque_of_its_closed_form)
{
    struct mechanism_rig rig;
    open_delta(&rig, 5e-4);
    for (int i = 0; i < 3; i++) {
        rig.state->joints.limit[arm_slots[i]] = 100.0;
    }
    rig_step(&rig, 0.05);
    for (int i = 0; i < 3; i++) {
        double position = rig.state->joints.position[arm_slots[i]];
        double effort = rig.state->joints.effort[arm_slots[i]];
        cr_expect_float_eq(position, 0.47430012, 1e-7, "%.9f rad", position);
        cr_expect_float_eq(effort, -0.789819, 1e-5, "%.6f N m", effort);
    }
    rig_close(&rig);
}

/* A step leaves the loops open by (relative speed of a rod's ends * dt)^2 / (2 length erp). */
static double worst_gap_of_falling(double step_s, double *ret_tilt)
{
    struct mechanism_rig rig;
    open_delta(&rig, step_s);
    int platform = rig_body(&rig, "platform");
    double worst = 0.0;
    *ret_tilt = 0.0;
    while (dpl_world_now(rig.world) < DPL_MS * 1000) {
        dpl_world_step(rig.world, 1);
        for (size_t k = 0; k < rig.objects.mechanism.n_joints; k++) {
            worst = fmax(worst, rig_gap(&rig, k));
        }
        *ret_tilt = fmax(*ret_tilt, fabs(1.0 - rig.state->bodies.rotation[platform][2][2]));
    }
    rig_close(&rig);
    return worst;
}

Test(bullet, the_loops_of_a_delta_are_closed_sixteen_times_better_at_a_quarter_of_the_step)
{
    double tilt = 0.0;
    double coarse = worst_gap_of_falling(4e-4, &tilt), fine = worst_gap_of_falling(1e-4, &tilt);
    cr_expect_lt(tilt, 1e-9);
    cr_expect_lt(coarse, 2e-5, "%.3g m", coarse);
    cr_expect_float_eq(coarse / fine, 16.0, 16.0 * 0.2, "%.3g and %.3g m", coarse, fine);
}

/* ---- going back ---- */

Test(bullet, a_restored_world_goes_on_bit_for_bit)
{
    struct mechanism_rig rig;
    open_delta(&rig, 5e-4);
    rig_step(&rig, 0.3);
    struct saved_world saved = world_saved(rig.world);
    rig_step(&rig, 0.5);
    size_t n = rig.state->bodies.n * sizeof *rig.state->bodies.position;
    void *first = malloc(n);
    memcpy(first, rig.state->bodies.position, n);
    world_back(rig.world, &saved);
    rig_step(&rig, 0.5);
    cr_expect_arr_eq(first, rig.state->bodies.position, n);
    free(first);
    free(saved.bytes);
    rig_close(&rig);
}

/* A chain and boxes that fall onto each other: islands join and part. */
static const char heap_of_boxes[] =
    "<mechanism><Repeat count='12' index='i'>"
    "<RigidObject name='box{i}' mass='1'><position x='{0.07*sin(5*i)}' y='{0.07*cos(3*i)}' "
    "z='{0.3 + 0.25*i}'/><BoxShape x='0.2' y='0.2' z='0.2'/></RigidObject></Repeat>"
    "<Repeat count='4' index='i'><RigidObject name='link{i}' mass='0.5'>"
    "<position x='{0.5 + 0.2*i}' z='2'/><CapsuleShape radius='0.02' height='0.15'>"
    "<orientation pitch='90 deg'/></CapsuleShape></RigidObject></Repeat>"
    "<Joint name='hook' type='hinge' child='link0'><frame><position x='0.4' z='2'/></frame>"
    "<axis y='1' z='0'/></Joint>"
    "<Repeat count='3' index='i'><Joint name='joint{i}' type='ball' parent='link{i}' "
    "child='link{i+1}'><frame><position x='0.1'/></frame></Joint></Repeat></mechanism>";

static char *positions_after(struct mechanism_rig *rig, double seconds, size_t *ret_size)
{
    rig_step(rig, seconds);
    *ret_size = rig->state->bodies.n * sizeof *rig->state->bodies.position;
    char *copy = malloc(*ret_size);
    memcpy(copy, rig->state->bodies.position, *ret_size);
    return copy;
}

Test(bullet, a_world_goes_back_to_its_first_moment_any_number_of_times)
{
    struct mechanism_rig rig;
    size_t n;
    rig_open(&rig, heap_of_boxes, 1e-3);
    struct saved_world saved = world_saved(rig.world);
    char *first = positions_after(&rig, 1.5, &n);
    for (int i = 0; i < 3; i++) {
        world_back(rig.world, &saved);
        char *again = positions_after(&rig, 1.5, &n);
        cr_expect_arr_eq(first, again, n, "time %d", i);
        free(again);
    }
    free(first);
    free(saved.bytes);
    rig_close(&rig);
}

/* With a sanitizer mallinfo2 is 0, and leaks are found by it. */
Test(bullet, worlds_take_nothing_from_the_process_that_they_do_not_give_back)
{
    size_t before = 0;
    for (int i = 0; i < 30; i++) {
        struct mechanism_rig rig;
        rig_open(&rig, heap_of_boxes, 1e-3);
        rig_step(&rig, 0.05);
        rig_close(&rig);
        before = i == 9 ? mallinfo2().uordblks : before;
    }
    /* malloc itself keeps some; an object that each of the twenty leaves is 5 kB */
    cr_expect_leq(mallinfo2().uordblks, before + 2000, "%zu bytes, before %zu",
                  mallinfo2().uordblks, before);
}

/* ---- what acts on joints ---- */

/* A carriage of 2 kg on a level guide along x. */
#define CARRIAGE(attributes, more)                                                                 \
    "<mechanism><RigidObject name=\"carriage\" mass=\"2\"><position z=\"3\"/>"                     \
    "<BoxShape x=\"0.2\" y=\"0.1\" z=\"0.1\"/></RigidObject>"                                      \
    "<Joint name=\"guide\" type=\"slider\" child=\"carriage\" " attributes ">"                     \
    "<frame><position z=\"3\"/></frame><axis x=\"1\" z=\"0\"/>" more "</Joint></mechanism>"

static void set_drive(struct mechanism_rig *rig, double push, double speed, double limit)
{
    rig->state->joints.driven[0] = true;
    rig->state->joints.push[0] = push;
    rig->state->joints.speed[0] = speed;
    rig->state->joints.limit[0] = limit;
}

Test(bullet, a_push_accelerates_while_its_joint_is_driven)
{
    struct mechanism_rig rig;
    rig_open(&rig, CARRIAGE("", ""), 1e-3);
    set_drive(&rig, 3.0, 0.0, 0.0);
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig.state->joints.velocity[0], 1.5, 1e-9);
    cr_expect_float_eq(rig.state->joints.effort[0], 3.0, 1e-12);
    cr_expect_float_eq(rig.state->bodies.velocity[0][0], 1.5, 1e-9);
    rig.state->joints.driven[0] = false;
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig.state->joints.velocity[0], 1.5, 1e-9);
    rig_close(&rig);
}

Test(bullet, a_brake_takes_a_speed_to_exactly_0_and_does_not_chatter)
{
    struct mechanism_rig rig;
    rig_open(&rig, CARRIAGE("", ""), 1e-3);
    set_drive(&rig, 3.0, 0.0, 0.0);
    rig_step(&rig, 1.0);
    set_drive(&rig, 1.0, 0.0, 5.0); /* 2 m/s^2 against the push */
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->joints.velocity[0], 0.5, 1e-9);
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->joints.velocity[0], 0.0, 1e-12);
    double stopped = rig.state->joints.position[0];
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig.state->joints.position[0], stopped, 1e-12);
    cr_expect_float_eq(rig.state->joints.effort[0], 0.0, 1e-9, "brake and push cancel");
    rig_close(&rig);
}

Test(bullet, a_speed_is_reached_with_no_more_than_the_limit)
{
    struct mechanism_rig rig;
    rig_open(&rig, CARRIAGE("", ""), 1e-3);
    set_drive(&rig, 0.0, -0.7, 4.0);
    rig_step(&rig, 0.2);
    cr_expect_float_eq(rig.state->joints.velocity[0], -0.4, 1e-9);
    cr_expect_float_eq(rig.state->joints.effort[0], -4.0, 1e-9);
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->joints.velocity[0], -0.7, 1e-9);
    rig_close(&rig);
}

Test(bullet, friction_holds_what_is_less_and_slows_what_is_more)
{
    struct mechanism_rig rig;
    rig_open(&rig, CARRIAGE("friction=\"2\"", ""), 1e-3);
    set_drive(&rig, 1.9, 0.0, 0.0);
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->joints.position[0], 0.0, 1e-12);
    set_drive(&rig, 5.0, 0.0, 0.0);
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig.state->joints.velocity[0], 1.5, 1e-9);
    set_drive(&rig, 0.0, -9.0, 3.0); /* a drive against the motion and friction: 2.5 m/s^2 */
    rig_step(&rig, 0.4);
    cr_expect_float_eq(rig.state->joints.velocity[0], 0.5, 1e-9);
    rig_step(&rig, 0.2 + 1.0); /* at rest after 0.2 s, then 0.5 m/s^2 */
    cr_expect_float_eq(rig.state->joints.velocity[0], -0.5, 5e-3);
    set_drive(&rig, 0.0, 9.0, 1.0); /* 1.5 m/s^2 to rest; then friction is more than the drive */
    rig_step(&rig, 1.0);
    cr_expect_float_eq(rig.state->joints.velocity[0], 0.0, 1e-12);
    rig_close(&rig);
}

Test(bullet, a_hard_stop_is_not_passed)
{
    struct mechanism_rig rig;
    rig_open(&rig, CARRIAGE("", "<limit lower=\"-0.5\" upper=\"0.2\"/>"), 1e-3);
    set_drive(&rig, 8.0, 0.0, 0.0);
    double most = 0.0;
    for (int i = 0; i < 1000; i++) {
        dpl_world_step(rig.world, 1);
        most = fmax(most, rig.state->joints.position[0]);
    }
    cr_expect_float_eq(most, 0.2, 1e-6);
    cr_expect_float_eq(rig.state->joints.position[0], 0.2, 1e-6);
    rig_close(&rig);
}

Test(bullet, a_soft_stop_gives_way_by_force_through_stiffness)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             CARRIAGE("", "<limit lower=\"-1\" upper=\"0.1\" stiffness=\"1e4\" damping=\"200\"/>"),
             1e-3);
    set_drive(&rig, 50.0, 0.0, 0.0);
    rig_step(&rig, 2.0);
    cr_expect_float_eq(rig.state->joints.position[0], 0.1 + 50.0 / 1e4, 1e-9);
    rig_close(&rig);
}

/* A box on a tray that hangs on a hinge, with friction 0.64: it stays on slopes up to 32 degrees,
 * whichever way they fall. */
Test(bullet, a_box_on_a_jointed_tray_does_not_slide_any_way)
{
    for (int k = 0; k < 8; k++) {
        struct mechanism_rig rig;
        char text[1500];
        snprintf(text, sizeof text,
                 "<mechanism><Material name='m' friction='0.8'/>"
                 "<RigidObject name='tray' mass='20'><position z='1'/><orientation yaw='%g deg' "
                 "pitch='0.2'/><BoxShape x='2' y='2' z='0.1'/></RigidObject>"
                 "<RigidObject name='box' mass='1'><position x='%g' y='%g' z='%g'/>"
                 "<orientation yaw='%g deg' pitch='0.2'/>"
                 "<BoxShape x='0.1' y='0.1' z='0.1'/></RigidObject>"
                 "<Joint name='hinge' type='hinge' child='tray' friction='1e4'><frame>"
                 "<position z='1'/></frame><axis x='1' z='0'/></Joint></mechanism>",
                 45.0 * k, 0.1001 * sin(0.2) * cos(0.25 * DPL_PI * k),
                 0.1001 * sin(0.2) * sin(0.25 * DPL_PI * k), 1.0 + 0.1001 * cos(0.2), 45.0 * k);
        rig_open(&rig, text, 1e-3);
        int box = rig_body(&rig, "box");
        rig_step(&rig, 0.2);
        double from[2] = {rig.state->bodies.position[box][0], rig.state->bodies.position[box][1]};
        rig_step(&rig, 2.0);
        double way = hypot(rig.state->bodies.position[box][0] - from[0],
                           rig.state->bodies.position[box][1] - from[1]);
        cr_expect_lt(way, 1e-3, "%g degrees: %g m", 45.0 * k, way);
        rig_close(&rig);
    }
}
