/* SPDX-License-Identifier: Apache-2.0 */
/* Links to a served world over TCP on this machine: finding by name, moving, losing and finding
 * again, lock-step against the embedded world. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "link_codec.h"
#include "link_embedded.h"
#include "link_world.h"

static const char *const part = "avatar";

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

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

Test(link_remote, ramps_motors_in_the_served_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel ramp = find_in(link, "LeftWheel/ramp");
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel velocity = find_out(link, "enc_left/velocity");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    dpl_channel_put_number(ramp, 4.0);
    dpl_channel_put_number(speed, 3.0);
    for (int i = 1; i <= 5; i++) {
        cr_assert_eq(remote_worlds_advance(list, i * 100 * DPL_MS, NULL), 0);
        double turns = number_of(velocity);
        cr_assert_float_eq(turns, 0.4 * i, 0.1, "%g rad/s after %d00 ms", turns, i);
    }
    dpl_link_close(link);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, releases_what_was_put_before_and_keeps_what_is_put_after, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel left = find_in(link, "LeftWheel/speed");
    struct dpl_channel right = find_in(link, "RightWheel/speed");
    struct dpl_channel turns_left = find_out(link, "enc_left/velocity");
    struct dpl_channel turns_right = find_out(link, "enc_right/velocity");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    dpl_channel_put_number(left, 3.0);
    dpl_channel_put_number(right, 3.0);
    cr_assert_eq(remote_worlds_advance(list, DPL_S, NULL), 0);
    cr_assert_gt(number_of(turns_left), 2.5);
    dpl_link_release(link);
    dpl_channel_put_number(right, 2.0);
    cr_assert_eq(remote_worlds_advance(list, 2 * DPL_S, NULL), 0);
    cr_assert_lt(fabs(number_of(turns_left)), 0.1);
    cr_assert_float_eq(number_of(turns_right), 2.0, 0.3);
    remote_worlds_destroy(list);
    unserve(&served);
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
    cr_assert_eq(hosted_world_create(LINK_TEST_WORLD, 1, NULL, &world, NULL), 0);
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

/* ---- many channels ---- */

#define N_MANY 64 /* robots */

static void serve_many(struct served *served, struct dpl_sim_server_options options)
{
    char file[] = "/tmp/doppel-many-XXXXXX";
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    FILE *world = fdopen(fd, "w");
    cr_assert_not_null(world);
    fprintf(world, "<world name=\"many\" step_ms=\"5\"><ground friction=\"1\"/>\n");
    for (int i = 0; i < N_MANY; i++) {
        fprintf(world, "<robot name=\"r%d\" model=\"%s\" x=\"%d\"/>\n", i, SMALL_TEST_ROBOT, i);
    }
    fprintf(world, "</world>\n");
    fclose(world);
    options.world = file;
    serve(served, options);
    unlink(file);
}

/* All numbers that come out of the world. */
static size_t find_numbers(struct dpl_link *link, struct dpl_channel *ret_channels, size_t most)
{
    static struct dpl_channel_desc descs[5000];
    size_t n = dpl_link_describe(link, 0, descs, 5000), found = 0;
    cr_assert(n > 1000 && n <= 5000, "%zu channels", n);
    for (size_t i = 0; i < n && found < most; i++) {
        if (descs[i].dir == DPL_CHANNEL_OUT && descs[i].type == &dpl_channel_number) {
            char path[DPL_CHANNEL_PATH_MAX + 1];
            snprintf(path, sizeof path, "/%s", descs[i].path);
            ret_channels[found++] = find_out(link, path);
        }
    }
    return found;
}

/* The list does not fit into one page, nor what is subscribed into one message. */
Test(link_remote, carries_more_than_a_message_holds, .timeout = 60)
{
    enum { N_LINKS = 4, MOST = 500 };
    static struct dpl_channel channels[N_LINKS][MOST];
    struct served served;
    struct remote_world *list = NULL;
    serve_many(&served, (struct dpl_sim_server_options){.lockstep = true});
    for (int i = 0; i < N_LINKS; i++) {
        struct dpl_link *link = open_remote(&list, served.address, NULL);
        size_t found = find_numbers(link, channels[i], MOST);
        cr_assert(found > 400, "%zu numbers", found);
    }
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    for (dpl_ns to = 10 * DPL_MS; to <= 50 * DPL_MS; to += 10 * DPL_MS) {
        cr_assert_eq(remote_worlds_advance(list, to, NULL), 0);
        for (int i = 0; i < N_LINKS; i++) {
            dpl_ns stamp;
            double value;
            cr_assert_eq(dpl_link_refresh(channels[i][0].link, &stamp), 0);
            cr_assert_eq(stamp, to, "link %d", i);
            cr_assert_eq(dpl_channel_get(channels[i][400], &value, &stamp), 0);
            cr_assert_eq(stamp, to);
        }
    }
    remote_worlds_destroy(list);
    cr_assert_eq(unserve(&served).malformed, 0);
}

