/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/pose_graph.h: a drive around a square whose odometry turns too little. */
#include "pose_graph.h"

#include <criterion/criterion.h>
#include <math.h>

#define SIDE 10
#define N    (4 * SIDE)

/* Around a square of 10 m; the last pose is one step before the first. */
static struct dpl_pose2 truth(size_t i)
{
    struct dpl_pose2 pose = {0};
    for (size_t k = 0; k < i; k++) {
        bool corner = k % SIDE == SIDE - 1;
        pose = dpl_pose2_compose(pose, (struct dpl_pose2){1.0, 0.0, corner ? 0.5 * DPL_PI : 0.0});
    }
    return pose;
}

/* The chain by odometry, and poses along it. Returns the number of edges. */
static size_t drive(double turn_error, struct dpl_pose2 poses[N], struct pose_graph_edge *edges)
{
    poses[0] = truth(0);
    for (size_t i = 1; i < N; i++) {
        struct dpl_pose2 moved = dpl_pose2_relative(truth(i - 1), truth(i));
        moved.theta += turn_error;
        poses[i] = dpl_pose2_compose(poses[i - 1], moved);
        edges[i - 1] = (struct pose_graph_edge){i - 1, i, moved, 0.02, 0.01, false};
    }
    return N - 1;
}

static struct pose_graph_edge loop(size_t from, size_t to, double off_m)
{
    struct dpl_pose2 is = dpl_pose2_relative(truth(from), truth(to));
    is.x += off_m;
    return (struct pose_graph_edge){from, to, is, 0.005, 0.002, true};
}

static double worst(const struct dpl_pose2 poses[N])
{
    double most = 0.0;
    for (size_t i = 0; i < N; i++) {
        most = fmax(most, dpl_pose2_distance(poses[i], truth(i)));
    }
    return most;
}

Test(pose_graph, one_loop_brings_the_ends_together)
{
    struct dpl_pose2 poses[N];
    struct pose_graph_edge edges[N + 1];
    size_t n = drive(0.01, poses, edges);
    cr_assert_gt(worst(poses), 1.0);
    edges[n++] = loop(0, N - 1, 0.0);
    cr_assert_eq(pose_graph_solve(poses, N, edges, n), 0);
    cr_assert_lt(dpl_pose2_distance(poses[N - 1], truth(N - 1)), 0.05, "%g",
                 dpl_pose2_distance(poses[N - 1], truth(N - 1)));
    cr_assert_lt(worst(poses), 0.5, "%g", worst(poses));
    cr_assert_eq(dpl_pose2_distance(poses[0], truth(0)), 0.0);
}

Test(pose_graph, a_place_that_contradicts_the_others_loses_its_weight)
{
    struct dpl_pose2 poses[N];
    struct pose_graph_edge edges[N + 8];
    size_t n = drive(0.001, poses, edges);
    for (size_t k = 1; k < 6; k++) {
        edges[n++] = loop(0, N - k, 0.0);
    }
    edges[n++] = loop(0, N - 3, 1.0); /* another room that looks alike */
    cr_assert_eq(pose_graph_solve(poses, N, edges, n), 0);
    cr_assert_lt(worst(poses), 0.1, "%g", worst(poses));
}

Test(pose_graph, poses_without_a_loop_stay)
{
    struct dpl_pose2 poses[N], before[N];
    struct pose_graph_edge edges[N];
    size_t n = drive(0.01, poses, edges);
    for (size_t i = 0; i < N; i++) {
        before[i] = poses[i];
    }
    cr_assert_eq(pose_graph_solve(poses, N, edges, n), 0);
    for (size_t i = 0; i < N; i++) {
        cr_assert_lt(dpl_pose2_distance(poses[i], before[i]), 1e-9);
    }
}
