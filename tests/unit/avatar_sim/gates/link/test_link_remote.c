/* SPDX-License-Identifier: Apache-2.0 */
/* Links to a served world over TCP on this machine: finding by name, putting, getting, asking. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "hosted_world.h"
#include "link_embedded.h"
#include "link_world.h"

static const char *const part = "avatar";
static const struct dpl_sim_load_options world_options = {.has_seed = true, .seed = 1};

Test(link_remote, puts_and_gets_values_of_a_served_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    dpl_ns epoch = monotonic(), stamp, measured;
    cr_assert_eq(remote_worlds_start(list, epoch, NULL), 0);
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_left/angle");
    cr_assert_eq(dpl_channel_put_number(speed, 5.0), 0);
    EVENTUALLY(number_of(angle) > 0.5);
    cr_assert(dpl_link_alive(link));
    double value;
    cr_assert_eq(dpl_link_refresh(link, &stamp), 0);
    cr_assert_eq(dpl_channel_get(angle, &value, &measured), 0);
    cr_assert_eq(measured, stamp, "a reading is of its step");
    cr_assert_gt(stamp, 0);
    cr_assert_leq(stamp, monotonic() - epoch + 50 * DPL_MS, "stamps are of the run's clock");
    cr_assert_geq(stamp, monotonic() - epoch - DPL_S);
    cr_assert_eq(dpl_link_restarts(link), 0);
    cr_assert_eq(dpl_channel_put_number(angle, 5.0), -EINVAL);
    cr_assert_eq(dpl_channel_get(speed, &value, NULL), -EINVAL);
    dpl_link_close(link);
    remote_worlds_destroy(list);
    cr_assert_eq(unserve(&served).malformed, 0);
}

Test(link_remote, gives_a_channel_that_is_found_twice_once, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel x = find_out(link, "x"), same = find_out(link, "/avatar/x");
    struct dpl_channel y = find_out(link, "y");
    cr_assert_eq(x.id, same.id);
    cr_assert_neq(x.id, y.id);
    cr_assert_str_eq(y.desc->path, "avatar/y");
    cr_assert_str_eq(y.desc->unit, "m");
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Until there is a frame of the new subscription there are no values, but the link stays alive. */
Test(link_remote, goes_on_when_one_more_channel_is_found, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_left/angle");
    dpl_channel_put_number(speed, 5.0);
    EVENTUALLY(number_of(angle) > 0.3);
    struct dpl_channel heading = find_out(link, "heading");
    double value;
    cr_assert_eq(dpl_channel_get(angle, &value, NULL), -EAGAIN);
    cr_assert(dpl_link_alive(link));
    double turned = number_of(heading);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    cr_assert(dpl_link_alive(link));
    cr_assert_gt(number_of(angle), 0.2);
    EVENTUALLY(number_of(angle) > 1.0); /* what was put is put again */
    EVENTUALLY(number_of(heading) != turned);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, brings_scans_once_the_laser_is_on, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    static float ranges[682];
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel scan = find_out(link, "laser/ranges"), on = find_in(link, "laser/on");
    struct dpl_channel scans = find_out(link, "laser/scans");
    double fan[5];
    cr_assert_eq(dpl_channel_get(find_out(link, "laser/fan"), fan, NULL), 0, "constants are known");
    cr_assert_float_eq(fan[3], 5.6, 0.1);
    cr_assert_eq(scan.desc->size, 682);
    cr_assert_eq(dpl_channel_get(scan, ranges, NULL), -EAGAIN);
    dpl_channel_put_flag(on, true);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0);
    cr_assert(ranges[300] > 0.2f && ranges[300] < 6.0f);
    EVENTUALLY(whole_of(scans) > 0);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == -EAGAIN || whole_of(scans) > 100);
    dpl_channel_put_flag(on, false);
    int64_t last = -1;
    for (int quiet = 0; quiet < 300; quiet++) { /* three of its periods */
        quiet = whole_of(scans) == last ? quiet : 0;
        last = whole_of(scans);
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Room 1 of the office has a desk at (-7.1, 4.6). */
Test(link_remote, puts_the_robot_where_it_fits_and_tells_where_it_does_not, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    cr_assert_eq(remote_worlds_start(list, monotonic(), NULL), 0);
    struct dpl_channel place = find_in(link, "place"), x = find_out(link, "x");
    struct dpl_channel y = find_out(link, "y");
    cr_assert_eq(answer_of(place), 0, "nothing was asked for");
    const double desk[3] = {-7.1, 4.6, 0.0}, corridor[3] = {0.0, 0.0, 1.0}, away[3] = {1e9, 0, 0};
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    double before = number_of(x);
    cr_assert_eq(dpl_channel_put(place, desk), 0);
    EVENTUALLY(answer_of(place) != -EINPROGRESS);
    cr_assert_eq(answer_of(place), -EBUSY);
    cr_assert_float_eq(number_of(x), before, 1e-3);
    cr_assert_eq(dpl_channel_put(place, away), 0);
    EVENTUALLY(answer_of(place) == -EINVAL);
    cr_assert_eq(dpl_channel_put(place, corridor), 0);
    EVENTUALLY(answer_of(place) == 0);
    cr_assert(fabs(number_of(x)) < 1e-3 && fabs(number_of(y)) < 1e-3);
    struct dpl_channel heading = find_out(link, "heading");
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    cr_assert_eq(answer_of(place), 0, "it stays answered with one more channel");
    cr_assert_float_eq(number_of(heading), 1.0, 1e-3);
    unserve(&served);
    EVENTUALLY(!dpl_link_alive(link));
    cr_assert_eq(dpl_channel_answer(place), 0, "that was answered");
    cr_assert_eq(dpl_channel_put(place, desk), -EAGAIN);
    cr_assert_eq(dpl_channel_answer(place), -ENOTCONN);
    dpl_link_close(link);
    remote_worlds_destroy(list);
}

Test(link_remote, does_not_keep_alive_what_shall_fall_silent, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.world = PROFILES "/worlds/hexafloat.xml"});
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel effort = find_in(link, "Axis3/effort");
    struct dpl_channel force = find_out(link, "Axis3/force");
    EVENTUALLY(dpl_channel_put_number(effort, 100.0) == 0 && number_of(force) > 90.0);
    EVENTUALLY(fabs(number_of(force)) < 1e-3);
    for (int i = 0; i < 300; i++) { /* longer than commands are repeated */
        cr_assert_lt(fabs(number_of(force)), 1e-3);
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Its user may hang while the thread of the link and the world go on. */
Test(link_remote, releases_what_a_link_has_put_that_falls_silent, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link_config config = {
        .world = served.address, .part = "avatar", .silence = 150 * DPL_MS};
    struct dpl_link *link = open_config(&list, &config);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel motor = find_in(link, "LeftWheel/speed");
    struct dpl_channel encoder = find_out(link, "enc_left/velocity");
    for (int i = 0; i < 2; i++) { /* it comes back */
        EVENTUALLY(dpl_channel_put_number(motor, 2.0) == 0 && number_of(encoder) > 1.0);
        EVENTUALLY(fabs(number_of(encoder)) < 0.05);
    }
    remote_worlds_destroy(list);
    unserve(&served);
}

/* ---- behind the clock ---- */

struct hand {
    struct hosted_world *world;
    struct dpl_channel motor;
    dpl_ns put_at, obeyed_at;
};

/* Puts once, a while after the start, and notes when the wheel turns. */
static void put_and_look(void *user)
{
    struct hand *hand = user;
    dpl_ns now = dpl_world_now(hand->world->world);
    const struct dpl_channel_want want = {.path = "avatar/enc_left/velocity"};
    int encoder = dpl_world_channels_find(hand->world->channels, &want, NULL);
    double speed = 0.0;
    dpl_ns stamp;
    dpl_world_channels_get(hand->world->channels, (size_t)encoder, &speed, &stamp);
    if (hand->put_at == 0 && now >= 50 * DPL_MS) {
        dpl_channel_put_number(hand->motor, 2.0);
        hand->put_at = now;
    } else if (hand->put_at > 0 && hand->obeyed_at == 0 && fabs(speed) > 1.0) {
        hand->obeyed_at = now;
    }
}

Test(link_remote, a_world_that_is_behind_the_clock_hears_its_links_while_it_catches_up)
{
    struct hand hand = {0};
    struct dpl_link *link;
    struct dpl_link_config config = {.part = "avatar"};
    cr_assert_eq(
        hosted_world_create(PROFILES "/worlds/office.xml", &world_options, &hand.world, NULL), 0);
    cr_assert_eq(link_embedded_open(hand.world, &config, NULL, &link, NULL), 0);
    hand.motor = find_in(link, "LeftWheel/speed");
    hosted_world_attend(hand.world,
                        &(struct hosted_attendant){.boundary = put_and_look, .user = &hand});
    cr_assert_eq(hosted_world_start(hand.world, monotonic() - 450 * DPL_MS, NULL), 0);
    poll(NULL, 0, 600);
    hosted_world_stop(hand.world);
    cr_assert_gt(hand.obeyed_at, hand.put_at);
    cr_assert_leq(hand.obeyed_at - hand.put_at, 150 * DPL_MS, "after %g ms",
                  1e3 * dpl_ns_to_s(hand.obeyed_at - hand.put_at));
    dpl_link_close(link);
    hosted_world_destroy(hand.world);
}

/* ---- names ---- */

static int find_error(struct dpl_link *link, struct dpl_channel_want want, struct dpl_diag *reterr)
{
    struct dpl_channel channel;
    return dpl_link_find(link, &want, &channel, reterr);
}

Test(link_remote, suggests_a_path_when_a_name_is_unknown, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel_want want = {.path = "enc_lef/angle"};
    cr_assert_eq(find_error(link, want, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "did you mean 'avatar/enc_left/angle'?"), "%s",
                       error.text);
    cr_assert_not_null(strstr(error.text, served.address), "%s", error.text);
    want = (struct dpl_channel_want){.path = "x", .type = &dpl_channel_flag};
    cr_assert_eq(find_error(link, want, &error), -EINVAL);
    want = (struct dpl_channel_want){.path = "x", .unit = "rad"};
    cr_assert_eq(find_error(link, want, &error), -EINVAL);
    want = (struct dpl_channel_want){.path = "x", .put = true};
    cr_assert_eq(find_error(link, want, &error), -EINVAL);
    struct dpl_link *stranger = open_remote(&list, served.address, "nobody");
    want = (struct dpl_channel_want){.path = "x"};
    cr_assert_eq(find_error(stranger, want, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "no robot 'nobody'; it has: avatar"), "%s", error.text);
    cr_assert(!dpl_link_alive(stranger));
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, lists_all_channels_of_the_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    static struct dpl_channel_desc descs[200];
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, NULL);
    size_t n = dpl_link_describe(link, 0, descs, 200);
    cr_assert(n > 20 && n < 200, "%zu channels", n);
    struct hosted_world *world;
    cr_assert_eq(hosted_world_create(PROFILES "/worlds/office.xml", &world_options, &world, NULL),
                 0);
    size_t n_near;
    const struct dpl_channel_desc *near = dpl_world_channels_describe(world->channels, &n_near);
    cr_assert_eq(n, n_near);
    for (size_t i = 0; i < n; i++) {
        cr_assert_str_eq(descs[i].path, near[i].path);
        cr_assert_str_eq(descs[i].unit, near[i].unit);
        cr_assert_str_eq(descs[i].summary, near[i].summary);
        cr_assert(descs[i].type == near[i].type && descs[i].dir == near[i].dir);
        cr_assert(descs[i].size == near[i].size && descs[i].silence == near[i].silence);
        cr_assert(descs[i].min == near[i].min && descs[i].max == near[i].max);
    }
    struct dpl_channel_desc last;
    cr_assert_eq(dpl_link_describe(link, n - 1, &last, 1), n);
    cr_assert_str_eq(last.path, near[n - 1].path);
    cr_assert_eq(dpl_link_describe(link, SIZE_MAX, &last, 1), n);
    hosted_world_destroy(world);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, asks_for_patience_while_no_world_answers, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    char address[64];
    memcpy(address, served.address, sizeof address);
    uint16_t port = dpl_sim_server_port(served.server);
    unserve(&served);
    struct dpl_link *link = open_remote(&list, address, part);
    struct dpl_channel_want want = {.path = "x"};
    cr_assert_eq(find_error(link, want, NULL), -EAGAIN);
    cr_assert_eq(dpl_link_refresh(link, NULL), -EAGAIN);
    cr_assert_eq(dpl_link_describe(link, 0, NULL, 0), 0);
    cr_assert(!dpl_link_alive(link));
    serve(&served, (struct dpl_sim_server_options){.port = port});
    EVENTUALLY(dpl_link_alive(link));
    find_out(link, "x");
    remote_worlds_destroy(list);
    unserve(&served);
}
