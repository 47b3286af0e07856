/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of a system of doppel/sim/multibody.h. Link 0 is fixed to the world; each other link
 * has one coordinate towards its parent, or is free (six). Joints with several coordinates are
 * chains of links without mass. Links are sorted so that those of a cluster lie together, and
 * parents come before children. All arrays lie in one block. */
#ifndef DOPPEL_SIM_MULTIBODY_SYSTEM_H
#define DOPPEL_SIM_MULTIBODY_SYSTEM_H

#include <doppel/sim/multibody.h>

#include "space.h"

/* What a step did to a loop. INTO: the pose is singular, or nearly. THROUGH: one on the way is. */
enum dpl__mb_passage { DPL__MB_CLEAR, DPL__MB_INTO, DPL__MB_THROUGH };

enum dpl__mb_kernel { DPL__MB_TURN, DPL__MB_SLIDE, DPL__MB_SCREWS, DPL__MB_FREE };

enum { DPL__MB_EVENTS = 64, DPL__MB_MAX_ROWS = 6, DPL__MB_WORK = 24 };

/* A body in the link that it is part of. */
struct dpl__mb_part {
    int link; /* -1: it takes no part */
    struct dpl__mb_frame in_link;
};

/* A joint of the graph as the system has it. */
struct dpl__mb_joint {
    enum dpl_mb_joint_type type;
    int role;       /* as dpl_mb_joint_role */
    bool is_active; /* also of joints that merge bodies */
    bool is_held;
    int bodies[2];
    int links[2];                   /* of its frames */
    struct dpl__mb_frame frames[2]; /* in the links; a rigid joint's place is in the first one */
    double sign;                    /* of the coordinates of its links: -1 against the pair */
    int link;     /* of coordinate 0; -1: none. Links of the others: link + i, flipped link - i */
    int chord;    /* -1: none */
    double pitch; /* m/rad */
    double displacement[3], velocity[6]; /* at the start, from the graph or another system */
    struct dpl_mb_place place;
    struct dpl_mb_limit limit;
    struct dpl_mb_motor motor;
    double setpoint;
    double found;       /* effort of a motor that gives an acceleration, of the last evaluation */
    double applied[6];  /* by dpl_mb_apply */
    double effort[6];   /* of the last evaluation */
    bool is_restrained; /* a restraint acts along it */
};

/* What closes a loop: a joint, or a gear. */
struct dpl__mb_chord {
    int joint, gear; /* one of them is -1 */
    int cluster;     /* -1: both ends are in one link */
    enum dpl_mb_joint_type type;
    double pitch;
    int links[2];
    struct dpl__mb_frame frames[2]; /* in the links; those of the ground from the branch's point */
    struct dpl__mb_frame now[2];    /* in the world's axes, from the branch's point */
    int first_row, n_rows;          /* of its cluster's */
    int first_path, n_path;         /* of the system's path */
    double q[3];                    /* displacements; turns unwrapped at the last accepted state */
    bool is_held;
    double softness; /* inertia that an implicit damper adds along the first coordinate */
    /* of a gear: the joints' coordinates, whose weighted sum is constant */
    int ends[2];
    double ratio, constant;
};

/* A link that moves one end of a chord, by its number in the cluster. */
struct dpl__mb_path {
    int local;
    double sign; /* 1: it moves the second end */
};

struct dpl__mb_cluster {
    int first, n; /* links */
    int parent;   /* link */
    int branch;
    int first_chord, n_chords;
    int n_rows, rank;
    int whole;                    /* the rank at the start: less is a singular pose */
    bool stopped, stands;         /* stands: since a step before the newest one */
    bool is_soft;                 /* a chord had softness: all of `h` is written */
    double size;                  /* m: of its frames, at least 1 */
    double norm;                  /* of `b` at the last partition, at least 1 */
    double least;                 /* pivot of `lu`; of this: */
    double chosen_least;          /* at the last partition */
    bool flips;                   /* its determinant is below 0 */
    bool is_new;                  /* partitioned since dpl__mb_keep_past */
    bool knows_past;              /* `past` is the accepted state before */
    bool past_flips, past_falls;  /* the least pivot fell by much in a step */
    bool has_moved;               /* since then */
    enum dpl__mb_passage passage; /* of the newest step */
    double past_least;
    double *past;     /* [3][n]: coordinates, rates; scratch */
    int *chords;      /* [n_rows]: of a row */
    int *pivots;      /* [rank]: rows that are used */
    int *deps;        /* [rank]: dependent coordinates, by number in the cluster */
    int *frees;       /* [n - rank] */
    int *ints;        /* [n + n_rows]: scratch */
    int *swaps;       /* [rank]: rows swapped in `lu` */
    double *rows;     /* [n_rows][8]: motion of the second end relative to the first -> rate */
    double *residual; /* [n_rows] */
    double *matrix;   /* [n_rows][n]: of all rows; scratch of partitions */
    double *lu;       /* [rank][rank]: pivot rows, dependents */
    double *b;        /* [rank][n - rank]: dependent rates by independent ones */
    double *past_b;   /* [2][rank][n - rank]: at the start and in the middle of a step */
    double *bias;     /* [n]: accelerations of dependents at rest of the independent ones */
    double *h;        /* [n][n]: composite inertia matrix */
    double *f;        /* [n][8]: momentum of each coordinate */
    double *hg;       /* [n][n - rank] */
    double *d;        /* [n - rank][n - rank]: Cholesky's factor */
    double *u;        /* [n - rank][8] */
    double *y;        /* [n - rank] */
    double *t;        /* [max(n, n_rows)]: scratch */
};

