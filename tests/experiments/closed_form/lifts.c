/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes with ropes over a sheave, belts and a force sensor: see scenes.h. */
#include "scene.h"

/* A car and a counterweight of 1115 kg on 1e7 N over a sheave of 0.3 m and 20 kg m^2: floors of
 * 3.2 m, 38.2 m of rope at floor 0. */
#define EA     1e7
#define RADIUS 0.3
#define MOMENT 20.0
#define AXLE   60.0 /* m over the ground */

struct lift {
    double mass[2], free[2], apart[2]; /* of both ends; apart: from where it hangs at rest */
    double damping;
    const char *grip;
};

enum { SHEAVE, CAR }; /* values of joints */

static struct lift lift_at(double floor, double load)
{
    return (struct lift){
        {800.0 + load, 1115.0}, {38.2 - 3.2 * floor, 3.0 + 3.2 * floor}, {0.0, 0.0}, 0.0, ""};
}

static void open_lift(struct scene *scene, double dt, const struct lift *lift)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        at[i] = AXLE - lift->free[i] * (1.0 + lift->mass[i] * G / EA) + lift->apart[i];
    }
    open_scene(scene, dt,
               "<mechanism><RigidObject name='car' mass='%.17g'><position x='1' z='%.17g'/>"
               "<inertia xx='900' yy='900' zz='900'/></RigidObject>"
               "<RigidObject name='weight' mass='%.17g'><position x='-1' z='%.17g'/>"
               "<inertia xx='900' yy='900' zz='900'/></RigidObject>"
               "<RigidObject name='wheel' mass='200'><position z='%.17g'/>"
               "<inertia xx='11' yy='%.17g' zz='11'/></RigidObject>"
               "<Joint name='sheave' type='hinge' child='wheel'><frame><position z='%.17g'/>"
               "</frame><axis y='-1' z='0'/></Joint>"
               "<Joint name='rail' type='slider' child='car'/>"
               "<Joint name='guide' type='slider' child='weight'/>"
               "<Joint name='rope' type='rope' parent='car' child='weight'><childFrame/>"
               "<rope ea='%.17g' free='%.17g' free_child='%.17g' damping='%.17g' sheave='sheave' "
               "radius='%.17g' %s/></Joint></mechanism>",
               lift->mass[0], at[0], lift->mass[1], at[1], AXLE, MOMENT, AXLE, EA, lift->free[0],
               lift->free[1], lift->damping, RADIUS, lift->grip);
}

static void hold_sheave(const struct scene *scene)
{
    scene->state->joints.limit[SHEAVE] = 1e9;
}

/* How often a value swings around 0 in a second. */
static double swing_hz(struct scene *scene, const double *value, double seconds)
{
    double first = -1.0, last = 0.0, before = *value, end = now(scene) + seconds;
    int n = 0;
    while (now(scene) < end) {
        dpl_world_step(scene->world, 1);
        if (before < 0.0 && *value >= 0.0) {
            last = now(scene) - scene->dt * *value / (*value - before);
            n += first >= 0.0;
            first = first < 0.0 ? last : first;
        }
        before = *value;
    }
    return n / (last - first);
}

struct closed_form_result held_rope(double dt, double floor, double load)
{
    struct scene scene;
    struct lift lift = lift_at(floor, load);
    lift.apart[0] = -1e-3;
    open_lift(&scene, dt, &lift);
    hold_sheave(&scene);
    double closed = sqrt(EA / lift.free[0] / lift.mass[0]) / (2.0 * DPL_PI);
    struct closed_form_result result = {
        1.0, swing_hz(&scene, &scene.state->joints.velocity[CAR], 40.0) / closed};
    close_scene(&scene);
    return result;
}

struct closed_form_result rope_stretch(double dt, double floor, double load)
{
    struct scene scene;
    struct lift lift = lift_at(floor, load);
    lift.apart[0] = 0.01;
    lift.damping = 0.5;
    open_lift(&scene, dt, &lift);
    hold_sheave(&scene);
    run_for(&scene, 10.0);
    struct closed_form_result result = {
        lift.mass[0] * G * lift.free[0] / EA,
        AXLE - scene.state->bodies.position[0][2] - lift.free[0],
    };
    close_scene(&scene);
    return result;
}

