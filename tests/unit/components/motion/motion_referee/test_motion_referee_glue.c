/* SPDX-License-Identifier: Apache-2.0 */
/* MotionReferee with fakes for the runtime: what it makes of messages, and the verdict it gives. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/machine.h>
#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "judge.h"
#include "pose6.h"

enum {
    REFERENCE,
    GIVEN,
    PATH,
    MEASURED,
    AXES,
    COMMAND,
    PLANNER,
    PORTS,
};

/* ---- the runtime, as far as the component meets it ---- */

static struct {
    struct dpl_message messages[PORTS];
    bool has[PORTS];
    int n_verdicts;
    struct dpl_verdict verdict;
    int load_error;
} fake;

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    return fake.has[port] ? &fake.messages[port] : NULL;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return port != COMMAND;
}

void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict)
{
    fake.verdict = *verdict;
    fake.n_verdicts++;
}

int dpl_component_load_machine(struct dpl_component *component, const char *file,
                               struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    *ret_machine = (struct dpl_machine){0};
    for (int i = 0; i < DPL_MACHINE_AXES; i++) {
        ret_machine->legs[i].low_m = -1.0;
        ret_machine->legs[i].high_m = 1.0;
    }
    return fake.load_error;
}

/* ---- the component; its properties and state are of its own types ---- */

static union {
    double aligned;
    unsigned char bytes[4096];
} props, state;
static struct dpl_component self = {.name = "MotionReferee", .properties = &props, .state = &state};
static struct dpl_diag error;

static Doppel__Pose6 poses[PORTS + 1];
static Doppel__PoseReference reference, given;
static Doppel__PathState path;
static Doppel__MeasuredPose measured;
static Doppel__AxisState axes;
static double positions[6];

static void set(const char *name, const char *text)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->properties, class->n_properties, name);
    cr_assert_not_null(field, "%s", name);
    struct dpl_field_text value = {.text = text};
    cr_assert_eq(dpl_field_parse(field, &value, &props, &error), 0, "%s", error.text);
}

static double export_of(const char *name)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field = dpl_field_find(class->exports, class->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, &state);
}

static void arrives(unsigned port, void *body)
{
    fake.has[port] = true;
    fake.messages[port].body = body;
}

static void prepare(void)
{
    memset(&fake, 0, sizeof fake);
    memset(&state, 0, sizeof state);
    memset(positions, 0, sizeof positions);
    self.class_ = dpl_plugin.component;
    cr_assert(self.class_->state_size <= sizeof state &&
              self.class_->properties_size <= sizeof props);
    dpl_fields_set_defaults(self.class_->properties, self.class_->n_properties, &props);
    set("From", "0.1"); /* it begins with a step of velocity */
    for (int i = 0; i <= PORTS; i++) {
        doppel__pose6__init(&poses[i]);
        poses[i].z = 0.54;
    }
    doppel__pose_reference__init(&reference);
    doppel__pose_reference__init(&given);
    doppel__path_state__init(&path);
    doppel__measured_pose__init(&measured);
    doppel__axis_state__init(&axes);
    reference.pose = &poses[REFERENCE];
    given.pose = &poses[GIVEN];
    path.last = &poses[PATH];
    path.before = &poses[PORTS];
    path.next_sequence = 1;
    measured.pose = &poses[MEASURED];
    measured.valid = axes.valid = true;
    axes.mode = DOPPEL__AXES_MODE__AXES_ON;
    axes.position = positions;
    axes.n_position = 6;
    arrives(REFERENCE, &reference);
    arrives(GIVEN, &given);
    arrives(PATH, &path);
    arrives(MEASURED, &measured);
    arrives(AXES, &axes);
}

static void begin(void)
{
    cr_assert_eq(self.class_->ops->initialize(&self, &error), 0, "%s", error.text);
    cr_assert_eq(self.class_->ops->start(&self, &error), 0);
}

