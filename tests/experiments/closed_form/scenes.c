/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes with a closed form: see scenes.h. */
#include "scene.h"

#include <doppel/sim/audit.h>

/* ---- free motion ---- */

static struct closed_form_result free_fall(double dt, double own, double unused)
{
    struct scene scene;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='a' mass='1'><position z='100'/>"
               "<SphereShape radius='0.1'/></RigidObject></mechanism>");
    run_for(&scene, 2.0);
    double n = round(2.0 / dt);
    struct closed_form_result result = {
        .expected = 100.0 - (own > 0.0 ? G * dt * dt * n * (n + 1.0) / 2.0 : G * 2.0 * 2.0 / 2.0),
        .measured = scene.state->bodies.position[0][2],
    };
    close_scene(&scene);
    return result;
}

/* `which`: 0 range, 1 highest point, 2 time. */
static struct closed_form_result projectile(double dt, double which, double unused)
{
    struct scene scene;
    double v = 20.0 * sqrt(0.5), apex = 0.0, before[2] = {0}, after[2] = {0};
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='a' mass='1'><position z='50'/>"
               "<velocity x='%.17g' z='%.17g'/><SphereShape radius='0.1'/></RigidObject>"
               "</mechanism>",
               v, v);
    do {
        memcpy(before, after, sizeof before);
        dpl_world_step(scene.world, 1);
        after[0] = scene.state->bodies.position[0][0];
        after[1] = scene.state->bodies.position[0][2] - 50.0;
        apex = fmax(apex, after[1]);
    } while (after[1] > 0.0);
    double share = before[1] / (before[1] - after[1]);
    const double closed[] = {2.0 * v * v / G, v * v / (2.0 * G), 2.0 * v / G};
    const double measured[] = {before[0] + share * (after[0] - before[0]), apex,
                               now(&scene) - dt * (1.0 - share)};
    close_scene(&scene);
    return (struct closed_form_result){closed[(int)which], measured[(int)which]};
}

/* A body of three moments that turns about the middle one: the largest relative change in 600 s of
 * its energy (0) or its momentum (1). */
static struct closed_form_result tumbling(double dt, double which, double unused)
{
    static const double moments[3] = {0.01, 0.02, 0.03};
    struct scene scene;
    double first_energy = 0.0, first[3] = {0}, worst = 0.0;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='a' mass='1'><velocity wx='0.01' wy='10' wz='0.01'/>"
               "<inertia xx='0.01' yy='0.02' zz='0.03'/></RigidObject></mechanism>");
    for (int k = 0; k <= 6000; k++) {
        double(*r)[3] = scene.state->bodies.rotation[0];
        const double *w = scene.state->bodies.angular[0];
        double energy = 0.0, momentum[3] = {0}, change = 0.0;
        for (int i = 0; i < 3; i++) {
            double own = r[0][i] * w[0] + r[1][i] * w[1] + r[2][i] * w[2];
            energy += 0.5 * moments[i] * own * own;
            for (int j = 0; j < 3; j++) {
                momentum[j] += r[j][i] * moments[i] * own;
            }
        }
        if (k == 0) {
            first_energy = energy;
            memcpy(first, momentum, sizeof first);
        }
        for (int j = 0; j < 3; j++) {
            change = hypot(change, momentum[j] - first[j]);
        }
        worst = fmax(worst, which > 0.0 ? change / hypot(hypot(first[0], first[1]), first[2])
                                        : fabs(energy / first_energy - 1.0));
        run_for(&scene, 0.1);
    }
    close_scene(&scene);
    return (struct closed_form_result){0.0, worst};
}

/* ---- joints ---- */

/* The mean of n periods of the first joint: by passages through `middle`, upwards. */
static double period(struct scene *scene, double middle, int n)
{
    const double *position = scene->state->joints.position;
    double first = 0.0, last = 0.0;
    for (int passages = 0; passages <= n;) {
        double before = *position - middle;
        dpl_world_step(scene->world, 1);
        double after = *position - middle;
        if (before < 0.0 && after >= 0.0) {
            last = now(scene) - scene->dt * after / (after - before);
            first = passages++ == 0 ? last : first;
        }
    }
    return (last - first) / n;
}

