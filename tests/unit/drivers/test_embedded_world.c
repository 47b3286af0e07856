/* SPDX-License-Identifier: Apache-2.0 */
/* Links to worlds in this process, through the host that a run gets: what they find, when setpoints
 * take effect, what several links see of one world; and the check of worlds and robots. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/field.h>
#include <doppel/math/geometry.h>
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

static struct dpl_link *open_link(const char *world, const char *part)
{
    struct dpl_link_config config = {.world = world, .part = part};
    struct dpl_link *link = NULL;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0, "%s", diag.text);
    return link;
}

static struct dpl_channel find(struct dpl_link *link, const char *path, bool put)
{
    struct dpl_channel channel;
    struct dpl_channel_want want = {.path = path, .put = put};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), 0, "%s", diag.text);
    return channel;
}

static void advance(dpl_ns to)
{
    cr_assert_eq(face.ops->advance(face.self, to, &diag), 0, "%s", diag.text);
}

static double number(struct dpl_channel channel)
{
    double value;
    cr_assert_eq(dpl_link_refresh(channel.link, NULL), 0);
    cr_assert_eq(dpl_channel_get(channel, &value, NULL), 0);
    return value;
}

static const struct dpl_app_world_property slower = {"avatar.wheel_scale_left=0.5",
                                                     {"slow.xml", 3, 5}};

static void begin_with(const struct dpl_app_world_property *property)
{
    end();
    struct dpl_sim_host_options options = {.world = PROFILES "/worlds/corridor.xml",
                                           .properties = property,
                                           .n_properties = 1,
                                           .seed = 1};
    host = dpl_sim_host_create(&options);
    cr_assert_not_null(host);
    face = dpl_sim_host_interface(host);
}

/* How far it turns while the motors of both wheels turn equally fast. */
static double turn_of(const char *world)
{
    struct dpl_link *link = open_link(world, "avatar");
    cr_assert_eq(dpl_channel_put_number(find(link, "LeftWheel/speed", true), 2.0), 0);
    cr_assert_eq(dpl_channel_put_number(find(link, "RightWheel/speed", true), 2.0), 0);
    struct dpl_channel heading = find(link, "heading", false);
    double before = number(heading);
    advance(DPL_S);
    double turn = number(heading) - before;
    dpl_link_close(link);
    return turn;
}

Test(embedded_world, changes_the_application_s_world_alone)
{
    double straight = turn_of("");
    begin_with(&slower);
    double turned = turn_of("");
    cr_assert(turned > straight + 0.05, "%g and %g rad", straight, turned);
    begin_with(&slower);
    double other = turn_of(PROFILES "/worlds/../worlds/corridor.xml");
    cr_assert_float_eq(other, straight, 1e-9);
}

Test(embedded_world, names_the_place_of_a_change_that_a_world_does_not_take)
{
    static const struct dpl_app_world_property wrong = {"avatar.wheel_scale_lft=0.5",
                                                        {"slow.xml", 3, 5}};
    begin_with(&wrong);
    struct dpl_link_config config = {.world = "", .part = "avatar"};
    struct dpl_link *link;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), -EINVAL);
    cr_assert_str_eq(diag.place.file, "slow.xml");
    cr_assert_eq(diag.place.line, 3);
    cr_assert_not_null(strstr(diag.text, "did you mean 'wheel_scale_left'"), "%s", diag.text);
}

Test(embedded_world, refuses_changes_of_a_world_that_no_device_is_in)
{
    begin_with(&slower);
    cr_assert_eq(face.ops->start(face.self, 0, &diag), -EINVAL);
    cr_assert_eq(diag.place.line, 3);
    open_link("", "avatar");
    cr_assert_eq(face.ops->start(face.self, 0, &diag), 0);
    face.ops->stop(face.self);
}

