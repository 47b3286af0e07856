/* SPDX-License-Identifier: Apache-2.0 */
/* The motion of a graph of bodies and joints (doppel/sim/multibody_graph.h), in minimal
 * coordinates: a spanning tree carries the coordinates, what closes loops is embedded in clusters
 * of links, so loops are closed to rounding, without any stiffness to choose. docs/multibody.md
 * says how it works and where it comes from. SI units, radians.
 *
 * A system is made of a graph as it is then; after edits make a new one from the old one, which
 * carries over what moves. Numbers of bodies, joints and so on are those of the graph. One thread
 * at a time; two systems share nothing. Only create, assemble and linear analyses allocate; step
 * and the reading calls neither allocate, lock, nor call the system. */
#ifndef DOPPEL_SIM_MULTIBODY_H
#define DOPPEL_SIM_MULTIBODY_H

#include <doppel/sim/multibody_graph.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MB_DRIVEN_MAX 64 /* motors that give an acceleration at one time */

struct dpl_mb_system;

enum dpl_mb_integrator {
    DPL_MB_SEMI_IMPLICIT, /* first order, one evaluation a step */
    DPL_MB_RK4,           /* classical Runge-Kutta, order 4 */
    DPL_MB_DOPRI5,        /* Dormand-Prince 5(4), its own steps within those that are asked for */
    DPL_MB_GRAGG,         /* extrapolated modified midpoint, orders 2 to 12, the same */
};

enum dpl_mb_correction {
    DPL_MB_PROJECTED, /* loops are closed again in every step, to rounding */
    DPL_MB_LAGGED,    /* with the next step: half the time, residual O(h^3) */
};

/* What is 0 is chosen by the solver. */
struct dpl_mb_settings {
    enum dpl_mb_integrator integrator;
    enum dpl_mb_correction correction; /* of the semi-implicit integrator */
    double relative, absolute;         /* tolerances of adaptive integrators; 0: 1e-8 */
    double repartition;                /* a cluster chooses its independent coordinates anew when
                                          the dependents move more than this many times as much as
                                          at the last choice; 0: 2 */
    bool damps_singular;               /* a cluster in a singular pose is slowed down; else it stops
                                          with an event */
    struct dpl_mb_memory memory;       /* of the system; take NULL: malloc */
};

enum dpl_mb_event_type {
    DPL_MB_EVENT_SINGULAR,     /* the rank of a cluster changed: it stands still from now on, or is
                                  slowed down until it has its rank again */
    DPL_MB_EVENT_INCONSISTENT, /* a redundant row does not hold */
    DPL_MB_EVENT_REPARTITION,  /* of no consequence: other coordinates are independent now */
    DPL_MB_EVENT_STALLED,      /* an adaptive integrator reached its smallest step */
};

struct dpl_mb_event {
    enum dpl_mb_event_type type;
    double time;  /* s */
    int joint;    /* a joint of the cluster, of a chord where there is one; -1: none */
    double value; /* residual in m or rad, or largest movement of a dependent */
};

/* Makes the system and finds a first pose near the displacements at the start, so that all loops
 * are closed: a damped Newton on all rows of a loop, held joints kept first. `from`: takes the
 * displacements, velocities and time of that system for all that both have; NULL: none.
 * 0; -EINVAL: the graph cannot move (reterr says what, by paths); -EDOM: a loop cannot be closed
 * (reterr names the joint that closes it, and what is left between its frames); -ENOMEM.
 * Errors and reports have the line and column of their joint or gear where the graph knows it, and
 * no file. `report` (NULL: nobody) gets warnings and notes: bodies without a path to
 * `fixed`, which float; what refers to inactive things; given velocities that do not fit. */
int dpl_mb_system_create(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                         const struct dpl_mb_system *from,
                         void (*report)(void *user, const struct dpl_diag *diag), void *report_user,
                         struct dpl_mb_system **ret_system, struct dpl_diag *reterr);
void dpl_mb_system_destroy(struct dpl_mb_system *system); /* NULL: nothing */

double dpl_mb_time(const struct dpl_mb_system *system); /* s */

/* Whether the motors, limits, springs and dampers of joints are too stiff for steps of `step` s of
 * an integrator with fixed steps: then `report` gets a warning a joint, with its line and column,
 * and the longest step that is not too long. Each joint is looked at alone, at the start, with all
 * others free to move: several stiff joints in a row, and what acts between frames, may need
 * shorter steps. Returns how many were told, or what dpl_mb_system_create returns. Allocates. */
int dpl_mb_check_step(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                      double step, void (*report)(void *user, const struct dpl_diag *diag),
                      void *user);

