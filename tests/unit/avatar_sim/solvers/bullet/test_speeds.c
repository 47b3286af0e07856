/* SPDX-License-Identifier: Apache-2.0 */
/* Speeds that no step can follow are told; free bodies may turn as fast as they like. */
#include "mechanism_rig.h"

#include <errno.h>

static int run(struct mechanism_rig *rig, int steps, struct dpl_diag *ret_diag)
{
    int err = 0;
    for (int i = 0; i < steps && err == 0; i++) {
        dpl_world_step(rig->world, 1);
        err = dpl_world_check_motion(rig->world, ret_diag);
    }
    return err;
}

/* m^-1 k dt^2 of 10: the swing grows in each step. */
Test(speeds, a_spring_that_diverges_ends_at_the_largest_speed)
{
    static const char *const types[] = {"slider", "cylindrical"};
    for (size_t i = 0; i < 2; i++) {
        struct mechanism_rig rig;
        struct dpl_diag diag = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "<mechanism><RigidObject name='a' mass='1'><position z='1'/>"
                 "<inertia xx='1' yy='1' zz='1'/></RigidObject><Joint name='rail' type='%s' "
                 "child='a'><spring stiffness='1e7' rest='1 mm'/></Joint></mechanism>",
                 types[i]);
        rig_open(&rig, text, 1e-3);
        cr_expect_eq(run(&rig, 1000, &diag), -ERANGE);
        cr_expect_not_null(strstr(diag.text, "robot 'm'"), "%s", diag.text);
        cr_expect_not_null(strstr(diag.text, "largest speed"), "%s", diag.text);
        rig_close(&rig);
    }
}

/* By its momentum, and where it points. */
Test(speeds, a_free_body_turns_by_any_angle_in_a_step)
{
    static const double spins[] = {100, 780, 800, 1500, 2900, -2000};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        struct mechanism_rig rig;
        struct dpl_diag diag = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "<mechanism><RigidObject name='a' mass='1'><position z='100'/>"
                 "<velocity wz='%g'/><inertia xx='0.1' yy='0.1' zz='0.2'/></RigidObject>"
                 "</mechanism>",
                 spins[i]);
        rig_open(&rig, text, 1e-3);
        cr_expect_eq(run(&rig, 1000, &diag), 0, "%g rad/s: %s", spins[i], diag.text);
        double(*r)[3] = rig.state->bodies.rotation[0];
        double off = remainder(atan2(r[1][0], r[0][0]) - spins[i], 2.0 * DPL_PI);
        cr_expect_float_eq(off, 0.0, 1e-6, "%g rad/s: off by %g rad", spins[i], off);
        cr_expect_float_eq(rig.state->bodies.angular[0][2], spins[i], 1e-6 * fabs(spins[i]));
        rig_close(&rig);
    }
}

/* On a ball Bullet turns it by 45 degrees at most. */
Test(speeds, a_body_on_a_ball_that_turns_too_fast_is_told)
{
    static const struct {
        double spin, step_s;
        bool is_good;
    } rows[] = {{100, 1e-3, true},   {780, 1e-3, true},     {790, 1e-3, false},
                {3000, 1e-3, false}, {3000, 0.25e-3, true}, {-790, 1e-3, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mechanism_rig rig;
        struct dpl_diag diag = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "<mechanism><RigidObject name='a' mass='1'><position z='10'/>"
                 "<velocity wz='%g'/><inertia xx='0.1' yy='0.1' zz='0.2'/></RigidObject>"
                 "<Joint name='j' type='ball' child='a'/></mechanism>",
                 rows[i].spin);
        rig_open(&rig, text, rows[i].step_s);
        int err = run(&rig, 10, &diag);
        cr_expect_eq(err, rows[i].is_good ? 0 : -ERANGE, "%g rad/s, %g s: %s", rows[i].spin,
                     rows[i].step_s, diag.text);
        rig_close(&rig);
    }
}
