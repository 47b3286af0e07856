/* SPDX-License-Identifier: Apache-2.0 */
/* Looking ahead: a rollout is what the world then does, to the last bit, in place and by a worker;
 * a worker that is stopped or killed is noticed and harms nobody. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/sim/ahead.h>
#include <doppel/sim/devices.h>
#include <doppel/system_clock.h>

#include "scene.h"

enum { LEFT, RIGHT, X = 0, Y, TURN };

static const double wall_x = 1.5; /* where its front is */

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;
static struct dpl_sim_ahead *ahead;
static struct dpl_ahead *face;
static struct dpl_diag diag;
static struct dpl_ahead_request request;

static const char *const puts_[] = {"robot/left_motor/speed", "robot/right_motor/speed"};
static const char *const reads[] = {"robot/planar", "robot/left_encoder/angle"};

static struct dpl_ahead_setup setup(void)
{
    return (struct dpl_ahead_setup){
        .robot = "robot",
        .puts = puts_,
        .n_puts = 2,
        .reads = reads,
        .n_reads = 2,
        .delay = 20 * DPL_MS,
    };
}

/* A robot that drives towards a wall, which it cannot pass. */
static void begin(void)
{
    struct scene_robot robot = scene_robot("robot", 0.0, 0.0);
    struct dpl_sim_obstacle wall = scene_box(wall_x + 0.5, 0.0, 1.0);
    snprintf(wall.name, sizeof wall.name, "bench");
    model = dpl_sim_model_create();
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &wall, &diag), 0, "%s", diag.text);
    cr_assert_eq(scene_add(model, &robot, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
    struct dpl_ahead_setup wanted = setup();
    cr_assert_eq(dpl_sim_ahead_create(world, channels, &wanted, &ahead, &diag), 0, "%s", diag.text);
    face = dpl_sim_ahead_face(ahead);
    request = (struct dpl_ahead_request){.sample = 100 * DPL_MS, .n_rollouts = 1};
    request.rollouts[0].duration = DPL_S;
}

static void end(void)
{
    dpl_sim_ahead_destroy(ahead);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
}

TestSuite(ahead, .init = begin, .fini = end, .timeout = 60);

static void drive(double left, double right)
{
    dpl_world_set_motor(world, LEFT, left);
    dpl_world_set_motor(world, RIGHT, right);
}

static void put(unsigned rollout, dpl_ns at, double left, double right)
{
    request.puts[request.n_puts++] =
        (struct dpl_ahead_put){.at = at, .rollout = rollout, .channel = LEFT, .value = {left}};
    request.puts[request.n_puts++] =
        (struct dpl_ahead_put){.at = at, .rollout = rollout, .channel = RIGHT, .value = {right}};
}

static const struct dpl_ahead_result *look(void)
{
    const struct dpl_ahead_result *result = NULL;
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), 0);
    return result;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 5 * DPL_MS}, NULL);
}

static bool becomes(enum dpl_ahead_state state, dpl_ns within)
{
    dpl_ns until = dpl_monotonic_now() + within;
    while (dpl_ahead_state(face) != state && dpl_monotonic_now() < until) {
        nap();
    }
    return dpl_ahead_state(face) == state;
}

/* Of the worker, on the real clock: time does not matter to the test. */
static const struct dpl_ahead_result *wait_for_answer(void)
{
    const struct dpl_ahead_result *result = NULL;
    int err;
    while ((err = dpl_ahead_answer(face, &result)) == -EINPROGRESS) {
        nap();
    }
    cr_assert_eq(err, 0, "%s", strerror(-err));
    return result;
}

static void start(bool simulated)
{
    cr_assert_eq(dpl_sim_ahead_start(ahead, simulated, &diag), 0, "%s", diag.text);
}

/* ---- what a rollout is ---- */