/* Moves it by `step` seconds. 0; -EDOM: what moved stopped (see events); the time goes on. -EINVAL:
 * `step` is not above 0, or not finite; nothing happens. Inputs below that are not finite are
 * -EINVAL, too. */
int dpl_mb_step(struct dpl_mb_system *system, double step);

/* The oldest event that was not taken yet. False: none. At most 64 are kept, the oldest ones. */
bool dpl_mb_take_event(struct dpl_mb_system *system, struct dpl_mb_event *ret_event);

/* ---- inputs: hold until they are changed ---- */

/* A setpoint of a joint's motor: N or N m, rad/s or m/s, rad or m, rad/s^2 or m/s^2. The mode may
 * be another one than the graph's. With an acceleration the motor gives in every evaluation the
 * effort with which its joint has it, whatever acts besides, but not more than its `max`; where
 * several such motors say the same freedom, or it has none, only as many give one as there are
 * freedoms. Evaluations then cost as much as 2, and one for each such motor in the same branch. 0;
 * -EINVAL: it has no motor, or the mode is none; -ENOSPC: DPL_MB_DRIVEN_MAX others have an
 * acceleration. */
int dpl_mb_command(struct dpl_mb_system *system, int joint, enum dpl_mb_motor_mode mode,
                   double setpoint);

/* An effort along coordinate `i` of a joint, besides what its motor and restraints do. -EINVAL:
 * there is no such coordinate. */
int dpl_mb_apply(struct dpl_mb_system *system, int joint, int i, double effort);

/* A force and a torque about the origin of a body, both along the axes of the world. */
int dpl_mb_push(struct dpl_mb_system *system, int body, const double force[3],
                const double torque[3]);

/* A soft handle: a spring with damper between a point of a body (in its frame) and a place of the
 * world. stiffness 0: let go. One handle a body. */
int dpl_mb_drag(struct dpl_mb_system *system, int body, const double at[3], const double to[3],
                double stiffness, double damping);

/* ---- forces from outside, in every evaluation ---- */

/* Adds forces at the state of now by dpl_mb_act. It is called in each evaluation of accelerations,
 * that is in each stage of an integrator, also for steps that are tried and given up. So it depends
 * on nothing but the places and velocities that dpl_mb_body says (accelerations there are of no
 * evaluation, and dpl_mb_time is that before the step), and keeps nothing that counts the next
 * time. It calls nothing else of this header, and does not allocate. */
typedef void dpl_mb_forces(void *user, struct dpl_mb_system *system);

/* One for a system; NULL: none. A system that is made `from` another one has none. Energies do not
 * know it; dpl_mb_inverse, dpl_mb_linearize and dpl_mb_equilibrium do. */
void dpl_mb_set_forces(struct dpl_mb_system *system, dpl_mb_forces *forces, void *user);

/* Only while `forces` is called: a force (N) on a body at a place (m), both along the axes of the
 * world. `damping` (NULL: none): xx yy zz xy yz zx of the symmetric matrix, N s/m, by which the
 * force falls with the velocity of that place. The semi-implicit integrator is implicit in it, so
 * it may be large; others do not look at it. -ENOENT: the body is not active. */
int dpl_mb_act(struct dpl_mb_system *system, int body, const double force[3], const double at[3],
               const double damping[6]);

/* ---- state ---- */

/* Accelerations and efforts are those of the newest evaluation, which was within the newest step.
 * This makes one more, at the state of now. Once for all that is read then. */
void dpl_mb_update(struct dpl_mb_system *system);

struct dpl_mb_joint_state {
    int n;                     /* coordinates */
    double displacement[3];    /* turns are unwrapped; of a spherical joint a rotation vector */
    double velocity[6];        /* as in struct dpl_mb_joint */
    double acceleration[6];    /* of the last evaluation */
    double effort[6];          /* of motors, limits, restraints and dpl_mb_apply */
    struct dpl_mb_place place; /* of the second frame in the first one */
};

/* Also of joints that close loops, of rigid and of floating ones. -ENOENT: not active. */
int dpl_mb_joint(const struct dpl_mb_system *system, int joint,
                 struct dpl_mb_joint_state *ret_state);

struct dpl_mb_body_state {
    struct dpl_mb_place place;                       /* of its frame, in the world */
    double velocity[3], angular[3];                  /* of its origin, in the axes of the world */
    double acceleration[3], angular_acceleration[3]; /* the same; gravity is not in it */
};
int dpl_mb_body(const struct dpl_mb_system *system, int body, struct dpl_mb_body_state *ret_state);

/* Sets displacements and velocities and closes the loops again, joints in `joints` held: of the
 * first coordinate of each; a joint that is listed again gets its next one. Floating bodies stay
 * where they are. 0; -EINVAL, -EDOM with reterr, which has numbers of joints, or -ENOMEM: then
 * nothing changed. Allocates. */
