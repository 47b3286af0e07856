/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer through its life cycle, with the poses of both robots as the test says. */
#include <errno.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

#include "tables.h"

static struct dpl_pose2 robots[2]; /* by port: real, avatar */
static bool gone[2];               /* by port */
static dpl_ns now;
static bool knows_truth;
static int n_stops, n_warnings, n_puts;
static int answer_after; /* GetError of the avatar's port: so many times EINPROGRESS, then */
static int verdict;      /* this */

/* ---- the runtime, as far as the component meets it ---- */

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    n_stops += method == DPL_WHEEL_CONTROLLER_STOP_WHEEL;
    if (port < 2 && gone[port]) {
        return -ENODEV;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_TRUTH && knows_truth) {
        Doppel__StampedPose *answer = response;
        answer->valid = true;
        answer->pose->x = robots[port].x;
        return 0;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_POSITION) {
        Doppel__StampedPose *answer = response;
        answer->valid = true;
        answer->stamp_ns = now;
        answer->pose->x = robots[port].x;
        answer->pose->y = robots[port].y;
        answer->pose->theta = robots[port].theta;
    }
    if (method == DPL_WHEEL_CONTROLLER_SET_POSITION) {
        n_puts++;
        answer_after = 2;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_ERROR) {
        ((Doppel__ErrorState *)response)->code = answer_after-- > 0 ? EINPROGRESS : verdict;
        if (answer_after < 0 && verdict == 0) {
            robots[1] = robots[0];
        }
    }
    return method == DPL_WHEEL_CONTROLLER_GET_TRUTH ? -ENOTSUP : 0;
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    return NULL;
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    n_warnings += level == DPL_LOG_WARN;
}

/* ---- the component ---- */

static struct dpl_component self;
static struct sync_state *state;

static void begin(void)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    void *properties = calloc(1, class->properties_size);
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    ((struct sync_properties *)properties)->align = DPL_SYNC_ALIGN_NONE;
    state = calloc(1, class->state_size);
    self = (struct dpl_component){
        .name = "Synchronizer", .class_ = class, .properties = properties, .state = state};
    cr_assert_eq(class->ops->initialize(&self, NULL), 0);
}

static void end(void)
{
    free((void *)(uintptr_t)self.properties);
    free(state);
}

TestSuite(synchronizer_glue, .init = begin, .fini = end);

static void go_on(double duration_s)
{
    for (dpl_ns until = now + dpl_ns_from_s(duration_s); now < until; now += 10 * DPL_MS) {
        struct dpl_tick tick = {.now = now, .period = 10 * DPL_MS};
        cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    }
}

static void start_and_run(double duration_s)
{
    const struct dpl_component_ops *ops = self.class_->ops;
    struct dpl_diag why = {0};
    cr_assert_eq(ops->start ? ops->start(&self, &why) : 0, 0, "%s", why.text);
    go_on(duration_s);
}

/* Both were carried away meanwhile: that is no jump, and nothing to catch up with. */
Test(synchronizer_glue, begins_anew_after_a_stop_and_a_start)
{
    start_and_run(3.0);
    int64_t n_ticks = state->view.ticks;
    cr_assert_gt(n_ticks, 10);
    cr_assert_eq(self.class_->ops->stop(&self), 0);
    cr_assert_eq(n_stops, 1);
    robots[0] = robots[1] = (struct dpl_pose2){5.0, -3.0, 1.5};
    now += 20 * DPL_S;
    start_and_run(0.5);
    cr_assert_lt(state->view.ticks, n_ticks);
    cr_assert_float_eq(state->view.real.x, 5.0, 1e-3, "%g", state->view.real.x);
    cr_assert_float_eq(state->view.avatar.y, -3.0, 1e-3, "%g", state->view.avatar.y);
    cr_assert_eq(state->view.real.jumps + state->view.avatar.jumps, 0);
    cr_assert_eq(state->view.real.rejected + state->view.avatar.rejected, 0);
    cr_assert_eq(state->view.overruns, 0);
    cr_assert_lt(state->view.max_mm, 1.0, "%g", state->view.max_mm);
}

