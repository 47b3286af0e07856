/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds whose motion is known, as tables, and what they do. The numbers agree in two independent
 * computations: in minimal coordinates and in absolute ones with multipliers, or in closed form. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <doppel/sim/multibody.h>

enum { GOLDEN_BODIES = 64, GOLDEN_FRAMES = 64, GOLDEN_JOINTS = 96, GOLDEN_RESTRAINTS = 8 };

struct golden_body {
    const char *name;
    double mass, centre[3], inertia[6];
};

struct golden_frame {
    const char *body, *name;
    double at[3];
    double rotation[9]; /* all 0: none */
};

struct golden_joint {
    const char *name;
    enum dpl_mb_joint_type type;
    const char *ends[2][2]; /* body, frame (NULL: its own) */
    double q, v;
    double place[3], velocity[6]; /* of floats */
    bool is_held;
};

struct golden_restraint {
    enum dpl_mb_restraint_type type;
    const char *joint; /* NULL: ends */
    const char *ends[2][2];
    enum dpl_mb_distance distance;
    int n_knots;
    double knots[4];
    int n_of[5];
    double coefficients[16];
};

struct golden_world {
    double gravity[3];
    struct golden_body bodies[GOLDEN_BODIES]; /* up to the first without a name */
    struct golden_frame frames[GOLDEN_FRAMES];
    struct golden_joint joints[GOLDEN_JOINTS];
    struct golden_restraint restraints[GOLDEN_RESTRAINTS];
};

extern const struct golden_world golden_double_pendulum, golden_four_bar, golden_slider_crank,
    golden_excavator, golden_bricard, golden_free_body, golden_bumper, golden_pair_restraints;

/* The delta robot; made by formulas. */
void golden_delta(struct golden_world *ret_world);
/* 2 to 6: four-bar, slider-crank, excavator, delta, Bricard. */
void golden_loop(int number, struct golden_world *ret_world);
/* Sarrus' linkage: three legs of three hinges, joints `base`, `middle` and `top` of each. Joint 3 l
 * + i is that of leg l. */
void golden_sarrus(struct golden_world *ret_world);
/* Two four-bars beside each other; with `common` their couplers turn about one axis. */
void golden_two_four_bars(bool common, struct golden_world *ret_world);

/* Fails the test where a call refuses something. */
struct dpl_mb_graph *golden_graph(const struct golden_world *world);
struct dpl_mb_system *golden_system(const struct golden_world *world,
                                    enum dpl_mb_integrator integrator);
/* A system with all settings. */
struct dpl_mb_system *golden_create(const struct golden_world *world,
                                    const struct dpl_mb_settings *settings);

/* The number of a joint or a body by its place in the table. */
int golden_joint_number(const struct golden_world *world, const char *name);
int golden_body_number(const struct golden_world *world, const char *name);
double golden_q(const struct dpl_mb_system *system, int joint);
double golden_v(const struct dpl_mb_system *system, int joint);
void golden_run(struct dpl_mb_system *system, double until, double step);

#endif
