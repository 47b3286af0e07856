/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry and masses of a delta robot: three motors on a base turn three arms; from the elbow of
 * each arm a pair of parallel rods goes to a platform, which can move in x y z but not turn. The
 * base is at the origin, z is up, arm i is at the azimuth of i * 120 degrees, arm 0 along +x. Joint
 * angles are 0 when the arm is level and positive when it points down; torques are positive in the
 * same direction. In this folder a position, velocity or force is three numbers x y z, and joint
 * values are three numbers, one for each arm. Nothing here allocates, blocks or keeps state. */
#ifndef DPL_DELTA_GEOMETRY_H
#define DPL_DELTA_GEOMETRY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_DELTA_ARMS 3

struct dpl_delta {
    double base_radius_m;     /* from the z axis to each hinge */
    double platform_radius_m; /* from the platform's centre to the middle of each pair's joints */
    double arm_m, rod_m;      /* lengths */
    double half_pair_m;       /* half the distance of the two rods of a pair */
    double arm_kg, rod_kg;    /* of one arm, of one rod (there are six); rods are uniform */
    double platform_kg;
    double arm_centre_m;        /* from the hinge to the arm's centre of mass, along the arm */
    double arm_inertia_kg_m2;   /* about the arm's centre of mass, axis parallel to the hinge */
    double gear;                /* turns of the motor for one turn of the arm */
    double rotor_inertia_kg_m2; /* about the motor's axis */
    double payload_kg;          /* at the platform's centre */
    double low_rad, high_rad;   /* joint range of each arm */
};

/* A small delta, designed for this project: no data sheet of a real one. */
extern const struct dpl_delta dpl_delta_reference;

/* A number of struct dpl_delta that files and command lines give by name. */
struct dpl_delta_parameter {
    const char *name, *unit, *summary;
    size_t offset; /* in struct dpl_delta */
    enum { DPL_DELTA_POSITIVE, DPL_DELTA_NOT_NEGATIVE, DPL_DELTA_ANY } range;
    const char *breach; /* what dpl_delta_check returns for a value outside of the range */
};

/* RB RP L1 L2 HALF MA MR MP LA IA RATIO ROTOR PAYLOAD. The joint range has no row. */
#define DPL_DELTA_N_PARAMETERS 13
extern const struct dpl_delta_parameter dpl_delta_parameters[DPL_DELTA_N_PARAMETERS];

/* Sets the parameter of this name, without a check of the value. Returns 0, or -ENOENT: there is no
 * such parameter. */
int dpl_delta_set(struct dpl_delta *delta, const char *name, double value);

/* Checks all numbers, and that the platform can be on the z axis within the joint range. Returns 0,
 * or -EINVAL with `*reterr_what` (static text; may be NULL) for the first error. The other
 * functions of this folder need a struct that has passed. */
int dpl_delta_check(const struct dpl_delta *delta, const char **reterr_what);

/* The azimuth of each arm: the unit vector from the z axis to its hinge. */
extern const double dpl_delta_azimuth[DPL_DELTA_ARMS][3];

#ifdef __cplusplus
}
#endif

#endif
