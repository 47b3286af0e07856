/* SPDX-License-Identifier: Apache-2.0 */
/* The motion of a graph of bodies and joints (doppel/sim/multibody_graph.h), in minimal
 * coordinates: a spanning tree has the coordinates, and joints that close loops are solved in
 * clusters of links. So loops are closed to rounding, and no stiffness must be chosen.
 * docs/reference/multibody.md describes the method and its sources. SI units, radians.
 *
 * A system is made from the present state of a graph. After edits of the graph, make a new system
 * from the old one, which keeps the motion. Numbers of bodies, joints and other parts are those of
 * the graph. One thread at a time uses a system; two systems share nothing. Only create, dpl_mb_set
 * and the analyses allocate. The step and the reading calls do not allocate, lock or call the
 * system. */
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
    DPL_MB_RK4,           /* classical Runge-Kutta, order 4; near singular poses in parts */
    DPL_MB_DOPRI5,        /* Dormand-Prince 5(4), with adaptive steps inside of each step */
    DPL_MB_GRAGG,         /* extrapolated modified midpoint, orders 2 to 12, adaptive, too */
};

enum dpl_mb_correction {
    DPL_MB_PROJECTED, /* loops are closed again in every step, to rounding */
    DPL_MB_LAGGED,    /* with the next step: half the time, residual O(h^3) */
};

/* The solver chooses a value for each member that is 0. */
struct dpl_mb_settings {
    enum dpl_mb_integrator integrator;
    enum dpl_mb_correction correction; /* of the semi-implicit integrator */
    double relative, absolute;         /* tolerances of adaptive integrators; 0: 1e-8 */
    double repartition; /* a cluster chooses its independent coordinates again if the dependent ones
                           move this many times more than at the last choice; 0: 2 */
    bool damps_singular; /* true: a cluster in a singular pose is slowed down; false: it stops, with
                            an event */
    struct dpl_mb_memory memory; /* memory of the system; take NULL: malloc */
};

enum dpl_mb_event_type {
    DPL_MB_EVENT_SINGULAR, /* the rank of a cluster has changed, or a step led through a singular
                              pose and made or lost energy: it stops, or is slowed down */
    DPL_MB_EVENT_INCONSISTENT, /* a redundant row is not satisfied */
    DPL_MB_EVENT_REPARTITION,  /* other coordinates are independent now; this does not change the
                                  motion */
    DPL_MB_EVENT_STALLED,      /* an adaptive integrator reached its smallest step */
    DPL_MB_EVENT_PASSED, /* a step led through a singular pose of a cluster, and the energy went on
                            as before: the motion goes on along its branch */
    DPL_MB_EVENT_COARSE, /* in a step of the semi-implicit integrator the rates of a loop turned so
                            far that its energy is not kept, as near a singular pose */
    DPL_MB_EVENT_TYPES,  /* how many there are */
};

struct dpl_mb_event {
    enum dpl_mb_event_type type;
    double time;  /* s */
    int joint;    /* a joint of the cluster, one that closes a loop if there is one; -1: none */
    double value; /* residual in m or rad, or largest motion of a dependent coordinate; COARSE:
                     what a rate turned, of the largest one */
};

/* Creates a system, and finds a first pose near the displacements at the start in which all loops
 * are closed: by a damped Newton method on all rows of a loop, which first keeps held joints.
 * `from`: an older system; its time, and the displacements and velocities of all parts that both
 * have, are taken. NULL: none. 0; -EINVAL: the graph cannot move (reterr names the parts by their
 * paths); -EDOM: a loop cannot be closed (reterr names the joint that closes it, and the remaining
 * distance between its frames); -ENOMEM. Errors and reports have the line and column of their joint
 * or gear if the graph has them, but no file. `report` (NULL: not called) gets warnings and notes:
 * bodies without a path to `fixed`, which float; references to inactive parts; given velocities
 * that do not fit. */
int dpl_mb_system_create(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                         const struct dpl_mb_system *from,
                         void (*report)(void *user, const struct dpl_diag *diag), void *report_user,
                         struct dpl_mb_system **ret_system, struct dpl_diag *reterr);
void dpl_mb_system_destroy(struct dpl_mb_system *system); /* NULL: does nothing */

double dpl_mb_time(const struct dpl_mb_system *system); /* s */

/* Whether the motors, limits, springs and dampers of joints are too stiff for steps of `step` s of
 * an integrator with fixed steps: `report` gets a warning for each such joint, with its line and
 * column, and the longest possible step. Each joint is checked alone, at the start, with all others
 * free to move. Several stiff joints in a row, and forces between frames, may need shorter steps.
 * Returns the number of warnings, or an error of dpl_mb_system_create. Allocates. */
