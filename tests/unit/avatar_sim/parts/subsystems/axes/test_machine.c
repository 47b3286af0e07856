/* SPDX-License-Identifier: Apache-2.0 */
/* A machine in a running world: its axes against closed forms, end stops, encoders, the platform
 * that hangs on them, and that it leaves mobile robots as they were. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "arena.h"
#include "hexa_ik.h"
#include "machine.h"

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_arena arena; /* of what the robot points to */
static struct dpl_sim_robot robot;
static int axes[DPL_AXES_N];

static void read_robot(const char *file)
{
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_sim_read_robot(&arena, file, &robot, &diags), 0);
    dpl_diags_finish(&diags);
}

static struct dpl_sim_machine *machine(void)
{
    return robot.part;
}

static void begin(void)
{
    model = dpl_sim_model_create();
    cr_assert_not_null(model);
    model->step = 312500;
    read_robot(PROFILES "/robots/hx_a.xml");
    machine()->weight_mass = 0.0;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        machine()->axes[i].drive.brake = 0.0;
    }
}

static void end(void)
{
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    world = NULL;
}

TestSuite(machine, .init = begin, .fini = end);

static void run(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_model_add_robot(model, &robot, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    int number = dpl_world_find_robot(world, robot.name);
    for (int i = 0; i < DPL_AXES_N; i++) {
        char name[8] = {'a', 'x', 'i', 's', (char)('1' + i)};
        axes[i] = dpl_world_find_device(world, number, DPL_WORLD_AXIS, name);
        cr_assert_geq(axes[i], 0);
    }
}

static void set_drives(struct dpl_sim_drive drive)
{
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        machine()->axes[i].drive = drive;
    }
}

static struct dpl_world_axis get(int i)
{
    struct dpl_world_axis axis = {0};
    dpl_world_get_axis(world, axes[i], &axis);
    return axis;
}

static dpl_ns platform(double ret_pose[6])
{
    dpl_ns stamp = -1;
    cr_assert_eq(dpl_world_get_platform(world, 0, &stamp, ret_pose), 0);
    return stamp;
}

static double height_of_mass(const double pose[6])
{
    const double *c = machine()->weight_at;
    return pose[2] - sin(pose[4]) * c[0] +
           cos(pose[4]) * (sin(pose[3]) * c[1] + cos(pose[3]) * c[2]);
}

Test(machine, stands_at_home_with_its_sliders_where_inverse_kinematics_says)
{
    struct dpl_hexa_geometry geometry;
    double q[6], pose[6];
    run();
    dpl__machine_geometry(machine(), &geometry);
    cr_assert_eq(dpl_hexa_ik(&geometry, machine()->home, q), 0);
    dpl_world_step(world, 3200);
    cr_assert_eq(dpl_world_now(world), DPL_S);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_eq(get(i).load_m, q[i]);
        cr_assert_leq(fabs(get(i).position_m - q[i]), 0.5e-7 + 1e-15);
        cr_assert_eq(get(i).velocity_m_s, 0.0);
    }
    cr_assert_eq(platform(pose), DPL_S);
    for (int j = 0; j < 6; j++) {
        cr_assert_float_eq(pose[j], machine()->home[j], 1e-9);
    }
}

Test(machine, starts_at_another_pose)
{
    const double start[6] = {0.1, -0.05, 0.58, 0.03, -0.05, 0.017};
    double pose[6];
    memcpy(machine()->pose, start, sizeof start);
    run();
    cr_assert_eq(platform(pose), 0);
    dpl_world_step(world, 1);
    platform(pose);
    for (int j = 0; j < 6; j++) {
        cr_assert_float_eq(pose[j], start[j], 1e-9, "%d: %.12g", j, pose[j]);
    }
}