/* The complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
static double elliptic_k(double modulus)
{
    double a = 1.0, b = sqrt(1.0 - modulus * modulus);
    for (int i = 0; i < 40; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return DPL_PI / (2.0 * a);
}

/* The mean of 20 periods over its closed form. */
static struct closed_form_result pendulum(double dt, double degrees, double unused)
{
    struct scene scene;
    double angle = degrees * DPL_PI / 180.0, inertia = 1.0 + 0.4 * 0.05 * 0.05;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='bob' mass='1'><position x='%.17g' z='%.17g'/>"
               "<orientation pitch='%.17g'/><SphereShape radius='0.05'/></RigidObject>"
               "<Joint name='pin' type='hinge' child='bob'><frame><position z='10'/></frame>"
               "<childFrame><position z='1'/></childFrame><axis y='1' z='0'/></Joint></mechanism>",
               sin(angle), 10.0 - cos(angle), -angle);
    double closed = 4.0 * sqrt(inertia / G) * elliptic_k(sin(angle / 2.0));
    struct closed_form_result result = {1.0, period(&scene, 0.0, 20) / closed};
    close_scene(&scene);
    return result;
}

/* 400 N/m, 1 kg, from 0.1 m. `which`: 0 the period over its closed form, 1 over that of the
 * stepper, which is pi dt / asin(w dt / 2), 2 the largest relative change of the energy. */
static struct closed_form_result spring(double dt, double which, double unused)
{
    struct scene scene;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='mass' mass='1'><position x='0.1' z='10'/>"
               "<SphereShape radius='0.05'/></RigidObject>"
               "<Joint name='guide' type='slider' child='mass'><frame><position z='10'/></frame>"
               "<childFrame/><axis x='1' z='0'/><spring stiffness='400'/></Joint></mechanism>");
    double closed = which > 0.0 ? DPL_PI * dt / asin(20.0 * dt / 2.0) : 2.0 * DPL_PI / 20.0;
    struct closed_form_result result = {1.0, 0.0};
    if (which < 2.0) {
        result.measured = period(&scene, 0.0, 100) / closed;
    } else {
        result = (struct closed_form_result){0};
        for (int i = 0; i < (int)(31.4 / dt); i++) {
            dpl_world_step(scene.world, 1);
            double x = scene.state->joints.position[0], v = scene.state->joints.velocity[0];
            result.measured =
                fmax(result.measured, fabs((0.5 * v * v + 200.0 * x * x) / 2.0 - 1.0));
        }
    }
    close_scene(&scene);
    return result;
}

/* A disc of 1 kg on a level axle of 0.1 m, hung at its end, with this spin: precession, relative to
 * that of its closed form. */
static struct closed_form_result top(double dt, double spin, double unused)
{
    struct scene scene;
    double precession = G * 0.1 / (0.005 * spin);
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='disc' mass='1'><position x='0.1' z='10'/>"
               "<orientation pitch='90 deg'/><velocity wx='%.17g' wz='%.17g'/>"
               "<inertia xx='0.0025' yy='0.0025' zz='0.005'/></RigidObject>"
               "<Joint name='end' type='ball' child='disc'><frame><position z='10'/></frame>"
               "<childFrame><position z='-0.1'/></childFrame></Joint></mechanism>",
               spin, precession);
    run_for(&scene, 1.0);
    const double *at = scene.state->bodies.position[0];
    struct closed_form_result result = {1.0, atan2(at[1], at[0]) / precession};
    close_scene(&scene);
    return result;
}

/* Two rods of 0.5 m and 1 kg from level, 60 s. `which` 0: the largest change of the energy over 2 m
 * g L; 1: in 10 s, how far what an audit finds lost is from it, over 2 m g L. */
