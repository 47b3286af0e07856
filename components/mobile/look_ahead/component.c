/* SPDX-License-Identifier: Apache-2.0 */
/* LookAhead: lets the avatar's world run ahead of the robot, says what comes, and slows commands
 * down that would lead to a contact (docs/guides/look-ahead.md). Its device runs the rollouts; this
 * file asks for them, takes the answers and offers SafetyService. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/msg/mobile.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

#include "inputs.h"
#include "tables.h"

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct look_properties *props = self->properties;
    struct look_run *run = self->state;
    uint64_t seed = dpl_component_seed(self) * 1000003u + (uint64_t)props->seed;
    (void)reterr;
    spread_init(&run->spread, (size_t)props->rollouts, seed);
    score_init(&run->score);
    run->contact_s = -1.0;
    run->clearance_m = run->age_s = (double)NAN;
    run->device = DPL_ROLLOUTS_WAITS;
    return 0;
}

/* ---- the device ---- */

static void log_state(struct dpl_component *self, int64_t state)
{
    switch (state) {
    case DPL_ROLLOUTS_SILENT:
        dpl_component_log(self, DPL_LOG_ERROR,
                          "the look-ahead does not move: nothing is vetoed until it does");
        break;
    case DPL_ROLLOUTS_DEAD:
        dpl_component_log(self, DPL_LOG_ERROR,
                          "the process of the look-ahead has ended: nothing is vetoed any more; it "
                          "is not started again in this run");
        break;
    default: dpl_component_log(self, DPL_LOG_INFO, "the look-ahead works again"); break;
    }
}

static void watch_device(struct dpl_component *self)
{
    struct look_run *run = self->state;
    struct dpl_rollouts_status status = {DPL_ROLLOUTS_DEAD};
    dpl_rollouts_status(dpl_component_device(self), &status);
    bool was_well = run->device <= DPL_ROLLOUTS_WORKS;
    bool is_well = status.state <= DPL_ROLLOUTS_WORKS;
    if (status.state != run->device && (!is_well || !was_well)) {
        log_state(self, status.state);
    }
    run->lost += was_well && !is_well;
    run->device = status.state;
}

/* ---- answers ---- */

static struct outlook_rollout rollout_of(const struct dpl_rollouts_outcome *from)
{
    return (struct outlook_rollout){
        .valid = from->valid && from->n_poses > 0,
        .touched = from->touched,
        .touched_s = from->touched_s,
        .x = from->x,
        .y = from->y,
        .object = from->object,
        .clearance_m = from->clearance_m,
        .n_poses = from->n_poses,
        .poses = from->poses,
        .pose_s = from->pose_s,
    };
}

/* Rollouts of an answer, into ret_rollouts[n]. */
static void read_rollouts(const struct dpl_rollouts_answer *answer, size_t first, size_t n,
                          struct outlook_rollout *ret_rollouts)
{
    for (size_t i = 0; i < n; i++) {
        ret_rollouts[i] = rollout_of(&answer->outcomes[first + i]);
    }
}

/* What is known of the present command, for others and for the judgement. */
static void conclude(struct dpl_component *self, const struct outlook_rollout *rollouts)
{
    const struct look_properties *props = self->properties;
    struct look_run *run = self->state;
    const struct outlook *outlook = &run->seen.command;
    double stamp_s = dpl_ns_to_s(run->seen.stamp);
    bool expects = outlook->contact && outlook->probability >= props->least_probability;
    run->contact_s = expects ? outlook->contact_s : -1.0;
    run->probability = outlook->probability;
    run->clearance_m = outlook->clearance_m;
    score_predict(&run->score, stamp_s, run->seen.held, expects ? outlook->contact_s : (double)NAN,
                  props->horizon_s);
    fans_add(&run->fans, stamp_s, expects, rollouts, run->spread.n);
}

/* False: at the believed pose stands something, so that nobody knows what comes. */
static bool could_begin(const struct dpl_rollouts_answer *answer, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (answer->outcomes[i].valid && answer->outcomes[i].n_poses > 0) {
            return true;
        }
    }
    return false;
}

