/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms: bodies with shapes and masses, and the joints between them. A description that is
 * independent of any solver, and const after it is complete. Readers of files, and programs, build
 * it by the calls below, which refuse parts that are not valid. SI units, radians; right-handed, z
 * up. A unit quaternion rotates from the child's frame to the parent's frame. */
#ifndef DOPPEL_SIM_MECHANISM_H
#define DOPPEL_SIM_MECHANISM_H

#include <doppel/diag.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/mass.h>
#include <doppel/sim/name.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MECHANISM_BODIES_MAX    4096
#define DPL_MECHANISM_JOINTS_MAX    4096
#define DPL_MECHANISM_MATERIALS_MAX 256

struct dpl_arena;

/* The material of a surface in contact. The friction of a pair is the product of both coefficients.
 */
struct dpl_sim_material {
    char name[DPL_SIM_NAME_SIZE];
    double friction, restitution; /* coefficients */
    double rolling_friction;      /* m: resisting torque per contact force */
};

extern const struct dpl_sim_material dpl_sim_material_default;

/* A mesh that shows a body; nothing collides with it. */
struct dpl_sim_visual {
    const char *path;
    struct dpl_pose3 pose; /* in the body */
    double scale[3];
};

struct dpl_sim_body {
    char name[DPL_SIM_NAME_SIZE];
    bool is_static;                       /* never moves; then it has no mass */
    struct dpl_pose3 pose;                /* at the start, in the frame of the mechanism */
    struct dpl_mass mass;                 /* in the frame of the body */
    struct dpl_vector3 velocity, angular; /* of its frame at the start, m/s and rad/s, in the axes
                                             of the mechanism */
    bool is_mass_of_solids; /* the mass is the sum over the solids: overlaps count twice */
    const struct dpl_sim_solid *solids;
    size_t n_solids;
    const struct dpl_sim_visual *visuals;
    size_t n_visuals;
    bool takes_load;            /* it carries a load, a mass that changes while the world runs: */
    struct dpl_vector3 load_at; /* a point of the body (struct dpl_sim_bodies, `load`) */
    const struct dpl_sim_solid *looks; /* shown instead of the solids; they have no contacts */
    size_t n_looks;
    int group; /* bodies of one group have no contacts with each other; 0: no group */
};

enum dpl_sim_joint_type {
    DPL_JOINT_FIXED,
    DPL_JOINT_HINGE,       /* turns about z */
    DPL_JOINT_SLIDER,      /* moves along z */
    DPL_JOINT_BALL,        /* turns about a point */
    DPL_JOINT_UNIVERSAL,   /* turns about z of the parent's frame, then about x of the child's */
    DPL_JOINT_CYLINDRICAL, /* moves along z, then turns about it */
    DPL_JOINT_PLANAR,      /* moves along x and y, turns about z */
    DPL_JOINT_GEAR,        /* couples rotations: see struct dpl_sim_joint */
    DPL_JOINT_BELT,        /* couples translations by a spring */
    DPL_JOINT_ROPE,        /* connects the origins of both frames */
    DPL_JOINT_FREE,        /* no constraint */
    DPL_JOINT_TYPES,
};

/* "hinge", ... */
extern const char *const dpl_sim_joint_words[DPL_JOINT_TYPES];

/* A degree of freedom of a joint has a value: the translation in m or the rotation in rad. It is 0
 * where both frames coincide. */
struct dpl_sim_limit {
    bool is_there;
    double lower, upper;
    double stiffness, damping; /* beyond the ends; stiffness 0: a hard stop */
};

struct dpl_sim_spring {
    bool is_there;
    double stiffness, damping; /* N/m, N s/m; for a rotation N m/rad, N m s/rad */
    double rest;               /* value without force */
};

struct dpl_sim_rope {
    double ea;          /* N: stiffness times length */
    double free_length; /* m, without force */
    double damping;     /* share of critical damping */
    bool tension_only;
    /* If the rope runs over a sheave: number of the sheave's hinge, an earlier joint whose axis is
     * fixed in space. A positive rotation of the sheave moves rope from the parent's leg to the
     * child's leg; with a radius below 0 in the other direction. radius 0: a straight rope. */
    size_t sheave;
    double radius; /* m */
    double
        free_length_child; /* m, of the leg to the child; free_length: of the leg to the parent */
    double slip;           /* coefficient of friction on the sheave; 0: no slip */
    double wrap;           /* rad of rope around the sheave */
};