Test(link_remote, refuses_more_channels_than_a_link_has, .timeout = 60)
{
    static struct dpl_channel_desc descs[5000];
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_channel x = {0}, last;
    serve_many(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, NULL);
    EVENTUALLY(dpl_link_describe(link, 0, NULL, 0) > 0);
    size_t n = dpl_link_describe(link, 0, descs, 5000), found = 0;
    struct dpl_diag error = {0};
    int err = 0;
    for (size_t i = 0; i < n && err == 0; i++) {
        struct dpl_channel_want want = {.path = descs[i].path};
        if (!dpl_channel_is_input(descs[i].dir)) {
            err = dpl_link_find(link, &want, &last, &error);
            x = strcmp(descs[i].path, "r0/x") == 0 ? last : x;
            found += err == 0;
        }
    }
    cr_assert_eq(err, -ENOSPC, "%zu channels were found", found);
    cr_assert_eq(found, LINK_SUBSCRIBED_MAX);
    cr_assert_not_null(strstr(error.text, "at most 1024 channels"), "%s", error.text);
    double value;
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_channel_get(x, &value, NULL) == 0);
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

/* ---- a server that is killed ---- */

/* A process of its own that serves at `port` (0: any) and says its port through the pipe. */
static pid_t spawn_world(const char *world, uint16_t port, uint16_t *ret_port)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct dpl_sim_server_options options = {.world = world, .seed = 1, .port = port};
        struct dpl_sim_server *server;
        if (dpl_sim_server_create(&options, &server, NULL) < 0) {
            _exit(1);
        }
        uint16_t chosen = dpl_sim_server_port(server);
        if (write(ends[1], &chosen, sizeof chosen) != sizeof chosen) {
            _exit(1);
        }
        dpl_sim_server_run(server, NULL);
        _exit(0);
    }
    close(ends[1]);
    cr_assert_eq(read(ends[0], ret_port, sizeof *ret_port), (ssize_t)sizeof *ret_port);
    close(ends[0]);
    return child;
}

