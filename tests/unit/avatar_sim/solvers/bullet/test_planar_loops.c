/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in a plane: half of their rows repeat others, exactly or but for rounding. */
#include "mechanism_rig.h"

#include <math.h>
#include <stdlib.h>

#include <doppel/math/geometry.h>
#include <doppel/sim/audit.h>

/* A four-bar of three links of 1 kg whose plane is turned about z: pivots on the world at P[0] and
 * P[3]. */
static const double P[4][3] = {{0, 0, 1}, {0.1, 0, 1.3}, {0.7, 0, 1.5}, {0.6, 0, 1}};

static struct dpl_vector3 turned(double angle, double x, double z)
{
    return (struct dpl_vector3){cos(angle) * x, sin(angle) * x, z};
}

static char *four_bar(double angle)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct dpl_vector3 centre[3];
    fprintf(out, "<mechanism name='m'>");
    for (int i = 0; i < 3; i++) {
        centre[i] = turned(angle, 0.5 * (P[i][0] + P[i + 1][0]), 0.5 * (P[i][2] + P[i + 1][2]));
        fprintf(out,
                "<RigidObject name='l%d' mass='1'><position x='%.17g' y='%.17g' z='%.17g'/>"
                "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>",
                i, centre[i].x, centre[i].y, centre[i].z);
    }
    for (int i = 0; i < 4; i++) {
        struct dpl_vector3 at = turned(angle, P[i][0], P[i][2]);
        struct dpl_vector3 from = i == 0 || i == 3 ? (struct dpl_vector3){0} : centre[i - 1];
        char parent[8] = "world";
        if (i == 1 || i == 2) {
            snprintf(parent, sizeof parent, "l%d", i - 1);
        }
        fprintf(out,
                "<Joint name='j%d' type='hinge' parent='%s' child='l%d'><frame><position x='%.17g' "
                "y='%.17g' z='%.17g'/></frame><axis x='%.17g' y='%.17g' z='0'/></Joint>",
                i, parent, i < 3 ? i : 2, at.x - from.x, at.y - from.y, at.z - from.z, -sin(angle),
                cos(angle));
    }
    fprintf(out, "</mechanism>");
    fclose(out);
    return text;
}

/* The motion in 2 s: of the first hinge, each 0.1 s. */
static void swing(double angle, double ret_values[20])
{
    struct mechanism_rig rig;
    struct dpl_audit *audit;
    char *text = four_bar(angle);
    rig_open(&rig, text, 1e-3);
    free(text);
    cr_assert_eq(dpl_audit_create(rig.world, &audit), 0);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 100; k++) {
            dpl_world_step(rig.world, 1);
            dpl_audit_step(audit);
        }
        ret_values[i] = rig_number(&rig, "m/j0/position");
    }
    struct dpl_audit_balance balance;
    dpl_audit_balance(audit, 0, &balance);
    cr_expect_lt(balance.rise, 0.01 * balance.scale, "%g rad: %.3g J from nowhere of %.3g", angle,
                 balance.rise, balance.scale);
    dpl_audit_destroy(audit);
    rig_close(&rig);
}

/* Gravity acts along the axis of the turn, so all planes give the same motion. */
Test(planar_loops, move_alike_in_every_plane)
{
    static const double angles[] = {0.3, 0.5 * DPL_PI, 1.0, 2.2, 3.0, -0.7, -1.9, 0.123456};
    double straight[20], other[20];
    swing(0.0, straight);
    cr_expect_gt(fabs(straight[10] - straight[0]), 0.1, "it swings");
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        swing(angles[i], other);
        for (int k = 0; k < 20; k++) {
            cr_expect_float_eq(other[k], straight[k], 1e-6, "%g rad, %d: %.9f, expected %.9f",
                               angles[i], k, other[k], straight[k]);
        }
    }
}
