/* SPDX-License-Identifier: Apache-2.0 */
/* What a step of the solver in minimal coordinates costs for a body, and how far loops are open
 * after it; beside it Bullet with the same mechanisms, as the subsystem `bullet` makes them, and
 * MuJoCo where it is installed (libmujoco-dev). Prints tables; fails where a loop opens, and where
 * solvers move a mechanism in different ways.
 * Arguments: worlds in STAR's format. CPU time, the least of many short runs: other processes make
 * runs longer, never shorter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/sim/multibody.h>
#include <doppel/sim/star.h>

#include "bullet_graph.h"
#include "mujoco_graph.h"

enum { RUNS = 60, STEPS = 200, CHAIN = 30, FOUR_BARS = 10, OTHER_RUNS = 15 };

/* Of sequential impulses in a step: 10 is that of worlds that say nothing. */
static const int iterations[] = {10, 50};

/* m after STEPS steps. Both solvers make the same step of a tree; a loop's first step differs, in
 * which Bullet gets it to its speed. */
#define TREES_APART 1e-10
#define LOOPS_APART 3e-5

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int must(int number, const struct dpl_diag *diag)
{
    if (number < 0) {
        dpl_diag_print(stderr, diag);
        exit(1);
    }
    return number;
}

static int add_body(struct dpl_mb_graph *graph, int i, double mass, double length, double moment)
{
    char name[16];
    struct dpl_diag diag;
    snprintf(name, sizeof name, "b%d", i);
    struct dpl_mb_body body = {.name = name,
                               .mass = mass,
                               .centre = {length / 2, 0, 0},
                               .inertia = {moment / 10, moment, moment},
                               .is_active = true};
    return must(dpl_mb_add_body(graph, &body, &diag), &diag);
}

static int add_frame(struct dpl_mb_graph *graph, int body, double x, double y)
{
    char name[32];
    struct dpl_diag diag;
    snprintf(name, sizeof name, "f%zu", graph->n_frames);
    struct dpl_mb_frame frame = {.name = name, .body = body, .in_body = dpl_mb_place_identity};
    frame.in_body.position[0] = x;
    frame.in_body.position[1] = y;
    return must(dpl_mb_add_frame(graph, &frame, &diag), &diag);
}

static void add_joint(struct dpl_mb_graph *graph, enum dpl_mb_joint_type type, int a, int b,
                      double q, double v)
{
    char name[32];
    struct dpl_diag diag;
    snprintf(name, sizeof name, "j%zu", graph->n_joints);
    struct dpl_mb_joint joint = {.name = name,
                                 .type = type,
                                 .frames = {a, b},
                                 .displacement = {q},
                                 .velocity = {v},
                                 .is_active = true};
    must(dpl_mb_add_joint(graph, &joint, &diag), &diag);
}

static struct dpl_mb_graph *empty(void)
{
    struct dpl_mb_graph *graph;
    if (dpl_mb_graph_create(NULL, &graph) < 0) {
        exit(1);
    }
    graph->gravity[1] = -9.81;
    return graph;
}

static struct dpl_mb_graph *chain(bool mixed)
{
    struct dpl_mb_graph *graph = empty();
    int end = graph->bodies[0].origin;
    for (int i = 0; i < CHAIN; i++) {
        int body = add_body(graph, i, 1.0, 1.0, 0.08);
        enum dpl_mb_joint_type type =
            mixed ? (enum dpl_mb_joint_type)(DPL_MB_RX + i % 3) : DPL_MB_RZ;
        add_joint(graph, type, end, graph->bodies[body].origin, 0.1, 0.0);
        end = add_frame(graph, body, 1.0, 0.0);
    }
    return graph;
}

/* The four-bar of the shipped world, ten times. */
static struct dpl_mb_graph *four_bars(void)
{
    struct dpl_mb_graph *graph = empty();
    for (int i = 0; i < FOUR_BARS; i++) {
        int crank = add_body(graph, 3 * i, 1.0, 0.8, 0.06);
        int coupler = add_body(graph, 3 * i + 1, 2.0, 1.8, 0.55);
        int rocker = add_body(graph, 3 * i + 2, 1.5, 1.5, 0.3);
        int from = add_frame(graph, 0, 0.0, 3.0 * i), to = add_frame(graph, 0, 2.0, 3.0 * i);
        int crank_tip = add_frame(graph, crank, 0.8, 0.0);
        int coupler_tip = add_frame(graph, coupler, 1.8, 0.0);
        int rocker_tip = add_frame(graph, rocker, 1.5, 0.0);
        add_joint(graph, DPL_MB_RZ, from, graph->bodies[crank].origin, 1.0, 3.0);
        add_joint(graph, DPL_MB_RZ, crank_tip, graph->bodies[coupler].origin, -0.5229448707762997,
                  0.0);
        add_joint(graph, DPL_MB_RZ, coupler_tip, rocker_tip, 1.0728906447337785, 0.0);
        add_joint(graph, DPL_MB_RZ, to, graph->bodies[rocker].origin, 1.5499457739574787, 0.0);
    }
    return graph;
}

