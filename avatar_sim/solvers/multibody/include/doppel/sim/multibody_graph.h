/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism as it was modelled, for the solver in minimal coordinates (doppel/sim/multibody.h):
 * nested assemblies of bodies with frames, joints between any two frames, also in loops, and
 * restraints. Files in STAR's format (doppel/sim/star.h) and programs make the same graph by the
 * same calls. The solver does not change it, but makes its own structure from it. SI units,
 * radians, right-handed.
 *
 * Each part has a number, its index in its list. Numbers are not used again: a removed part keeps
 * its index and is marked. All calls check their arguments. A call that refuses them changes
 * nothing: -EINVAL, -ENOENT, -EEXIST, -ENOSPC or -ENOMEM with reterr, which has no place. The calls
 * allocate. One thread at a time uses a graph. */
#ifndef DOPPEL_SIM_MULTIBODY_GRAPH_H
#define DOPPEL_SIM_MULTIBODY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MB_BODIES_MAX 65535
#define DPL_MB_OTHERS_MAX 1048575 /* of each other kind, and of the coefficients of a law */
#define DPL_MB_NAME_MAX   255     /* bytes of a name */
#define DPL_MB_DEPTH_MAX  256     /* assemblies in each other */

/* The allocator of a graph or a system: zeroed blocks, aligned for any type. */
struct dpl_mb_memory {
    void *(*take)(void *user, size_t bytes); /* returns NULL: no memory */
    void (*give)(void *user, void *block);   /* a block of take; NULL: does nothing */
    void *user;
};

/* x_parent = rotation * x_child + position; the rows of the rotation one after the other. */
struct dpl_mb_place {
    double rotation[9];
    double position[3]; /* m */
};

extern const struct dpl_mb_place dpl_mb_place_identity;

struct dpl_mb_assembly {
    const char *name; /* the root has "" */
    int parent;       /* -1: this is the root, number 0 */
    bool is_active;
    bool is_removed;
};

/* Number 0 is `fixed`, which does not move; every assembly may use it. */
struct dpl_mb_body {
    const char *name;
    int assembly;
    bool is_active;
    bool is_removed;
    double mass;          /* kg; may be 0 if connected bodies have mass */
    double centre[3];     /* m: its centre of mass, in the frame of the body */
    double inertia[6];    /* kg m^2: Ixx Iyy Izz Ixy Iyz Izx, entries of the tensor, about its
                             centre of mass and along its axes */
    bool is_mass_default; /* mass or inertia were not given */
    int origin;           /* its own frame, `origin`; other frames are added to it */
};

struct dpl_mb_frame {
    const char *name;
    int body;
    bool is_removed;
    struct dpl_mb_place in_body;
};

/* The displacement of a joint is the motion of its second frame relative to its first frame; at 0
 * both coincide. Rotations are right-handed about the axis, and are not wrapped. */
enum dpl_mb_joint_type {
    DPL_MB_RX,
    DPL_MB_RY,
    DPL_MB_RZ,
    DPL_MB_TX,
    DPL_MB_TY,
    DPL_MB_TZ,
    DPL_MB_RIGID,
    DPL_MB_FLOAT,       /* no constraint */
    DPL_MB_CYLINDRICAL, /* along z, then about it */
    DPL_MB_UNIVERSAL,   /* about x, then about the new y */
    DPL_MB_PLANAR,      /* along x, along y, then about z */
    DPL_MB_SPHERICAL,   /* about a point */
    DPL_MB_SCREW,       /* about z, and along it by `pitch` for each radian */
    DPL_MB_JOINT_TYPES,
};

extern const char *const dpl_mb_joint_words[DPL_MB_JOINT_TYPES]; /* "Rx", ..., "screw" */

/* The number of coordinates of a joint: 0 to 3; of a float 6. */
int dpl_mb_joint_freedoms(enum dpl_mb_joint_type type);

/* Whether coordinate `i` is a rotation. */
bool dpl_mb_joint_turns(enum dpl_mb_joint_type type, int i);

struct dpl_mb_limit {
    bool is_there;
    double lower, upper;       /* an infinite one: no limit on this side */
    double stiffness, damping; /* beyond the ends; 0: the solver chooses */
};

enum dpl_mb_motor_mode {
    DPL_MB_MOTOR_NONE,
    DPL_MB_MOTOR_FORCE,
    DPL_MB_MOTOR_VELOCITY,
    DPL_MB_MOTOR_POSITION,
    DPL_MB_MOTOR_ACCELERATION, /* only by dpl_mb_command: no motor has it at the start */
};