Test(embedded_world, turns_a_motor_that_was_set_and_stops_it_when_the_link_closes)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel motor = find(link, "LeftWheel/speed", true);
    struct dpl_channel encoder = find(link, "enc_left/angle", false);
    cr_assert(dpl_link_alive(link));
    cr_assert_eq(number(encoder), 0.0);
    cr_assert_eq(dpl_channel_put_number(motor, 2.0), 0);
    cr_assert_eq(number(encoder), 0.0);
    advance(DPL_S);
    double turned = number(encoder);
    cr_assert(turned > 1.0 && turned < 2.1, "%g rad", turned);
    struct dpl_link *watcher = open_link("", "avatar");
    struct dpl_channel watched = find(watcher, "enc_left/angle", false);
    dpl_link_close(link);
    advance(2 * DPL_S);
    double stopped = number(watched);
    advance(3 * DPL_S);
    cr_assert_float_eq(number(watched), stopped, 0.01);
    dpl_link_close(watcher);
}

/* Its user may hang while the world goes on. */
Test(embedded_world, stops_a_motor_whose_link_falls_silent_by_its_own_time)
{
    struct dpl_link_config config = {.world = "", .part = "avatar", .silence = 350 * DPL_MS};
    struct dpl_link *link = NULL;
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0, "%s", diag.text);
    struct dpl_channel motor = find(link, "LeftWheel/speed", true);
    struct dpl_channel encoder = find(link, "enc_left/angle", false);
    for (int i = 1; i <= 5; i++) { /* for a second it is put again in time */
        cr_assert_eq(dpl_channel_put_number(motor, 2.0), 0);
        advance(i * 200 * DPL_MS);
    }
    double turned = number(encoder);
    cr_assert(turned > 1.0 && turned < 2.1, "%g rad", turned);
    advance(2 * DPL_S);
    double stopped = number(encoder);
    cr_assert_lt(stopped - turned, 2.0 * 0.6, "%g rad in silence", stopped - turned);
    advance(3 * DPL_S);
    cr_assert_float_eq(number(encoder), stopped, 0.01);
    cr_assert_eq(dpl_channel_put_number(motor, 2.0), 0);
    advance(3300 * DPL_MS);
    cr_assert_gt(number(encoder), stopped + 0.1);
    dpl_link_close(link);
}

Test(embedded_world, gives_an_input_to_one_link_alone)
{
    struct dpl_link *link = open_link("", "avatar"), *other = open_link("", "avatar");
    find(link, "LeftWheel/speed", true);
    struct dpl_channel channel;
    struct dpl_channel_want want = {.path = "LeftWheel/speed", .put = true};
    cr_assert_eq(dpl_link_find(other, &want, &channel, &diag), -EBUSY);
    cr_assert_not_null(strstr(diag.text, "another device of this run"), "%s", diag.text);
    find(other, "RightWheel/speed", true);
    dpl_link_close(link);
    cr_assert_eq(dpl_link_find(other, &want, &channel, &diag), 0, "%s", diag.text);
    dpl_link_close(other);
}

Test(embedded_world, gives_a_channel_the_same_number_when_it_is_found_again)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel left = find(link, "LeftWheel/speed", true);
    cr_assert_neq(left.id, find(link, "RightWheel/speed", true).id);
    cr_assert_eq(find(link, "Left_Wheel/speed", true).id, left.id);
    cr_assert_eq(find(link, "/avatar/LeftWheel/speed", true).id, left.id);
    dpl_link_close(link);
}