static const struct {
    const char *name;
    enum dpl_mb_integrator integrator;
    enum dpl_mb_correction correction;
    double most; /* m or rad: of residuals */
} modes[] = {{"projected", DPL_MB_SEMI_IMPLICIT, DPL_MB_PROJECTED, 1e-12},
             {"lagged", DPL_MB_SEMI_IMPLICIT, DPL_MB_LAGGED, 1e-8},
             {"rk4", DPL_MB_RK4, DPL_MB_PROJECTED, 1e-12}};

static struct dpl_mb_system *moved(const struct dpl_mb_graph *graph, int mode)
{
    struct dpl_mb_settings settings = {.integrator = modes[mode].integrator,
                                       .correction = modes[mode].correction};
    struct dpl_mb_system *system;
    struct dpl_diag diag;
    must(dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag), &diag);
    return system;
}

static double measure(const struct dpl_mb_graph *graph, int mode, double step, double *ret_residual)
{
    struct dpl_mb_system *system = moved(graph, mode);
    double best = 1e9;
    *ret_residual = 0.0;
    for (int run = 0; run < RUNS; run++) {
        double begin = cpu_s();
        for (int i = 0; i < STEPS; i++) {
            dpl_mb_step(system, step);
        }
        best = fmin(best, cpu_s() - begin);
        *ret_residual = fmax(*ret_residual, dpl_mb_residual(system));
    }
    dpl_mb_system_destroy(system);
    return 1e9 * best / STEPS / (double)(graph->n_bodies - 1);
}

/* The same with Bullet; also how far it is from the other solver after the first run. */
static double measure_bullet(const struct dpl_mb_graph *graph, int n_iterations, double step,
                             double *ret_residual, double *ret_apart)
{
    struct dpl_mb_system *system = moved(graph, 0);
    struct bullet_graph *bullet = bullet_graph_create(graph, system, n_iterations);
    if (!bullet) {
        exit(1);
    }
    double best = 1e9, apart = 0.0;
    *ret_residual = 0.0;
    for (int run = 0; run < OTHER_RUNS; run++) {
        double begin = cpu_s();
        for (int i = 0; i < STEPS; i++) {
            bullet_graph_step(bullet, step);
        }
        best = fmin(best, cpu_s() - begin);
        *ret_residual = fmax(*ret_residual, bullet_graph_residual(bullet));
        for (int i = 0; i < STEPS && run == 0; i++) {
            dpl_mb_step(system, step);
        }
        apart = run == 0 ? bullet_graph_apart(bullet, system) : apart;
    }
    *ret_apart = apart;
    bullet_graph_destroy(bullet);
    dpl_mb_system_destroy(system);
    return 1e9 * best / STEPS / (double)(graph->n_bodies - 1);
}

/* What MuJoCo is measured with, the mode that does the same, and how far apart they may be in m
 * after STEPS steps: of trees, and of mechanisms with loops, which are soft. */
static const struct {
    const char *name;
    bool is_rk4;
    enum mujoco_loops loops;
    int mode;
    double trees, loops_apart;
} mujocos[] = {{"Euler", false, MUJOCO_USUAL, 0, 1e-10, 3e-2},
               {"Euler, hard", false, MUJOCO_HARD, 0, 1e-10, 1e-4},
               {"RK4, hard", true, MUJOCO_HARD, 2, 1e-10, 1e-5}};