static void kill_server(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static pid_t spawn_server(uint16_t port, uint16_t *ret_port)
{
    return spawn_world(LINK_TEST_WORLD, port, ret_port);
}

Test(link_remote, goes_on_by_itself_after_the_server_was_killed, .timeout = 30)
{
    struct remote_world *list = NULL;
    uint16_t port, again;
    char address[64];
    pid_t child = spawn_server(0, &port);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", port);
    struct dpl_link *link = open_remote(&list, address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel speed = find_in(link, "RightWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_right/angle");
    dpl_channel_put_number(speed, 4.0);
    EVENTUALLY(number_of(angle) > 1.0);

    kill_server(child);
    dpl_ns killed = monotonic();
    EVENTUALLY(!dpl_link_alive(link));
    cr_assert_lt(monotonic() - killed, DPL_S, "noticed within a second");
    dpl_ns before = monotonic();
    for (int i = 0; i < 100000; i++) {
        cr_assert_eq(dpl_channel_put_number(speed, 4.0), -EAGAIN);
        number_of(angle);
    }
    cr_assert_lt(monotonic() - before, DPL_S, "the user of a dead world never waits");

    cr_assert_eq(dpl_link_restarts(link), 0);
    child = spawn_server(port, &again);
    EVENTUALLY(dpl_link_alive(link));
    EVENTUALLY(number_of(angle) > 0.2 && number_of(angle) < 1.0);
    cr_assert_eq(dpl_link_restarts(link), 1, "it is another world, and who asks is told");
    remote_worlds_destroy(list);
    kill_server(child);
}

Test(link_remote, does_not_repeat_a_request_in_a_world_that_was_started_anew, .timeout = 30)
{
    struct remote_world *list = NULL;
    uint16_t port, again;
    char address[64];
    pid_t child = spawn_server(0, &port);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", port);
    struct dpl_link *link = open_remote(&list, address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel place = find_in(link, "place"), x = find_out(link, "x");
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    double start = number_of(x);
    const double corridor[3] = {0.0, 0.0, 1.0};
    cr_assert_eq(dpl_channel_put(place, corridor), 0);
    EVENTUALLY(answer_of(place) == 0);
    cr_assert_lt(fabs(number_of(x)), 1e-3);
    kill_server(child);
    EVENTUALLY(!dpl_link_alive(link));
    child = spawn_server(port, &again);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_link_restarts(link) == 1);
    for (int i = 0; i < 300; i++) {
        cr_assert_float_eq(number_of(x), start, 1e-3);
        poll(NULL, 0, 1);
    }
    cr_assert_eq(dpl_channel_put(place, corridor), 0, "what is asked of the new world is done");
    EVENTUALLY(answer_of(place) == 0 && fabs(number_of(x)) < 1e-3);
    remote_worlds_destroy(list);
    kill_server(child);
}

/* Channels are found by their paths in the world that follows; it has other numbers for them. */
Test(link_remote, maps_its_channels_onto_another_world, .timeout = 30)
{
    struct remote_world *list = NULL;
    uint16_t port, again;
    char address[64];
    pid_t child = spawn_server(0, &port);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", port);
    struct dpl_link *link = open_remote(&list, address, part);
    struct dpl_link *scanner = open_remote(&list, address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel speed = find_in(link, "RightWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_right/angle");
    struct dpl_channel ranges = find_out(scanner, "laser/ranges");
    cr_assert_eq(ranges.desc->size, 682);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    kill_server(child);
    EVENTUALLY(!dpl_link_alive(link) && !dpl_link_alive(scanner));
    child = spawn_world(OTHER_TEST_WORLD, port, &again);
    EVENTUALLY(dpl_link_alive(link));
    dpl_channel_put_number(speed, 4.0);
    EVENTUALLY(number_of(angle) > 0.5);
    cr_assert_eq(dpl_link_restarts(link), 1);
    cr_assert(!dpl_link_alive(scanner), "the other world has no laser");
    cr_assert_str_eq(angle.desc->path, "avatar/enc_right/angle", "descriptions stay");
    cr_assert_str_eq(ranges.desc->path, "avatar/laser/ranges");
    remote_worlds_destroy(list);
    kill_server(child);
}

Test(link_remote, notices_a_restart_that_was_too_quick_for_silence, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    static float ranges[682];
    serve(&served, (struct dpl_sim_server_options){0});
    uint16_t port = dpl_sim_server_port(served.server);
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel scan = find_out(link, "laser/ranges"), on = find_in(link, "laser/on");
    dpl_channel_put_flag(on, true);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0);
    unserve(&served);
    serve(&served, (struct dpl_sim_server_options){.port = port});
    EVENTUALLY(dpl_sim_server_stats(served.server).welcomed == 1);
    while (dpl_channel_get(scan, ranges, NULL) == 0) {
    }
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0); /* the laser is on again */
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_link_restarts(link) == 1);
    remote_worlds_destroy(list);
    unserve(&served);
}

/* ---- lock-step ---- */

struct drive_result {
    double left[50], right[50];
    int64_t scans[50];
    float ranges[50][682];
};

static void drive_in_steps(struct dpl_link *link, int (*advance)(void *, dpl_ns), void *user,
                           struct drive_result *ret)
{
    struct dpl_channel left = find_in(link, "LeftWheel/speed");
    struct dpl_channel right = find_in(link, "RightWheel/speed");
    struct dpl_channel on = find_in(link, "laser/on"), scan = find_out(link, "laser/ranges");
    struct dpl_channel left_angle = find_out(link, "enc_left/angle");
    struct dpl_channel right_angle = find_out(link, "enc_right/angle");
    struct dpl_channel scans = find_out(link, "laser/scans");
    memset(ret, 0, sizeof *ret);
    cr_assert_eq(advance(user, 0), 0);
    dpl_channel_put_flag(on, true);
    for (int i = 0; i < 50; i++) {
        dpl_ns stamp;
        if (i % 3 == 0) {
            dpl_channel_put_number(left, 3.0 + 0.1 * i);
            dpl_channel_put_number(right, 4.0 - 0.07 * i);
        }
        cr_assert_eq(advance(user, (i + 1) * 20 * DPL_MS), 0);
        cr_assert_eq(dpl_link_refresh(link, &stamp), 0);
        cr_assert_eq(stamp, (i + 1) * 20 * DPL_MS);
        cr_assert_eq(dpl_channel_get(left_angle, &ret->left[i], &stamp), 0);
        cr_assert_eq(stamp, (i + 1) * 20 * DPL_MS);
        cr_assert_eq(dpl_channel_get(right_angle, &ret->right[i], NULL), 0);
        cr_assert_eq(dpl_channel_get(scans, &ret->scans[i], NULL), 0);
        dpl_channel_get(scan, ret->ranges[i], NULL);
    }
}

/* Time 0 is the start: then all links have frames of what they have found. */
static int advance_remote(void *user, dpl_ns to)
{
    return to == 0 ? remote_worlds_start(user, 0, NULL) : remote_worlds_advance(user, to, NULL);
}

static int advance_embedded(void *user, dpl_ns to)
{
    hosted_world_advance(user, to);
    return 0;
}