static void evaluate_answer(struct dpl_component *self, const struct dpl_rollouts_answer *answer)
{
    struct look_run *run = self->state;
    struct look_seen *seen = &run->seen;
    struct outlook_rollout rollouts[SPREAD_MAX];
    size_t n = run->spread.n;
    seen->valid = true;
    seen->stamp = answer->stamp;
    seen->held = run->request.held;
    seen->rest_contact = answer->outcomes[n].touched;
    seen->plan_known = run->request.n_plan > 0;
    read_rollouts(answer, n + 1, run->request.n_plan, rollouts);
    outlook_make(rollouts, run->request.n_plan, &seen->plan);
    read_rollouts(answer, 0, n, rollouts);
    outlook_make(rollouts, n, &seen->command);
    run->took_ms = answer->took_s * 1e3;
    run->looks++;
    conclude(self, rollouts);
}

/* Without a Localizer the avatar is the robot. One that stands while the base drives is not: what
 * it would touch says nothing. */
static void watch_place(struct dpl_component *self, const struct dpl_rollouts_outcome *mean)
{
    struct look_run *run = self->state;
    struct dpl_pose2 base;
    if (dpl_port_is_connected(self, LOOK_PORT_POSE) || !mean->valid || mean->n_poses == 0 ||
        !look_odometry(self, &base)) {
        return;
    }
    bool was = run->is_astray;
    run->is_astray = astray_see(&run->astray, base, mean->poses[0]);
    if (run->is_astray && !was) {
        dpl_component_log(self, DPL_LOG_ERROR,
                          "the base drives, and the robot in the world that is looked into stands "
                          "still: nothing is vetoed; properties World and RobotName of LookAhead "
                          "name another one");
    }
}

static void poll_answer(struct dpl_component *self)
{
    struct look_run *run = self->state;
    const struct dpl_rollouts_answer *answer;
    if (!run->request.waiting) {
        return;
    }
    int err = dpl_rollouts_answer(dpl_component_device(self), &answer);
    bool may_still_come = err == -ENODEV && run->device > DPL_ROLLOUTS_WORKS;
    if (err == -EINPROGRESS || may_still_come) {
        return;
    }
    run->request.waiting = false;
    if (err < 0 || !could_begin(answer, run->spread.n)) {
        run->refused++;
        return;
    }
    watch_place(self, &answer->outcomes[0]);
    evaluate_answer(self, answer);
}

static void ask(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct look_properties *props = self->properties;
    struct look_run *run = self->state;
    struct look_request *request = &run->request;
    if (request->waiting || !look_is_localized(self)) {
        return;
    }
    look_fill_request(self, tick->now);
    const struct dpl_rollouts_request asked = {
        .n = (int64_t)request->n,
        .sample_s = props->horizon_s / LOOK_POSES,
        .wants = request->wants,
        .twists = request->twists,
        .n_twists = request->n_twists,
    };
    int err = dpl_rollouts_ask(dpl_component_device(self), &asked);
    request->waiting = err == 0;
    run->refused += err < 0 && err != -EAGAIN;
}

/* ---- state ---- */

static bool is_fresh(const struct dpl_component *self, dpl_ns now)
{
    const struct look_properties *props = self->properties;
    const struct look_run *run = self->state;
    return run->seen.valid && now - run->seen.stamp <= dpl_ns_from_s(props->oldest_ms * 1e-3);
}

static enum dpl_look_state state_of(struct dpl_component *self, dpl_ns now)
{
    const struct look_run *run = self->state;
    if (run->device == DPL_ROLLOUTS_DEAD) {
        return DPL_LOOK_DEAD;
    }
    if (run->device == DPL_ROLLOUTS_SILENT) {
        return DPL_LOOK_SILENT;
    }
    if (!look_is_localized(self) || run->is_astray) {
        return DPL_LOOK_UNLOCALIZED;
    }
    if (!run->seen.valid) {
        return DPL_LOOK_WAITING;
    }
    return is_fresh(self, now) ? DPL_LOOK_OK : DPL_LOOK_OLD;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct look_run *run = self->state;
    struct dpl_twist2 command;
    bool pressed;
    watch_device(self);
    poll_answer(self);
    look_read_base(self, &command, &pressed);
    score_see(&run->score, dpl_ns_to_s(tick->now), command, pressed);
    ask(self, tick);
    run->age_s = run->seen.valid ? dpl_ns_to_s(tick->now - run->seen.stamp) : (double)NAN;
    run->state = (int)state_of(self, tick->now);
    look_publish(self);
    return 0;
}

