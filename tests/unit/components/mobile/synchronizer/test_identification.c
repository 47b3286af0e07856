/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what identified gains claim: over many pairs of robots their errors are of the size that
 * their deviations say. Two mock plants, an observer at a period of 100 ms; the real robot's pose
 * has a noise of 2 mm and 0.2 degrees, the avatar's of 0.3 mm and 0.03 degrees. */
#include "mock_plant.h"
#include "sync.h"

#include <criterion/criterion.h>

#define TICK_S  0.1
#define N_SEEDS 30

enum { REAL, AVATAR, N_ROBOTS };
enum { M11, M12, M21, M22, N_COEFFICIENTS };

static const char *const robot_names[] = {"real robot", "avatar"};
static const char *const names[] = {"m11", "m12", "m21", "m22"};

struct drive {
    struct dpl_twist2 (*command)(double t);
    double latency_s, lag_s; /* of the avatar; the real robot's are 20 and 50 ms */
    double slip;             /* of the real robot's wheels, slowly varying */
};

static struct dpl_sync sync_;
static struct dpl_mock_plant plants[N_ROBOTS];
static struct dpl_sync_status status;
static struct dpl_random commands;
static struct dpl_twist2 held;
static double held_until_s;

static struct dpl_twist2 wave(double t)
{
    return (struct dpl_twist2){0.15, 0.4 * sin(2.0 * DPL_PI * t / 8.0)};
}

static struct dpl_twist2 stop_and_go(double t)
{
    double phase = fmod(t, 5.0);
    return (struct dpl_twist2){phase < 2.0 ? 0.2 : 0.0, phase >= 3.0 && phase < 4.0 ? 0.6 : 0.0};
}

static struct dpl_twist2 straight(double t)
{
    return (struct dpl_twist2){0.05 + 0.05 * (double)((int)(t / 2.0) % 4), 0.0};
}

static struct dpl_twist2 turn_in_place(double t)
{
    return (struct dpl_twist2){0.0, fmod(t, 8.0) < 4.0 ? 0.5 : -0.5};
}

static struct dpl_twist2 any(double t)
{
    if (t >= held_until_s) {
        held_until_s = t + 1.6;
        held.linear = dpl_random_uniform(&commands, 0.03, 0.2);
        held.angular = dpl_random_uniform(&commands, -0.6, 0.6);
    }
    return held;
}

/* Gains of the avatar within 10 % of 1, of the real robot within 3 %. */
static struct dpl_mock_plant_config draw(int robot, uint64_t seed)
{
    struct dpl_mock_plant_config config = dpl_mock_plant_config_default();
    struct dpl_random rng = dpl_random_seeded(seed, (uint64_t)robot);
    double range = robot == AVATAR ? 0.1 : 0.03;
    double scale = dpl_random_uniform(&rng, 1.0 - range, 1.0 + range);
    double half = dpl_random_uniform(&rng, -0.2 * range, 0.2 * range);
    config.wheel_scale_left = scale - half;
    config.wheel_scale_right = scale + half;
    config.axle_scale = dpl_random_uniform(&rng, 1.0 - range / 2.0, 1.0 + range / 2.0);
    config.latency_s = 0.02;
    config.lag_s = 0.05;
    config.maximum_velocity = robot == AVATAR ? 0.3 : 0.2;
    config.pose_noise_m = robot == AVATAR ? 0.0003 : 0.002;
    config.pose_noise_rad = robot == AVATAR ? 0.0005 : 0.0035;
    config.seed = 2 * seed + (uint64_t)robot;
    return config;
}

static void start(const struct drive *drive, uint64_t seed)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    struct dpl_mock_plant_config real = draw(REAL, seed), avatar = draw(AVATAR, seed);
    config.align = DPL_SYNC_ALIGN_NONE;
    real.slip_noise = drive->slip;
    real.slip_noise_s = 0.5;
    avatar.latency_s = drive->latency_s;
    avatar.lag_s = drive->lag_s;
    cr_assert_eq(dpl_sync_init(&sync_, &config), 0);
    cr_assert_eq(dpl_mock_plant_init(&plants[REAL], &real), 0);
    cr_assert_eq(dpl_mock_plant_init(&plants[AVATAR], &avatar), 0);
    commands = dpl_random_seeded(seed, 9);
    held_until_s = 0.0;
}

static void run(const struct drive *drive, double from_s, double to_s)
{
    for (int i = (int)lround(from_s / TICK_S); i < (int)lround(to_s / TICK_S); i++) {
        double t = i * TICK_S;
        struct dpl_sync_input input = {
            .now_s = t, .has_command = true, .command = drive->command(t)};
        struct dpl_sync_output output;
        struct dpl_sync_pose_input *poses[] = {&input.real, &input.avatar};
        for (int k = 0; k < N_ROBOTS; k++) {
            poses[k]->valid =
                dpl_mock_plant_read(&plants[k], t, &poses[k]->pose, &poses[k]->stamp_s);
        }
        dpl_sync_step(&sync_, &input, &output);
        dpl_mock_plant_command(&plants[REAL], t, input.command.linear, input.command.angular);
        for (int k = 0; k < output.n_drive; k++) {
            dpl_mock_plant_command(&plants[AVATAR], t, output.drive[k].linear,
                                   output.drive[k].angular);
        }
        status = output.status;
    }
}

static struct dpl_sync_map truth_of(int robot)
{
    const struct dpl_mock_plant_config *c = &plants[robot].config;
    double left = c->wheel_scale_left, right = c->wheel_scale_right;
    double axle = c->axle_distance * c->axle_scale;
    return (struct dpl_sync_map){(left + right) / 2.0, c->axle_distance * (right - left) / 4.0,
                                 (right - left) / axle,
                                 c->axle_distance * (left + right) / (2.0 * axle)};
}