int dpl_mb_set(struct dpl_mb_system *system, const int *joints, const double *displacements,
               const double *velocities, size_t n, struct dpl_diag *reterr);

/* Writes the displacements and velocities of now into a graph, as those at the start. The graph is
 * that which the system was made of. */
void dpl_mb_store(const struct dpl_mb_system *system, struct dpl_mb_graph *graph);

/* J: of motion; of weight (0 at the origin of the world), springs and limits. Springs between
 * frames count from distance 0. */
double dpl_mb_kinetic(const struct dpl_mb_system *system);
double dpl_mb_potential(const struct dpl_mb_system *system);
double dpl_mb_springs(const struct dpl_mb_system *system); /* of it, without the weight */

/* W, at the state and the inputs of now: what the motor of a joint gives (0: it has none), what
 * dpl_mb_apply, dpl_mb_push and dpl_mb_drag give, and what dampers, friction and limits take. */
double dpl_mb_motor_power(const struct dpl_mb_system *system, int joint);
double dpl_mb_applied_power(const struct dpl_mb_system *system);
double dpl_mb_damped_power(const struct dpl_mb_system *system);

/* Whether one of the inputs of dpl_mb_applied_power was ever given, and is not 0 on joints. */
bool dpl_mb_is_pushed(const struct dpl_mb_system *system);

/* N s, and N m s about the origin of the world. */
void dpl_mb_momentum(const struct dpl_mb_system *system, double ret_linear[3],
                     double ret_angular[3]);

/* The largest residual of all rows of loops, also redundant ones: m or rad; of their rates: m/s or
 * rad/s. */
double dpl_mb_residual(const struct dpl_mb_system *system);
double dpl_mb_residual_rate(const struct dpl_mb_system *system);

/* ---- structure ---- */

struct dpl_mb_topology {
    size_t links;    /* moving links, after rigid joints have merged bodies */
    size_t chords;   /* joints and gears that close loops */
    size_t clusters; /* with at least one loop */
    size_t rows, rank, freedom;
    size_t coordinates; /* of the spanning tree */
};
void dpl_mb_topology(const struct dpl_mb_system *system, struct dpl_mb_topology *ret_topology);

struct dpl_mb_cluster {
    size_t links, coordinates, chords, rows, rank;
    const int *joints; /* [n_joints] of the graph: those of the tree in it, then its chords */
    size_t n_joints;
};
/* Cluster `i` of topology.clusters. */
void dpl_mb_cluster(const struct dpl_mb_system *system, size_t i,
                    struct dpl_mb_cluster *ret_cluster);

/* How a joint takes part: -1 not at all (not active, or merged), 0 in the tree, 1 closes a loop. */
int dpl_mb_joint_role(const struct dpl_mb_system *system, int joint);
/* Of coordinate `i` of a joint: whether it is independent now (those of joints that close loops
 * never are), and its share of the mobility: the diagonal of the projector on the motions that the
 * loops leave, of the coordinates of all joints around them; 1 outside of loops. Shares sum up to
 * the freedoms, and do not depend on which joint closes a loop. Allocates. -ENOENT: no such
 * coordinate, or the joint takes no part; -ENOMEM. */
int dpl_mb_mobility(const struct dpl_mb_system *system, int joint, int i, bool *ret_independent,
                    double *ret_share);

/* ---- analyses; they allocate. Of systems without floating bodies and without spherical joints in
 * the tree; others: -ENOTSUP. ---- */

/* The independent coordinates of now; returns how many there are (0: others, see above), and writes
 * at most `n`. */
size_t dpl_mb_independent(const struct dpl_mb_system *system, int *ret_joints, int *ret_coordinates,
                          size_t n);
/* The efforts along the independent coordinates, besides all that acts already, that give these
 * accelerations (inverse dynamics), in the order of dpl_mb_independent. 0, -ENOTSUP or -ENOMEM. */
int dpl_mb_inverse(const struct dpl_mb_system *system, const double *accelerations,
                   double *ret_efforts);

/* dx/dt = A x + B u around the state of now: x are displacements and then velocities of the
 * independent coordinates (n of each), u efforts along them. a: 2n * 2n, b: 2n * n, row by row. By
 * central differences of the exact accelerations. 0, -ENOTSUP or -ENOMEM. */
int dpl_mb_linearize(const struct dpl_mb_system *system, double *ret_a, double *ret_b);

/* Moves it to a pose near this one in which it stays at rest, be it stable or not. 0; -EDOM with
 * reterr: none was found, -ENOTSUP, -ENOMEM: then nothing changed. */
int dpl_mb_equilibrium(struct dpl_mb_system *system, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