static struct closed_form_result double_pendulum(double dt, double which, double unused)
{
    struct scene scene;
    struct dpl_audit *audit;
    struct dpl_audit_balance balance;
    double worst = 0.0, apart = 0.0;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><Material name='m'/>"
               "<RigidObject name='a' mass='1'><position x='0.25' z='10'/>"
               "<inertia xx='1e-4' yy='%.17g' zz='%.17g'/></RigidObject>"
               "<RigidObject name='b' mass='1'><position x='0.75' z='10'/>"
               "<inertia xx='1e-4' yy='%.17g' zz='%.17g'/></RigidObject>"
               "<Joint name='upper' type='hinge' child='a'><frame><position z='10'/></frame>"
               "<axis y='1' z='0'/></Joint>"
               "<Joint name='lower' type='hinge' parent='a' child='b'>"
               "<frame><position x='0.25'/></frame><axis y='1' z='0'/></Joint></mechanism>",
               0.25 / 12.0, 0.25 / 12.0, 0.25 / 12.0, 0.25 / 12.0);
    if (dpl_audit_create(scene.world, &audit) < 0) {
        give_up("out of memory");
    }
    for (int i = 0; i < (int)((which > 0.0 ? 10.0 : 60.0) / dt); i++) {
        dpl_world_step(scene.world, 1);
        dpl_audit_step(audit);
        double energy = 0.0;
        for (int k = 0; k < 2; k++) {
            const double *v = scene.state->bodies.velocity[k];
            double turn = scene.state->bodies.angular[k][1];
            energy += 0.5 * (v[0] * v[0] + v[2] * v[2]) + 0.5 * 0.25 / 12.0 * turn * turn +
                      G * (scene.state->bodies.position[k][2] - 10.0);
        }
        worst = fmax(worst, fabs(energy) / (2.0 * G * 0.5));
        dpl_audit_balance(audit, 0, &balance);
        apart = fmax(apart, fabs(balance.lost + energy) / (2.0 * G * 0.5));
    }
    dpl_audit_destroy(audit);
    close_scene(&scene);
    return (struct closed_form_result){0.0, which > 0.0 ? apart : worst};
}

/* 1 and 3 kg on a spring of 50 N/m without damping, 600 s. `which`: 0 the largest relative change
 * of the energy of their relative motion, 1 of the momentum, 2 of the angular momentum. */
static struct closed_form_result two_bodies(double dt, double which, double unused)
{
    struct scene scene;
    double first = 0.0, worst = 0.0;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='a' mass='1'><position x='0.6'/><velocity y='3'/>"
               "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>"
               "<RigidObject name='b' mass='3'><position x='-0.2'/><velocity y='-1'/>"
               "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>"
               "<Joint name='spring' type='rope' parent='a' child='b'><childFrame/>"
               "<rope ea='25' free='0.5' damping='0' tensionOnly='false'/></Joint></mechanism>");
    for (int k = 0; k <= 60000; k++) {
        double(*p)[3] = scene.state->bodies.position;
        double(*v)[3] = scene.state->bodies.velocity;
        double d[2] = {p[0][0] - p[1][0], p[0][1] - p[1][1]};
        double u[2] = {v[0][0] - v[1][0], v[0][1] - v[1][1]};
        double stretch = hypot(d[0], d[1]) - 0.5;
        const double values[] = {
            0.5 * 0.75 * (u[0] * u[0] + u[1] * u[1]) + 25.0 * stretch * stretch,
            v[0][1] + 3.0 * v[1][1] + v[0][0] + 3.0 * v[1][0],
            p[0][0] * v[0][1] - p[0][1] * v[0][0] + 3.0 * (p[1][0] * v[1][1] - p[1][1] * v[1][0])};
        double value = values[(int)which];
        first = k == 0 ? value : first;
        worst = fmax(worst, which > 0.0 ? fabs(value - first) : fabs(value / first - 1.0));
        run_for(&scene, 0.01);
    }
    close_scene(&scene);
    return (struct closed_form_result){0.0, worst};
}

/* ---- contact ---- */

/* A box on a slope `above` degrees steeper than the angle of friction: how far it is after 2 s. */
static struct closed_form_result incline(double dt, double friction, double above)
{
    struct scene scene;
    double angle = atan(friction) + above * DPL_PI / 180.0;
    double rest = 0.1 - 1e-9; /* deep enough to touch in the first step */
    open_scene(
        &scene, dt,
        "<mechanism><Material name='slope' friction='1'/><Material name='box' friction='%.17g'/>"
        "<RigidObject name='slope' static='true'><position z='100'/>"
        "<orientation pitch='%.17g'/><BoxShape x='60' y='10' z='2'><position z='-1'/></BoxShape>"
        "</RigidObject><RigidObject name='box' mass='1'><position x='%.17g' z='%.17g'/>"
        "<orientation pitch='%.17g'/><BoxShape x='0.4' y='0.4' z='0.2' materialIndex='1'/>"
        "</RigidObject></mechanism>",
        friction, angle, rest * sin(angle), 100.0 + rest * cos(angle), angle);
    const double *at = scene.state->bodies.position[1];
    double start[] = {at[0], at[2]};
    run_for(&scene, 2.0);
    struct closed_form_result result = {
        .expected = fmax(0.0, 2.0 * G * (sin(angle) - friction * cos(angle))),
        .measured = hypot(at[0] - start[0], at[2] - start[1]),
    };
    close_scene(&scene);
    return result;
}