/* Whether the stiffness of a belt is solved implicitly with the step. Then a light body may be
 * between stiff runs of the belt. AUTO: if the step is too long for an explicit solution (w dt >
 * 1). */
enum dpl_sim_condense { DPL_CONDENSE_AUTO, DPL_CONDENSE_NEVER, DPL_CONDENSE_ALWAYS };

struct dpl_sim_belt {
    double stiffness; /* N/m, of one run */
    double damping;   /* N s/m */
    double ratio;     /* travel of the child per travel of the parent */
    enum dpl_sim_condense condense;
};

/* Both frames coincide when all values are 0. Their z is the joint's axis, their x its second axis.
 * A gear keeps (angular speed of the parent about z of its frame) + ratio * (that of the child
 * about z of its own) at 0. A closed loop is one more joint. */
struct dpl_sim_joint {
    char name[DPL_SIM_NAME_SIZE];
    enum dpl_sim_joint_type type;
    int parent, child; /* numbers of bodies; parent -1: the world */
    struct dpl_pose3 in_parent, in_child;
    struct dpl_sim_limit limits[2];   /* of the first and the second degree of freedom */
    struct dpl_sim_spring springs[2]; /* the same */
    struct dpl_sim_spring teeth[2];   /* gear teeth of a motor with play at this joint; only for
                                         dpl_mechanism_spring_rate */
    double friction;                  /* N or N m, against motion of the first degree of freedom */
    double armature; /* kg or kg m^2: added to the inertia of the first degree of freedom, such as
                        the inertia of a rotor behind a gear */
    /* Of a motor whose gear has losses: that part of `friction` that is at its shaft, and that
     * `armature` is there. struct dpl_sim_joints, `share`, says how much of both acts. */
    double shaft_friction;
    bool has_lossy_gear;
    double break_force, break_torque; /* N, N m; 0: never breaks */
    double gear_ratio;
    struct dpl_sim_rope rope;
    struct dpl_sim_belt belt;
    bool cuts_loop; /* a solver in joint coordinates cuts its loop at this joint */
};

/* The first value of joint `follower` follows that of joint `leader`: value = ratio * (that of the
 * leader) + offset. So the leader carries the follower's load. The follower must not have friction,
 * a hard stop or a drive. Neither of the joints may close a loop. */
struct dpl_sim_mimic {
    int leader, follower; /* numbers of joints */
    double ratio, offset;
};

/* A named frame in a body, such as that of a tool. */
struct dpl_sim_frame {
    char name[DPL_SIM_NAME_SIZE];
    int body;
    struct dpl_pose3 pose; /* in the body */
};

struct dpl_sim_mechanism {
    struct dpl_arena *memory; /* memory of all parts below; borrowed */
    struct dpl_sim_material *materials;
    struct dpl_sim_body *bodies;
    struct dpl_sim_joint *joints;
    struct dpl_sim_mimic *mimics;
    struct dpl_sim_frame *frames;
    size_t n_materials, n_bodies, n_joints, n_mimics, n_frames;
    bool allows_mass_ratios; /* a mass ratio that is too large for a contact is a warning, not an
                                error */
};

/* The number of degrees of freedom of a joint that have a value, 0 to 2. */
int dpl_sim_joint_freedoms(enum dpl_sim_joint_type type);

/* Whether such a joint prevents a motion: a gear, a belt, a rope and a free joint do not. */
bool dpl_sim_joint_constrains(enum dpl_sim_joint_type type);

/* The number of joints of the mechanism in a world's state (doppel/sim/state.h): one for each
 * degree of freedom with a value, in the order of its joints. */
size_t dpl_mechanism_slots(const struct dpl_sim_mechanism *mechanism);

/* The number, among these, of the first degree of freedom of a joint; -1: it has none. */
int dpl_mechanism_slot(const struct dpl_sim_mechanism *mechanism, size_t joint);

/* Whether degree of freedom `i` (0, 1) is a rotation. */
bool dpl_sim_joint_turns(enum dpl_sim_joint_type type, int i);