static double measure_mujoco(const struct dpl_mb_graph *graph, int kind, double step,
                             double *ret_residual, double *ret_apart)
{
    struct dpl_mb_system *system = moved(graph, mujocos[kind].mode);
    struct mujoco_graph *mujoco =
        mujoco_graph_create(graph, system, mujocos[kind].is_rk4, mujocos[kind].loops, step);
    if (!mujoco) {
        exit(1);
    }
    double best = 1e9, apart = 0.0;
    *ret_residual = 0.0;
    for (int run = 0; run < OTHER_RUNS; run++) {
        double begin = cpu_s();
        for (int i = 0; i < STEPS; i++) {
            mujoco_graph_step(mujoco);
        }
        best = fmin(best, cpu_s() - begin);
        *ret_residual = fmax(*ret_residual, mujoco_graph_residual(mujoco));
        for (int i = 0; i < STEPS && run == 0; i++) {
            dpl_mb_step(system, step);
        }
        apart = run == 0 ? mujoco_graph_apart(mujoco, system) : apart;
    }
    *ret_apart = apart;
    mujoco_graph_destroy(mujoco);
    dpl_mb_system_destroy(system);
    return 1e9 * best / STEPS / (double)(graph->n_bodies - 1);
}

static int mujoco_rows(const struct dpl_mb_graph *graph, double step, const double costs[3])
{
    int bad = 0;
    for (size_t i = 0; i < sizeof mujocos / sizeof *mujocos && mujoco_graph_can(graph); i++) {
        double residual, apart;
        double cost = measure_mujoco(graph, (int)i, step, &residual, &apart);
        double most = residual > 0.0 ? mujocos[i].loops_apart : mujocos[i].trees;
        printf("  MuJoCo %-18s %9.0f ns, residual %8.1e m, %5.1f times %s, apart %8.1e m\n",
               mujocos[i].name, cost, residual, cost / costs[mujocos[i].mode],
               modes[mujocos[i].mode].name, apart);
        bad += !(apart <= most);
    }
    return bad;
}

static int row(const char *name, const struct dpl_mb_graph *graph, double step)
{
    int bad = 0;
    double costs[3];
    printf("%-20s %6zu", name, graph->n_bodies - 1);
    for (int mode = 0; mode < 3; mode++) {
        double residual;
        costs[mode] = measure(graph, mode, step, &residual);
        printf(" %9.0f %8.1e", costs[mode], residual);
        bad += residual > modes[mode].most;
    }
    for (int i = 0; i < 2 && bullet_graph_can(graph); i++) {
        double residual, apart,
            cost = measure_bullet(graph, iterations[i], step, &residual, &apart);
        printf(" %9.0f %8.1e %7.1f %8.1e", cost, residual, cost / costs[0], apart);
        bad += !(apart <= (residual > 0.0 ? LOOPS_APART : TREES_APART)); /* no loops: exactly 0 */
    }
    printf("\n");
    return bad + mujoco_rows(graph, step, costs);
}

static int file_row(const char *file)
{
    struct dpl_star_world *world;
    struct dpl_diags diags = {0};
    if (dpl_star_read(file, NULL, &world, &diags) < 0) {
        dpl_diag_print(stderr, &diags.items[0]);
        exit(1);
    }
    const char *name = strrchr(file, '/');
    int bad = row(name ? name + 1 : file, world->graph, 1e-4);
    dpl_diags_finish(&diags);
    dpl_star_destroy(world);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0;
    printf("ns of CPU time for a body and a step, and the largest residual (m or rad)\n");
    printf(
        "Bullet with %d and %d iterations: the same, times the cost of projected, and the largest "
        "distance of a body from where projected has it after %d steps (m)\n",
        iterations[0], iterations[1], STEPS);
    printf("%-20s %6s %9s %8s %9s %8s %9s %8s", "world", "bodies", modes[0].name, "", modes[1].name,
           "", modes[2].name, "");
    for (int i = 0; i < 2; i++) {
        printf(" %6s %2d %8s %7s %8s", "Bullet", iterations[i], "", "times", "apart");
    }
    printf("\n");
    struct dpl_mb_graph *graphs[] = {chain(false), chain(true), four_bars()};
    static const char *const names[] = {"chain of Rz", "chain of Rx, Ry, Rz", "ten four-bars"};
    for (int i = 0; i < 3; i++) {
        bad += row(names[i], graphs[i], i == 1 ? 1e-5 : 1e-4);
        dpl_mb_graph_destroy(graphs[i]);
    }
    for (int i = 1; i < argc; i++) {
        bad += file_row(argv[i]);
    }
    if (bad > 0) {
        printf("%d residuals or distances are too large\n", bad);
    }
    return bad > 0;
}