Test(embedded_world, names_what_there_is_when_a_name_is_unknown)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel channel;
    struct dpl_channel_want want = {.path = "LeftWhel/speed", .put = true};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "did you mean 'avatar/LeftWheel/speed'"), "%s", diag.text);
    want = (struct dpl_channel_want){.path = "Propeller/speed", .put = true};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "'avatar/RightWheel/speed'"), "%s", diag.text);
    want = (struct dpl_channel_want){.path = "LeftWheel/speed", .put = true, .unit = "m/s"};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "'rad/s', expected 'm/s'"), "%s", diag.text);
    dpl_link_close(link);
    struct dpl_link_config config = {.world = "", .part = "nobody"};
    cr_assert_eq(face.ops->open_link(face.self, &config, NULL, &link, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "avatar"), "%s", diag.text);
    config.world = "/nonexistent/world.xml";
    cr_assert_lt(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0);
    cr_assert_lt(face.ops->open_link(face.self, &config, NULL, &link, &diag), 0);
}

Test(embedded_world, neither_puts_into_what_is_read_nor_reads_what_is_put)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel motor = find(link, "LeftWheel/speed", true);
    struct dpl_channel angle = find(link, "enc_left/angle", false);
    double value;
    cr_assert_eq(dpl_channel_put_number(angle, 1.0), -EINVAL);
    cr_assert_eq(dpl_channel_get(motor, &value, NULL), -EINVAL);
    dpl_link_close(link);
}

Test(embedded_world, takes_a_speed_that_is_not_finite_as_0)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel encoder = find(link, "enc_left/angle", false);
    dpl_channel_put_number(find(link, "LeftWheel/speed", true), (double)INFINITY);
    advance(DPL_S);
    cr_assert_float_eq(number(encoder), 0.0, 0.02);
    dpl_link_close(link);
}

Test(embedded_world, lists_all_channels_of_the_world)
{
    struct dpl_link *link = open_link("", "");
    struct dpl_channel_desc descs[2];
    size_t n = dpl_link_describe(link, 0, descs, 2);
    cr_assert_gt(n, 10);
    cr_assert_str_eq(descs[0].path, "time");
    cr_assert_eq(dpl_link_describe(link, n - 1, descs, 2), n);
    cr_assert_eq(strncmp(descs[0].path, "avatar/", 7), 0, "%s", descs[0].path);
    struct dpl_channel time = find(link, "time", false);
    advance(DPL_S);
    cr_assert_eq(number(time), 1.0);
    dpl_link_close(link);
}

Test(embedded_world, scans_while_one_of_its_links_wants_it)
{
    static float ranges[2048];
    struct dpl_link *a = open_link("", "avatar"), *b = open_link("", "avatar");
    struct dpl_channel on_a = find(a, "laser/on", true), on_b = find(b, "laser/on", true);
    struct dpl_channel scan_a = find(a, "laser/ranges", false);
    struct dpl_channel scan_b = find(b, "laser/ranges", false);
    dpl_ns stamp, newer;
    cr_assert_leq(scan_a.desc->size, DPL_COUNT(ranges));
    advance(DPL_S);
    cr_assert_eq(dpl_channel_get(scan_a, ranges, &stamp), -EAGAIN);
    dpl_channel_put_flag(on_a, true);
    dpl_channel_put_flag(on_b, true);
    advance(2 * DPL_S);
    cr_assert_eq(dpl_channel_get(scan_a, ranges, &stamp), 0);
    cr_assert(stamp > DPL_S && stamp <= 2 * DPL_S);
    cr_assert_eq(dpl_channel_get(scan_a, ranges, &newer), -EAGAIN);
    dpl_channel_put_flag(on_a, false);
    advance(3 * DPL_S);
    cr_assert_eq(dpl_channel_get(scan_b, ranges, &newer), 0);
    cr_assert_gt(newer, stamp);
    dpl_channel_put_flag(on_b, false);
    advance(4 * DPL_S);
    dpl_channel_get(scan_b, ranges, &newer);
    advance(5 * DPL_S);
    cr_assert_eq(dpl_channel_get(scan_b, ranges, &newer), -EAGAIN);
    dpl_link_close(a);
    dpl_link_close(b);
}

