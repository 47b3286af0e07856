/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel machines of other parts of Doppel as worlds in STAR's format: where the motors'
 * joints are set, the loops put the platform where the closed form has it. */
#include <math.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "delta_kinematics.h"
#include "delta_workspace.h"
#include "hexa_ik.h"
#include "hexa_workspace.h"
#include "star_reading.h"

enum { POSES = 100 };

#define TOLERANCE 1e-12 /* m: of the origin of a platform, and of the joints on it */

static struct dpl_star_world *world_of(const char *file)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", PROFILES "/worlds/star", file);
    cr_assert_eq(dpl_star_read(path, NULL, &world, &diags), 0, "%s", path);
    cr_assert_eq(diags.n, 0, "%s: %s", path, diags.n > 0 ? diags.items[0].text : "");
    dpl_diags_finish(&diags);
    return world;
}

static int number_of(const struct dpl_star_world *world, enum dpl_mb_kind kind, const char *path)
{
    int number = dpl_mb_find_path(world->graph, kind, 0, path);
    cr_assert_geq(number, 0, "no %s", path);
    return number;
}

/* A system of the graph, where these joints are held at these displacements. */
static struct dpl_mb_system *held(struct dpl_mb_graph *graph, const int *joints, const double *q,
                                  int n)
{
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    for (int i = 0; i < n; i++) {
        graph->joints[joints[i]].displacement[0] = q[i];
        graph->joints[joints[i]].is_held = true;
    }
    int rc = dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag);
    cr_assert_eq(rc, 0, "%s", diag.text);
    return system;
}

/* Rz(yaw) Ry(pitch) Rx(roll), row by row. */
static void rotation_of(const double rpy[3], double ret[9])
{
    double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]);
    double cy = cos(rpy[2]), sy = sin(rpy[2]);
    const double rows[9] = {cy * cp,
                            cy * sp * sr - sy * cr,
                            cy * sp * cr + sy * sr,
                            sy * cp,
                            sy * sp * sr + cy * cr,
                            sy * sp * cr - cy * sr,
                            -sp,
                            cp * sr,
                            cp * cr};
    memcpy(ret, rows, sizeof rows);
}

static double difference(const double *a, const double *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

/* `radius`: of the joints on the platform, m. */
static void expect_place(const struct dpl_mb_system *system, int body, const double position[3],
                         const double rotation[9], double radius, int pose)
{
    struct dpl_mb_body_state state;
    cr_assert_eq(dpl_mb_body(system, body, &state), 0);
    double away = difference(state.place.position, position, 3);
    double turned = radius * difference(state.place.rotation, rotation, 9);
    cr_expect_leq(away, TOLERANCE, "pose %d: %g m away", pose, away);
    cr_expect_leq(turned, TOLERANCE, "pose %d: joints turned %g m away", pose, turned);
}

/* ---- the hexaslide ---- */

static void find_axes(const struct dpl_star_world *world, int ret_joints[6])
{
    for (int i = 0; i < 6; i++) {
        char path[64];
        snprintf(path, sizeof path, "hexaslide:axis%d", i + 1);
        ret_joints[i] = number_of(world, DPL_MB_JOINT, path);
    }
}

Test(machines, hexaslide_agrees_with_its_closed_form)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    struct dpl_star_world *world = world_of("hexaslide.json");
    int joints[6], platform = number_of(world, DPL_MB_BODY, "hexaslide:platform");
    struct dpl_random rng = dpl_random_seeded(13, 1);
    find_axes(world, joints);
    for (int i = 0; i < POSES; i++) {
        double direction[DPL_SIX], pose[DPL_SIX], q[DPL_AXES_N], rotation[9];
        dpl_hexa_direction(&rng, direction);
        dpl_hexa_place(g, direction, dpl_random_uniform(&rng, 0.0, 1.0), pose);
        cr_assert_eq(dpl_hexa_ik(g, pose, q), 0);
        rotation_of(pose + 3, rotation);
        struct dpl_mb_system *system = held(world->graph, joints, q, 6);
        expect_place(system, platform, pose, rotation, 0.263, i);
        dpl_mb_system_destroy(system);
    }
    dpl_star_destroy(world);
}

