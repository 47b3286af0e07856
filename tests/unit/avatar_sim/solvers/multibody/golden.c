/* SPDX-License-Identifier: Apache-2.0 */
#include "golden.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/geometry.h>

#define RZ(name, a, fa, b, fb, q, v)                                                               \
    {                                                                                              \
        name, DPL_MB_RZ, {{a, fa}, {b, fb}}, q, v                                                  \
    }
#define TX(name, a, fa, b, fb, q, v)                                                               \
    {                                                                                              \
        name, DPL_MB_TX, {{a, fa}, {b, fb}}, q, v                                                  \
    }
#define LAW(n, ...) .n_of = {n}, .coefficients = {__VA_ARGS__}

const struct golden_world golden_double_pendulum = {
    .gravity = {0, 0, -9.81},
    .bodies = {{"b1", 1, {0, 0, .5}, {1, 1, 1}}, {"b2", 1, {0, 0, .5}, {1, 1, 1}}},
    .frames = {{"b1", "tip", {0, 0, 1}}},
    .joints = {{"q1", DPL_MB_RX, {{"fixed", NULL}, {"b1", NULL}}, .2, .2},
               {"q2", DPL_MB_RX, {{"b1", "tip"}, {"b2", NULL}}, 0, 0}},
    .restraints = {{DPL_MB_SPRING, "q1", LAW(2, .5, 0)}},
};

const struct golden_world golden_four_bar = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"crank", 1, {.4, 0, 0}, {.001, .06, .06}},
               {"coupler", 2, {.9, .1, 0}, {.002, .55, .55}},
               {"rocker", 1.5, {.75, 0, 0}, {.002, .3, .3}}},
    .frames = {{"fixed", "pivot", {2, 0, 0}},
               {"crank", "tip", {.8, 0, 0}},
               {"coupler", "tip", {1.8, 0, 0}},
               {"rocker", "tip", {1.5, 0, 0}}},
    .joints = {RZ("A", "fixed", NULL, "crank", NULL, 1, 3),
               RZ("B", "crank", "tip", "coupler", NULL, -0.5229448707762997, -3.7931559253297493),
               RZ("C", "coupler", "tip", "rocker", "tip", 1.0728906447337785, 1.7026797838997825),
               RZ("D", "fixed", "pivot", "rocker", NULL, 1.5499457739574787, 0.9095238585700329)},
};

const struct golden_world golden_slider_crank = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"crank", 2, {.2, 0, 0}, {.01, .05, .05}},
               {"rod", 1, {.75, 0, 0}, {.01, .2, .2}},
               {"piston", .8, {0, 0, 0}, {.01, .01, .01}}},
    .frames = {{"crank", "tip", {.5, 0, 0}}, {"rod", "tip", {1.5, 0, 0}}},
    .joints = {RZ("A", "fixed", NULL, "crank", NULL, .6, 2),
               RZ("B", "crank", "tip", "rod", NULL, -0.7893434890587058, -2.560236279668753),
               RZ("C", "rod", "tip", "piston", NULL, 0.18934348905870582, 0.560236279668753),
               TX("D", "fixed", NULL, "piston", NULL, 1.8858598245760236, -0.7228090727139341)},
};

