/* SPDX-License-Identifier: Apache-2.0 */
/* Link poses and inertia of a URDF against urdf_reference.cpp: another parser, another formula. */
#include <stdio.h>

#include <doppel/math/random.h>

#include "urdf_rig.h"

static int n_poses, n_masses;

/* Where a link is: a body, or a frame of one. */
static struct dpl_pose3 place_of(const struct mechanism_rig *rig, const char *name)
{
    const struct dpl_sim_mechanism *mechanism = &rig->objects.mechanism;
    struct dpl_pose3 in_body = {.orientation.w = 1.0};
    int number = dpl_mechanism_find_body(mechanism, name);
    for (size_t i = 0; i < mechanism->n_frames && number < 0; i++) {
        if (strcmp(mechanism->frames[i].name, name) == 0) {
            number = mechanism->frames[i].body;
            in_body = mechanism->frames[i].pose;
        }
    }
    cr_assert_geq(number, 0, "no link %s", name);
    const double *p = rig->state->bodies.position[number];
    double(*r)[3] = rig->state->bodies.rotation[number];
    struct dpl_pose3 body = {{p[0], p[1], p[2]}, dpl_quaternion_from_matrix((const double(*)[3])r)};
    return dpl_pose3_compose(body, in_body);
}

static void check_pose(const struct mechanism_rig *rig, const char *name, const double v[12])
{
    struct dpl_pose3 at = place_of(rig, name);
    double found[12] = {at.position.x, at.position.y, at.position.z};
    for (int k = 0; k < 3; k++) {
        struct dpl_vector3 column = dpl_quaternion_turn(
            at.orientation, (struct dpl_vector3){.x = k == 0, .y = k == 1, .z = k == 2});
        found[3 + k] = column.x;
        found[6 + k] = column.y;
        found[9 + k] = column.z;
    }
    for (int i = 0; i < 12; i++) {
        cr_assert_leq(fabs(found[i] - v[i]), 1e-9, "%s, number %d: %.12f, expected %.12f", name, i,
                      found[i], v[i]);
    }
    n_poses++;
}

static void check_mass(const struct mechanism_rig *rig, const char *name, const double v[13])
{
    static const int tensor[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    const struct dpl_mass *mass = &rig->objects.mechanism.bodies[rig_body(rig, name)].mass;
    const double found[4] = {mass->mass, mass->centre.x, mass->centre.y, mass->centre.z};
    for (int i = 0; i < 13; i++) {
        double value = i < 4 ? found[i] : mass->inertia[tensor[i - 4]];
        cr_assert_leq(fabs(value - v[i]), 1e-12, "%s, number %d: %.15f, expected %.15f", name, i,
                      value, v[i]);
    }
    n_masses++;
}

static void check_line(const struct mechanism_rig *rig, const char *line)
{
    char what[8], name[48];
    double v[13];
    int n = 0, n_read = 0;
    cr_assert_eq(sscanf(line, "%7s %47s%n", what, name, &n), 2, "%s", line);
    for (line += n; n_read < 13 && sscanf(line, "%lf%n", &v[n_read], &n) == 1; n_read++) {
        line += n;
    }
    cr_assert_eq(n_read, strcmp(what, "pose") == 0 ? 12 : 13);
    (n_read == 12 ? check_pose : check_mass)(rig, name, v);
}

/* Opens the robot with these joints, and compares it with what the reference prints. */
static void compare(const char *file, const char *joints)
{
    struct mechanism_rig rig;
    struct dpl_sim_import_options options = urdf_usual;
    char command[1024], line[1024];
    options.joints = joints;
    urdf_open(&rig, file, &options, (struct dpl_pose2){0});
    snprintf(command, sizeof command, "'%s' '%s/urdf/%s' %s", REFERENCE,
             UNIT "/avatar_sim/fixtures", file, joints);
    FILE *reference = popen(command, "r");
    cr_assert(reference);
    while (fgets(line, sizeof line, reference)) {
        check_line(&rig, line);
    }
    cr_assert_eq(pclose(reference), 0, "%s", command);
    rig_close(&rig);
}

static double draw(struct dpl_random *random, double low, double high)
{
    return dpl_random_uniform(random, low, high);
}

Test(urdf_reference, arm_at_random_positions)
{
    struct dpl_random random;
    random = dpl_random_seeded(7, 0);
    for (int i = 0; i < 50; i++) {
        char joints[256];
        snprintf(joints, sizeof joints,
                 "pan=%.15g lift=%.15g elbow=%.15g roll=%.15g bend=%.15g turn=%.15g",
                 draw(&random, -2.9, 2.9), draw(&random, -2.0, 2.0), draw(&random, -2.6, 2.6),
                 draw(&random, -3.0, 3.0), draw(&random, -2.0, 2.0), draw(&random, -3.1, 3.1));
        compare("six_axis.urdf", joints);
    }
    cr_assert_eq(n_poses, 50 * 9, "seven bodies, a foot and a tool");
    cr_assert_eq(n_masses, 50 * 7);
}

Test(urdf_reference, mimics_at_random_positions)
{
    struct dpl_random random;
    random = dpl_random_seeded(8, 0);
    for (int i = 0; i < 20; i++) {
        char joints[64];
        snprintf(joints, sizeof joints, "drive=%.15g", draw(&random, -0.8, 0.8));
        compare("gripper.urdf", joints);
    }
    cr_assert_eq(n_poses, 20 * 5);
}

Test(urdf_reference, base_with_wheels)
{
    compare("base.urdf", "left_wheel_joint=0.7 right_wheel_joint=-1.1");
    cr_assert_eq(n_poses, 5);
}