Test(machines, hexaslide_moves_as_its_closed_form)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    struct dpl_star_world *world = world_of("hexaslide.json");
    int joints[6], platform = number_of(world, DPL_MB_BODY, "hexaslide:platform");
    double rate[DPL_SIX][DPL_AXES_N];
    const double of_pose[DPL_SIX] = {0.1, -0.2, 0.15, 0.05, -0.1, 0.2}; /* at home: angular, too */
    struct dpl_mb_body_state state;
    find_axes(world, joints);
    cr_assert_eq(dpl_hexa_jacobian(g, g->home, rate), 0);
    for (int i = 0; i < 6; i++) {
        world->graph->joints[joints[i]].is_held = true;
        for (int k = 0; k < DPL_SIX; k++) {
            world->graph->joints[joints[i]].velocity[0] += rate[k][i] * of_pose[k];
        }
    }
    struct dpl_mb_system *system;
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_system_create(world->graph, NULL, NULL, NULL, NULL, &system, &diag), 0);
    cr_assert_eq(dpl_mb_body(system, platform, &state), 0);
    cr_expect_leq(difference(state.velocity, of_pose, 3), 1e-11);
    cr_expect_leq(difference(state.angular, of_pose + 3, 3), 1e-11);
    dpl_mb_system_destroy(system);
    dpl_star_destroy(world);
}

Test(machines, hexaslide_has_the_ends_of_the_machine)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    struct dpl_star_world *world = world_of("hexaslide.json");
    int joints[6];
    find_axes(world, joints);
    for (int i = 0; i < 6; i++) {
        const struct dpl_mb_limit *limit = &world->graph->joints[joints[i]].limit;
        cr_expect(limit->is_there && limit->lower == g->low_m[i] && limit->upper == g->high_m[i]);
    }
    dpl_star_destroy(world);
}

/* ---- the delta ---- */

#define HEIGHT 1.0 /* m: of the hinges, which the closed form has at 0 */

/* A position within the machine's joint range, and with a condition number up to 8. */
static void draw_position(struct dpl_random *rng, double ret_p[3])
{
    do {
        ret_p[0] = dpl_random_uniform(rng, -0.45, 0.45);
        ret_p[1] = dpl_random_uniform(rng, -0.45, 0.45);
        ret_p[2] = dpl_random_uniform(rng, -0.75, -0.3);
    } while (dpl_delta_place(&dpl_delta_reference, ret_p, 8.0) != DPL_DELTA_ALLOWED);
}

/* From one position to another one by steps: loops close from a pose that is near, since far ones
 * may lead to another assembly mode. The graph's start is the end of the way then. */
static void go(struct dpl_mb_graph *graph, const int joints[3], const double from[3],
               const double to[3])
{
    int n = 1 + (int)(difference(from, to, 3) / 0.05);
    for (int k = 1; k <= n; k++) {
        double p[3], q[3], part = (double)k / n;
        for (int c = 0; c < 3; c++) {
            p[c] = from[c] + part * (to[c] - from[c]);
        }
        cr_assert_eq(dpl_delta_ik(&dpl_delta_reference, p, q), 0);
        struct dpl_mb_system *system = held(graph, joints, q, 3);
        dpl_mb_store(system, graph);
        dpl_mb_system_destroy(system);
    }
}

static void find_motors(const struct dpl_star_world *world, int ret_joints[3])
{
    for (int i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "delta:motor%d", i);
        ret_joints[i] = number_of(world, DPL_MB_JOINT, path);
    }
}

Test(machines, delta_agrees_with_its_closed_form)
{
    const struct dpl_delta *d = &dpl_delta_reference;
    struct dpl_star_world *world = world_of("delta_machine.json");
    int joints[3], platform = number_of(world, DPL_MB_BODY, "delta:platform");
    struct dpl_random rng = dpl_random_seeded(13, 2);
    double q[3] = {0.0, 0.0, 0.0}, before[3];
    find_motors(world, joints);
    cr_assert_eq(dpl_delta_fk(d, q, before), 0); /* all arms are level at the start */
    for (int i = 0; i < POSES; i++) {
        double p[3], forward[3];
        draw_position(&rng, p);
        go(world->graph, joints, before, p);
        memcpy(before, p, sizeof p);
        cr_assert_eq(dpl_delta_ik(d, p, q), 0);
        cr_assert_eq(dpl_delta_fk(d, q, forward), 0);
        struct dpl_mb_system *system = held(world->graph, joints, q, 3);
        const double position[3] = {forward[0], forward[1], forward[2] + HEIGHT};
        expect_place(system, platform, position, dpl_mb_place_identity.rotation, 0.064, i);
        dpl_mb_system_destroy(system);
    }
    dpl_star_destroy(world);
}

Test(machines, delta_moves_as_its_closed_form)
{
    const struct dpl_delta *d = &dpl_delta_reference;
    struct dpl_star_world *world = world_of("delta_machine.json");
    int joints[3], platform = number_of(world, DPL_MB_BODY, "delta:platform");
    struct dpl_delta_motion motion = {.qd = {1.0, -0.5, 0.3}};
    struct dpl_mb_body_state state;
    static const double none[3];
    find_motors(world, joints);
    for (int i = 0; i < 3; i++) {
        world->graph->joints[joints[i]].velocity[0] = motion.qd[i];
    }
    struct dpl_mb_system *system = held(world->graph, joints, motion.q, 3);
    cr_assert_eq(dpl_delta_motion_of_platform(d, &motion), 0);
    cr_assert_eq(dpl_mb_body(system, platform, &state), 0);
    cr_expect_leq(difference(state.velocity, motion.v, 3), 1e-11);
    cr_expect_leq(difference(state.angular, none, 3), 1e-11);
    dpl_mb_system_destroy(system);
    dpl_star_destroy(world);
}