/* A restraint, with a copy of its law. */
struct dpl__mb_restraint {
    enum dpl_mb_restraint_type type;
    int joint;                      /* -1: between frames */
    int links[2];                   /* of its frames */
    struct dpl__mb_frame frames[2]; /* in the links */
    enum dpl_mb_distance distance;
    double regularization;
    struct dpl_mb_piecewise law;
};

/* A free link: position, quaternion (w x y z) in `x`; angular, linear velocity of its origin in
 * `v`, along the axes of the world. */
struct dpl__mb_float {
    int link, joint; /* joint -1: nobody said so */
    int body;        /* its frame is that of the joint's end in this body */
    int x, v;        /* where they are in a state */
};

struct dpl__mb_drag {
    double at[4], to[3]; /* in the link, in the world */
    double stiffness, damping;
};

/* Motors that give an acceleration. */
struct dpl__mb_drives {
    int most, n, n_rounds;
    int *joints, *round; /* [most]: of them; in which evaluation each is tried */
    double *matrix;      /* [most * most]: accelerations by efforts, n by n */
    double *scratch;     /* [most * most] */
};

struct dpl__mb {
    struct dpl_mb_memory memory;
    struct dpl_mb_settings settings;
    void *block; /* of memory */
    double gravity[4];
    double time;
    unsigned long steps;

    int n_links; /* with link 0 */
    int n_bodies, n_joints, n_chords, n_clusters, n_branches, n_floats, n_restraints, n_path;
    int n_loops; /* clusters with chords come in any place; how many there are */
    int nx, nv, ny;

    struct dpl__mb_part *parts;   /* [n_bodies] */
    struct dpl__mb_joint *joints; /* [n_joints] */
    struct dpl__mb_chord *chords; /* by cluster; those without one come last */
    struct dpl__mb_cluster *clusters;
    struct dpl__mb_path *path;
    struct dpl__mb_restraint *restraints;
    struct dpl__mb_float *floats;
    double (*points)[4]; /* [n_branches]: what positions of a branch are counted from; 0: the
                            origin of the world */

    /* of links */
    int *parent, *kernel, *axis, *cluster, *branch, *joint_of, *float_of;
    int *depth;                                 /* in the tree */
    double *pitch;                              /* m/rad, of screws */
    struct dpl__mb_frame *seat;                 /* in the parent, at coordinate 0 */
    double *mass, (*centre)[4], (*inertia)[12]; /* in the link; inertia: 3 columns of 4 */
    struct dpl__mb_frame *frame;                /* now, from the branch's point */
    double *sine, *cosine;
    double (*s)[8];        /* motion by the coordinate */
    double (*velocity)[8]; /* spatial, about the branch's point */
    double (*drift)[8];    /* velocity x s v */
    double (*momentum)[8]; /* of the link alone */
    double (*articulated)[48];
    double (*force)[8]; /* bias, and below what acts from outside, with the other sign */
    double (*u)[8];
    double *d, *w;
    double (*acceleration)[8];  /* with gravity's opposite in it */
    double *effort, *armature;  /* of coordinates, [nv]; added inertia of implicit dampers, [n] */
    double (*push)[8];          /* force and torque about a point: by dpl_mb_push, [n_bodies] */
    struct dpl__mb_drag *drags; /* [n_bodies] */
    int *sphericals, n_sphericals; /* [n_joints]: those of the tree */
    int *acting, n_acting;         /* [n_joints]: joints with efforts */
    struct dpl__mb_drives drives;
    bool is_pushed;        /* anything by dpl_mb_push or dpl_mb_drag */
    dpl_mb_forces *forces; /* NULL: none */
    void *forces_user;
    int *list;    /* [n_joints]: of clusters' joints, one cluster after the other */
    int *list_of; /* [n_clusters + 1] */