static struct dpl_pose2 pose_of(struct dpl_channel planar, dpl_ns *ret_stamp)
{
    double at[3];
    cr_assert_eq(dpl_link_refresh(planar.link, NULL), 0);
    cr_assert_eq(dpl_channel_get(planar, at, ret_stamp), 0);
    return (struct dpl_pose2){at[0], at[1], at[2]};
}

Test(embedded_world, puts_the_robot_where_a_link_says_and_answers)
{
    struct dpl_link *link = open_link("", "avatar");
    struct dpl_channel planar = find(link, "planar", false), place = find(link, "place", true);
    dpl_ns stamp;
    struct dpl_pose2 before = pose_of(planar, &stamp);
    struct dpl_pose2 target = dpl_pose2_compose(before, (struct dpl_pose2){0.3, 0.0, 0.2});
    cr_assert_eq(dpl_channel_answer(place), 0);
    dpl_channel_put(place, (double[3]){target.x, target.y, target.theta});
    cr_assert_eq(dpl_channel_answer(place), -EINPROGRESS);
    advance(100 * DPL_MS);
    struct dpl_pose2 after = pose_of(planar, &stamp);
    cr_assert_eq(dpl_channel_answer(place), 0);
    cr_assert_lt(dpl_pose2_distance(after, target), 2e-3);
    cr_assert_float_eq(dpl_wrap_angle(after.theta - target.theta), 0.0, 1e-2);
    cr_assert_eq(stamp, 100 * DPL_MS);
    dpl_channel_put(place, (double[3]){(double)NAN, 0.0, 0.0});
    advance(200 * DPL_MS);
    cr_assert_eq(dpl_link_refresh(link, NULL), 0);
    cr_assert_eq(dpl_channel_answer(place), -EINVAL);
    dpl_link_close(link);
}

Test(embedded_world, refuses_a_link_that_would_command_two_parts)
{
    char file[] = "/tmp/doppel-pair-XXXXXX";
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    const char *robot = PROFILES "/robots/kobuki_urg.xml";
    dprintf(fd,
            "<world name=\"pair\"><ground/><robot name=\"a\" model=\"%s\"/>"
            "<robot name=\"b\" model=\"%s\" x=\"2\"/></world>",
            robot, robot);
    close(fd);
    struct dpl_link *link = open_link(file, "");
    unlink(file);
    find(link, "a/LeftWheel/speed", true);
    struct dpl_channel channel;
    struct dpl_channel_want want = {.path = "b/LeftWheel/speed", .put = true};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "another part"), "%s", diag.text);
    find(link, "b/laser/on", true);
    find(link, "b/planar", false);
    dpl_link_close(link);
}

Test(embedded_world, is_one_for_each_file_and_moves_with_the_others)
{
    struct dpl_link *corridor = open_link("", "avatar");
    struct dpl_link *empty = open_link(PROFILES "/worlds/empty.xml", "avatar");
    struct dpl_channel motor = find(empty, "LeftWheel/speed", true);
    struct dpl_channel here = find(empty, "enc_left/angle", false);
    struct dpl_channel there = find(corridor, "enc_left/angle", false);
    dpl_channel_put_number(motor, 2.0);
    advance(DPL_S);
    cr_assert_gt(number(here), 1.0);
    cr_assert_float_eq(number(there), 0.0, 0.01);
    cr_assert_eq(face.ops->contacts(face.self), 0);
    dpl_link_close(empty);
    dpl_link_close(corridor);
}

static void keep_contact(void *user, const struct dpl_world_host_contact *contact)
{
    char *text = user;
    size_t n = strlen(text);
    snprintf(text + n, 256 - n, "%s/%s %s %d; ", contact->world, contact->robot, contact->with,
             (int)contact->n);
}