int dpl_mb_check_step(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                      double step, void (*report)(void *user, const struct dpl_diag *diag),
                      void *user);

/* Moves the system by `step` seconds. 0; -EDOM: a cluster has stopped (see events); the time still
 * advances. -EINVAL: `step` is not above 0, or not finite; nothing changes. The inputs below also
 * return -EINVAL for values that are not finite. */
int dpl_mb_step(struct dpl_mb_system *system, double step);

/* Takes the oldest event. False: there is none. Only the oldest 64 events are kept, and
 * the newest one in place of the last of them if it is no repartition. */
bool dpl_mb_take_event(struct dpl_mb_system *system, struct dpl_mb_event *ret_event);

/* ---- inputs: each is kept until it is changed ---- */

/* A setpoint of a joint's motor: N or N m, rad/s or m/s, rad or m, rad/s^2 or m/s^2. The mode may
 * differ from that of the graph. With an acceleration, the motor computes in every evaluation the
 * effort that gives its joint this acceleration against all other forces, limited by its `max`. If
 * several such motors command the same degree of freedom, or the loops leave none, only as many
 * motors have an effort as there are degrees of freedom. An evaluation then costs as much as two,
 * and one more for each such motor in the same branch. 0; -EINVAL: the joint has no motor, or the
 * mode is none; -ENOSPC: DPL_MB_DRIVEN_MAX other motors have an acceleration. */
int dpl_mb_command(struct dpl_mb_system *system, int joint, enum dpl_mb_motor_mode mode,
                   double setpoint);

/* An effort along coordinate `i` of a joint, in addition to its motor and restraints. -EINVAL:
 * there is no such coordinate. */
int dpl_mb_apply(struct dpl_mb_system *system, int joint, int i, double effort);

/* A force and a torque about the origin of a body, both along the axes of the world. */
int dpl_mb_push(struct dpl_mb_system *system, int body, const double force[3],
                const double torque[3]);

/* Pulls a body by a spring with a damper, between a point of the body (in its frame) and a place in
 * the world. stiffness 0: ends this. One spring for each body. */
int dpl_mb_drag(struct dpl_mb_system *system, int body, const double at[3], const double to[3],
                double stiffness, double damping);

/* ---- forces of the caller, in every evaluation ---- */

/* A function that adds forces for the present state by dpl_mb_act. It is called in each evaluation
 * of accelerations, that is in each stage of an integrator, also for steps that are rejected. So it
 * must depend only on the places and velocities of dpl_mb_body (the accelerations there are not
 * valid, and dpl_mb_time is the time before the step), and must not keep a state between calls. It
 * must not call other functions of this header, and must not allocate. */
typedef void dpl_mb_forces(void *user, struct dpl_mb_system *system);

/* Sets this function, one for each system; NULL: none. A system that is made `from` another one has
 * none. The energies do not contain these forces; dpl_mb_inverse, dpl_mb_linearize and
 * dpl_mb_equilibrium use them. */
void dpl_mb_set_forces(struct dpl_mb_system *system, dpl_mb_forces *forces, void *user);

/* Only to be called by `forces`: adds a force (N) on a body at a place (m), both along the axes of
 * the world. `damping` (NULL: none): xx yy zz xy yz zx of the symmetric matrix, N s/m, by which the
 * force decreases with the velocity of that place. The semi-implicit integrator is implicit in it,
 * so it may be large; the other integrators ignore it. -ENOENT: the body is not active. */
int dpl_mb_act(struct dpl_mb_system *system, int body, const double force[3], const double at[3],
               const double damping[6]);

/* ---- state ---- */

/* Accelerations and efforts are those of the last evaluation, which was inside of the last step.
 * This call makes one more evaluation, at the present state. Call it once before reading. */
void dpl_mb_update(struct dpl_mb_system *system);

struct dpl_mb_joint_state {
    int n;                  /* coordinates */
    double displacement[3]; /* rotations are unwrapped; for a spherical joint a rotation vector */
    double velocity[6];     /* as in struct dpl_mb_joint */
    double acceleration[6]; /* of the last evaluation */
    double effort[6];       /* of motors, limits, restraints and dpl_mb_apply */
    struct dpl_mb_place place; /* of the second frame in the first one */
};

/* Also for joints that close loops, and for rigid and floating joints. -ENOENT: not active. */
int dpl_mb_joint(const struct dpl_mb_system *system, int joint,
                 struct dpl_mb_joint_state *ret_state);