/* dpl_mb_command sets its setpoint at run time. At the start it is 0; for a position it is the
 * displacement at the start. effort = kp (position - q) + kd (velocity - q'). */
struct dpl_mb_motor {
    enum dpl_mb_motor_mode mode;
    double kp, kd;
    double max; /* N or N m; 0: no limit */
};

struct dpl_mb_joint {
    const char *name;
    int assembly;
    enum dpl_mb_joint_type type;
    int frames[2]; /* the first, the second; of two bodies */
    bool is_active;
    bool is_removed;
    bool is_held;           /* the search for a first pose keeps its displacement */
    double displacement[3]; /* at the start: m or rad; of a spherical joint a rotation vector */
    double velocity[6]; /* m/s, rad/s; of a float the linear velocity of the second frame's origin,
                           then the angular velocity, both relative to the first frame and in its
                           axes; of a spherical joint the angular velocity, in the same way */
    struct dpl_mb_place place; /* of a rigid or floating joint: the displacement */
    double pitch;              /* m/rad, of a screw */
    struct dpl_mb_limit limit; /* of the first coordinate */
    struct dpl_mb_motor motor; /* the same */
    int line, column;          /* place in its file, from 1; 0: no file */
};

/* A gear couples the coordinates of two joints: that of `joints[0]` plus `ratio` times that of
 * `joints[1]` stays constant. */
struct dpl_mb_gear {
    const char *name;
    int assembly;
    int joints[2]; /* each with one coordinate */
    double ratio;
    bool is_active;
    bool is_removed;
    int line, column; /* place in its file, from 1; 0: no file */
};

/* One polynomial for each piece: piece i is for knots[i - 1] <= x < knots[i]. Powers descend inside
 * a piece: 2 0.5 0 is 2 x^2 + 0.5 x. x is not relative to the knot. */
struct dpl_mb_piecewise {
    size_t n_knots;
    const double *knots;        /* [n_knots], rising */
    const size_t *n_of;         /* [n_knots + 1] coefficients of each piece, at least 1 */
    const double *coefficients; /* those of all pieces, one after the other */
};

enum dpl_mb_restraint_type { DPL_MB_SPRING, DPL_MB_DAMPER, DPL_MB_FRICTION };
enum dpl_mb_distance { DPL_MB_DISTANCE, DPL_MB_DISTANCE_X, DPL_MB_DISTANCE_Y, DPL_MB_DISTANCE_Z };

/* A force f(x) against a displacement (spring), against its rate (damper), or against the direction
 * of the rate, with an amount that depends on |rate| (friction). It acts on a joint with one
 * coordinate, or between two frames. Between frames x is the distance of their origins, or the
 * coordinate of the second origin along an axis of the first frame; with an axis, the force on the
 * first body acts at the second origin. */
struct dpl_mb_restraint {
    const char *name;
    int assembly;
    enum dpl_mb_restraint_type type;
    int joint;     /* -1: between frames */
    int frames[2]; /* if joint is -1 */
    enum dpl_mb_distance distance;
    double regularization; /* m/s or rad/s: friction grows as tanh(rate / this) */
    struct dpl_mb_piecewise law;
    bool is_active;
    bool is_removed;
};

struct dpl_mb_graph {
    struct dpl_mb_memory memory;
    double gravity[3]; /* m/s^2 */
    struct dpl_mb_assembly *assemblies;
    struct dpl_mb_body *bodies;
    struct dpl_mb_frame *frames;
    struct dpl_mb_joint *joints;
    struct dpl_mb_gear *gears;
    struct dpl_mb_restraint *restraints;
    size_t n_assemblies, n_bodies, n_frames, n_joints, n_gears, n_restraints;
    unsigned long changes; /* grows with every edit that a system must follow */
};

/* A graph with the root assembly and the body `fixed`. `memory` NULL: malloc. 0 or -ENOMEM. */
int dpl_mb_graph_create(const struct dpl_mb_memory *memory, struct dpl_mb_graph **ret_graph);
void dpl_mb_graph_destroy(struct dpl_mb_graph *graph); /* NULL: does nothing */