/* The calls below copy one part, with all that it points to, into the mechanism's memory. 0;
 * -EINVAL or -ENOSPC with reterr (without a place): nothing was added. Names must be unique within
 * their kind. The calls allocate and are not thread-safe. */

int dpl_mechanism_add_material(struct dpl_sim_mechanism *mechanism,
                               const struct dpl_sim_material *material, struct dpl_diag *reterr);

/* The materials of its solids must be there already. Quaternions whose length is 1 within 0.1 % are
 * normalised; others are refused. A body that moves needs a valid mass (dpl_mass_check). */
int dpl_mechanism_add_body(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_body *body,
                           struct dpl_diag *reterr);

/* Its bodies must be there already. */
int dpl_mechanism_add_joint(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_joint *joint,
                            struct dpl_diag *reterr);

/* Both joints must be there already, each with one value. */
int dpl_mechanism_add_mimic(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_mimic *mimic,
                            struct dpl_diag *reterr);

/* Its body must be there already; no body and no other frame may have its name. */
int dpl_mechanism_add_frame(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_frame *frame,
                            struct dpl_diag *reterr);

/* The number of a body by its name; -1: there is none. */
int dpl_mechanism_find_body(const struct dpl_sim_mechanism *mechanism, const char *name);

/* The pose, in the mechanism's frame, of a frame of body `number` (-1: the world). */
struct dpl_pose3 dpl_mechanism_place(const struct dpl_sim_mechanism *mechanism, int number,
                                     struct dpl_pose3 frame);

/* Computes a frame at the origin of `frame` whose z is along `axis` and whose x is nearest to
 * `axis2`. Both are given in the axes of `frame`. axis2 0: the smallest rotation from `frame`.
 * -EINVAL with reterr: an axis is 0, or both are parallel. */
int dpl_sim_joint_align(const struct dpl_pose3 *frame, struct dpl_vector3 axis,
                        struct dpl_vector3 axis2, struct dpl_pose3 *ret_frame,
                        struct dpl_diag *reterr);

/* Upper bound of the angular frequency, in rad/s, at which the springs of a joint (also soft
 * limits, a rope, a belt, gear teeth) can oscillate: w^2 = sum over both ends of (stiffness of all
 * springs at the body) / (its mass; for a rotation, its moment of inertia about the joint's axis).
 * So the row sums of the stiffness matrix bound its eigenvalues (Gershgorin). Exact for one spring.
 * Lever arms are ignored. Belts that may be solved with the step count only for belts, and teeth do
 * not count for belts. 0: no spring. With a step_s, dampers that are not solved with the step
 * (of belts and teeth) count, too: an explicit step diverges if rate * step_s is above 2. step_s 0:
 * only springs. */
double dpl_mechanism_spring_rate(const struct dpl_sim_mechanism *mechanism, size_t joint,
                                 double step_s);

/* Whether the joint is a belt that is solved implicitly with a step of `step_s`. */
bool dpl_mechanism_is_condensed(const struct dpl_sim_mechanism *mechanism, size_t joint,
                                double step_s);

/* A finding of dpl_mechanism_check. */
struct dpl_mechanism_finding {
    enum dpl_severity severity;
    int body, joint; /* number of the part with the problem; -1: none */
    const char *text;
};

/* Looks for problems of a simulation with steps of `step_s`: solids of two bodies that overlap at
 * the start, frames of a joint that do not coincide, mass ratios that are too large for a contact
 * or a joint, springs that are too stiff for the step, joints that contradict each other (no pose
 * near the start satisfies all), gears and mimics that prevent all motion. Calls `report` for each
 * finding. Sets of connected bodies with more than 150 constraints in loops and couplings, or with
 * more than 150 degrees of freedom in these, are not tested for contradictions; a note reports
 * this. The test of overlap is exact between boxes, spheres and capsules, and between them and
 * planes. For a cylinder, hull or mesh it uses the bounding box, so it may report an overlap that
 * does not exist. Bodies that a joint connects are not tested for overlap. Allocates, and frees it.
 */
void dpl_mechanism_check(const struct dpl_sim_mechanism *mechanism, double step_s,
                         void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                         void *user);

#ifdef __cplusplus
}
#endif

#endif