const struct golden_world golden_excavator = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"boom", 400, {1.5, .1, 0}, {20, 300, 310}},
               {"barrel1", 40, {.4, 0, 0}, {.5, 3, 3}},
               {"rod1", 25, {-.3, 0, 0}, {.2, 2, 2}},
               {"stick", 180, {.5, 0, 0}, {5, 60, 62}},
               {"barrel2", 30, {.4, 0, 0}, {.4, 2.5, 2.5}},
               {"rod2", 20, {-.3, 0, 0}, {.2, 1.5, 1.5}},
               {"bucket", 120, {.3, -.1, 0}, {6, 9, 10}},
               {"link", 8, {.2, 0, 0}, {.02, .12, .12}},
               {"coupler", 9, {.21, 0, 0}, {.02, .14, .14}}},
    .frames = {{"fixed", "cyl1", {.6, -.4, 0}},
               {"boom", "tip", {3, 0, 0}},
               {"boom", "rod1", {1.2, -.15, 0}},
               {"boom", "cyl2", {1, .35, 0}},
               {"stick", "rod2", {-.45, .25, 0}},
               {"stick", "link", {1.25, .05, 0}},
               {"stick", "tip", {1.6, 0, 0}},
               {"bucket", "ear", {.2, .3, 0}},
               {"link", "tip", {.4, 0, 0}},
               {"coupler", "tip", {.42, 0, 0}}},
    .joints = {RZ("boom", "fixed", NULL, "boom", NULL, .5, 0),
               RZ("cyl1", "fixed", "cyl1", "barrel1", NULL, 1.014145183922114, 0),
               TX("ram1", "barrel1", NULL, "rod1", NULL, 0.9936916642310616, 0),
               RZ("eye1", "rod1", NULL, "boom", "rod1", -0.5141451839221141, 0),
               RZ("stick", "boom", "tip", "stick", NULL, -1.2, 0),
               RZ("cyl2", "boom", "cyl2", "barrel2", NULL, 0.07714657983102517, 0),
               TX("ram2", "barrel2", NULL, "rod2", NULL, 2.0761238423552966, 0),
               RZ("eye2", "stick", "rod2", "rod2", NULL, 1.277146579831025, 0),
               RZ("bucket", "stick", "tip", "bucket", NULL, -.8, 0),
               RZ("link", "stick", "link", "link", NULL, 0.5734200297426709, 0),
               RZ("knee", "link", "tip", "coupler", NULL, -1.073701573111112, 0),
               RZ("ear", "coupler", "tip", "bucket", "ear", -0.29971845663155905, 0)},
    .restraints = {{DPL_MB_SPRING, "ram1", LAW(2, 400000, -460000)},
                   {DPL_MB_DAMPER, "ram1", LAW(2, 12000, 0)},
                   {DPL_MB_SPRING, "ram2", LAW(2, 150000, -245000)},
                   {DPL_MB_DAMPER, "ram2", LAW(2, 5000, 0)},
                   {DPL_MB_SPRING, "bucket", LAW(2, 1500, 900)},
                   {DPL_MB_DAMPER, "bucket", LAW(2, 300, 0)}},
};

#define BRICARD_P                                                                                  \
    {                                                                                              \
        1, 0, 0, 0, 0, -1, 0, 1, 0                                                                 \
    }
#define BRICARD_M                                                                                  \
    {                                                                                              \
        1, 0, 0, 0, 0, 1, 0, -1, 0                                                                 \
    }
const struct golden_world golden_bricard = {
    .gravity = {.5, -1, -9.81},
    .bodies = {{"l1", 1, {.5, 0, 0}, {.01, .09, .09}},
               {"l2", 1, {.5, 0, 0}, {.01, .09, .09}},
               {"l3", 1, {.5, 0, 0}, {.01, .09, .09}},
               {"l4", 1, {.5, 0, 0}, {.01, .09, .09}},
               {"l5", 1, {.5, 0, 0}, {.01, .09, .09}}},
    .frames = {{"fixed", "base", {1, 0, 0}, BRICARD_M},
               {"l1", "end", {1, 0, 0}, BRICARD_P},
               {"l2", "end", {1, 0, 0}, BRICARD_M},
               {"l3", "end", {1, 0, 0}, BRICARD_P},
               {"l4", "end", {1, 0, 0}, BRICARD_M},
               {"l5", "end", {1, 0, 0}, BRICARD_P}},
    .joints = {RZ("j1", "fixed", "base", "l1", NULL, .9, 0),
               RZ("j2", "l1", "end", "l2", NULL, -1.9641941607435596, 0),
               RZ("j3", "l2", "end", "l3", NULL, .9, 0),
               RZ("j4", "l3", "end", "l4", NULL, -1.9641941607435596, 0),
               RZ("j5", "l4", "end", "l5", NULL, .9, 0),
               RZ("j6", "l5", "end", "fixed", NULL, -1.9641941607435596, 0)},
};

const struct golden_world golden_free_body = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"b", 2.5, {.1, -.05, .2}, {.4, .9, .6, .05, -.03, .02}}},
    .joints = {{"free",
                DPL_MB_FLOAT,
                {{"fixed", NULL}, {"b", NULL}},
                .place = {.3, 1, -.2},
                .velocity = {.5, 1, -.3, .2, 3, .1}}},
};