Test(ahead, is_what_the_world_then_does_to_the_last_bit)
{
    drive(3.0, 3.3);
    dpl_world_step(world, 200);
    put(0, 300 * DPL_MS, 5.0, 2.0);
    const struct dpl_ahead_result *result = look();
    cr_assert_eq(result->rollouts[0].error, 0);
    cr_assert_eq(result->rollouts[0].n_samples, 11);
    for (int i = 0; i < 11; i++) {
        struct dpl_world_robot robot;
        struct dpl_world_encoder encoder;
        dpl_world_get_robot(world, 0, &robot);
        dpl_world_get_encoder(world, 0, &encoder);
        cr_assert(result->samples[0][i][X] == robot.pose.x, "sample %d", i);
        cr_assert(result->samples[0][i][Y] == robot.pose.y, "sample %d", i);
        cr_assert(result->samples[0][i][TURN] == robot.pose.theta, "sample %d", i);
        cr_assert(result->samples[0][i][3] == encoder.angle_rad, "sample %d", i);
        if (i == 3) {
            drive(5.0, 2.0);
        }
        dpl_world_step(world, 100);
    }
}

Test(ahead, leaves_the_world_as_it_was)
{
    drive(3.0, 3.3);
    dpl_world_step(world, 200);
    size_t size = dpl_world_snapshot_size(world);
    void *before = malloc(size), *after = malloc(size);
    cr_assert_eq(dpl_world_save(world, before, size), 0);
    request.rollouts[0].start = DPL_AHEAD_OFFSET;
    request.rollouts[0].pose = (struct dpl_pose2){0.1, 0.1, 0.3};
    look();
    cr_assert_eq(dpl_world_save(world, after, size), 0);
    cr_assert_eq(memcmp(before, after, size), 0);
    free(before);
    free(after);
}

Test(ahead, a_worker_finds_the_same)
{
    start(false);
    drive(3.0, 3.3);
    dpl_world_step(world, 200);
    put(0, 300 * DPL_MS, 5.0, 2.0);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    cr_assert_eq(dpl_ahead_ask(face, &request), -EBUSY);
    dpl_sim_ahead_boundary(ahead, 7 * DPL_S);
    struct dpl_ahead_result *first = malloc(sizeof *first);
    *first = *wait_for_answer();
    const struct dpl_ahead_result *second = look();
    cr_assert_eq(first->stamp, 7 * DPL_S + 200 * DPL_MS);
    cr_assert_eq(first->world_time, 200 * DPL_MS);
    cr_assert_gt(first->took, 0);
    cr_assert_eq(first->rollouts[0].n_samples, 11);
    cr_assert_eq(memcmp(first->samples[0], second->samples[0], 11 * sizeof first->samples[0][0]),
                 0);
    free(first);
}

Test(ahead, tells_the_first_contact_with_time_place_and_name)
{
    drive(5.0, 5.0); /* 0.325 m/s */
    request.rollouts[0].duration = 10 * DPL_S;
    const struct dpl_ahead_outcome *outcome = &look()->rollouts[0];
    cr_assert(outcome->touched);
    cr_assert_str_eq(outcome->object, "bench");
    /* its body of radius 0.2 m is at the wall */
    double way = wall_x - 0.2;
    cr_assert_float_eq(dpl_ns_to_s(outcome->touched_at), way / 0.325, 0.3);
    cr_assert_float_eq(outcome->point[0], wall_x, 0.02);
    cr_assert_float_eq(outcome->point[1], 0.0, 0.05);
    cr_assert_lt(outcome->clearance_m, 0.02);
    cr_assert_eq(outcome->ran, 10 * DPL_S);
}

Test(ahead, ends_at_the_contact_if_asked)
{
    drive(5.0, 5.0);
    request.rollouts[0] =
        (struct dpl_ahead_rollout){.duration = 10 * DPL_S, .ends_at_contact = true};
    const struct dpl_ahead_outcome *outcome = &look()->rollouts[0];
    cr_assert_eq(outcome->ran, outcome->touched_at);
    cr_assert_eq(outcome->last, outcome->ran);
}

Test(ahead, what_is_touched_at_the_beginning_is_no_contact_to_come)
{
    drive(5.0, 5.0);
    dpl_world_step(world, 6000);
    struct dpl_world_robot robot;
    dpl_world_get_robot(world, 0, &robot);
    cr_assert_geq(robot.contacts, 1);
    put(0, 0, -5.0, -5.0);
    cr_assert_not(look()->rollouts[0].touched);
}

