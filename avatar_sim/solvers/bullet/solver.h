/* SPDX-License-Identifier: Apache-2.0 */
/* A small C interface to Bullet for bodies and joints (double precision). Bodies that joints
 * connect are multibodies, trees in joint coordinates; a joint that closes a loop is a set of
 * constraint rows; other bodies are rigid bodies. Bases on wheels: solver_bases.h. Numbers of
 * bodies, trees, loops and freedoms count from 0 in the order of creation, so that runs repeat bit
 * for bit. All memory is the heap's. Bullet is included in this folder only. SI units. Not
 * thread-safe; different solvers may be used by different threads. */
#ifndef DOPPEL_SIM_SOLVER_H
#define DOPPEL_SIM_SOLVER_H

#include <stdbool.h>
#include <stddef.h>

#include "heap.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_solver;

struct dpl_solver_pose {
    double position[3];
    double turn[4]; /* unit quaternion w x y z, into the outer frame */
};

enum dpl_solver_shape_kind {
    DPL_SOLVER_BOX,      /* size = full edges */
    DPL_SOLVER_SPHERE,   /* size[0] = radius */
    DPL_SOLVER_CAPSULE,  /* size[0] = radius, size[2] = height without the caps, along z */
    DPL_SOLVER_CYLINDER, /* size[0] = radius, size[2] = height, along z */
    DPL_SOLVER_PLANE,    /* all below z = 0 */
    DPL_SOLVER_HULL,     /* around points, whose faces are given; none: it is flat */
    DPL_SOLVER_MESH,     /* points and faces; of bodies that stand still */
    DPL_SOLVER_FIELD,    /* heights of a grid: struct dpl_sim_field; size[0] = its cell. The same */
};

struct dpl_solver_shape {
    enum dpl_solver_shape_kind kind;
    struct dpl_solver_pose pose; /* in the body */
    double size[3];
    const double *points; /* [n_points][3], borrowed for the call */
    size_t n_points;
    const unsigned (*faces)[3];
    size_t n_faces;
    const double *heights; /* [rows][columns], borrowed for the call */
    unsigned columns, rows;
    double friction, restitution; /* of a pair: products */
    double rolling;               /* m */
};

enum dpl_solver_body_kind {
    DPL_SOLVER_STATIC,
    DPL_SOLVER_FREE,    /* a rigid body of its own */
    DPL_SOLVER_JOINTED, /* a member of a tree, which is added later */
    DPL_SOLVER_CHASSIS, /* rolls on wheels; its moments are those of the box round its shapes */
};

struct dpl_solver_body {
    enum dpl_solver_body_kind kind;
    struct dpl_solver_pose pose;           /* in the world */
    double mass;                           /* kg */
    struct dpl_solver_pose centre;         /* of mass, with the principal axes, in the body */
    double moments[3];                     /* principal, kg m^2; not of a CHASSIS */
    double velocity[3], angular[3];        /* at the start, of the body's frame, in the world;
                                        of JOINTED: of a base */
    const struct dpl_solver_shape *shapes; /* borrowed for the call */
    size_t n_shapes;
    bool off_ground;       /* it does not touch the ground */
    bool no_wheels;        /* of STATIC: wheels do not touch it */
    int belts;             /* that it holds (dpl_solver_belt.holder) */
    const double *load_at; /* [3] in the body, where its load is, borrowed for the call; NULL: of a
                              body that never has one. Of JOINTED */
};

enum dpl_solver_link_kind {
    DPL_SOLVER_FIXED,
    DPL_SOLVER_TURN,   /* about z of the joint's frame */
    DPL_SOLVER_TRAVEL, /* along it */
    DPL_SOLVER_BALL,
};

/* A link of a tree hangs on its parent by one elementary joint. */
struct dpl_solver_link {
    enum dpl_solver_link_kind kind;
    int parent;                               /* link; -1: the base */
    int body;                                 /* -1: a massless link between two joints */
    struct dpl_solver_pose in_parent, in_own; /* frames of the joint, which agree at 0 */
    double value;                             /* at the start, rad or m */
    struct dpl_solver_pose at_start;          /* BALL: of the own body in the parent's frame */
};

/* Turns that a loop prevents. */
enum dpl_solver_turns {
    DPL_SOLVER_TURNS_FREE,      /* none */
    DPL_SOLVER_TURNS_ABOUT_Z,   /* all but that about z of the frame in a */
    DPL_SOLVER_TURNS_UNIVERSAL, /* all but about z of the frame in a, then x of the frame in b */
    DPL_SOLVER_TURNS_LOCKED,    /* all */
};

/* A joint that closes a loop: both frames, and which of their relative motions it prevents. Ends
 * are bodies of trees; b is -1 for the world. */
