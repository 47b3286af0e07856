/* SPDX-License-Identifier: Apache-2.0 */
/* Inertia that a body can have in place of one that no body has: see import.h. */
#include <math.h>

#include "import.h"

static const double water = 1000.0;     /* kg/m^3 */
static const double least_share = 1e-2; /* of the largest moment: a rod 8 times as long as thick */

/* The moment of a ball of water with this mass. */
static double of_ball(double mass)
{
    double radius = cbrt(0.75 * mass / (DPL_PI * water));
    return 0.4 * mass * radius * radius;
}

/* Moments in falling order: none below its least share, the largest at most the sum of the others
 * (both get half of what is missing). */
static void make_real(double mass, double moments[3])
{
    if (!(moments[0] > 0.0)) {
        moments[0] = moments[1] = moments[2] = of_ball(mass);
        return;
    }
    for (int i = 1; i < 3; i++) {
        moments[i] = fmax(moments[i], least_share * moments[0]);
    }
    double missing = moments[0] - moments[1] - moments[2];
    if (missing > 0.0) {
        moments[1] += missing / 2.0;
        moments[2] += missing / 2.0;
    }
}

/* The tensor with these moments along the axes x, y and z turned by `axes`. */
static void put_together(const double moments[3], struct dpl_quaternion axes, double ret_inertia[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    static const struct dpl_vector3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 6; k++) {
        ret_inertia[k] = 0.0;
    }
    for (int i = 0; i < 3; i++) {
        struct dpl_vector3 along = dpl_quaternion_turn(axes, units[i]);
        const double a[3] = {along.x, along.y, along.z};
        for (int k = 0; k < 6; k++) {
            ret_inertia[k] += moments[i] * a[row[k]] * a[column[k]];
        }
    }
}

void dpl__import_real_mass(struct dpl__import *import, struct dpl_place place, const char *link,
                           struct dpl_mass *inout)
{
    double found[3], taken[3];
    struct dpl_quaternion axes;
    if (dpl_mass_check(inout, NULL) == 0 || !(inout->mass > 0.0) || !isfinite(inout->mass)) {
        return;
    }
    dpl_inertia_principal(inout->inertia, found, &axes);
    for (int i = 0; i < 3; i++) {
        taken[i] = found[i];
    }
    make_real(inout->mass, taken);
    put_together(taken, axes, inout->inertia);
    dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, place,
                  "link '%.200s': no body of %g kg has the principal moments %g, %g and %g kg m^2; "
                  "%g, %g and %g are taken",
                  link, inout->mass, found[0], found[1], found[2], taken[0], taken[1], taken[2]);
}