/* For the report: what was looked at where a contact was predicted. */
static int stop(struct dpl_component *self)
{
    const struct look_run *run = self->state;
    struct dpl_output output;
    struct dpl_diag error = {0};
    if (!dpl_component_keeps_results(self)) {
        return 0;
    }
    int err = dpl_component_open_result(self, "looks.csv", &output, &error);
    if (err == 0) {
        fans_write(&run->fans, output.stream);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "%s", error.text);
    } else if (run->fans.left_out > 0) {
        dpl_component_log(self, DPL_LOG_INFO, "%lld predicted contacts are not in looks.csv",
                          (long long)run->fans.left_out);
    }
    return err;
}

/* ---- SafetyService ---- */

/* The contact that is to come, seen from now: the base has gone on since the look began. */
static struct veto_contact contact_of(const struct look_seen *seen, dpl_ns now)
{
    double age = dpl_ns_to_s(now - seen->stamp);
    return (struct veto_contact){
        .twist = seen->held,
        .way_m = seen->command.way_m - fabs(seen->held.linear) * age,
        .turn_rad = seen->command.turn_rad - fabs(seen->held.angular) * age,
    };
}

static bool veto(const struct dpl_component *self, struct dpl_twist2 asked, dpl_ns now,
                 struct dpl_twist2 *ret_command)
{
    const struct look_properties *props = self->properties;
    const struct look_run *run = self->state;
    const struct veto_limits limits = {
        .deceleration_m_s2 = props->deceleration_m_s2,
        .deceleration_rad_s2 = dpl_deg_to_rad(props->deceleration_deg_s2),
        .latency_s = props->latency_ms * 1e-3,
        .margin_m = props->margin_m,
    };
    *ret_command = asked;
    if (run->contact_s < 0.0 || props->mode == LOOK_RECORD) {
        return false;
    }
    struct veto_contact contact = contact_of(&run->seen, now);
    return veto_command(&limits, &contact, asked, ret_command);
}

/* As many as there is room for in both lists. */
static void fill_places(const struct look_run *run, Doppel__SafetyAnswer *answer)
{
    size_t room =
        answer->n_contact_x < answer->n_contact_y ? answer->n_contact_x : answer->n_contact_y;
    size_t n = run->seen.command.n_contacts < room ? run->seen.command.n_contacts : room;
    for (size_t i = 0; i < n; i++) {
        answer->contact_x[i] = run->seen.command.contacts[i][0];
        answer->contact_y[i] = run->seen.command.contacts[i][1];
    }
    answer->n_contact_x = answer->n_contact_y = n;
}

static int check(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    const struct look_properties *props = self->properties;
    const Doppel__SafetyQuestion *question = request;
    Doppel__SafetyAnswer *answer = response;
    struct look_run *run = self->state;
    dpl_ns now = dpl_component_now(self);
    struct dpl_twist2 asked = {question->linear_velocity, question->angular_velocity}, given;
    (void)port;
    if (!isfinite(asked.linear) || !isfinite(asked.angular)) {
        return -EINVAL;
    }
    run->asked = asked;
    run->asked_at = now;
    run->has_asked = true;
    answer->state = (Doppel__LookState)state_of(self, now);
    bool knows = (int)answer->state == DPL_LOOK_OK;
    run->vetoing = knows && veto(self, asked, now, &given);
    run->vetoes += run->vetoing;
    given = run->vetoing ? given : asked;
    answer->vetoed = run->vetoing;
    answer->linear_velocity = given.linear;
    answer->angular_velocity = given.angular;
    answer->stamp_ns = run->seen.stamp;
    if (knows && run->contact_s >= 0.0 && props->mode == LOOK_VETO) {
        fill_places(run, answer);
    } else {
        answer->n_contact_x = answer->n_contact_y = 0;
    }
    return 0;
}

const dpl_service_method look_safety[DPL_SAFETY_N_METHODS] = {
    [DPL_SAFETY_CHECK] = check,
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "LookAhead",
    .summary = "runs the avatar's world ahead of the robot and slows down what leads to a contact",
    .tag = "look",
    .ops = &ops,
    .ports = look_ports,
    .n_ports = LOOK_N_PORTS,
    .properties = look_properties,
    .n_properties = LOOK_N_PROPERTIES,
    .properties_size = sizeof(struct look_properties),
    .exports = look_exports,
    .n_exports = LOOK_N_EXPORTS,
    .state_size = sizeof(struct look_run),
    .device_class = DPL_ROLLOUTS_CLASS,
    .n_device_calls = DPL_DRV_ROLLOUTS_N_CALLS,
    .only_senses = true,
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