struct dpl_solver_loop {
    int a, b;
    struct dpl_solver_pose in_a, in_b;
    bool travel[3]; /* along x, y, z of the frame in a */
    enum dpl_solver_turns turns;
    double break_force, break_torque; /* N, N m; 0: it never breaks */
};

/* Keeps (speed of a about z of its frame) + ratio * (that of b about z of its frame) at 0. Ends are
 * bodies of trees; b is -1 for the world. */
struct dpl_solver_gear {
    int a, b;
    struct dpl_solver_pose in_a, in_b;
    double ratio;
};

/* A spring between travels: of the origin of each frame along its z, from the start on. Ends are
 * bodies of trees; -1: the world. */
struct dpl_solver_belt {
    int a, b;
    struct dpl_solver_pose in_a, in_b;
    double stiffness, damping; /* N/m, N s/m */
    double ratio;              /* it is at rest when (travel of b) = ratio * (travel of a) */
    /* The end (a or b) that holds it, which was added with room for it: then it is stable at any
     * step. -1: it is a force of its own. */
    int holder;
};

/* What a rope goes over: a wheel on an axle that stands still. */
struct dpl_solver_sheave {
    int freedom, body; /* its turn, and the body that turns */
    double centre[3];  /* of the axle, in the body */
    double axis[3];    /* of a positive turn, in the body */
    /* m; a positive turn takes rope from end a to end b. Below 0: the other way. */
    double radius;
    double mass; /* kg: its moment of inertia / radius^2 */
    double grip; /* tension of the tight side by that of the slack one when it slips; 0: never */
    double length_b; /* m, of the leg to b, without force */
};

/* A spring between two points. Ends are any bodies that move, or -1 for the world. The damping is a
 * share of the critical one: of both ends against each other; over a sheave of the end of each leg.
 * Over a sheave the legs begin at the height of the axle above where the ends are at the start. */
struct dpl_solver_rope {
    int a, b;
    double in_a[3], in_b[3];
    double ea, damping, length; /* N, share, m without force (over a sheave: of the leg to a) */
    bool tension_only;
    const struct dpl_solver_sheave *sheave; /* borrowed for the call; NULL: a straight rope */
};

struct dpl_solver_rope_state {
    double tension[2]; /* N in the newest step, of the leg to a and to b; straight: both in [0] */
    double slipped;    /* m on the sheave, towards b */
    bool is_cut;
};

/* A joint whose reaction may be asked for. */
struct dpl_solver_reaction {
    int loop;       /* -1: a joint of a tree */
    int beyond;     /* of a tree: the body that hangs by the joint */
    bool is_turned; /* of a tree: that body is the joint's parent */
    int child;      /* body; -1: the world */
    struct dpl_solver_pose in_child;
};

/* Keeps (position of freedom `follower`) at ratio * (that of `leader`) + offset. Both are of links
 * of trees. */
struct dpl_solver_mimic {
    int leader, follower;
    double ratio, offset;
};

/* What the solver does with a freedom (one value of a joint) in the next step. */
struct dpl_solver_command {
    double effort;      /* N or N m, given as it is */
    double speed;       /* to be held by an impulse (N s, N m s) between `least` and `most` */
    double least, most; /* both 0: nothing is held */
    /* N s/m or N m s/rad, times the speed at the end of the step: stable however large it is. */
    double damping;
    double inertia; /* kg or kg m^2 more along the freedom, as that of a rotor behind a gear */
    /* The same of a stop: by an impulse between these. */
    double stop_damping, stop_least, stop_most;
};

struct dpl_solver_value {
    double position, velocity;
    double impulse; /* of the newest step, that held the speed */
    double damped;  /* of the newest step, N s or N m s, of `damping` */
};

/* A body, as its frame is in the world; columns of `rotation` are its axes. */
struct dpl_solver_state {
    double position[3], rotation[3][3], velocity[3], angular[3];
};

/* Two bodies that touch, a < b, and a point where they do; a = -1: a wheel. */
struct dpl_solver_contact {
    int a, b;
    double point[3];
};

struct dpl_solver_settings {
    double gravity;        /* m/s^2, down */
    int iterations;        /* where bodies touch or roll: of sequential impulses, a step */
    size_t bodies, wheels; /* how many there will be: more take more memory */
    size_t moving;         /* of the bodies */
    bool for_bases; /* nothing but bases on wheels moves: with settings that suit these alone */
};

/* A world with nothing in it. It lives in `heap` and goes with it. NULL: the heap is full. */
struct dpl_solver *dpl__solver_create(struct dpl_heap *heap,
                                      const struct dpl_solver_settings *settings);

/* The calls that add something allocate, and return its number, or -ENOMEM. */

/* The plane z = 0 as a body. */
int dpl__solver_add_ground(struct dpl_solver *solver, double friction);
int dpl__solver_add_body(struct dpl_solver *solver, const struct dpl_solver_body *body);