/* From a tick to another, 2.5 ms each; x of the pose moves by 0.1 mm a tick. */
static void run(int from, int to, bool axes_report)
{
    for (int i = from; i < to; i++) {
        struct dpl_tick tick = {.now = i * 2500 * DPL_US};
        path.next_sequence++;
        path.before->x = path.last->x;
        path.last->x = reference.pose->x = given.pose->x = measured.pose->x = 1e-4 * (i % 1000);
        fake.messages[AXES].stamp = axes_report ? tick.now : fake.messages[AXES].stamp;
        cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    }
}

static void does_not_take(const char *property, const char *text, const char *why)
{
    const struct dpl_component_class *class = self.class_;
    const struct dpl_field *field =
        dpl_field_find(class->properties, class->n_properties, property);
    struct dpl_field_text value = {.text = text};
    cr_assert_eq(dpl_field_parse(field, &value, &props, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, why), "%s", error.text);
}

static void refuses(const char *property, const char *text, const char *why)
{
    prepare();
    set(property, text);
    error.text[0] = '\0';
    cr_assert_eq(self.class_->check(&props, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, why), "%s", error.text);
}

Test(motion_referee_glue, refuses_properties_that_make_no_sense)
{
    prepare();
    does_not_take("Centre", "1 2 3", "Centre: expected six numbers");
    does_not_take("HardSemiAxes", "1 1 1 1 1 0", "HardSemiAxes: 0 of yaw is out of range");
    does_not_take("AccelerationLimits", "", "AccelerationLimits: character 1");
    refuses("End", "5", "FaultAt is 5 s, but the verdict is given at End, 5 s");
}

Test(motion_referee_glue, says_when_there_is_no_robot_model)
{
    prepare();
    fake.load_error = -ENOENT;
    cr_assert_eq(self.class_->ops->initialize(&self, &error), -ENOENT);
    set("Robot", "");
    cr_assert_eq(self.class_->ops->initialize(&self, &error), 0);
}

Test(motion_referee_glue, gives_one_verdict_at_the_end_of_its_time)
{
    prepare();
    set("FaultAt", "0.5");
    set("End", "1");
    begin();
    run(0, 400, true);
    cr_assert_eq(fake.n_verdicts, 0);
    run(400, 420, true);
    cr_assert_eq(fake.n_verdicts, 1);
    cr_assert(fake.verdict.expected, "%s", fake.verdict.text);
    cr_assert_str_eq(fake.verdict.name, "recovered");
    cr_assert_eq(export_of("verdict"), MOTION_RECOVERED);
    cr_assert_float_eq(export_of("speed_at_fault"), 0.04, 1e-9);
}

Test(motion_referee_glue, counts_from_its_first_tick)
{
    prepare();
    set("FaultAt", "0.5");
    set("End", "1");
    begin();
    run(1000, 1400, true);
    cr_assert_eq(fake.n_verdicts, 0);
    run(1400, 1401, true);
    cr_assert_eq(fake.n_verdicts, 1);
}

Test(motion_referee_glue, takes_axes_that_report_nothing_for_unseen)
{
    prepare();
    set("FaultAt", "0.5");
    set("End", "1");
    begin();
    run(0, 100, true);
    run(100, 105, false);
    cr_assert_eq(export_of("axes_follow"), 1.0);
    cr_assert_eq(export_of("measured"), 1.0);
    run(105, 420, false);
    cr_assert_eq(export_of("axes_follow"), 0.0);
    cr_assert_str_eq(fake.verdict.name, "blind");
}

Test(motion_referee_glue, judges_what_the_planner_got_if_it_is_told_to)
{
    for (int target = 0; target < 2; target++) {
        prepare();
        set("FaultAt", "0.5");
        set("End", "1");
        set("Target", target == 0 ? "reference" : "given");
        begin();
        given.pose->y = 0.001;
        path.last->y = path.before->y = 0.001;
        run(0, 420, true);
        cr_assert_str_eq(fake.verdict.name, target == 0 ? "not_ready" : "recovered");
    }
}
