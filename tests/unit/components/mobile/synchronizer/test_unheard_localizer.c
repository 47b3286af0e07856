/* SPDX-License-Identifier: Apache-2.0 */
/* A Localizer that says nothing, or what cannot be: the synchronization is not OK while the real
 * robot's place follows from odometry alone. */
#include "sync.h"

#include <string.h>

#include <criterion/criterion.h>

#define DT 0.05

static struct dpl_sync sync_;
static struct dpl_sync_input input;
static struct dpl_sync_output output;
static struct dpl_pose2 odometry, avatar;
static bool base_is_silent;

static void start(void)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.period_s = DT;
    cr_assert_eq(dpl_sync_init(&sync_, &config), 0);
    input = (struct dpl_sync_input){
        .now_s = 10.0, .has_command = true, .command = {0.1, 0.0}, .placing = DPL_SYNC_PLACED};
    input.localization = (struct dpl_sync_localization){
        .expected = true,
        .valid = true,
        .state = DPL_SYNC_LOCALIZER_TRACKING,
        .covariance = {1e-4, 2e-5, 1e-4, 1e-6, 1e-6, 1e-6},
        .level_m = 0.04,
        .agreement = 0.9,
        .avatar_agreement = 0.9,
        .scan_age_s = 0.05,
    };
    odometry = avatar = (struct dpl_pose2){0.0, 0.0, 0.0};
    base_is_silent = false;
}

TestSuite(unheard_localizer, .init = start);

static void go_on(double duration_s)
{
    for (int i = 0; i < (int)lround(duration_s / DT); i++) {
        input.now_s += DT;
        odometry.x += input.command.linear * DT;
        if (!base_is_silent) {
            input.real = (struct dpl_sync_pose_input){true, odometry, input.now_s, 0};
        }
        input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s, 0};
        dpl_sync_step(&sync_, &input, &output);
        avatar = output.has_set_pose ? output.set_pose : avatar;
        avatar.x += output.n_drive > 0 ? output.drive[output.n_drive - 1].linear * DT : 0.0;
    }
}

Test(unheard_localizer, that_falls_silent_leaves_nothing_ok)
{
    go_on(3.0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    input.localization.valid = false;
    go_on(0.2);
    cr_assert_eq(output.status.state, DPL_SYNC_OK, "it may be about to answer");
    go_on(0.2);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    cr_assert(output.status.silent);
    cr_assert_eq(output.status.fidelity, 0.0);
    cr_assert(isnan(output.status.error_limit));
    go_on(5.0);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    cr_assert_lt(fabs(output.status.ex), 0.02, "it follows the odometry meanwhile");
    input.localization.valid = true;
    go_on(0.5);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    go_on(5.0);
    cr_assert_gt(output.status.fidelity, 0.7);
}

Test(unheard_localizer, that_never_speaks_is_not_waited_for_silently)
{
    input.localization.valid = false;
    go_on(0.9);
    cr_assert_eq(output.status.state, DPL_SYNC_INIT);
    go_on(0.5);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    go_on(5.0);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    cr_assert(isnan(output.status.rms), "it is no distance to the robot");
}

Test(unheard_localizer, without_one_all_is_well)
{
    input.localization = (struct dpl_sync_localization){.expected = false};
    go_on(5.0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert(isnan(output.status.fidelity));
}

/* Its messages are of the base's poses: then the base is what is missing. */
Test(unheard_localizer, of_a_base_that_is_silent_is_not_to_blame)
{
    go_on(3.0);
    base_is_silent = true;
    go_on(0.7);
    cr_assert_eq(output.status.state, DPL_SYNC_STALE);
    input.localization.valid = false;
    go_on(0.6);
    cr_assert_eq(output.status.state, DPL_SYNC_DEGRADED);
    base_is_silent = false;
    go_on(0.1);
    cr_assert_neq(output.status.state, DPL_SYNC_UNKNOWN);
    input.localization.valid = true;
    go_on(0.1);
    cr_assert_neq(output.status.state, DPL_SYNC_UNKNOWN);
}

static void expect_refused(const char *why)
{
    unsigned before = output.status.refused_localizations;
    go_on(0.1);
    cr_assert_eq(output.status.refused_localizations, before + 2, "%s", why);
    cr_assert_not_null(output.status.flaw, "%s", why);
    cr_assert_not_null(strstr(output.status.flaw, why), "%s", output.status.flaw);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN, "%s", why);
    cr_assert_eq(output.status.fidelity, 0.0, "%s", why);
    cr_assert_not(output.status.localized);
}

Test(unheard_localizer, whose_messages_are_refused_is_never_ok)
{
    static const struct {
        double covariance[6];
        const char *why;
    } cases[] = {
        {{1e-4, 0.0, 1e-4, 0.0, 0.0, -1e-12}, "its heading has a negative variance"},
        {{-1e-9, 0.0, 1e-4, 0.0, 0.0, 1e-6}, "its position has a negative variance"},
        {{1e-4, 0.0, -1e-9, 0.0, 0.0, 1e-6}, "its position has a negative variance"},
        {{1e-4, 2e-4, 1e-4, 0.0, 0.0, 1e-6}, "its covariance is not positive"},
        {{1e-4, 0.0, 1e-4, 2e-5, 0.0, 1e-6}, "its covariance is not positive"},
        {{1e-4, 0.0, 1e-4, 0.0, 2e-5, 1e-6}, "its covariance is not positive"},
        {{1e-4, 9e-5, 1e-4, 9e-6, -9e-6, 1e-6}, "its covariance is not positive"},
        {{0.0, 1e-9, 1e-4, 0.0, 0.0, 1e-6}, "its covariance is not positive"},
        {{1e-4, 0.0, 1e-4, 0.0, (double)NAN, 1e-6}, "its covariance is not finite"},
    };
    struct dpl_sync_localization good = input.localization;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        input.localization = good;
        go_on(3.0);
        cr_assert_eq(output.status.state, DPL_SYNC_OK);
        cr_assert_null(output.status.flaw);
        memcpy(input.localization.covariance, cases[i].covariance, sizeof cases[i].covariance);
        expect_refused(cases[i].why);
    }
}

Test(unheard_localizer, is_refused_for_its_other_numbers_too)
{
    struct dpl_sync_localization good = input.localization;
    go_on(3.0);
    input.localization.correction.y = (double)INFINITY;
    expect_refused("its pose");
    input.localization = good;
    input.localization.doubt_m = -1.0;
    expect_refused("its doubt");
    input.localization = good;
    input.localization.state = (enum dpl_sync_localizer_state)7;
    expect_refused("its state");
}

Test(unheard_localizer, is_heard_where_a_variance_is_zero_or_a_direction_is_known_exactly)
{
    static const double exact[][6] = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                      {1e-4, 1e-4, 1e-4, 1e-5, 1e-5, 1e-6},
                                      {25.0, 0.0, 25.0, 0.0, 0.0, 4.0}};
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        memcpy(input.localization.covariance, exact[i], sizeof exact[i]);
        go_on(0.1);
        cr_assert_null(output.status.flaw, "%zu: %s", i, output.status.flaw);
    }
}