const struct golden_world golden_bumper = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"b", 2, {0, 0, 0}, {1, 1, 1}}},
    .joints = {TX("x", "fixed", NULL, "b", NULL, 0, 1)},
    .restraints = {{DPL_MB_SPRING, "x", .n_knots = 2, .knots = {-.1, .1}, .n_of = {3, 1, 3},
                    .coefficients = {-300, 340, 37, 0, 300, 340, -37}}},
};

const struct golden_world golden_pair_restraints = {
    .gravity = {0, -9.81, 0},
    .bodies = {{"m", 1.5, {0, 0, 0}, {1, 1, 1}}, {"arm", .7, {.3, 0, 0}, {.01, .02, .02}}},
    .frames = {{"fixed", "top", {0, .8, 0}},
               {"fixed", "hinge", {.2, 1, 0}},
               {"arm", "tip", {.6, 0, 0}}},
    .joints = {TX("x", "fixed", NULL, "m", NULL, .5, 0),
               RZ("h", "fixed", "hinge", "arm", NULL, -.4, 0)},
    .restraints = {{DPL_MB_SPRING, NULL, {{"fixed", "top"}, {"m", NULL}}, LAW(2, 50, -40)},
                   {DPL_MB_DAMPER, NULL, {{"m", NULL}, {"arm", "tip"}}, LAW(2, 3, 0)},
                   {DPL_MB_SPRING,
                    NULL,
                    {{"arm", NULL}, {"m", NULL}},
                    DPL_MB_DISTANCE_Y,
                    .n_knots = 1,
                    .knots = {-1},
                    .n_of = {1, 2},
                    .coefficients = {0, 8, 8}}},
};

/* ---- the delta robot ---- */

static const char *const delta_names[3][12] = {
    {"upper0", "elbow0", "rodl0", "rodr0", "wrist0", "motor0", "elbow0", "erl0", "err0", "rwl0",
     "rwr0", "plat0"},
    {"upper1", "elbow1", "rodl1", "rodr1", "wrist1", "motor1", "elbow1", "erl1", "err1", "rwl1",
     "rwr1", "plat1"},
    {"upper2", "elbow2", "rodl2", "rodr2", "wrist2", "motor2", "elbow2", "erl2", "err2", "rwl2",
     "rwr2", "plat2"}};
static const char *const delta_arms[3] = {"arm0", "arm1", "arm2"};

static void delta_frame(struct golden_world *world, int *inout_n, const char *body,
                        const char *name, double x, double y, double turn)
{
    double c = cos(turn), s = sin(turn);
    world->frames[(*inout_n)++] =
        (struct golden_frame){body, name, {x, y, 0}, {c, -s, 0, s, c, 0, 0, 0, 1}};
}