/* ---- motors ---- */

/* Runs 1 s as the file says. */
static struct dpl_mb_system *run(const struct dpl_star_world *world)
{
    struct dpl_mb_system *system;
    struct dpl_diag diag = {.text = ""};
    int rc = dpl_mb_system_create(world->graph, &world->settings.solver, NULL, NULL, NULL, &system,
                                  &diag);
    cr_assert_eq(rc, 0, "%s", diag.text);
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(dpl_mb_step(system, world->settings.time_step), 0);
    }
    return system;
}

/* A joint with a position motor rests after 1 s, near where it began. */
static void expect_holds(const struct dpl_mb_system *system, const struct dpl_star_world *world,
                         int joint, double sag)
{
    const struct dpl_mb_joint *is = &world->graph->joints[joint];
    struct dpl_mb_joint_state state;
    cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
    double moved = fabs(state.displacement[0] - is->displacement[0]);
    cr_expect_leq(moved, sag, "%s moved by %g", is->name, moved);
    cr_expect_leq(fabs(state.velocity[0]), 1e-3, "%s moves by %g", is->name, state.velocity[0]);
    cr_expect_lt(fabs(state.effort[0]), is->motor.max, "%s is at the limit of its motor", is->name);
}

Test(machines, motors_hold_what_they_carry)
{
    static const struct {
        const char *file;
        double sag; /* m or rad */
    } files[] = {{"hexaslide.json", 2e-4}, {"delta_machine.json", 0.03}, {"factory.json", 0.03}};
    for (int i = 0; i < 3; i++) {
        struct dpl_star_world *world = world_of(files[i].file);
        struct dpl_mb_system *system = run(world);
        int n_motors = 0;
        for (size_t j = 0; j < world->graph->n_joints; j++) {
            if (world->graph->joints[j].motor.mode != DPL_MB_MOTOR_NONE) {
                expect_holds(system, world, (int)j, files[i].sag);
                n_motors++;
            }
        }
        cr_expect_eq(n_motors, i == 0 ? 6 : i == 1 ? 3 : 50);
        dpl_mb_system_destroy(system);
        dpl_star_destroy(world);
    }
}

/* ---- the factory ---- */

Test(machines, feeders_turn)
{
    struct dpl_star_world *world = world_of("factory.json");
    struct dpl_mb_system *system = run(world);
    for (int line = 1; line <= 2; line++) {
        for (int cell = 1; cell <= 5; cell++) {
            char path[64];
            struct dpl_mb_joint_state state;
            snprintf(path, sizeof path, "factory:line%d:cell%d:feeder:drive", line, cell);
            int joint = number_of(world, DPL_MB_JOINT, path);
            cr_assert_eq(dpl_mb_joint(system, joint, &state), 0);
            double turned = state.displacement[0] - world->graph->joints[joint].displacement[0];
            cr_expect(turned > 1.0 && turned < 3.0, "%s turned by %g", path, turned);
        }
    }
    dpl_mb_system_destroy(system);
    dpl_star_destroy(world);
}

Test(machines, factory_has_a_hundred_bodies_in_nested_assemblies)
{
    struct dpl_star_world *world = world_of("factory.json");
    struct dpl_mb_topology topology;
    struct dpl_mb_system *system;
    struct dpl_diag diag;
    cr_expect_eq(world->graph->n_bodies, 101); /* and `fixed` */
    cr_expect_eq(world->n_devices, 10);
    number_of(world, DPL_MB_BODY, "factory:line2:cell5:picker:gripper:right");
    cr_assert_eq(dpl_mb_system_create(world->graph, NULL, NULL, NULL, NULL, &system, &diag), 0);
    dpl_mb_topology(system, &topology);
    cr_expect_eq(topology.links, 90); /* the tables stand still */
    cr_expect_eq(topology.clusters, 20);
    cr_expect_eq(topology.rows, 10 * 5 + 10);
    cr_expect_eq(topology.rank, 10 * 2 + 10);
    cr_expect_eq(topology.freedom, 60);
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(dpl_mb_step(system, 1e-3), 0);
    }
    cr_expect_leq(dpl_mb_residual(system), 1e-12);
    dpl_mb_system_destroy(system);
    dpl_star_destroy(world);
}