Test(embedded_world, tells_what_has_touched_its_robots)
{
    char text[256] = "";
    struct dpl_link *link = open_link("", "avatar");
    face.ops->tell_contacts(face.self, keep_contact, text);
    cr_assert_str_empty(text);
    struct dpl_channel left = find(link, "LeftWheel/speed", true);
    struct dpl_channel right = find(link, "RightWheel/speed", true);
    for (int i = 0; i < 40; i++) { /* backwards, to the end of the corridor */
        dpl_channel_put_number(left, -12.0);
        dpl_channel_put_number(right, -12.0);
        advance((i + 1) * 250 * DPL_MS);
    }
    face.ops->tell_contacts(face.self, keep_contact, text);
    cr_assert_str_eq(text, "corridor/avatar wall 7 1; ");
    dpl_link_close(link);
}

Test(embedded_world, is_absent_when_the_application_names_none)
{
    struct dpl_sim_host_options options = {.seed = 1};
    struct dpl_sim_host *bare = dpl_sim_host_create(&options);
    struct dpl_world_host bare_face = dpl_sim_host_interface(bare);
    struct dpl_link_config config = {.world = "", .part = "avatar"};
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
    const char *about;
    int err = dpl_sim_check(&arena, file, root, NULL, &diags, &about);
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

/* ---- looking ahead ---- */

static struct dpl_ahead *open_ahead(struct dpl_link *link, int expected)
{
    static const char *const puts_[] = {"avatar/LeftWheel/speed", "avatar/RightWheel/speed"},
                             *const reads[] = {"avatar/planar"};
    const struct dpl_ahead_setup setup = {.robot = "avatar",
                                          .puts = puts_,
                                          .n_puts = 2,
                                          .reads = reads,
                                          .n_reads = 1,
                                          .delay = 50 * DPL_MS};
    struct dpl_ahead *ahead = NULL;
    cr_assert_eq(dpl_link_open_ahead(link, &setup, &ahead, &diag), expected, "%s", diag.text);
    return ahead;
}

Test(embedded_world, a_look_ahead_tells_what_the_world_then_does)
{
    static struct dpl_ahead_request request = {.sample = 500 * DPL_MS, .n_rollouts = 1};
    const struct dpl_ahead_result *result = NULL;
    struct dpl_link *link = open_link(NULL, "avatar");
    struct dpl_channel left = find(link, "LeftWheel/speed", true),
                       right = find(link, "RightWheel/speed", true),
                       planar = find(link, "planar", false);
    struct dpl_ahead *ahead = open_ahead(link, 0);
    cr_assert_eq(face.ops->start(face.self, 0, &diag), 0, "%s", diag.text);
    dpl_channel_put_number(left, 4.0);
    dpl_channel_put_number(right, 5.0);
    advance(300 * DPL_MS);
    request.rollouts[0].duration = DPL_S;
    cr_assert_eq(dpl_ahead_ask(ahead, &request), 0);
    advance(350 * DPL_MS);
    cr_assert_eq(dpl_ahead_answer(ahead, &result), -EINPROGRESS);
    advance(400 * DPL_MS);
    cr_assert_eq(dpl_ahead_answer(ahead, &result), 0);
    cr_assert_eq(result->world_time, 301 * DPL_MS); /* at the first boundary after the request */
    cr_assert_eq(result->stamp, result->world_time);
    advance(result->world_time + DPL_S);
    double pose[3];
    cr_assert_eq(dpl_link_refresh(link, NULL), 0);
    cr_assert_eq(dpl_channel_get(planar, pose, NULL), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert(result->samples[0][2][i] == pose[i], "%d: %g, expected %g", i,
                  result->samples[0][2][i], pose[i]);
    }
    dpl_link_close(link);
}

Test(embedded_world, a_world_that_moves_does_not_begin_to_look_ahead)
{
    struct dpl_link *link = open_link(NULL, "avatar");
    cr_assert_eq(face.ops->start(face.self, 0, &diag), 0, "%s", diag.text);
    advance(10 * DPL_MS);
    open_ahead(link, -EBUSY);
    cr_assert_not_null(strstr(diag.text, "before its world moves"));
    dpl_link_close(link);
}