struct dpl_mb_body_state {
    struct dpl_mb_place place;                       /* of its frame, in the world */
    double velocity[3], angular[3];                  /* of its origin, in the axes of the world */
    double acceleration[3], angular_acceleration[3]; /* the same; without gravity */
};
int dpl_mb_body(const struct dpl_mb_system *system, int body, struct dpl_mb_body_state *ret_state);

/* Sets displacements and velocities of the joints in `joints`, holds these joints, and closes the
 * loops again. The values are those of the first coordinate of each joint; if a joint is listed
 * again, of its next coordinate. Floating bodies keep their place. 0; -EINVAL or -EDOM with reterr,
 * which has numbers of joints, or -ENOMEM: nothing has changed. Allocates. */
int dpl_mb_set(struct dpl_mb_system *system, const int *joints, const double *displacements,
               const double *velocities, size_t n, struct dpl_diag *reterr);

/* Writes the present displacements and velocities into a graph, as those at the start. It must be
 * the graph from which the system was made. */
void dpl_mb_store(const struct dpl_mb_system *system, struct dpl_mb_graph *graph);

/* J: kinetic energy; potential energy of weight (0 at the origin of the world), springs and limits.
 * The energy of a spring between frames is 0 at distance 0. */
double dpl_mb_kinetic(const struct dpl_mb_system *system);
double dpl_mb_potential(const struct dpl_mb_system *system);
double
dpl_mb_springs(const struct dpl_mb_system *system); /* the potential energy without the weight */

/* W, at the present state and inputs: the power that the motor of a joint adds (0: it has none);
 * the power that dpl_mb_apply, dpl_mb_push and dpl_mb_drag add; the power that dampers, friction
 * and limits take. */
double dpl_mb_motor_power(const struct dpl_mb_system *system, int joint);
double dpl_mb_applied_power(const struct dpl_mb_system *system);
double dpl_mb_damped_power(const struct dpl_mb_system *system);

/* Whether one of the inputs of dpl_mb_applied_power was set; on joints: to a value other than 0. */
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
    size_t clusters; /* groups of links with at least one loop */
    size_t rows, rank, freedom;
    size_t coordinates; /* of the spanning tree */
};
void dpl_mb_topology(const struct dpl_mb_system *system, struct dpl_mb_topology *ret_topology);

struct dpl_mb_cluster {
    size_t links, coordinates, chords, rows, rank;
    const int *joints; /* [n_joints] of the graph: first the joints of its tree, then its chords */
    size_t n_joints;
};
/* Cluster `i` of topology.clusters. */
void dpl_mb_cluster(const struct dpl_mb_system *system, size_t i,
                    struct dpl_mb_cluster *ret_cluster);

/* The role of a joint: -1 none (not active, or merged), 0 in the tree, 1 closes a loop. */
int dpl_mb_joint_role(const struct dpl_mb_system *system, int joint);
/* For coordinate `i` of a joint: whether it is independent now (coordinates of joints that close
 * loops never are), and its share of the mobility. This is the diagonal of the projector on the
 * motions that the loops allow, for the coordinates of all joints of the loops; 1 outside of loops.
 * The sum of the shares is the number of degrees of freedom, and they do not depend on which joint
 * closes a loop. Allocates. -ENOENT: no such coordinate, or the joint has no role; -ENOMEM. */
int dpl_mb_mobility(const struct dpl_mb_system *system, int joint, int i, bool *ret_independent,
                    double *ret_share);

/* ---- analyses; they allocate. Only for systems without floating bodies and without spherical
 * joints in the tree; others: -ENOTSUP. ---- */

/* The present independent coordinates. Returns their number (0: not supported, see above), and
 * writes at most `n`. */
size_t dpl_mb_independent(const struct dpl_mb_system *system, int *ret_joints, int *ret_coordinates,
                          size_t n);
/* Inverse dynamics: the efforts along the independent coordinates that give these accelerations, in
 * addition to all forces that act already, in the order of dpl_mb_independent. 0, -ENOTSUP or
 * -ENOMEM. */
int dpl_mb_inverse(const struct dpl_mb_system *system, const double *accelerations,
                   double *ret_efforts);

/* Linearization at the present state: dx/dt = A x + B u. x: displacements, then velocities, of the
 * independent coordinates (n of each); u: efforts along them. a: 2n * 2n, b: 2n * n, row by row.
 * Computed by central differences of the exact accelerations. 0, -ENOTSUP or -ENOMEM. */
int dpl_mb_linearize(const struct dpl_mb_system *system, double *ret_a, double *ret_b);

/* Moves the system to a near pose in which it stays at rest, stable or not. 0; -EDOM with reterr:
 * none was found, -ENOTSUP, -ENOMEM: nothing has changed. */
int dpl_mb_equilibrium(struct dpl_mb_system *system, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