static void delta_arm(struct golden_world *world, int k, int *inout_frames)
{
    static const double q[3][4] = {
        {0.36230268686429107, 1.8798344803945402, 0.03750879462898862, -2.2421371672588313},
        {0.46124922832044357, 1.840163082555606, -0.07294125028651675, -2.3014123108760494},
        {0.5619647331594199, 1.797459404776899, 0.03538397087933871, -2.359424137936319}};
    const char *const *n = delta_names[k];
    const double turn = 2.0 * DPL_PI * k / 3.0, c = cos(turn), s = sin(turn);
    struct golden_body *bodies = &world->bodies[1 + 5 * k];
    bodies[0] = (struct golden_body){n[0], .5, {.16, 0, 0}, {.001, .006, .006}};
    bodies[1] = bodies[4] = (struct golden_body){n[1], .05, {0, 0, 0}, {4e-5, 2e-5, 4e-5}};
    bodies[2] = bodies[3] = (struct golden_body){n[2], .06, {.4, 0, 0}, {1e-5, .0032, .0032}};
    bodies[3].name = n[3];
    bodies[4].name = n[4];
    delta_frame(world, inout_frames, "fixed", delta_arms[k], .3 * c, .3 * s, turn);
    delta_frame(world, inout_frames, "platform", delta_arms[k], .08 * c, .08 * s, turn);
    delta_frame(world, inout_frames, n[0], "tip", .35, 0, 0);
    delta_frame(world, inout_frames, n[1], "l", 0, .05, 0);
    delta_frame(world, inout_frames, n[1], "r", 0, -.05, 0);
    delta_frame(world, inout_frames, n[2], "tip", .8, 0, 0);
    delta_frame(world, inout_frames, n[3], "tip", .8, 0, 0);
    delta_frame(world, inout_frames, n[4], "l", 0, .05, 0);
    delta_frame(world, inout_frames, n[4], "r", 0, -.05, 0);
    const struct golden_joint joints[7] = {
        {n[5], DPL_MB_RY, {{"fixed", delta_arms[k]}, {n[0], NULL}}, q[k][0]},
        {n[6], DPL_MB_RY, {{n[0], "tip"}, {n[1], NULL}}, q[k][1]},
        {n[7], DPL_MB_RZ, {{n[1], "l"}, {n[2], NULL}}, q[k][2]},
        {n[8], DPL_MB_RZ, {{n[1], "r"}, {n[3], NULL}}, q[k][2]},
        {n[9], DPL_MB_RZ, {{n[2], "tip"}, {n[4], "l"}}, -q[k][2]},
        {n[10], DPL_MB_RZ, {{n[3], "tip"}, {n[4], "r"}}, -q[k][2]},
        {n[11], DPL_MB_RY, {{n[4], NULL}, {"platform", delta_arms[k]}}, q[k][3]}};
    memcpy(&world->joints[7 * k], joints, sizeof joints);
    world->restraints[2 * k] =
        (struct golden_restraint){DPL_MB_SPRING, n[5], LAW(2, 30, -12 - 2 * k)};
    world->restraints[2 * k + 1] = (struct golden_restraint){DPL_MB_DAMPER, n[5], LAW(2, .5, 0)};
}

void golden_delta(struct golden_world *ret_world)
{
    int n_frames = 0;
    *ret_world = (struct golden_world){
        .gravity = {0, 0, -9.81},
        .bodies = {{"platform", .3, {0, 0, 0}, {4e-4, 4e-4, 7e-4}}},
    };
    for (int k = 0; k < 3; k++) {
        delta_arm(ret_world, k, &n_frames);
    }
}

void golden_loop(int number, struct golden_world *ret_world)
{
    const struct golden_world *worlds[] = {&golden_four_bar, &golden_slider_crank,
                                           &golden_excavator, NULL, &golden_bricard};
    if (number == 5) {
        golden_delta(ret_world);
    } else {
        *ret_world = *worlds[number - 2];
    }
}

/* ---- from tables to graphs ---- */

static int must(int number, const struct dpl_diag *diag)
{
    cr_assert_geq(number, 0, "%s", diag->text);
    return number;
}

static int frame_of(const struct dpl_mb_graph *graph, const char *const end[2])
{
    int body = dpl_mb_find(graph, DPL_MB_BODY, 0, end[0]);
    cr_assert_geq(body, 0, "no body %s", end[0]);
    int frame =
        end[1] ? dpl_mb_find(graph, DPL_MB_FRAME, body, end[1]) : graph->bodies[body].origin;
    cr_assert_geq(frame, 0, "no frame %s of %s", end[1], end[0]);
    return frame;
}

static void add_restraint(struct dpl_mb_graph *graph, const struct golden_restraint *from, int i)
{
    struct dpl_diag diag = {.text = ""};
    char name[16];
    size_t counts[5];
    double knots[4], coefficients[16];
    snprintf(name, sizeof name, "r%d", i);
    for (int k = 0; k <= from->n_knots; k++) {
        counts[k] = (size_t)from->n_of[k];
    }
    memcpy(knots, from->knots, sizeof knots);
    memcpy(coefficients, from->coefficients, sizeof coefficients);
    struct dpl_mb_restraint restraint = {
        .name = name,
        .type = from->type,
        .joint = from->joint ? dpl_mb_find(graph, DPL_MB_JOINT, 0, from->joint) : -1,
        .distance = from->distance,
        .regularization = 1e-3,
        .law = {(size_t)from->n_knots, knots, counts, coefficients},
        .is_active = true};
    for (int end = 0; end < 2 && !from->joint; end++) {
        restraint.frames[end] = frame_of(graph, from->ends[end]);
    }
    must(dpl_mb_add_restraint(graph, &restraint, &diag), &diag);
}

