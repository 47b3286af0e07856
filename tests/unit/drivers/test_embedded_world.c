/* SPDX-License-Identifier: Apache-2.0 */
/* Links to worlds in this process, through the host that a run gets: what they find, when setpoints
 * take effect, what several links see of one world; and the check of worlds and robots. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/field.h>
#include <doppel/sim/check.h>
#include <doppel/sim/host.h>

#include "arena.h"

static struct dpl_sim_host *host;
static struct dpl_world_host face;
static struct dpl_diag diag;

static void begin(void)
{
    struct dpl_sim_host_options options = {.world = PROFILES "/worlds/corridor.xml", .seed = 1};
    host = dpl_sim_host_create(&options);
    cr_assert_not_null(host);
    face = dpl_sim_host_interface(host);
}

static void end(void)
{
    dpl_sim_host_destroy(host);
}

TestSuite(embedded_world, .init = begin, .fini = end);

static struct dpl_link *open_link(const char *world, const char *robot)
{
    struct dpl_link_config config = {.world = world, .robot = robot};
    struct dpl_link *link = NULL;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0, "%s", diag.text);
    return link;
}

static unsigned find(struct dpl_link *link, enum dpl_link_device kind, const char *name)
{
    unsigned id = 99;
    cr_assert_eq(link->ops->find(link, kind, name, &id, NULL, &diag), 0, "%s", diag.text);
    return id;
}

static void advance(dpl_ns to)
{
    cr_assert_eq(face.ops->advance(face.self, to, &diag), 0, "%s", diag.text);
}

static double angle(struct dpl_link *link, unsigned id)
{
    struct dpl_link_encoder encoder;
    cr_assert_eq(link->ops->get_encoder(link, id, &encoder), 0);
    return encoder.angle_rad;
}

Test(embedded_world, turns_a_motor_that_was_set_and_stops_it_when_the_link_closes)
{
    struct dpl_link *link = open_link("", "avatar");
    unsigned motor = find(link, DPL_LINK_MOTOR, "LeftWheel");
    unsigned encoder = find(link, DPL_LINK_ENCODER, "enc_left");
    cr_assert(link->ops->alive(link));
    cr_assert_eq(angle(link, encoder), 0.0);
    link->ops->set_motor(link, motor, 2.0);
    cr_assert_eq(angle(link, encoder), 0.0);
    advance(DPL_S);
    double turned = angle(link, encoder);
    cr_assert(turned > 1.0 && turned < 2.1, "%g rad", turned);
    struct dpl_link *watcher = open_link("", "avatar");
    unsigned watched = find(watcher, DPL_LINK_ENCODER, "enc_left");
    link->ops->close(link);
    advance(2 * DPL_S);
    double stopped = angle(watcher, watched);
    advance(3 * DPL_S);
    cr_assert_float_eq(angle(watcher, watched), stopped, 0.01);
    watcher->ops->close(watcher);
}

Test(embedded_world, gives_a_device_the_same_number_when_it_is_found_again)
{
    struct dpl_link *link = open_link("", "avatar");
    unsigned left = find(link, DPL_LINK_MOTOR, "LeftWheel");
    unsigned right = find(link, DPL_LINK_MOTOR, "RightWheel");
    cr_assert_neq(left, right);
    cr_assert_eq(find(link, DPL_LINK_MOTOR, "Left_Wheel"), left);
    link->ops->close(link);
}

Test(embedded_world, names_what_there_is_when_a_name_is_unknown)
{
    struct dpl_link *link = open_link("", "avatar");
    unsigned id;
    cr_assert_eq(link->ops->find(link, DPL_LINK_MOTOR, "LeftWhel", &id, NULL, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "'RightWheel'"), "%s", diag.text);
    cr_assert_not_null(strstr(diag.text, "did you mean 'LeftWheel'"), "%s", diag.text);
    link->ops->close(link);
    struct dpl_link_config config = {.world = "", .robot = "nobody"};
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "avatar"), "%s", diag.text);
    config.world = "/nonexistent/world.xml";
    cr_assert_lt(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0);
    cr_assert_lt(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0);
}

Test(embedded_world, scans_while_one_of_its_links_wants_it)
{
    static struct dpl_link_scan scan;
    struct dpl_link *a = open_link("", "avatar"), *b = open_link("", "avatar");
    struct dpl_link_laser info;
    unsigned laser_a, laser_b;
    cr_assert_eq(a->ops->find(a, DPL_LINK_LASER, "laser", &laser_a, &info, &diag), 0);
    cr_assert_eq(b->ops->find(b, DPL_LINK_LASER, "laser", &laser_b, NULL, &diag), 0);
    advance(DPL_S);
    cr_assert_eq(a->ops->get_scan(a, laser_a, &scan), -EAGAIN);
    a->ops->enable_laser(a, laser_a, true);
    b->ops->enable_laser(b, laser_b, true);
    advance(2 * DPL_S);
    cr_assert_eq(a->ops->get_scan(a, laser_a, &scan), 0);
    cr_assert_eq(scan.n, info.n);
    cr_assert(scan.stamp > DPL_S && scan.stamp <= 2 * DPL_S);
    uint64_t sequence = scan.sequence;
    cr_assert_eq(a->ops->get_scan(a, laser_a, &scan), -EAGAIN);
    a->ops->enable_laser(a, laser_a, false);
    advance(3 * DPL_S);
    cr_assert_eq(b->ops->get_scan(b, laser_b, &scan), 0);
    cr_assert_gt(scan.sequence, sequence);
    sequence = scan.sequence;
    b->ops->enable_laser(b, laser_b, false);
    advance(4 * DPL_S);
    advance(5 * DPL_S);
    cr_assert_eq(b->ops->get_scan(b, laser_b, &scan), -EAGAIN);
    a->ops->close(a);
    b->ops->close(b);
}

Test(embedded_world, puts_the_robot_where_a_link_says)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_link_robot before, after;
    cr_assert_eq(link->ops->get_robot(link, &before), 0);
    struct dpl_pose2 target = dpl_pose2_compose(before.pose, (struct dpl_pose2){0.3, 0.0, 0.2});
    link->ops->set_pose(link, &target);
    advance(100 * DPL_MS);
    cr_assert_eq(link->ops->get_robot(link, &after), 0);
    cr_assert_lt(dpl_pose2_distance(after.pose, target), 2e-3);
    cr_assert_float_eq(dpl_wrap_angle(after.pose.theta - target.theta), 0.0, 1e-2);
    cr_assert_eq(after.stamp, 100 * DPL_MS);
    link->ops->close(link);
}

Test(embedded_world, is_one_for_each_file_and_moves_with_the_others)
{
    struct dpl_link *corridor = open_link("", "avatar");
    struct dpl_link *empty = open_link(PROFILES "/worlds/empty.xml", "avatar");
    unsigned motor = find(empty, DPL_LINK_MOTOR, "LeftWheel");
    unsigned here = find(empty, DPL_LINK_ENCODER, "enc_left");
    unsigned there = find(corridor, DPL_LINK_ENCODER, "enc_left");
    empty->ops->set_motor(empty, motor, 2.0);
    advance(DPL_S);
    cr_assert_gt(angle(empty, here), 1.0);
    cr_assert_float_eq(angle(corridor, there), 0.0, 0.01);
    cr_assert_eq(face.ops->contacts(face.self), 0);
    empty->ops->close(empty);
    corridor->ops->close(corridor);
}

Test(embedded_world, is_absent_when_the_application_names_none)
{
    struct dpl_sim_host_options options = {.seed = 1};
    struct dpl_sim_host *bare = dpl_sim_host_create(&options);
    struct dpl_world_host bare_face = dpl_sim_host_interface(bare);
    struct dpl_link_config config = {.world = "", .robot = "avatar"};
    struct dpl_link *link;
    cr_assert_eq(bare_face.ops->open_link(bare_face.self, &config, NULL, &link, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "<world>"), "%s", diag.text);
    cr_assert_lt(dpl_sim_host_serve(bare, NULL, NULL, 0, &diag), 0);
    dpl_sim_host_destroy(bare);
}

static int check(const char *file, const char *root, size_t *ret_n_errors)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    int err = dpl_sim_check(&arena, file, root, NULL, &diags);
    *ret_n_errors = diags.n_errors;
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return err;
}

Test(sim_check, takes_the_worlds_and_robots_that_are_shipped_one_after_another)
{
    static const char *const files[][2] = {
        {PROFILES "/worlds/empty.xml", "world"},
        {PROFILES "/robots/hrc01.xml", "robot_model"},
        {PROFILES "/robots/kobuki_urg.xml", "robot_model"},
        {PROFILES "/worlds/corridor.xml", "world"},
        {PROFILES "/robots/kobuki_urg.xml", "robot_model"},
        {PROFILES "/robots/hrc01.xml", "robot_model"},
    };
    for (size_t i = 0; i < DPL_COUNT(files); i++) {
        size_t n_errors;
        cr_assert_eq(check(files[i][0], files[i][1], &n_errors), 0, "%s", files[i][0]);
        cr_assert_eq(n_errors, 0);
    }
}

Test(sim_check, refuses_what_is_neither)
{
    size_t n_errors;
    cr_assert_eq(check(PROFILES "/worlds/empty.xml", "wrold", &n_errors), -EINVAL);
    cr_assert_eq(n_errors, 1);
    cr_assert_lt(check("/nonexistent.xml", "world", &n_errors), 0);
    cr_assert_eq(n_errors, 1);
    cr_assert_lt(check(PROFILES "/worlds/empty.xml", "robot_model", &n_errors), 0);
    cr_assert_geq(n_errors, 1);
}