/* A tree whose base is that jointed body, or (-1) the world. Parents come before their children. A
 * base without links is a jointed body that loops alone hold. */
int dpl__solver_add_tree(struct dpl_solver *solver, int base_body,
                         const struct dpl_solver_link *links, size_t n);

int dpl__solver_add_loop(struct dpl_solver *solver, const struct dpl_solver_loop *loop);
int dpl__solver_add_gear(struct dpl_solver *solver, const struct dpl_solver_gear *gear);
int dpl__solver_add_belt(struct dpl_solver *solver, const struct dpl_solver_belt *belt);
int dpl__solver_add_rope(struct dpl_solver *solver, const struct dpl_solver_rope *rope);

/* Bodies that a joint connects do not touch each other. Before they are added to the world by
 * dpl__solver_ready. */
int dpl__solver_keep_apart(struct dpl_solver *solver, int a, int b);

/* The value of a link (turn or travel), or of a loop: turn about, or travel along, z of its frame
 * in a, or (`second`) the turn about x of the frame in b. */
int dpl__solver_add_freedom(struct dpl_solver *solver, int tree, int link);
int dpl__solver_add_loop_freedom(struct dpl_solver *solver, int loop, bool is_turn, bool second);

int dpl__solver_add_reaction(struct dpl_solver *solver, const struct dpl_solver_reaction *reaction);

/* -EINVAL: a freedom is of a loop. */
int dpl__solver_add_mimic(struct dpl_solver *solver, const struct dpl_solver_mimic *mimic);

/* Hard stops of a freedom. */
void dpl__solver_limit(struct dpl_solver *solver, int freedom, double lower, double upper);

/* What was added since the last call takes part in steps from now on. 0 or -ENOMEM. */
int dpl__solver_ready(struct dpl_solver *solver);

/* From the next step on a body that has a place for it has a load of so much, kg. */
void dpl__solver_load(struct dpl_solver *solver, int body, double mass);

/* In the next step, besides what else acts: a force (N) at a point of the body's frame and a torque
 * (N m), both along the axes of the world, on a body that moves. */
void dpl__solver_push(struct dpl_solver *solver, int body, const double force[3],
                      const double torque[3], const double point[3]);

/* From the next step on the reaction is known. */
void dpl__solver_measure(struct dpl_solver *solver, int reaction);

/* Counts for the next step only. */
void dpl__solver_command(struct dpl_solver *solver, int freedom,
                         const struct dpl_solver_command *command);

/* Advances by `dt` seconds in one step. Takes memory of the heap when there is more to solve than
 * ever before; when the heap is full then, the process ends with a message. */
void dpl__solver_step(struct dpl_solver *solver, double dt);

/* From the next step on it pulls no more. */
void dpl__solver_cut_rope(struct dpl_solver *solver, int rope);

void dpl__solver_rope_state(const struct dpl_solver *solver, int rope,
                            struct dpl_solver_rope_state *ret_state);
/* Force (N) and torque about the joint's place (N m) that the joint gave its child in the newest
 * step, drives and stops included, in the axes of its frame in the child. 0: it is not measured. */
void dpl__solver_reaction(const struct dpl_solver *solver, int reaction, double ret_wrench[6]);
/* N that pull at both ends in the newest step; below 0 it pushes. */
double dpl__solver_belt_tension(const struct dpl_solver *solver, int belt);
/* J that the stretch of a rope or a belt holds now. */
double dpl__solver_rope_energy(const struct dpl_solver *solver, int rope);
double dpl__solver_belt_energy(const struct dpl_solver *solver, int belt);
/* A body of a tree that turned, freely or by a ball, by more than Bullet turns anything in one
 * step, 45 degrees: its number. -1: there is none. */
int dpl__solver_overturned(const struct dpl_solver *solver);
void dpl__solver_value(const struct dpl_solver *solver, int freedom,
                       struct dpl_solver_value *ret_value);
void dpl__solver_state(const struct dpl_solver *solver, int body,
                       struct dpl_solver_state *ret_state);

/* Bodies from `first` on, n of them, that no joint connects with others: moved as one rigid thing
 * by `by`, a motion in the world's frame. A body into which one of them would reach deeper than
 * `depth` m: its number (the ground is 0), or -1: they fit. Moves nothing. */
int dpl__solver_moved_taken_by(struct dpl_solver *solver, int first, int n,
                               const struct dpl_solver_pose *by, double depth);
/* Moves them, with their velocities; joints keep their values. */
void dpl__solver_move(struct dpl_solver *solver, int first, int n,
                      const struct dpl_solver_pose *by);

/* Calls `visit` for each point where bodies touch (gap of at most `gap` metres), also the ground.
 */
void dpl__solver_contacts(const struct dpl_solver *solver, double gap,
                          void (*visit)(void *user, const struct dpl_solver_contact *contact),
                          void *user);

#ifdef __cplusplus
}
#endif

#endif