struct dpl_mb_graph *golden_graph(const struct golden_world *world)
{
    struct dpl_mb_graph *graph;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    memcpy(graph->gravity, world->gravity, sizeof graph->gravity);
    for (const struct golden_body *from = world->bodies; from->name; from++) {
        struct dpl_mb_body body = {
            .name = (char *)(size_t)from->name, .mass = from->mass, .is_active = true};
        memcpy(body.centre, from->centre, sizeof body.centre);
        memcpy(body.inertia, from->inertia, sizeof body.inertia);
        must(dpl_mb_add_body(graph, &body, &diag), &diag);
    }
    for (const struct golden_frame *from = world->frames; from->name; from++) {
        struct dpl_mb_frame frame = {.name = (char *)(size_t)from->name,
                                     .body = dpl_mb_find(graph, DPL_MB_BODY, 0, from->body),
                                     .in_body = dpl_mb_place_identity};
        memcpy(frame.in_body.position, from->at, sizeof from->at);
        bool turned = false;
        for (int i = 0; i < 9; i++) {
            turned = turned || from->rotation[i] != 0.0;
        }
        if (turned) {
            memcpy(frame.in_body.rotation, from->rotation, sizeof from->rotation);
        }
        must(dpl_mb_add_frame(graph, &frame, &diag), &diag);
    }
    for (const struct golden_joint *from = world->joints; from->name; from++) {
        struct dpl_mb_joint joint = {
            .name = (char *)(size_t)from->name,
            .type = from->type,
            .frames = {frame_of(graph, from->ends[0]), frame_of(graph, from->ends[1])},
            .displacement = {from->q},
            .velocity = {from->v},
            .place = dpl_mb_place_identity,
            .is_held = from->is_held,
            .is_active = true};
        memcpy(joint.place.position, from->place, sizeof from->place);
        if (from->type == DPL_MB_FLOAT) {
            memcpy(joint.velocity, from->velocity, sizeof from->velocity);
        }
        must(dpl_mb_add_joint(graph, &joint, &diag), &diag);
    }
    for (int i = 0; i < GOLDEN_RESTRAINTS && world->restraints[i].n_of[0] > 0; i++) {
        add_restraint(graph, &world->restraints[i], i);
    }
    return graph;
}

struct dpl_mb_system *golden_create(const struct golden_world *world,
                                    const struct dpl_mb_settings *settings)
{
    struct dpl_mb_graph *graph = golden_graph(world);
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    int result = dpl_mb_system_create(graph, settings, NULL, NULL, NULL, &system, &diag);
    dpl_mb_graph_destroy(graph);
    cr_assert_eq(result, 0, "%s", diag.text);
    return system;
}

struct dpl_mb_system *golden_system(const struct golden_world *world,
                                    enum dpl_mb_integrator integrator)
{
    struct dpl_mb_settings settings = {
        .integrator = integrator, .relative = 1e-10, .absolute = 1e-10};
    return golden_create(world, &settings);
}

int golden_joint_number(const struct golden_world *world, const char *name)
{
    for (int i = 0; world->joints[i].name; i++) {
        if (strcmp(world->joints[i].name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no joint %s", name);
    return -1;
}

int golden_body_number(const struct golden_world *world, const char *name)
{
    for (int i = 0; world->bodies[i].name; i++) {
        if (strcmp(world->bodies[i].name, name) == 0) {
            return i + 1;
        }
    }
    cr_assert_fail("no body %s", name);
    return -1;
}

double golden_q(const struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    return state.displacement[0];
}

double golden_v(const struct dpl_mb_system *system, int joint)
{
    struct dpl_mb_joint_state state;
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    return state.velocity[0];
}

void golden_run(struct dpl_mb_system *system, double until, double step)
{
    long steps = lround((until - dpl_mb_time(system)) / step);
    for (long i = 0; i < steps; i++) {
        cr_assert_eq(dpl_mb_step(system, step), 0);
    }
}