/* x(t) = F/m (t^2/2 - tau t + tau^2 (1 - e^(-t/tau))) */
Test(machine, moves_an_axis_as_a_mass_with_lag_does)
{
    const double mass = 70.0, tau = 0.0003, force = 700.0;
    set_drives((struct dpl_sim_drive){
        .motor_mass = 50.0, .load_mass = 20.0, .lag_s = 0.0003, .friction_speed = 0.001});
    run();
    double start = get(2).load_m;
    dpl_world_set_axis(world, axes[2], force);
    for (int k = 1; k <= 320; k++) {
        double t = 312.5e-6 * k, e = 1.0 - exp(-t / tau);
        dpl_world_step(world, 1);
        struct dpl_world_axis axis = get(2);
        cr_assert_float_eq(axis.effort_n, force * e, 1e-9);
        cr_assert_float_eq(axis.velocity_m_s, force / mass * (t - tau * e), 1e-12);
        cr_assert_float_eq(axis.load_m - start,
                           force / mass * (t * t / 2 - tau * t + tau * tau * e), 1e-12);
        cr_assert_eq(axis.position_m, axis.load_m);
    }
    cr_assert_eq(get(1).velocity_m_s, 0.0);
}

Test(machine, bends_a_screw_under_its_load)
{
    set_drives((struct dpl_sim_drive){.motor_mass = 50.0,
                                      .load_mass = 20.0,
                                      .friction_speed = 0.001,
                                      .screw_stiffness = 1e8,
                                      .screw_damping = 5e4});
    run();
    dpl_world_set_axis(world, axes[0], 700.0); /* 10 m/s2 */
    dpl_world_step(world, 320);
    struct dpl_world_axis axis = get(0);
    cr_assert_float_eq(axis.position_m - axis.load_m, 20.0 * 10.0 / 1e8, 1e-10, "%g",
                       axis.position_m - axis.load_m);
}

Test(machine, holds_its_sliders_at_their_end_stops_without_rebound)
{
    run();
    dpl_world_set_axis(world, axes[0], 2000.0);
    dpl_world_set_axis(world, axes[1], -2000.0);
    for (int k = 0; k < 3200; k++) {
        dpl_world_step(world, 1);
        cr_assert_leq(get(0).load_m, machine()->axes[0].high);
        cr_assert_geq(get(1).load_m, machine()->axes[1].low);
    }
    cr_assert_eq(get(0).load_m, machine()->axes[0].high);
    cr_assert_eq(get(1).load_m, machine()->axes[1].low);
    cr_assert_lt(fabs(get(0).velocity_m_s), 1e-6);
    double pose[6];
    cr_assert_leq(platform(pose), dpl_world_now(world));
    cr_assert(isfinite(pose[0]) && isfinite(pose[5]));
}

Test(machine, comes_to_rest_by_friction_without_effort)
{
    run();
    dpl_world_set_axis(world, axes[4], 500.0);
    dpl_world_step(world, 320);
    cr_assert_gt(get(4).velocity_m_s, 0.3);
    dpl_world_set_axis(world, axes[4], 0.0);
    dpl_world_step(world, 3200);
    cr_assert_lt(fabs(get(4).velocity_m_s), 1e-6);
}

Test(machine, limits_efforts_and_takes_what_is_no_number_as_none)
{
    run();
    dpl_world_set_axis(world, axes[3], 1e9);
    dpl_world_step(world, 32);
    cr_assert_float_eq(get(3).effort_n, 3000.0, 1e-6);
    dpl_world_set_axis(world, axes[3], (double)NAN);
    dpl_world_step(world, 32);
    cr_assert_float_eq(get(3).effort_n, 0.0, 1e-6);
    dpl_world_set_axis(world, 6, 1.0);
    dpl_world_set_axis(world, -1, 1.0);
    struct dpl_world_axis kept = {.load_m = 5.0};
    dpl_world_get_axis(world, 6, &kept);
    cr_assert_eq(kept.load_m, 5.0);
}

Test(machine, reads_the_encoder_in_whole_steps_of_its_resolution)
{
    run();
    dpl_world_set_axis(world, axes[0], 300.0);
    dpl_world_step(world, 100);
    double steps = get(0).position_m / 1e-7;
    cr_assert_float_eq(steps, floor(steps + 0.5), 1e-6);
    cr_assert_neq(get(0).position_m, get(0).load_m);
}

Test(machine, carries_its_platform_along_when_all_sliders_move_alike)
{
    double pose[6];
    set_drives((struct dpl_sim_drive){.motor_mass = 70.0, .friction_speed = 0.001});
    run();
    for (int i = 0; i < DPL_AXES_N; i++) {
        dpl_world_set_axis(world, axes[i], 140.0);
    }
    dpl_world_step(world, 320); /* x = 2 t^2 / 2 */
    cr_assert_eq(platform(pose), dpl_world_now(world));
    cr_assert_float_eq(pose[0], 0.01, 1e-9, "%.12g", pose[0]);
    for (int j = 1; j < 6; j++) {
        cr_assert_float_eq(pose[j], machine()->home[j], 1e-9);
    }
}

