/* SPDX-License-Identifier: Apache-2.0 */
/* Rollouts without a world: a disc that follows its twists exactly and touches one line across its
 * way, x = WallX, if there is one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <doppel/plugin.h>

#include "request.h"

struct properties {
    double wall_x_m, radius_m;
    double delay_ms;
};

struct state {
    bool asked;
    dpl_ns asked_at;
    struct dpl_rollouts_answer answer;
};

static const double step_s = 0.005;

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    *(struct state *)device->state = (struct state){0};
    return 0;
}

static void mock_close(struct dpl_device *device)
{
}

static struct dpl_twist2 twist_at(const struct dpl_rollouts_request *asked, uint32_t rollout,
                                  double now_s)
{
    struct dpl_twist2 twist = {0};
    for (size_t i = 0; i < asked->n_twists; i++) {
        const struct dpl_rollouts_twist *at = &asked->twists[i];
        twist = at->rollout == rollout && at->at_s <= now_s ? at->twist : twist;
    }
    return twist;
}

static struct dpl_pose2 move(struct dpl_pose2 pose, struct dpl_twist2 twist)
{
    double turn = twist.angular * step_s, way = twist.linear * step_s;
    return dpl_pose2_compose(
        pose, (struct dpl_pose2){way * cos(0.5 * turn), way * sin(0.5 * turn), turn});
}

static void add_pose(struct dpl_rollouts_outcome *outcome, struct dpl_pose2 pose, double now_s)
{
    if (outcome->n_poses < DPL_ROLLOUTS_POSES_MAX) {
        outcome->poses[outcome->n_poses] = pose;
        outcome->pose_s[outcome->n_poses++] = now_s;
    }
}

static void check_wall(const struct properties *props, struct dpl_rollouts_outcome *outcome,
                       struct dpl_pose2 pose, double now_s)
{
    double gap = props->wall_x_m - props->radius_m - pose.x;
    outcome->clearance_m = fmin(outcome->clearance_m, fmax(gap, 0.0));
    if (gap <= 0.0 && !outcome->touched) {
        outcome->touched = true;
        outcome->touched_s = now_s;
        outcome->x = props->wall_x_m;
        outcome->y = pose.y;
        snprintf(outcome->object, sizeof outcome->object, "wall");
    }
}

static void roll(const struct properties *props, const struct dpl_rollouts_request *asked,
                 uint32_t rollout, struct dpl_rollouts_outcome *ret_outcome)
{
    const struct dpl_rollouts_want *want = &asked->wants[rollout];
    struct dpl_pose2 pose = want->start == DPL_ROLLOUTS_HERE ? (struct dpl_pose2){0} : want->pose;
    double next_s = 0.0;
    *ret_outcome = (struct dpl_rollouts_outcome){.valid = true, .clearance_m = 2.0};
    for (int64_t i = 0; (double)i * step_s <= want->duration_s && !ret_outcome->touched; i++) {
        double now_s = (double)i * step_s;
        if (now_s >= next_s) {
            add_pose(ret_outcome, pose, now_s);
            next_s += asked->sample_s;
        }
        pose = move(pose, twist_at(asked, rollout, now_s));
        check_wall(props, ret_outcome, pose, now_s + step_s);
    }
    add_pose(ret_outcome, pose, ret_outcome->touched ? ret_outcome->touched_s : want->duration_s);
}

static int ask(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_rollouts_request *asked = in;
    struct state *state = device->state;
    int err = rollouts_check(asked);
    if (err < 0 || asked->n == 0) {
        return err;
    }
    state->asked = true;
    state->asked_at = dpl_device_now(device);
    state->answer.number++;
    state->answer.stamp = state->asked_at;
    state->answer.n = asked->n;
    for (uint32_t i = 0; i < asked->n; i++) {
        roll(device->properties, asked, i, &state->answer.outcomes[i]);
    }
    return 0;
}

static int answer(struct dpl_device *device, const void *in, void *out)
{
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    if (!state->asked) {
        return -EAGAIN;
    }
    if (dpl_device_now(device) < state->asked_at + dpl_ns_from_s(1e-3 * props->delay_ms)) {
        return -EINPROGRESS;
    }
    *(const struct dpl_rollouts_answer **)out = &state->answer;
    return 0;
}

static int status(struct dpl_device *device, const void *in, void *out)
{
    ((struct dpl_rollouts_status *)out)->state = DPL_ROLLOUTS_WORKS;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_ROLLOUTS_N_CALLS] = {
    [DPL_DRV_ROLLOUTS_ASK] = ask,
    [DPL_DRV_ROLLOUTS_ANSWER] = answer,
    [DPL_DRV_ROLLOUTS_STATUS] = status,
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, wall_x_m, "WallX", "m", "1e6", -1e6, 1e6,
               "a line across x that the base touches"),
    DPL_NUMBER(struct properties, radius_m, "Radius", "m", "0.2", 0.01, 10, "of the base"),
    DPL_NUMBER(struct properties, delay_ms, "Delay", "ms", "50", 0, 1000,
               "the answer comes so long after the request"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a disc that follows its twists exactly, and one line that it may touch",
    .device_class = &dpl_rollouts_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
