/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the places where a scan shows what the plan does not have. */
#include "localizer_parts.h"

#include <criterion/criterion.h>

#define BEAMS  361
#define STEP   (1.0 * (DPL_PI / 180.0))
#define WALL_M 5.0

static struct localizer localizer;

/* The plan has a round wall; all beams see it. */
static void stand(void)
{
    struct loc_scan *scan = &localizer.scan;
    cr_assert(loc_scan_init(scan, BEAMS));
    scan->n = BEAMS;
    scan->step_angle = STEP;
    scan->start_angle = -DPL_PI;
    for (size_t i = 0; i < BEAMS; i++) {
        double angle = scan->start_angle + (double)i * STEP;
        scan->range[i] = scan->hit[i].range = WALL_M;
        scan->cosine[i] = cos(angle);
        scan->sine[i] = sin(angle);
    }
    loc_scan_still(scan);
}

static double distance(const double point[2])
{
    return hypot(point[0], point[1]);
}

static void expect_points(size_t least, double from_m, double to_m)
{
    struct strangers_view view;
    localizer__strange_view(&localizer, &view);
    cr_assert_geq(view.n_points, least, "%zu", view.n_points);
    for (size_t i = 0; i < view.n_points; i++) {
        double r = distance(view.points[i]);
        cr_assert(r >= from_m && r <= to_m, "%g", r);
    }
    loc_scan_finish(&localizer.scan);
}

/* The beam between them sees the wall: they are one thing, and it is not there. */
Test(strange, two_legs_with_a_gap_are_not_at_the_wall)
{
    stand();
    localizer.scan.range[179] = localizer.scan.range[181] = 2.0;
    expect_points(1, 2.0, 2.1);
}

/* Wide: its points are some beams apart, and beams between see the wall. */
Test(strange, a_grating_is_nowhere_at_the_wall)
{
    stand();
    for (size_t i = 150; i <= 210; i++) {
        localizer.scan.range[i] = i % 2 == 0 ? 2.0 : WALL_M;
    }
    expect_points(10, 2.0, 2.0 + 1e-9);
}

/* The middle of the thing is of a beam that saw nothing. */
Test(strange, what_reflects_at_its_sides_only_is_there)
{
    stand();
    localizer.scan.range[179] = localizer.scan.range[181] = 2.0;
    localizer.scan.range[180] = 0.0;
    expect_points(1, 2.0, 2.1);
}