Test(machine, repeats_to_the_last_bit_however_its_steps_are_asked_for)
{
    double one[6], other[6];
    run();
    for (int i = 0; i < DPL_AXES_N; i++) {
        dpl_world_set_axis(world, axes[i], 100.0 * (i - 2));
    }
    for (int k = 0; k < 500; k++) {
        dpl_world_step(world, 1);
    }
    platform(one);
    struct dpl_world *again = NULL;
    cr_assert_eq(dpl_world_create(model, &again, NULL), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        dpl_world_set_axis(again, axes[i], 100.0 * (i - 2));
    }
    dpl_world_run_until(again, 500 * (dpl_ns)312500);
    dpl_ns stamp;
    cr_assert_eq(dpl_world_get_platform(again, 0, &stamp, other), 0);
    dpl_world_destroy(again);
    cr_assert_eq(memcmp(one, other, sizeof one), 0);
}

Test(machine, gives_each_axis_the_force_that_does_the_work_of_the_weight)
{
    const double pose[6] = {0.1, -0.05, 0.58, 0.03, -0.05, 0.017}, h = 1e-6;
    struct dpl_hexa_geometry geometry;
    double force[6];
    machine()->weight_mass = 30.0;
    machine()->weight_at[0] = 0.05;
    machine()->weight_at[1] = -0.02;
    machine()->weight_at[2] = 0.1;
    dpl__machine_geometry(machine(), &geometry);
    dpl__machine_weight(machine(), &geometry, pose, force);
    for (int j = 0; j < 6; j++) {
        double ahead[6], behind[6], q_ahead[6], q_behind[6], work = 0.0;
        memcpy(ahead, pose, sizeof ahead);
        memcpy(behind, pose, sizeof behind);
        ahead[j] += h;
        behind[j] -= h;
        dpl_hexa_ik(&geometry, ahead, q_ahead);
        dpl_hexa_ik(&geometry, behind, q_behind);
        for (int i = 0; i < 6; i++) {
            work += force[i] * (q_ahead[i] - q_behind[i]);
        }
        double fallen = height_of_mass(behind) - height_of_mass(ahead);
        cr_assert_float_eq(work, 30.0 * 9.80665 * fallen, 1e-10, "%d: %g J, not %g", j, work,
                           30.0 * 9.80665 * fallen);
    }
}

/* Without friction what the platform loses in height the axes have in speed. */
Test(machine, falls_without_losing_energy)
{
    double pose[6];
    machine()->weight_mass = 30.0;
    machine()->weight_at[2] = 0.1;
    set_drives(
        (struct dpl_sim_drive){.motor_mass = 50.0, .load_mass = 20.0, .friction_speed = 0.001});
    run();
    for (int k = 0; k < 800; k++) {
        dpl_world_step(world, 1);
    }
    double energy = 0.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        energy += 0.5 * 70.0 * get(i).velocity_m_s * get(i).velocity_m_s;
    }
    platform(pose);
    double fallen = 0.64 - height_of_mass(pose);
    cr_assert_gt(fallen, 0.01);
    cr_assert_float_eq(energy, 30.0 * 9.80665 * fallen, 1e-4 * energy, "%g J, not %g", energy,
                       30.0 * 9.80665 * fallen);
}

Test(machine, stands_by_its_brakes_while_nobody_drives_it)
{
    double before[6], after[6];
    read_robot(PROFILES "/robots/hx_a.xml");
    run();
    cr_assert(get(0).braked);
    cr_assert_neq(get(0).weight_n, 0.0);
    dpl_world_step(world, 1);
    platform(before);
    dpl_world_step(world, 3200);
    platform(after);
    cr_assert_eq(memcmp(before, after, sizeof before), 0);
    dpl_world_set_axis(world, axes[0], 0.0);
    dpl_world_step(world, 320);
    cr_assert_not(get(0).braked);
    cr_assert_gt(fabs(get(0).velocity_m_s), 1e-5);
    cr_assert(get(1).braked);
}