Test(synchronizer_glue, corrects_no_more_often_than_it_runs_and_says_so)
{
    ((struct sync_properties *)(uintptr_t)self.properties)->period_ms = 1.0;
    cr_assert_eq(self.class_->ops->period_changed(&self, 10 * DPL_MS), 0);
    start_and_run(1.0);
    cr_assert_eq(n_warnings, 1);
    cr_assert_eq(state->view.ticks, 100);
    cr_assert_eq(state->view.overruns, 0);
    cr_assert_float_eq(state->sync.config.period_s, 0.01, 1e-12);
}

Test(synchronizer_glue, keeps_what_it_came_to_when_it_is_stopped)
{
    robots[1].x = 0.02;
    start_and_run(3.0);
    self.class_->ops->stop(&self);
    cr_assert_gt(state->view.max_mm, 10.0, "%g", state->view.max_mm);
    cr_assert_gt(state->view.ticks, 10);
}

/* An absent value is no number: "-" in the status line, nan in the trace, null in the summary. */
Test(synchronizer_glue, publishes_no_distance_while_a_pose_is_missing)
{
    const struct sync_view *view = &state->view;
    knows_truth = true;
    robots[1].x = 0.02;
    cr_assert(isnan(view->distance_mm) && isnan(view->fidelity), "before the first");
    start_and_run(1.0);
    cr_assert_float_eq(view->distance_mm, 20.0, 1.0);
    cr_assert_float_eq(state->truth.distance_mm, 20.0, 1e-9);
    cr_assert_gt(view->fidelity, 0.5);
    gone[1] = true;
    go_on(0.2);
    cr_assert(isnan(view->distance_mm) && isnan(view->heading_deg) && isnan(view->fidelity));
    cr_assert(isnan(view->ex) && isnan(view->ey) && isnan(view->et_deg));
    cr_assert(isnan(state->truth.distance_mm) && isnan(state->truth.heading_deg) &&
              isnan(state->truth.final_mm));
    cr_assert_float_eq(view->max_mm, 20.0, 1.0, "what was measured stays measured");
    gone[1] = false;
    go_on(0.2);
    cr_assert_float_eq(view->distance_mm, 20.0, 2.0);
    cr_assert_float_eq(state->truth.final_mm, 20.0, 1e-9);
}

static void diverge(int answer_of_the_world, double duration_s)
{
    ((struct sync_properties *)(uintptr_t)self.properties)->teleport = true;
    verdict = answer_of_the_world;
    robots[0] = robots[1] = (struct dpl_pose2){0};
    start_and_run(2.0);
    robots[0].x = 1.0;
    go_on(duration_s);
}

Test(synchronizer_glue, asks_what_came_of_a_place_and_counts_it_only_then)
{
    diverge(0, 4.0);
    cr_assert_eq(n_puts, 1);
    cr_assert_eq(state->view.teleports, 1);
    cr_assert_eq(state->view.refused_places, 0);
    cr_assert_lt(state->view.distance_mm, 10.0);
}

Test(synchronizer_glue, a_place_that_the_world_refuses_is_counted_told_once_and_asked_for_again)
{
    diverge(EBUSY, 6.0);
    cr_assert(n_puts > 3 && n_puts < 12, "%d", n_puts);
    cr_assert_eq(state->view.teleports, 0);
    cr_assert_geq(state->view.refused_places, n_puts - 1);
    cr_assert_eq(state->view.state, DPL_SYNC_DIVERGED);
    cr_assert_float_eq(state->view.avatar.x, 0.0, 0.02);
    /* fidelity, DIVERGED, and one for all refusals */
    cr_assert_eq(n_warnings, 3, "%d warnings", n_warnings);
}