    double *y; /* [ny]: x, then v */
    double *x, *v;
    double *a;                  /* [nv] */
    double *before;             /* [ny] the state before the newest step */
    double *work[DPL__MB_WORK]; /* [ny]: of integrators */
    int n_work;
    double implicit; /* s: step of implicit dampers; 0: none */
    int probe_link;  /* an effort of analyses on a link's coordinate */
    double probe;
    bool in_step; /* stages of an integrator after the first one */
    bool tries;   /* an adaptive integrator tries a step: what fails is tried again, shorter */
    bool failed;
    int *pieces;     /* [n_restraints + n_joints]: of laws and limits, before a step */
    double try_step; /* s: of adaptive integrators */
    /* frames and used rows are those of `x`; velocities, inertias and factors those of the state;
     * forces were added to the inertias and forces of links since then */
    bool positions_hold, velocities_hold, forces_hold;
    double energies[3]; /* J: after the newest steps, the newest one first, near singular poses */
    int n_energies;
    bool nears, is_asked; /* in this step: a least pivot fell by some; a cluster has a passage */
    bool is_told;         /* accelerations and efforts belong to the present state and inputs */

    struct dpl_mb_event events[DPL__MB_EVENTS];
    int n_events, first_event;
};

struct dpl_mb_system {
    struct dpl__mb *m;
};

/* ---- topology.c, build.c ---- */

struct dpl__mb_sketch;

/* ---- kinematics.c ---- */

/* Frames and motions of the links of a cluster, whose parent's are known. */
void dpl__mb_positions(struct dpl__mb *m, const struct dpl__mb_cluster *cluster);
/* Velocities, drifts, inertias and bias forces. */
void dpl__mb_velocities(struct dpl__mb *m, const struct dpl__mb_cluster *cluster);

/* ---- rows.c ---- */

/* The frames of a chord's ends now. */
void dpl__mb_chord_now(const struct dpl__mb *m, struct dpl__mb_chord *chord);
int dpl__mb_row_count(enum dpl_mb_joint_type type);
/* A row of a chord: its motion (ret_row, 8 lanes; of gears between joints of the tree 0) and its
 * residual. */
double dpl__mb_chord_row(const struct dpl__mb *m, const struct dpl__mb_chord *chord, int row,
                         double *ret_row);
/* `rows` and `residual` of a cluster: all, or those that are used. Returns the largest residual. */
double dpl__mb_all_rows(struct dpl__mb *m, struct dpl__mb_cluster *cluster);
double dpl__mb_used_rows(struct dpl__mb *m, struct dpl__mb_cluster *cluster);
/* The derivatives of a row by the coordinates of the cluster. */
void dpl__mb_row_jacobian(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster,
                          const struct dpl__mb_chord *chord, const double *row, double *ret_k);
/* The part of a row's second derivative that comes from velocities. */
double dpl__mb_row_bias(const struct dpl__mb *m, const struct dpl__mb_chord *chord, int row,
                        const double *motion);
/* Displacements of two frames of a joint (turns near `near`), and how a coordinate moves: the
 * motion (8 lanes) whose product with the relative velocity is the rate. */
void dpl__mb_displacements(enum dpl_mb_joint_type type, const struct dpl__mb_frame *first,
                           const struct dpl__mb_frame *second, const double *near, double *ret_q);
void dpl__mb_coordinate(enum dpl_mb_joint_type type, int i, const struct dpl__mb_frame *first,
                        const struct dpl__mb_frame *second, double *ret_motion);

/* ---- pivots.c ---- */

/* Chooses pivot rows and dependents by the present positions, and factors them. False: the rank is
 * not `rank` (below 0: any). */
bool dpl__mb_partition(struct dpl__mb *m, struct dpl__mb_cluster *cluster, int rank);
/* Factors the present matrix of the dependents and computes `b`. False: it is singular. */
bool dpl__mb_factor(struct dpl__mb *m, struct dpl__mb_cluster *cluster);
/* The dependents' change for which the pivot rows change by `inout`, in place. */
void dpl__mb_solve(const struct dpl__mb_cluster *cluster, double *inout);
/* Rows, factors and re-partition of a cluster, as needed; may stop it. */
void dpl__mb_prepare(struct dpl__mb *m, struct dpl__mb_cluster *cluster);
/* The last pivot of the best rows and coordinates at the present positions: how far from singular
 * the pose is. Writes over rows, residuals and scratch. */
double dpl__mb_weakest(struct dpl__mb *m, struct dpl__mb_cluster *cluster);

/* ---- passage.c ---- */

/* Whether the step to the present, accepted state led into a singular pose. `works`: its `lu` is
 * good. */