/* Makes a copy with the same parts and numbers. 0 or -ENOMEM. */
int dpl_mb_graph_copy(const struct dpl_mb_graph *graph, const struct dpl_mb_memory *memory,
                      struct dpl_mb_graph **ret_copy);

/* Each call copies its argument, with all that it points to, and returns the number of the new
 * part. Names must be unique within a kind in one assembly, names of frames within their body. They
 * are UTF-8 of 1 to DPL_MB_NAME_MAX bytes without control characters and without ":". A new body
 * must not be `fixed`, a new frame not `origin`. All numbers must be finite. is_active is used;
 * is_removed and members that the graph itself sets are ignored. */
int dpl_mb_add_assembly(struct dpl_mb_graph *graph, const struct dpl_mb_assembly *assembly,
                        struct dpl_diag *reterr);
/* Refuses a mass below 0 and an inertia tensor that is not valid (an eigenvalue below 0). A tensor
 * whose largest eigenvalue is more than the sum of the others is accepted: see dpl_mb_body_is_flat.
 */
int dpl_mb_add_body(struct dpl_mb_graph *graph, const struct dpl_mb_body *body,
                    struct dpl_diag *reterr);
/* A matrix within 1e-6 of a rotation is made exact; others are refused. */
int dpl_mb_add_frame(struct dpl_mb_graph *graph, const struct dpl_mb_frame *frame,
                     struct dpl_diag *reterr);
/* Displacements, velocities, pitch and place that the type does not have become 0 or identity. A
 * limit or motor is refused for joints without a suitable first coordinate: rigid, float and
 * spherical joints. Gains, stiffness and damping must be 0 or more. */
int dpl_mb_add_joint(struct dpl_mb_graph *graph, const struct dpl_mb_joint *joint,
                     struct dpl_diag *reterr);
/* The ratio must not be 0. */
int dpl_mb_add_gear(struct dpl_mb_graph *graph, const struct dpl_mb_gear *gear,
                    struct dpl_diag *reterr);
/* Friction needs a regularization above 0. */
int dpl_mb_add_restraint(struct dpl_mb_graph *graph, const struct dpl_mb_restraint *restraint,
                         struct dpl_diag *reterr);

enum dpl_mb_kind {
    DPL_MB_ASSEMBLY,
    DPL_MB_BODY,
    DPL_MB_FRAME,
    DPL_MB_JOINT,
    DPL_MB_GEAR,
    DPL_MB_RESTRAINT
};

/* Removes a part. -EBUSY: other parts still need it (an assembly that is not empty, a body with
 * joints, a frame or joint in use). -EINVAL: `fixed`, the root and origins cannot be removed. */
int dpl_mb_remove(struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                  struct dpl_diag *reterr);

/* Switches an assembly, body, joint, gear or restraint on or off. The root and `fixed` stay on. */
int dpl_mb_activate(struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number, bool is_active,
                    struct dpl_diag *reterr);

/* Changes the mass, the centre and the inertia of a body; the same checks as dpl_mb_add_body. */
int dpl_mb_set_mass(struct dpl_mb_graph *graph, int body, double mass, const double centre[3],
                    const double inertia[6], struct dpl_diag *reterr);

/* The number of the part with this name in one assembly; of a frame, in one body. -1: there is
 * none. `fixed` is found in every assembly. */
int dpl_mb_find(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                const char *name);

/* The same by a path: without ":" it is relative to `assembly`, with ":" it begins at the root
 * ("cell:robot:arm"). -1: there is none. */
int dpl_mb_find_path(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int assembly,
                     const char *path);

/* Whether a part is in use: it, all assemblies around it, and the parts that it connects are
 * active. */
bool dpl_mb_is_active(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number);

/* Writes the path of a part, such as "cell:robot:arm"; that of a frame begins with its body's path.
 * Returns the length as snprintf does. */
size_t dpl_mb_path(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                   char *ret_text, size_t size);

/* Whether a body's largest moment of inertia is more than the sum of the others by more than 1e-6
 * of it, which is not possible for a real body. */
bool dpl_mb_body_is_flat(const struct dpl_mb_body *body);

/* The value of a law at x, and (if ret_slope is not NULL) its derivative. Does not allocate. */
double dpl_mb_law(const struct dpl_mb_piecewise *law, double x, double *ret_slope);

/* Its antiderivative from 0 to x. */
double dpl_mb_law_work(const struct dpl_mb_piecewise *law, double x);

#ifdef __cplusplus
}
#endif

#endif
