/* SPDX-License-Identifier: Apache-2.0 */
/* Which joints, gears, restraints and laws a graph refuses, with the text of each refusal. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "refusal_rig.h"

TestSuite(multibody_connect, .init = begin_with_two, .fini = end);

/* ---- joints ---- */

static struct dpl_mb_joint between(enum dpl_mb_joint_type type)
{
    return joint_of(type, origin_of(arm), origin_of(hand));
}

static int add(const struct dpl_mb_joint *it)
{
    return dpl_mb_add_joint(graph, it, &diag);
}

Test(multibody_connect, joints)
{
    struct dpl_mb_joint it = between(DPL_MB_RZ);
    it.type = (enum dpl_mb_joint_type)DPL_MB_JOINT_TYPES;
    assert_refused(add(&it), -EINVAL, "13 is no type of a joint");
    it = joint_of(DPL_MB_RZ, origin_of(arm), origin_of(arm));
    assert_refused(add(&it), -EINVAL, "both ends are on the body \"arm\", expected two bodies");
    it = joint_of(DPL_MB_RZ, 0, 77);
    assert_refused(add(&it), -ENOENT, "there is no frame with the number 77");
    it = between(DPL_MB_RZ);
    it.displacement[0] = (double)NAN;
    assert_refused(add(&it), -EINVAL, "the displacement is not finite");
    it = between(DPL_MB_SPHERICAL);
    it.velocity[2] = (double)INFINITY;
    assert_refused(add(&it), -EINVAL, "the velocity is not finite");
    it = between(DPL_MB_SCREW);
    it.pitch = (double)NAN;
    assert_refused(add(&it), -EINVAL, "the pitch is not finite");
    it = between(DPL_MB_FLOAT);
    it.place.rotation[0] = -1.0;
    assert_refused(add(&it), -EINVAL,
                   "this is no rotation but a reflection: its determinant is -1, expected 1");
}

Test(multibody_connect, limits_of_joints)
{
    struct dpl_mb_joint it = between(DPL_MB_RIGID);
    it.limit = (struct dpl_mb_limit){.is_there = true, .lower = -1.0, .upper = 1.0};
    assert_refused(add(&it), -EINVAL, "a rigid joint has no single coordinate for a limit");
    it.type = DPL_MB_SPHERICAL;
    assert_refused(add(&it), -EINVAL, "a spherical joint has no single coordinate for a limit");
    it.type = DPL_MB_TX;
    it.limit.lower = 2.0;
    assert_refused(add(&it), -EINVAL, "the limits are 2 and 1, expected the lower one first");
    it.limit.lower = (double)NAN;
    assert_refused(add(&it), -EINVAL, "the limits are nan and 1, expected the lower one first");
    it.limit.lower = it.limit.upper = (double)INFINITY;
    assert_refused(add(&it), -EINVAL, "the limits are inf and inf, expected the lower one first");
    it.limit.lower = (double)-INFINITY;
    it.limit.damping = -3.0;
    assert_refused(add(&it), -EINVAL,
                   "the stiffness of a limit is 0 and its damping -3, expected 0 or more");
    it.limit.damping = 0.0;
    cr_assert_eq(add(&it), 0, "%s", diag.text);
}

Test(multibody_connect, motors)
{
    struct dpl_mb_joint it = between(DPL_MB_FLOAT);
    it.motor = (struct dpl_mb_motor){DPL_MB_MOTOR_POSITION, 10.0, 1.0, 5.0};
    assert_refused(add(&it), -EINVAL, "a float joint has no single coordinate for a motor");
    it.type = DPL_MB_PLANAR;
    it.motor.mode = (enum dpl_mb_motor_mode)4;
    assert_refused(add(&it), -EINVAL, "4 is no mode of a motor");
    it.motor.mode = DPL_MB_MOTOR_VELOCITY;
    it.motor.kd = -1.0;
    assert_refused(add(&it), -EINVAL, "the motor has kp 10, kd -1 and max 5, expected 0 or more");
    it.motor.kd = (double)NAN;
    assert_refused(add(&it), -EINVAL, "the motor has kp 10, kd nan and max 5, expected 0 or more");
    it.motor.kd = 1.0;
    cr_assert_eq(add(&it), 0, "%s", diag.text);
}

/* What a type does not use is no error, and not kept. */
Test(multibody_connect, what_a_joint_does_not_use_is_left_out)
{
    struct dpl_mb_joint it = between(DPL_MB_CYLINDRICAL);
    for (int i = 0; i < 6; i++) {
        it.velocity[i] = i < 2 ? 1.0 : (double)NAN;
        it.displacement[i % 3] = i % 3 < 2 ? 2.0 : (double)NAN;
    }
    it.pitch = (double)NAN;
    memset(&it.place, 0, sizeof it.place);
    cr_assert_eq(add(&it), 0, "%s", diag.text);
    const struct dpl_mb_joint *kept = &graph->joints[0];
    cr_assert_eq(kept->velocity[1], 1.0);
    cr_assert_eq(kept->velocity[2], 0.0);
    cr_assert_eq(kept->velocity[5], 0.0);
    cr_assert_eq(kept->displacement[1], 2.0);
    cr_assert_eq(kept->displacement[2], 0.0);
    cr_assert_eq(kept->pitch, 0.0);
    cr_assert_eq(memcmp(&kept->place, &dpl_mb_place_identity, sizeof kept->place), 0);
}