enum dpl__mb_passage dpl__mb_detect_passage(struct dpl__mb *m, struct dpl__mb_cluster *cluster,
                                            bool works);
/* Keeps the present, accepted state for the next dpl__mb_detect_passage. */
void dpl__mb_keep_past(struct dpl__mb *m, struct dpl__mb_cluster *cluster);
/* The next state does not follow from the present one by a step. */
void dpl__mb_forget(struct dpl__mb *m);
/* After a step: clusters that went through a singular pose stop if the energy does not go on as
 * before. */
void dpl__mb_settle_passages(struct dpl__mb *m);
/* The rates before the step at the present pose. */
void dpl__mb_keep_rates(struct dpl__mb *m, struct dpl__mb_cluster *cluster);

/* ---- dynamics.c ---- */

/* The dependents' velocities of a cluster. */
void dpl__mb_dependents(struct dpl__mb *m, const struct dpl__mb_cluster *cluster);
/* Accelerations at the present state, with the present efforts of motors. */
void dpl__mb_accelerate(struct dpl__mb *m);
/* Computes positions, factors and velocities of the present state, if they are not valid. */
void dpl__mb_refresh(struct dpl__mb *m);

/* ---- drives.c ---- */

/* Accelerations at the present state, and the efforts of motors that have a given acceleration. */
void dpl__mb_evaluate(struct dpl__mb *m);
/* Which motors give an acceleration. */
void dpl__mb_list_driven(struct dpl__mb *m);

/* ---- forces.c ---- */

void dpl__mb_forces(struct dpl__mb *m);
/* Set by dpl_mb_set_forces. */
void dpl__mb_outer_forces(struct dpl__mb *m);
/* Adds a force at a place of the world (from its origin) to a link. */
void dpl__mb_add_force(struct dpl__mb *m, int link, double factor, const double *force,
                       const double *place);
/* The displacement and the rate of coordinate i of a joint. */
double dpl__mb_joint_value(const struct dpl__mb *m, const struct dpl__mb_joint *joint, int i,
                           double *ret_rate);
double dpl__mb_pair(const struct dpl__mb *m, const struct dpl__mb_restraint *restraint,
                    double *ret_rate, double ret_along[3], double ret_point[3]);

/* The force of a restraint's law, of a limit or a motor, and how much it falls with the rate. */
double dpl__mb_law_force(const struct dpl__mb_restraint *restraint, double value, double rate,
                         double *ret_damping);
double dpl__mb_limit_force(const struct dpl_mb_limit *limit, double value, double rate,
                           double *ret_damping);
double dpl__mb_motor_force(const struct dpl__mb_joint *joint, double value, double rate,
                           double *ret_damping);

/* The inertia along the first coordinate of a joint, all else at rest: of what it carries, of a
 * chord of its second link alone. */
double dpl__mb_inertia_along(const struct dpl__mb *m, const struct dpl__mb_joint *joint);
/* Which joints have efforts to compute. */
void dpl__mb_list_acting(struct dpl__mb *m);

/* ---- project.c ---- */

/* Positions of all links at `x`, with loops closed. */
void dpl__mb_project(struct dpl__mb *m);
/* What follows an accepted state: unwrapped turns, charts of spherical joints, checks. */
void dpl__mb_accept(struct dpl__mb *m);
void dpl__mb_event(struct dpl__mb *m, enum dpl_mb_event_type type,
                   const struct dpl__mb_cluster *cluster, double value);
/* The state was changed from outside. */
void dpl__mb_touch(struct dpl__mb *m);

/* ---- assemble.c ---- */

/* Closes the loops of a cluster near its coordinates. False: then *ret_chord is what stays open the
 * most, by *ret_residual. Uses scratch of dpl__mb_assemble_numbers doubles. */
bool dpl__mb_assemble(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double *scratch,
                      int *ret_chord, double *ret_residual);
size_t dpl__mb_assemble_numbers(const struct dpl__mb *m);

/* ---- integrate.c ---- */

/* The derivative of the present state, [ny]. */
void dpl__mb_derivative(struct dpl__mb *m, double *ret_f);
/* The same at another state, which becomes the present state. */
void dpl__mb_derivative_at(struct dpl__mb *m, const double *y, double *ret_f);
/* A step by an integrator that chooses its own ones inside. */
void dpl__mb_step_adaptive(struct dpl__mb *m, double step);
/* Makes this the present state, and closes its loops. */
void dpl__mb_arrive(struct dpl__mb *m);

static inline int dpl__mb_chain_link(const struct dpl__mb_joint *joint, int i)
{
    return joint->sign < 0.0 ? joint->link - i : joint->link + i;
}

#endif
