/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/mapper.h in a simulated room: poses against the truth, people, few scans. */
#include "mapper.h"

#include "mount.h"
#include "quality.h"
#include "room.h"
#include "walls.h"

static struct mapper build(struct recording *recording, size_t hold_out)
{
    const struct mapper_options options = {.points.min_range_m = 0.1, .hold_out = hold_out};
    struct mapper mapper;
    struct dpl_diag error = {0};
    cr_assert_eq(mapper_build(recording, &options, &mapper, &error), 0, "%s", error.text);
    return mapper;
}

/* The farthest that a pose is from the truth, m; `driven`: by odometry alone. */
static double worst(const struct mapper *mapper, bool driven)
{
    double most = 0.0;
    for (size_t i = 0; i < mapper->recording->n; i++) {
        struct dpl_pose2 truth = dpl_pose2_relative(room_pose(0.0), room_pose(0.1 * (double)i));
        struct dpl_pose2 odometry = mapper_odometry(mapper->recording, i);
        most = fmax(most, dpl_pose2_distance(truth, driven ? odometry : mapper->poses[i]));
    }
    return most;
}

Test(mapper, holds_the_way_where_odometry_loses_it)
{
    const struct room_case room = {.n = 300, .odometry_scale = 1.05};
    struct recording recording = room_record(&room);
    struct mapper mapper = build(&recording, 0);
    cr_assert_gt(worst(&mapper, true), 0.3);
    cr_assert_lt(worst(&mapper, false), 0.02, "%g m", worst(&mapper, false));
    mapper_finish(&mapper);
    recording_finish(&recording);
}

Test(mapper, holds_the_way_where_a_wheel_slips)
{
    static const double slips[] = {-0.5, -0.4, 0.4, 0.5};
    for (size_t i = 0; i < 4; i++) {
        const struct room_case room = {
            .n = 150, .odometry_scale = 1.0, .slip_at = 60, .slip_rad = slips[i]};
        struct recording recording = room_record(&room);
        struct mapper mapper = build(&recording, 0);
        cr_expect_lt(worst(&mapper, false), 0.02, "%g rad: %g m", slips[i], worst(&mapper, false));
        mapper_finish(&mapper);
        recording_finish(&recording);
    }
}

Test(mapper, explains_scans_that_are_not_in_the_map)
{
    const struct room_case room = {.n = 200, .odometry_scale = 1.05};
    struct recording recording = room_record(&room);
    struct mapper mapper = build(&recording, 2);
    struct walls walls;
    struct quality quality;
    cr_assert_eq(walls_find(&mapper.map, 3, &walls), 0);
    cr_assert_eq(quality_measure(&mapper, &walls, &quality), 0);
    cr_assert(quality.of_held_out);
    cr_assert_eq(quality.n_scans, 100);
    cr_assert_eq(quality.n_lost, 0);
    cr_assert_lt(quality.median_m, 0.006, "%g", quality.median_m);
    cr_assert_gt(quality.odometry_m, 4.0 * quality.median_m);
    walls_finish(&walls);
    mapper_finish(&mapper);
    recording_finish(&recording);
}

/* Beams of walls end within 0.2 m of the person's place, in the map's frame. */
static double seen_of_person(const struct walls *walls)
{
    struct dpl_pose2 at = dpl_pose2_relative(room_pose(0.0), (struct dpl_pose2){1.0, 1.4, 0.0});
    return walls_distance(walls, at.x, at.y);
}

static double distance_with_person(size_t from, size_t to)
{
    const struct room_case room = {
        .n = 200, .odometry_scale = 1.0, .person_from = from, .person_to = to};
    struct recording recording = room_record(&room);
    struct mapper mapper = build(&recording, 0);
    struct walls walls;
    cr_assert_eq(walls_find(&mapper.map, 3, &walls), 0);
    double distance = seen_of_person(&walls);
    walls_finish(&walls);
    mapper_finish(&mapper);
    recording_finish(&recording);
    return distance;
}

Test(mapper, makes_no_wall_of_a_person_who_leaves)
{
    cr_assert_gt(distance_with_person(40, 80), 0.4);
    cr_assert_lt(distance_with_person(0, 200), 0.25); /* one who stays is furniture */
}

#define STEPS 200

/* A drive whose turns do not go with its way (else the mount is not seen), and what a mapping run
 * tells of a laser at `mount` when it takes it to be between the wheels. */
static void measure_mount(double turn_amplitude, struct dpl_pose2 mount,
                          struct mount_estimate *ret_estimate)
{
    struct recorded_scan scans[STEPS] = {0};
    struct dpl_pose2 poses[STEPS], base = {0};
    for (size_t i = 0; i < STEPS; i++) {
        scans[i].odometry = base;
        poses[i] = dpl_pose2_compose(base, mount);
        double turn = 0.05 + turn_amplitude * sin(0.2 * (double)i);
        struct dpl_pose2 step = {0.05 * cos(0.5 * turn), 0.05 * sin(0.5 * turn), turn};
        base = dpl_pose2_compose(base, step);
    }
    struct recording recording = {.scans = scans, .n = STEPS};
    struct mapper mapper = {.recording = &recording, .poses = poses};
    mount_estimate(&mapper, ret_estimate);
}

Test(mapper, finds_where_the_laser_is)
{
    const struct dpl_pose2 mount = {0.1, -0.03, 0.02};
    struct mount_estimate found;
    measure_mount(0.1, mount, &found);
    cr_assert(found.known);
    cr_expect_float_eq(found.mount.x, mount.x, 0.001, "x %g", found.mount.x);
    cr_expect_float_eq(found.mount.y, mount.y, 0.001, "y %g", found.mount.y);
    cr_expect_float_eq(found.mount.theta, mount.theta, 0.001, "yaw %g", found.mount.theta);
}

Test(mapper, does_not_say_where_the_laser_is_after_a_drive_on_a_circle)
{
    struct mount_estimate found;
    measure_mount(0.0, (struct dpl_pose2){0.1, -0.03, 0.02}, &found);
    cr_assert_not(found.known);
}

Test(mapper, takes_a_single_scan)
{
    const struct room_case room = {.n = 1, .odometry_scale = 1.0};
    struct recording recording = room_record(&room);
    struct mapper mapper = build(&recording, 0);
    struct walls walls;
    cr_assert_eq(walls_find(&mapper.map, 1, &walls), 0);
    cr_assert_gt(walls.n, 1);
    walls_finish(&walls);
    mapper_finish(&mapper);
    recording_finish(&recording);
}