Test(ahead, rollouts_begin_elsewhere_and_do_not_disturb_each_other)
{
    drive(5.0, 5.0);
    request.n_rollouts = 3;
    for (int i = 0; i < 3; i++) {
        request.rollouts[i].duration = 6 * DPL_S;
    }
    request.rollouts[1].start = DPL_AHEAD_OFFSET;
    request.rollouts[1].pose = (struct dpl_pose2){0.0, 1.5, 0.0};
    request.rollouts[2].start = DPL_AHEAD_AT;
    request.rollouts[2].pose = (struct dpl_pose2){wall_x + 0.5, 0.0, 0.0};
    const struct dpl_ahead_result *result = look();
    cr_assert(result->rollouts[0].touched);
    cr_assert_eq(result->rollouts[1].error, 0);
    cr_assert_not(result->rollouts[1].touched);
    cr_assert_float_eq(result->samples[1][0][Y], 1.5, 1e-9);
    cr_assert_float_eq(result->rollouts[1].clearance_m, 0.8, 0.05);
    cr_assert_eq(result->rollouts[2].error, -EBUSY);
    cr_assert_eq(result->rollouts[2].n_samples, 0);
}

Test(ahead, a_value_that_the_world_refuses_ends_the_rollout)
{
    const char *const places[] = {"robot/place"};
    struct dpl_ahead_setup wanted = setup();
    struct dpl_sim_ahead *placer = NULL;
    const struct dpl_ahead_result *result;
    wanted.puts = places, wanted.n_puts = 1;
    cr_assert_eq(dpl_sim_ahead_create(world, channels, &wanted, &placer, &diag), 0, "%s",
                 diag.text);
    request.n_puts = 1;
    request.puts[0] = (struct dpl_ahead_put){.at = 200 * DPL_MS, .value = {wall_x + 0.5}};
    cr_assert_eq(dpl_sim_ahead_run(placer, &request, &result), 0);
    cr_assert_eq(result->rollouts[0].error, -EBUSY);
    cr_assert_eq(result->rollouts[0].ran, 200 * DPL_MS);
    request.puts[0].value[0] = 0.5;
    cr_assert_eq(dpl_sim_ahead_run(placer, &request, &result), 0);
    cr_assert_eq(result->rollouts[0].error, 0);
    cr_assert_float_eq(result->samples[0][10][X], 0.5, 0.01);
    dpl_sim_ahead_destroy(placer);
}

/* ---- what may be asked ---- */

Test(ahead, refuses_what_makes_no_sense)
{
    const struct dpl_ahead_result *result;
    struct dpl_ahead_request good = request;
    put(0, 0, (double)NAN, 0.0);
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
    request = good, put(1, 0, 0.0, 0.0);
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
    request = good, request.rollouts[0].duration = 0;
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
    request = good, request.sample = DPL_MS; /* too many of them */
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
    request = good, request.n_rollouts = DPL_AHEAD_ROLLOUTS_MAX + 1;
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
    request = good, request.rollouts[0].start = DPL_AHEAD_AT;
    request.rollouts[0].pose.x = (double)INFINITY;
    cr_assert_eq(dpl_sim_ahead_run(ahead, &request, &result), -EINVAL);
}

Test(ahead, names_the_channel_or_the_robot_that_is_not_there)
{
    struct dpl_sim_ahead *made = NULL;
    struct dpl_ahead_setup wanted = setup();
    const char *const wrong[] = {"robot/left_moter/speed"};
    wanted.puts = wrong, wanted.n_puts = 1;
    cr_assert_eq(dpl_sim_ahead_create(world, channels, &wanted, &made, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "left_moter"));
    wanted = setup();
    wanted.robot = "nobody";
    cr_assert_eq(dpl_sim_ahead_create(world, channels, &wanted, &made, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "nobody"));
    const char *const scan[] = {"robot/laser/ranges"};
    wanted = setup();
    wanted.reads = scan, wanted.n_reads = 1;
    cr_assert_eq(dpl_sim_ahead_create(world, channels, &wanted, &made, &diag), -EINVAL);
    cr_assert_null(made);
}

Test(ahead, waits_for_the_start_and_then_for_the_delay_on_the_simulated_clock)
{
    const struct dpl_ahead_result *result = NULL;
    cr_assert_eq(dpl_ahead_ask(face, &request), -EAGAIN);
    start(true);
    cr_assert_eq(dpl_ahead_answer(face, &result), -EAGAIN);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    cr_assert_eq(dpl_ahead_answer(face, &result), -EINPROGRESS);
    dpl_world_step(world, 19);
    cr_assert_eq(dpl_ahead_answer(face, &result), -EINPROGRESS);
    dpl_world_step(world, 1);
    cr_assert_eq(dpl_ahead_answer(face, &result), 0);
    cr_assert_eq(result->took, 0);
    cr_assert_eq(result->number, 1);
}