struct tally {
    double square; /* of the errors over their deviations */
    int n;
};

/* Adds a robot's coefficients that are known and not clamped. */
static void count(struct tally tally[N_COEFFICIENTS], int robot)
{
    const struct dpl_sync_robot_status *found = robot == REAL ? &status.real : &status.avatar;
    const struct dpl_sync_map_certainty *c = &found->certainty;
    struct dpl_sync_map truth = truth_of(robot);
    const double errors[] = {found->map.m11 - truth.m11, found->map.m12 - truth.m12,
                             found->map.m21 - truth.m21, found->map.m22 - truth.m22};
    const double sigmas[] = {c->sigma.m11, c->sigma.m12, c->sigma.m21, c->sigma.m22};
    const bool known[] = {c->m11, c->m12, c->m21, c->m22};
    for (int i = 0; i < N_COEFFICIENTS; i++) {
        if (known[i] && !c->clamped) {
            double ratio = errors[i] / sigmas[i];
            tally[i].square += ratio * ratio;
            tally[i].n++;
        }
    }
}

/* All coefficients of a robot together are within 0.7 and 1.3, and none is far too sure. */
static void assert_ratios(const struct tally tally[N_COEFFICIENTS], int robot, const char *what)
{
    double square = 0.0;
    int n = 0;
    for (int i = 0; i < N_COEFFICIENTS; i++) {
        double ratio = sqrt(tally[i].square / fmax(tally[i].n, 1.0));
        square += tally[i].square;
        n += tally[i].n;
        cr_expect(tally[i].n < N_SEEDS / 2 || (ratio > 0.55 && ratio < 1.5),
                  "%s, %s of the %s: %.2f of %d", what, names[i], robot_names[robot], ratio,
                  tally[i].n);
    }
    double all = sqrt(square / n);
    cr_expect(all > 0.7 && all < 1.3, "%s, %s: %.2f of %d", what, robot_names[robot], all, n);
}

/* Errors over deviations after 40 s of motion. */
static void assert_honest(const char *what, const struct drive *drive, int expected_known)
{
    struct tally tally[N_ROBOTS][N_COEFFICIENTS] = {0};
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        start(drive, seed);
        run(drive, 0.0, 40.0);
        count(tally[REAL], REAL);
        count(tally[AVATAR], AVATAR);
    }
    for (int robot = REAL; robot <= AVATAR; robot++) {
        int n_known = 0;
        for (int i = 0; i < N_COEFFICIENTS; i++) {
            n_known += tally[robot][i].n > N_SEEDS / 2;
        }
        cr_assert_eq(n_known, expected_known, "%s: %d known", what, n_known);
        assert_ratios(tally[robot], robot, what);
    }
}

Test(identification, errors_are_as_large_as_their_deviations_say)
{
    assert_honest("any motion", &(struct drive){any, 0.02, 0.05, 0.0}, 4);
    assert_honest("wave", &(struct drive){wave, 0.02, 0.05, 0.0}, 4);
    assert_honest("stop and go", &(struct drive){stop_and_go, 0.02, 0.05, 0.0}, 4);
}

Test(identification, also_with_a_lag_that_no_candidate_has)
{
    assert_honest("lag of 0.12 s", &(struct drive){any, 0.03, 0.12, 0.0}, 4);
    assert_honest("lag of 0.3 s", &(struct drive){any, 0.02, 0.3, 0.0}, 4);
    assert_honest("stop and go, lag of 0.4 s", &(struct drive){stop_and_go, 0.02, 0.4, 0.0}, 4);
}

Test(identification, also_when_one_axis_is_not_moved)
{
    assert_honest("straight", &(struct drive){straight, 0.02, 0.05, 0.0}, 2);
    assert_honest("straight, lag of 0.12 s", &(struct drive){straight, 0.03, 0.12, 0.0}, 2);
    assert_honest("turning", &(struct drive){turn_in_place, 0.02, 0.05, 0.0}, 2);
}

Test(identification, slip_that_lasts_for_some_windows_is_seen_as_noise)
{
    assert_honest("slip", &(struct drive){any, 0.04, 0.08, 0.03}, 4);
}

/* The true gain is first beyond what is looked for, then within. */
Test(identification, a_gain_that_was_clamped_is_not_sure_of_itself_when_it_comes_free)
{
    const struct drive drive = {any, 0.02, 0.05, 0.0};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        start(&drive, seed);
        struct dpl_mock_plant_config *c = &plants[AVATAR].config;
        c->wheel_scale_left = c->wheel_scale_right = 0.62;
        c->axle_scale = 1.0;
        run(&drive, 0.0, 20.0);
        cr_assert(status.avatar.certainty.clamped);
        c->wheel_scale_left = c->wheel_scale_right = 0.9;
        for (double t = 20.0; t < 40.0; t += 1.0) {
            run(&drive, t, t + 1.0);
            const struct dpl_sync_robot_status *found = &status.avatar;
            double m11 = fabs(found->map.m11 - 0.9) / found->certainty.sigma.m11;
            double m22 = fabs(found->map.m22 - 0.9) / found->certainty.sigma.m22;
            cr_expect(found->certainty.clamped || (m11 < 4.0 && m22 < 4.0),
                      "m11 %g at %g, m22 %g at %g, %g s", m11, found->map.m11, m22, found->map.m22,
                      t);
        }
        cr_assert_not(status.avatar.certainty.clamped);
    }
}