/* A ball of 1 kg at 2 m/s hits one of `mass`, at rest: the sum of the errors of both speeds. */
static struct closed_form_result impact(double dt, double restitution, double mass)
{
    struct scene scene;
    open_scene(&scene, dt,
               "<mechanism><Material name='a' friction='0' restitution='1'/>"
               "<Material name='b' friction='0' restitution='%.17g'/>"
               "<RigidObject name='a' mass='1'><position z='500'/><velocity x='2'/>"
               "<SphereShape radius='0.1'/></RigidObject>"
               "<RigidObject name='b' mass='%.17g'><position x='0.3' z='500'/>"
               "<SphereShape radius='0.1' materialIndex='1'/></RigidObject></mechanism>",
               restitution, mass);
    run_for(&scene, 0.5);
    double a = 2.0 * (1.0 - restitution * mass) / (1.0 + mass);
    double b = 2.0 * (1.0 + restitution) / (1.0 + mass);
    double error =
        fabs(scene.state->bodies.velocity[0][0] - a) + fabs(scene.state->bodies.velocity[1][0] - b);
    close_scene(&scene);
    return (struct closed_form_result){0.0, error};
}

/* A ball falls 1 m onto a plane: how high it comes again. */
static struct closed_form_result drop(double dt, double restitution, double unused)
{
    struct scene scene;
    double top = 0.0;
    (void)unused;
    open_scene(
        &scene, dt,
        "<mechanism><Material name='a' friction='0' restitution='1'/>"
        "<Material name='b' friction='0' restitution='%.17g'/>"
        "<RigidObject name='floor' static='true'><position z='5'/><PlaneShape/></RigidObject>"
        "<RigidObject name='ball' mass='1'><position z='6.1'/>"
        "<SphereShape radius='0.1' materialIndex='1'/></RigidObject></mechanism>",
        restitution);
    double fall = sqrt(2.0 / G);
    run_for(&scene, fall + 0.5 * restitution * fall);
    for (int i = 0; i < (int)(restitution * fall / dt); i++) {
        dpl_world_step(scene.world, 1);
        top = fmax(top, scene.state->bodies.position[1][2] - 5.1);
    }
    close_scene(&scene);
    return (struct closed_form_result){restitution * restitution, top};
}