/* ---- gears and restraints ---- */

/* A joint of this type, with this name. */
static int named(enum dpl_mb_joint_type type, const char *name)
{
    struct dpl_mb_joint it = between(type);
    it.name = name;
    int number = add(&it);
    cr_assert_geq(number, 0, "%s", diag.text);
    changes = graph->changes;
    return number;
}

Test(multibody_connect, gears)
{
    int a = named(DPL_MB_RX, "a"), ball = named(DPL_MB_SPHERICAL, "ball");
    int b = named(DPL_MB_SCREW, "b"), weld = named(DPL_MB_RIGID, "weld");
    struct dpl_mb_gear it = {.name = "g", .joints = {a, b}, .ratio = 0.0};
    assert_refused(gear(0, "g", a, ball), -EINVAL,
                   "the spherical joint \"ball\" has 3 coordinates, expected 1");
    assert_refused(gear(0, "g", weld, b), -EINVAL,
                   "the rigid joint \"weld\" has 0 coordinates, expected 1");
    assert_refused(gear(0, "g", a, a), -EINVAL,
                   "both joints are the joint \"a\", expected two joints");
    assert_refused(dpl_mb_add_gear(graph, &it, &diag), -EINVAL,
                   "the ratio is 0, expected a number other than 0");
    it.ratio = (double)NAN;
    assert_refused(dpl_mb_add_gear(graph, &it, &diag), -EINVAL,
                   "the ratio is nan, expected a number other than 0");
    cr_assert_eq(gear(0, "g", a, b), 0, "%s", diag.text);
}

static void assert_no_restraint(const struct dpl_mb_restraint *it, int err, const char *text)
{
    assert_refused(dpl_mb_add_restraint(graph, it, &diag), err, text);
}

Test(multibody_connect, restraints)
{
    int plane = named(DPL_MB_PLANAR, "plane"), slide = named(DPL_MB_TX, "slide");
    struct dpl_mb_restraint it = spring_of(plane, 0, 0);
    assert_no_restraint(&it, -EINVAL, "the planar joint \"plane\" has 3 coordinates, expected 1");
    it = spring_of(-1, origin_of(hand), origin_of(hand));
    assert_no_restraint(&it, -EINVAL, "both ends are on the body \"hand\", expected two bodies");
    it = spring_of(-1, 0, 55);
    assert_no_restraint(&it, -ENOENT, "there is no frame with the number 55");
    it = spring_of(-1, 0, origin_of(hand));
    it.distance = (enum dpl_mb_distance)4;
    assert_no_restraint(&it, -EINVAL, "4 is no type of a distance");
    it = spring_of(slide, 0, 0);
    it.type = (enum dpl_mb_restraint_type)3;
    assert_no_restraint(&it, -EINVAL, "3 is no type of a restraint");
    it.type = DPL_MB_FRICTION;
    assert_no_restraint(&it, -EINVAL, "the regularization of friction is 0, expected more than 0");
    it.regularization = (double)INFINITY;
    assert_no_restraint(&it, -EINVAL,
                        "the regularization of friction is inf, expected more than 0");
    it.regularization = 1e-3;
    cr_assert_eq(dpl_mb_add_restraint(graph, &it, &diag), 0, "%s", diag.text);
}

Test(multibody_connect, laws)
{
    double knots[2] = {1.0, 1.0}, coefficients[4] = {1.0, 2.0, (double)NAN, 4.0};
    size_t n_of[3] = {1, 0, 2};
    struct dpl_mb_restraint it = spring_of(named(DPL_MB_TX, "slide"), 0, 0);
    it.law = (struct dpl_mb_piecewise){0};
    assert_no_restraint(&it, -EINVAL, "the law has no coefficients");
    it.law = (struct dpl_mb_piecewise){2, NULL, n_of, coefficients};
    assert_no_restraint(&it, -EINVAL, "the law has no knots");
    it.law.knots = knots;
    assert_no_restraint(&it, -EINVAL,
                        "knot 1 of the law is 1, expected more than the one before, 1");
    knots[1] = (double)INFINITY;
    assert_no_restraint(&it, -EINVAL, "knot 1 of the law is not finite");
    knots[1] = 2.0;
    assert_no_restraint(&it, -EINVAL,
                        "piece 1 of the law has no coefficients, expected at least 1");
    n_of[1] = 1;
    assert_no_restraint(&it, -EINVAL, "coefficient 0 of piece 2 of the law is not finite");
    coefficients[2] = 0.0;
    n_of[2] = DPL_MB_OTHERS_MAX - 1;
    assert_no_restraint(&it, -ENOSPC,
                        "the law has more than 1048575 coefficients, which is the limit");
    n_of[2] = (size_t)-1; /* no overflow */
    assert_no_restraint(&it, -ENOSPC,
                        "the law has more than 1048575 coefficients, which is the limit");
    it.law.n_knots = DPL_MB_OTHERS_MAX;
    assert_no_restraint(&it, -ENOSPC, "the law has 1048575 knots, expected less than 1048575");
}
