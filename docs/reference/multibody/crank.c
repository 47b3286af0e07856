/* SPDX-License-Identifier: Apache-2.0 */
/* The example of docs/reference/multibody.md: a slider-crank and a pendulum, made, moved and
 * changed by code.
 */
#include <stdio.h>
#include <stdlib.h>

#include <doppel/sim/multibody.h>
#include <doppel/sim/star.h>

static struct dpl_diag diag;

/* What a call returned, unless it is an error. */
static int ok(int number)
{
    if (number < 0) {
        dpl_diag_print(stderr, &diag);
        exit(1);
    }
    return number;
}

/* A bar along x, m and kg. */
static int bar(struct dpl_mb_graph *graph, int assembly, const char *name, double length,
               double mass)
{
    double moment = mass * length * length / 12;
    struct dpl_mb_body body = {.name = name,
                               .assembly = assembly,
                               .is_active = true,
                               .mass = mass,
                               .centre = {length / 2, 0, 0},
                               .inertia = {moment / 10, moment, moment}};
    return ok(dpl_mb_add_body(graph, &body, &diag));
}

static int tip(struct dpl_mb_graph *graph, int body, double length)
{
    struct dpl_mb_frame frame = {.name = "tip", .body = body, .in_body = dpl_mb_place_identity};
    frame.in_body.position[0] = length;
    return ok(dpl_mb_add_frame(graph, &frame, &diag));
}

static int joint(struct dpl_mb_graph *graph, int assembly, const char *name,
                 enum dpl_mb_joint_type type, int first, int second, double start)
{
    struct dpl_mb_joint made = {.name = name,
                                .assembly = assembly,
                                .type = type,
                                .frames = {first, second},
                                .displacement = {start},
                                .is_active = true};
    return ok(dpl_mb_add_joint(graph, &made, &diag));
}

/* A system of the graph as it is now; what `from` has already goes on from there. */
static struct dpl_mb_system *system_of(const struct dpl_mb_graph *graph, struct dpl_mb_system *from)
{
    struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    struct dpl_mb_system *made;
    ok(dpl_mb_system_create(graph, &settings, from, NULL, NULL, &made, &diag));
    dpl_mb_system_destroy(from);
    return made;
}

static void run(struct dpl_mb_system *system, int crank, int piston)
{
    for (int i = 0; i < 500; i++) {
        if (dpl_mb_step(system, 1e-3) < 0) {
            exit(1);
        }
    }
    struct dpl_mb_joint_state turn;
    struct dpl_mb_body_state body;
    struct dpl_mb_topology topology;
    ok(dpl_mb_joint(system, crank, &turn));
    ok(dpl_mb_body(system, piston, &body));
    dpl_mb_topology(system, &topology);
    printf("%.1f s: crank %.4f rad, piston %.4f m, %zu free, loops %s\n", dpl_mb_time(system),
           turn.displacement[0], body.place.position[0], topology.freedom,
           dpl_mb_residual(system) < 1e-12 ? "closed" : "open");
}

int main(int argc, char **argv)
{
    struct dpl_mb_graph *graph;
    if (argc != 2 || dpl_mb_graph_create(NULL, &graph) < 0) {
        return 1;
    }
    graph->gravity[1] = -9.81;
    struct dpl_mb_assembly engine = {.name = "engine", .is_active = true};
    struct dpl_mb_assembly clock = {.name = "clock", .is_active = true};
    int in_engine = ok(dpl_mb_add_assembly(graph, &engine, &diag));
    int in_clock = ok(dpl_mb_add_assembly(graph, &clock, &diag));
    int ground = graph->bodies[0].origin;

    int crank = bar(graph, in_engine, "crank", 0.5, 2);
    int rod = bar(graph, in_engine, "rod", 1.5, 1);
    int piston = bar(graph, in_engine, "piston", 0.1, 0.8);
    int turn = joint(graph, in_engine, "A", DPL_MB_RZ, ground, graph->bodies[crank].origin, 0.6);
    joint(graph, in_engine, "B", DPL_MB_RZ, tip(graph, crank, 0.5), graph->bodies[rod].origin,
          -0.8);
    joint(graph, in_engine, "C", DPL_MB_RZ, tip(graph, rod, 1.5), graph->bodies[piston].origin,
          0.2);
    joint(graph, in_engine, "D", DPL_MB_TX, ground, graph->bodies[piston].origin, 1.9);
    int pendulum = bar(graph, in_clock, "pendulum", 1, 1);
    joint(graph, in_clock, "pivot", DPL_MB_RZ, ground, graph->bodies[pendulum].origin, -1);

    struct dpl_mb_system *system = system_of(graph, NULL);
    run(system, turn, piston);

    ok(dpl_mb_activate(graph, DPL_MB_ASSEMBLY, in_clock, false, &diag));
    system = system_of(graph, system);
    run(system, turn, piston);

    const struct dpl_mb_body *old = &graph->bodies[piston];
    ok(dpl_mb_set_mass(graph, piston, 8, old->centre, old->inertia, &diag));
    system = system_of(graph, system);
    run(system, turn, piston);

    dpl_mb_store(system, graph);
    struct dpl_star_world *world;
    ok(dpl_star_create(graph, &world)); /* the graph is the world's now */
    ok(dpl_star_write(world, DPL_STAR_A, argv[1], &diag));
    dpl_mb_system_destroy(system);
    dpl_star_destroy(world);
    return 0;
}