/* Limits: what the same scenes reach in prototypes with Bullet 3.24, with room of 1.3 to 3. */
const struct closed_form_test closed_form_tests[] = {
    {"free fall, 2 s", "m", free_fall, 0, 0, 1e-2, 1e-3},
    {"free fall, the stepper's own form", "m", free_fall, 1, 0, 1e-10, 1e-10},
    {"projectile, range", "m", projectile, 0, 0, 1.5e-2, 1.5e-3},
    {"projectile, highest point", "m", projectile, 1, 0, 7.5e-3, 7.5e-4},
    {"projectile, time", "s", projectile, 2, 0, 1.05e-3, 1.05e-4},
    {"pendulum, 5 deg, period", "1", pendulum, 5, 0, 1e-6, 1e-8},
    {"pendulum, 45 deg, period", "1", pendulum, 45, 0, 1e-6, 1e-8},
    {"pendulum, 120 deg, period", "1", pendulum, 120, 0, 1e-6, 1e-8},
    {"pendulum, 170 deg, period", "1", pendulum, 170, 0, 1e-6, 1e-8},
    {"incline, mu 0.5, 0.1 deg below", "m", incline, 0.5, -0.1, 1e-6, 1e-7},
    {"incline, mu 0.5, 0.1 deg above", "m", incline, 0.5, 0.1, 2e-3, 1e-3},
    {"incline, mu 0.5, 1 deg above", "m", incline, 0.5, 1, 1e-3, 1e-3},
    {"incline, mu 0.5, 35 deg", "m", incline, 0.5, 35 - 26.56505117707799, 6e-3, 1e-3},
    {"incline, mu 0.3, 2 deg above", "m", incline, 0.3, 2, 6e-3, 1e-3},
    {"incline, mu 0.3, 10 deg above", "m", incline, 0.3, 10, 6e-3, 1e-3},
    {"incline, mu 0, 20 deg", "m", incline, 0, 20, 3.5e-3, 3.5e-4},
    {"spring and mass, 100 periods", "1", spring, 0, 0, 2e-5, 2e-7},
    {"spring and mass, the stepper's own form", "1", spring, 1, 0, 1e-9, 1e-9},
    {"spring and mass, energy", "1", spring, 2, 0, 1.05e-2, 1.1e-3},
    {"impact, e 1, masses 1:1", "m/s", impact, 1, 1, 1e-12, 1e-12},
    {"impact, e 1, masses 1:3", "m/s", impact, 1, 3, 1e-12, 1e-12},
    {"impact, e 0.5, masses 1:1", "m/s", impact, 0.5, 1, 1e-12, 1e-12},
    {"impact, e 0.5, masses 1:3", "m/s", impact, 0.5, 3, 1e-12, 1e-12},
    {"impact, e 0, masses 1:1", "m/s", impact, 0, 1, 1e-12, 1e-12},
    {"impact, e 0, masses 1:3", "m/s", impact, 0, 3, 1e-12, 1e-12},
    {"drop, e 1", "m", drop, 1, 0, 3e-3, 3e-4},
    {"drop, e 0.5", "m", drop, 0.5, 0, 3e-3, 3e-4},
    {"heavy top, 300 rad/s", "1", top, 300, 0, 5e-3, 5e-4},
    {"heavy top, 100 rad/s", "1", top, 100, 0, 2.5e-2, 5e-3},
    {"tumbling, energy, 600 s", "1", tumbling, 0, 0, 1e-5, 0},
    {"tumbling, angular momentum, 600 s", "1", tumbling, 1, 0, 1e-12, 0},
    {"two bodies on a spring, energy, 600 s", "1", two_bodies, 0, 0, 3e-3, 3e-4},
    {"two bodies on a spring, momentum", "N s", two_bodies, 1, 0, 1e-10, 1e-10},
    {"two bodies on a spring, angular momentum", "N m s", two_bodies, 2, 0, 1e-10, 1e-10},
    {"rope, held sheave, floor 0, empty", "1", held_rope, 0, 0, 1e-4, 1e-6},
    {"rope, held sheave, floor 0, full", "1", held_rope, 0, 630, 1e-4, 1e-6},
    {"rope, held sheave, floor 5, full", "1", held_rope, 5, 630, 1e-4, 1e-6},
    {"rope, held sheave, floor 11, empty", "1", held_rope, 11, 0, 3e-4, 3e-6},
    {"rope, static stretch, floor 0, full", "m", rope_stretch, 0, 630, 1e-6, 1e-6},
    {"rope, static stretch, floor 11, empty", "m", rope_stretch, 11, 0, 1e-6, 1e-6},
    /* A sheave takes over rope by its length without force, so it feels stiffness * (1 + strain),
     * whatever the step. */
    {"rope, three masses, floor 0, full, low", "1", free_rope_low, 0, 630, 5e-4, 3e-4},
    {"rope, three masses, floor 0, full, high", "1", free_rope_high, 0, 630, 2e-3, 1e-3},
    {"rope, three masses, floor 5, full, high", "1", free_rope_high, 5, 630, 1.5e-3, 1e-3},
    {"rope, slipping, ratio of tensions", "1", slipping_rope, 0, 0, 1e-9, 1e-9},
    {"rope, slipping, way in 1 s", "1", slipping_rope, 1, 0, 5e-3, 5e-3},
    {"belt, two bodies, force of its own", "1", belt_swing, 0, 0, 3e-5, 1e-6},
    {"belt, two bodies, solved with the step", "1", belt_swing, 1, 0, 3e-4, 3e-6},
    {"force sensor, turning arm, pull", "1", arm_pull, 0, 0, 1e-4, 1e-6},
    /* Steps in joint coordinates lose the energy of a free chain: the limit says how much. */
    {"double pendulum, lost energy, 60 s", "1", double_pendulum, 0, 0, 0.05, 5e-3},
    {"the same, what an audit says", "1", double_pendulum, 1, 0, 1e-9, 1e-9},
};
const int closed_form_n_tests = sizeof closed_form_tests / sizeof *closed_form_tests;