Test(link_remote, gives_in_lock_step_bit_for_bit_what_the_embedded_world_gives, .timeout = 30)
{
    static struct drive_result far, near;
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_diag error = {0};
    drive_in_steps(link, advance_remote, list, &far);
    remote_worlds_destroy(list);
    unserve(&served);

    struct hosted_world *world;
    cr_assert_eq(hosted_world_create(LINK_TEST_WORLD, 1, NULL, &world, &error), 0, "%s",
                 error.text);
    struct dpl_link_config config = {.part = part};
    cr_assert_eq(link_embedded_open(world, &config, NULL, &link, &error), 0, "%s", error.text);
    drive_in_steps(link, advance_embedded, world, &near);
    hosted_world_destroy(world);

    cr_assert_gt(near.left[49], 1.0);
    cr_assert_gt(near.scans[49], 5);
    cr_assert_eq(memcmp(&far, &near, sizeof far), 0);
}

/* An axis is released when nobody speaks for 20 ms: what was put before is not said again. */
Test(link_remote, moves_an_axis_in_lock_step_and_lets_it_fall_silent, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_sim_server_options options = {.world = MACHINE_TEST_WORLD, .lockstep = true};
    serve(&served, options);
    struct dpl_link *link = open_remote(&list, served.address, part);
    struct dpl_channel effort = find_in(link, "Axis3/effort");
    struct dpl_channel force = find_out(link, "Axis3/force");
    struct dpl_channel platform = find_out(link, "platform");
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    for (int k = 1; k <= 20; k++) {
        cr_assert_eq(dpl_channel_put_number(effort, 100.0), 0);
        cr_assert_eq(remote_worlds_advance(list, k * DPL_MS, NULL), 0);
        cr_assert_gt(number_of(force), 90.0);
    }
    cr_assert_eq(remote_worlds_advance(list, 50 * DPL_MS, NULL), 0);
    cr_assert_lt(fabs(number_of(force)), 1e-3);
    double pose[6];
    dpl_ns stamp;
    cr_assert_eq(dpl_channel_get(platform, pose, &stamp), 0);
    cr_assert_eq(stamp, 50 * DPL_MS);
    cr_assert_neq(pose[3], 0.0);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, does_not_keep_alive_what_shall_fall_silent, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.world = MACHINE_TEST_WORLD});
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

struct waiting {
    struct remote_world *list;
    struct dpl_diag error;
    int err;
};

static void *grant_a_second(void *argument)
{
    struct waiting *waiting = argument;
    waiting->err = remote_worlds_advance(waiting->list, DPL_S, &waiting->error);
    return NULL;
}

Test(link_remote, lets_the_slowest_of_two_lock_step_clients_decide, .timeout = 30)
{
    struct served served;
    struct waiting fast = {0};
    struct remote_world *slow = NULL;
    pthread_t thread;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true, .clients = 2});
    open_remote(&fast.list, served.address, part);
    struct dpl_link *watched = open_remote(&slow, served.address, part);
    cr_assert_eq(remote_worlds_start(fast.list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_start(slow, 0, NULL), 0);
    cr_assert_eq(pthread_create(&thread, NULL, grant_a_second, &fast), 0);
    for (dpl_ns to = 10 * DPL_MS; to <= 30 * DPL_MS; to += 10 * DPL_MS) {
        dpl_ns stamp;
        cr_assert_eq(remote_worlds_advance(slow, to, NULL), 0);
        cr_assert_eq(dpl_link_refresh(watched, &stamp), 0);
        cr_assert_eq(stamp, to);
    }
    pthread_join(thread, NULL);
    cr_assert_eq(fast.err, -ETIMEDOUT);
    cr_assert_not_null(strstr(fast.error.text, served.address), "%s", fast.error.text);
    cr_assert_not_null(strstr(fast.error.text, "it waits for client '"), "%s", fast.error.text);
    remote_worlds_destroy(fast.list);
    remote_worlds_destroy(slow);
    unserve(&served);
}

Test(link_remote, says_when_the_world_is_served_in_the_other_mode, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    open_remote(&list, served.address, part);
    cr_assert_eq(remote_worlds_start(list, 0, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "--lockstep"), "%s", error.text);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, names_a_lock_step_world_that_went_away, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    open_remote(&list, served.address, part);
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_advance(list, 10 * DPL_MS, NULL), 0);
    unserve(&served);
    int err = remote_worlds_advance(list, 20 * DPL_MS, &error);
    cr_assert(err == -ETIMEDOUT || err == -ECONNRESET);
    cr_assert_not_null(strstr(error.text, served.address), "%s", error.text);
    remote_worlds_destroy(list);
}