/* ---- the worker ---- */

Test(ahead, a_killed_worker_is_noticed_within_a_second)
{
    const struct dpl_ahead_result *result = NULL;
    start(false);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    pid_t worker = dpl_sim_ahead_pid(ahead);
    kill(worker, SIGKILL);
    cr_assert(becomes(DPL_AHEAD_DEAD, DPL_S));
    cr_assert_eq(kill(worker, 0), -1, "it does not stay as a zombie");
    cr_assert_eq(dpl_sim_ahead_pid(ahead), 0);
    cr_assert_eq(dpl_ahead_ask(face, &request), -ENODEV);
    dpl_world_step(world, 10);
    dpl_sim_ahead_boundary(ahead, 0);
    int answer = dpl_ahead_answer(face, &result); /* it may have been ready before */
    cr_assert(answer == 0 || answer == -ENODEV);
}

Test(ahead, a_stopped_worker_is_noticed_within_a_second_and_may_come_back)
{
    start(false);
    kill(dpl_sim_ahead_pid(ahead), SIGSTOP);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    const struct dpl_ahead_result *result = NULL;
    cr_assert(becomes(DPL_AHEAD_SILENT, DPL_S));
    cr_assert_eq(dpl_ahead_answer(face, &result), -ENODEV);
    kill(dpl_sim_ahead_pid(ahead), SIGCONT);
    cr_assert(becomes(DPL_AHEAD_WORKS, 10 * DPL_S));
    cr_assert_eq(wait_for_answer()->number, 1);
}

Test(ahead, on_the_simulated_clock_nobody_waits_for_a_killed_worker)
{
    const struct dpl_ahead_result *result = NULL;
    start(true);
    kill(dpl_sim_ahead_pid(ahead), SIGSTOP);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    kill(dpl_sim_ahead_pid(ahead), SIGKILL);
    dpl_world_step(world, 100);
    cr_assert_eq(dpl_ahead_answer(face, &result), -ENODEV);
}

Test(ahead, the_worker_holds_no_files_and_ignores_requests_to_end)
{
    char path[64];
    start(false);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    wait_for_answer(); /* it has settled */
    kill(dpl_sim_ahead_pid(ahead), SIGINT);
    kill(dpl_sim_ahead_pid(ahead), SIGTERM);
    snprintf(path, sizeof path, "/proc/%d/fd", dpl_sim_ahead_pid(ahead));
    DIR *files = opendir(path);
    cr_assert_not_null(files);
    for (const struct dirent *entry; (entry = readdir(files));) {
        cr_assert(entry->d_name[0] == '.' || strcmp(entry->d_name, "2") == 0, "%s", entry->d_name);
    }
    closedir(files);
    cr_assert_eq(dpl_ahead_ask(face, &request), 0);
    dpl_sim_ahead_boundary(ahead, 0);
    cr_assert_eq(wait_for_answer()->number, 2);
}

/* Whether a process is gone or a zombie that nobody has asked for yet. */
static bool is_over(int pid)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *stat = fopen(path, "r");
    if (stat) {
        cr_expect_eq(fscanf(stat, "%*d (%*[^)]) %c", &state), 1);
        fclose(stat);
    }
    return state == 'Z' || state == 'X';
}

Test(ahead, the_worker_ends_with_its_parent)
{
    int ends[2], worker = 0;
    cr_assert_eq(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        worker = dpl_sim_ahead_start(ahead, false, NULL) == 0 ? dpl_sim_ahead_pid(ahead) : 0;
        _exit(write(ends[1], &worker, sizeof worker) == sizeof worker ? 0 : 1);
    }
    cr_assert_eq(waitpid(parent, NULL, 0), parent);
    cr_assert_eq(read(ends[0], &worker, sizeof worker), (ssize_t)sizeof worker);
    cr_assert_gt(worker, 0);
    dpl_ns until = dpl_monotonic_now() + 5 * DPL_S;
    while (!is_over(worker) && dpl_monotonic_now() < until) {
        nap();
    }
    cr_assert(is_over(worker));
}