Test(machine, is_stopped_by_the_brake_of_an_axis_that_is_released)
{
    read_robot(PROFILES "/robots/hx_a.xml");
    run();
    dpl_world_set_axis(world, axes[2], 700.0);
    dpl_world_step(world, 160);
    double speed = get(2).velocity_m_s, from = get(2).load_m;
    cr_assert_gt(speed, 0.35);
    dpl_world_release_axis(world, axes[2]);
    dpl_world_step(world, 160);
    cr_assert(get(2).braked);
    cr_assert_eq(get(2).velocity_m_s, 0.0);
    /* 1560 N and some against 70 kg, and what the motor still gives while its lag lasts */
    double way = get(2).load_m - from;
    cr_assert_float_eq(way, speed * speed / (2.0 * 1560.0 / 70.0), 0.15 * way, "%g m", way);
}

Test(machine, is_neither_moved_nor_touched_like_a_mobile_robot)
{
    struct dpl_world_robot truth = {0};
    robot.start = (struct dpl_pose2){3.0, 4.0, 1.0};
    run();
    dpl_world_step(world, 10);
    dpl_world_get_robot(world, 0, &truth);
    cr_assert_eq(truth.pose.x, 3.0);
    cr_assert_eq(truth.contacts, 0);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){0}), -EINVAL);
    cr_assert_eq(dpl_world_find_device(world, 0, DPL_WORLD_MOTOR, "Axis1"), -ENOENT);
    cr_assert_eq(dpl_world_find_device(world, 0, DPL_WORLD_AXIS, "Axis7"), -ENOENT);
}

/* Drives a mobile robot for 2 s in a world of its own. */
static struct dpl_world_robot drive(const struct dpl_sim_model *of, const char *name)
{
    struct dpl_world *own = NULL;
    struct dpl_world_robot truth = {0};
    cr_assert_eq(dpl_world_create(of, &own, NULL), 0);
    int number = dpl_world_find_robot(own, name);
    double pose[6];
    dpl_ns stamp;
    cr_assert_eq(dpl_world_get_platform(own, number, &stamp, pose), -ENOTSUP);
    dpl_world_set_motor(own, dpl_world_find_device(own, number, DPL_WORLD_MOTOR, "LeftWheel"), 3.0);
    dpl_world_step(own, 6400);
    dpl_world_get_robot(own, number, &truth);
    dpl_world_destroy(own);
    return truth;
}

Test(machine, leaves_a_mobile_robot_beside_it_as_it_was_to_the_last_bit)
{
    struct dpl_sim_model *alone = dpl_sim_model_create();
    alone->step = model->step;
    cr_assert_eq(dpl_sim_model_add_robot(model, &robot, NULL), 0);
    read_robot(PROFILES "/robots/hrc01.xml");
    cr_assert_eq(dpl_sim_model_add_robot(model, &robot, NULL), 0);
    cr_assert_eq(dpl_sim_model_add_robot(alone, &robot, NULL), 0);
    struct dpl_world_robot a = drive(alone, "hrc01"), b = drive(model, "hrc01");
    dpl_sim_model_destroy(alone);
    cr_assert_gt(fabs(a.pose.theta), 0.1);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
}

Test(machine, is_refused_in_steps_that_its_stiffest_screw_does_not_stand)
{
    struct dpl_diag diag = {0};
    machine()->axes[3].drive.screw_stiffness = 1e10;
    machine()->axes[3].drive.motor_mass = 1.0;
    cr_assert_eq(dpl_sim_model_add_robot(model, &robot, &diag), 0, "%s", diag.text);
    model->step = 100 * DPL_MS;
    cr_assert_eq(dpl_world_create(model, &world, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "'Axis4'"), "%s", diag.text);
}

Test(machine, keeps_its_hexafloat_worlds_loading)
{
    static const char *const files[] = {PROFILES "/worlds/hexafloat.xml",
                                        PROFILES "/worlds/hexafloat_truth.xml"};
    for (size_t i = 0; i < 2; i++) {
        struct dpl_sim_model *read = NULL;
        struct dpl_diag diag = {0};
        cr_assert_eq(dpl_sim_load_world(files[i], 1, NULL, &read, &diag), 0, "%s", diag.text);
        cr_assert_eq(read->step, 312500);
        dpl_sim_model_destroy(read);
    }
}