/* Car, sheave and counterweight: `x` is the square of the angular frequency. */
static struct closed_form_result free_rope(double dt, struct lift lift, bool high)
{
    struct scene scene;
    double a = EA / lift.free[0], b = EA / lift.free[1], s = MOMENT / (RADIUS * RADIUS);
    double p = a / lift.mass[0] + (a + b) / s + b / lift.mass[1];
    double q = a * b * (lift.mass[0] + s + lift.mass[1]) / (lift.mass[0] * s * lift.mass[1]);
    double root = sqrt(p * p / 4.0 - q), x = p / 2.0 + (high ? root : -root);
    lift.apart[0] = a / (a - lift.mass[0] * x) - 1.0;
    lift.apart[1] = 1.0 - b / (b - lift.mass[1] * x);
    double size = 1e-4 / fmax(fabs(lift.apart[0]), fabs(lift.apart[1]));
    lift.apart[0] *= size;
    lift.apart[1] *= size;
    open_lift(&scene, dt, &lift);
    scene.state->joints.driven[SHEAVE] = true;
    scene.state->joints.push[SHEAVE] = RADIUS * (lift.mass[0] - lift.mass[1]) * G;
    struct closed_form_result result = {
        1.0,
        swing_hz(&scene, &scene.state->joints.velocity[SHEAVE], 10.0) / (sqrt(x) / (2.0 * DPL_PI))};
    close_scene(&scene);
    return result;
}

struct closed_form_result free_rope_low(double dt, double floor, double load)
{
    return free_rope(dt, lift_at(floor, load), false);
}

struct closed_form_result free_rope_high(double dt, double floor, double load)
{
    return free_rope(dt, lift_at(floor, load), true);
}

/* 3000 kg against 800 on a held sheave: `which` 0 the ratio of the tensions, as it follows from how
 * both move, 1 the way. */
struct closed_form_result slipping_rope(double dt, double which, double unused)
{
    struct scene scene;
    struct lift lift = {
        {3000.0, 800.0}, {20.0, 20.0}, {0.0, 0.0}, 0.03, "slip='0.2' wrap='180 deg'"};
    (void)unused;
    open_lift(&scene, dt, &lift);
    hold_sheave(&scene);
    double(*at)[3] = scene.state->bodies.position, (*v)[3] = scene.state->bodies.velocity;
    double start = at[0][2];
    run_for(&scene, 1.0 - dt);
    double before[] = {v[0][2], v[1][2]};
    dpl_world_step(scene.world, 1);
    double grip = exp(0.2 * DPL_PI);
    double heavy = lift.mass[0] * ((v[0][2] - before[0]) / dt + G);
    double light = lift.mass[1] * ((v[1][2] - before[1]) / dt + G);
    double closed = G * (3000.0 - grip * 800.0) / (3000.0 + grip * 800.0) / 2.0;
    struct closed_form_result result = {1.0, (start - at[0][2]) / closed};
    if (which == 0.0) {
        result = (struct closed_form_result){grip, heavy / light};
    }
    close_scene(&scene);
    return result;
}

/* 2 kg and 6 kg on 1000 N/m. */
struct closed_form_result belt_swing(double dt, double is_solved, double unused)
{
    struct scene scene;
    (void)unused;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='a' mass='2'><inertia xx='1' yy='1' zz='1'/>"
               "</RigidObject><RigidObject name='b' mass='6'><position y='1'/>"
               "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
               "<Joint name='ra' type='slider' child='a'><axis x='1' z='0'/></Joint>"
               "<Joint name='rb' type='slider' child='b'><axis x='1' z='0'/></Joint>"
               "<Joint name='belt' type='belt' parent='a' child='b'><axis x='1' z='0'/>"
               "<belt stiffness='1000' condense='%s'/></Joint></mechanism>",
               is_solved > 0.0 ? "always" : "never");
    scene.state->joints.driven[0] = scene.state->joints.driven[1] = true;
    scene.state->joints.push[0] = 6.0;
    scene.state->joints.push[1] = -6.0;
    dpl_world_step(scene.world, 1);
    scene.state->joints.push[0] = scene.state->joints.push[1] = 0.0;
    double closed = sqrt(1000.0 * (1.0 / 2.0 + 1.0 / 6.0)) / (2.0 * DPL_PI);
    struct closed_form_result result = {
        1.0, swing_hz(&scene, &scene.state->joints.velocity[0], 2.0) / closed};
    close_scene(&scene);
    return result;
}

/* An arm of 2 kg, 0.5 m out of its pin, at 10 rad/s: what the pin gives along the arm. */
struct closed_form_result arm_pull(double dt, double unused, double unused2)
{
    struct scene scene;
    (void)unused;
    (void)unused2;
    open_scene(&scene, dt,
               "<mechanism><RigidObject name='arm' mass='2'><position x='0.5' z='5'/>"
               "<inertia xx='0.001' yy='0.04' zz='0.04'/></RigidObject>"
               "<Joint name='pin' type='hinge' child='arm'><frame><position z='5'/></frame></Joint>"
               "<Sensor name='f' type='force' joint='pin'/></mechanism>");
    scene.state->joints.speed[0] = 10.0;
    scene.state->joints.limit[0] = 1e6;
    run_for(&scene, 1.0);
    struct closed_form_result result = {1.0, -scene.state->reactions.wrench[0][0] /
                                                 (2.0 * 10.0 * 10.0 * 0.5)};
    close_scene(&scene);
    return result;
}
