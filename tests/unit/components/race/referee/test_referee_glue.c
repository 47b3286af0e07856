/* SPDX-License-Identifier: Apache-2.0 */
/* Referee with fakes for the runtime: what it makes of the ticks that arrive, and its log. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/race.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

/* ---- the runtime, as far as the component meets it ---- */

static struct {
    uint32_t next, n; /* ticks in the queue */
    uint32_t hit_at;
    struct dpl_message message;
    Doppel__CarState car;
    Doppel__Pose2 pose;
    double ranges[2];
    const char *folder;
    int n_verdicts;
    struct dpl_verdict verdict;
    bool has_board;
    int64_t refused;
} fake;

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return fake.has_board;
}

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    ((Doppel__ErrorState *)response)->refused = fake.refused;
    return 0;
}

const struct dpl_message *dpl_port_take(struct dpl_component *component, unsigned port)
{
    if (fake.next == fake.n) {
        return NULL;
    }
    doppel__car_state__init(&fake.car);
    doppel__pose2__init(&fake.pose);
    fake.car.pose = &fake.pose;
    fake.car.tick = fake.next;
    fake.car.y_mm = fake.next;
    fake.ranges[0] = 0.5;
    fake.ranges[1] = (double)INFINITY;
    fake.car.ranges = fake.ranges;
    fake.car.n_ranges = 2;
    fake.car.driven = true;
    fake.pose.y = fake.next * 1e-3;
    fake.car.clearance = 1.0 - fake.next * 1e-3;
    fake.car.left = fake.car.right = 0.5;
    fake.car.outcome =
        fake.next == fake.hit_at ? DOPPEL__CAR_OUTCOME__CAR_HIT : DOPPEL__CAR_OUTCOME__CAR_DRIVES;
    fake.car.outcome_x = 1.0;
    fake.message = (struct dpl_message){.stamp = fake.next * DPL_MS, .body = &fake.car};
    fake.next++;
    return &fake.message;
}

void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict)
{
    fake.n_verdicts++;
    fake.verdict = *verdict;
}

bool dpl_component_keeps_results(const struct dpl_component *component)
{
    return fake.folder;
}

int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", fake.folder, name);
    return dpl_output_open(output, path, reterr);
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
}

/* ---- the component; its properties and state are of its own types ---- */

static union {
    double aligned;
    unsigned char bytes[1024];
} props, state;
static struct dpl_component self = {.name = "Referee", .properties = &props, .state = &state};
static struct dpl_diag error;

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

static void prepare(void)
{
    memset(&fake, 0, sizeof fake);
    fake.hit_at = UINT32_MAX;
    self.class_ = dpl_plugin.component;
    cr_assert(self.class_->state_size <= sizeof state &&
              self.class_->properties_size <= sizeof props);
    dpl_fields_set_defaults(self.class_->properties, self.class_->n_properties, &props);
}

static void begin(void)
{
    cr_assert_eq(self.class_->ops->initialize(&self, &error), 0);
    cr_assert_eq(self.class_->ops->start(&self, &error), 0);
}

static void arrive(uint32_t n)
{
    struct dpl_tick tick = {0};
    fake.n = fake.next + n;
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
}

static void end(void)
{
    self.class_->ops->destroy(&self);
    self.class_->ops->destroy(&self);
}

Test(referee_glue, gives_one_verdict_and_keeps_no_row_after_it)
{
    prepare();
    set("Expect", "hit");
    fake.hit_at = 5;
    begin();
    arrive(3);
    cr_assert_eq(fake.n_verdicts, 0);
    arrive(20);
    arrive(5);
    cr_assert_eq(fake.n_verdicts, 1);
    cr_assert(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "hit");
    cr_assert_not_null(strstr(fake.verdict.text, "(1000,0) mm in tick 5"), "%s", fake.verdict.text);
    cr_assert_eq(export_of("rows"), 6.0);
    cr_assert_eq(export_of("x_mm"), 1000.0);
    end();
}

Test(referee_glue, says_what_was_not_expected)
{
    prepare();
    set("MaxTicks", "4");
    begin();
    arrive(10);
    cr_assert_not(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "timeout");
    cr_assert_eq(export_of("rows"), 4.0);
    end();
}

/* A car that drives 1 mm a tick along y and comes as much nearer to a wall. */
static void race_with(const char *limit, const char *value)
{
    prepare();
    set("Expect", "timeout");
    set("MaxTicks", "101");
    if (limit) {
        set(limit, value);
    }
    fake.has_board = true;
    fake.refused = 2;
    begin();
    arrive(101);
    cr_assert_eq(fake.n_verdicts, 1);
    end();
}

static double told(const char *name)
{
    for (size_t i = 0; i < fake.verdict.n_measures; i++) {
        if (strcmp(fake.verdict.measures[i].name, name) == 0) {
            return fake.verdict.measures[i].value;
        }
    }
    return (double)NAN;
}

Test(referee_glue, publishes_what_it_measured)
{
    race_with(NULL, NULL);
    cr_assert(fake.verdict.expected);
    cr_assert_float_eq(told("path"), 0.1, 1e-12);
    cr_assert_float_eq(told("clearance"), 0.9, 1e-12);
    cr_assert_float_eq(told("time"), 0.1, 1e-12);
    cr_assert_eq(told("refused"), 2.0);
    cr_assert(isnan(told("wrong_side")));
    cr_assert_float_eq(export_of("path"), 0.1, 1e-12);
    cr_assert_eq(export_of("refused"), 2.0);
}

Test(referee_glue, calls_what_is_worse_than_its_limits_a_limit)
{
    race_with("MinClearance", "0.899");
    cr_assert(fake.verdict.expected);
    race_with("MinClearance", "0.901");
    cr_assert_not(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "limit");
    cr_assert_not_null(strstr(fake.verdict.text, "TIMEOUT"), "%s", fake.verdict.text);
    cr_assert_not_null(strstr(fake.verdict.text, "; clearance 900 mm, at least 901 mm expected"),
                       "%s", fake.verdict.text);
    race_with("MaxPath", "0.099");
    cr_assert_str_eq(fake.verdict.name, "limit");
    race_with("MaxRefused", "2");
    cr_assert(fake.verdict.expected);
    race_with("MaxRefused", "1");
    cr_assert_str_eq(fake.verdict.name, "limit");
}

Test(referee_glue, asks_no_more_of_a_race_that_ended_otherwise_than_expected)
{
    prepare();
    set("MaxTicks", "4");
    set("MaxPath", "0.001");
    begin();
    arrive(10);
    cr_assert_str_eq(fake.verdict.name, "timeout");
    end();
}

Test(referee_glue, refuses_limits_that_it_cannot_judge)
{
    prepare();
    set("MaxWrongSide", "1");
    cr_assert_eq(self.class_->check(&props, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "KeepTo"), "%s", error.text);
    set("KeepTo", "left");
    cr_assert_eq(self.class_->check(&props, &error), 0);
    set("MaxRefused", "0");
    cr_assert_eq(self.class_->ops->initialize(&self, &error), 0);
    cr_assert_eq(self.class_->ops->start(&self, &error), -ENOTCONN);
    cr_assert_not_null(strstr(error.text, "no board tells"), "%s", error.text);
    end();
}

Test(referee_glue, refuses_to_expect_a_silence_that_it_cannot_notice)
{
    prepare();
    set("Expect", "silent");
    error.text[0] = '\0';
    cr_assert_eq(self.class_->check(&props, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "SilentAfter"), "%s", error.text);
    set("SilentAfter", "1");
    cr_assert_eq(self.class_->check(&props, &error), 0);
}

Test(referee_glue, counts_ticks_that_did_not_arrive)
{
    prepare();
    begin();
    arrive(3);
    fake.next = fake.n = 7;
    arrive(2);
    cr_assert_eq(export_of("lost"), 4.0);
    cr_assert_eq(export_of("tick"), 8.0);
    end();
}

Test(referee_glue, begins_a_new_race_when_it_is_started_again)
{
    prepare();
    fake.hit_at = 1;
    begin();
    arrive(2);
    fake.next = 0;
    fake.hit_at = 2;
    cr_assert_eq(self.class_->ops->start(&self, &error), 0);
    cr_assert_eq(export_of("rows"), 0.0);
    arrive(4);
    cr_assert_eq(fake.n_verdicts, 2);
    cr_assert_eq(export_of("rows"), 3.0);
    end();
}

Test(referee_glue, writes_its_log_when_it_stops)
{
    prepare();
    char folder[] = "/tmp/doppel-referee-XXXXXX", path[64], text[256] = "";
    fake.folder = mkdtemp(folder);
    cr_assert_not_null(fake.folder);
    begin();
    arrive(2);
    cr_assert_eq(self.class_->ops->stop(&self), 0);
    snprintf(path, sizeof path, "%s/log.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    unlink(path);
    rmdir(folder);
    cr_assert_str_eq(text, "tick,x,y,vel,dir,s0,s1\n0,0,0,0,0,500,MAX\n1,0,1,0,0,500,MAX\n");
    end();
}

Test(referee_glue, says_when_its_log_cannot_be_written)
{
    prepare();
    begin();
    cr_assert_eq(self.class_->ops->stop(&self), 0);
    fake.folder = "/nonexistent";
    cr_assert_eq(self.class_->ops->stop(&self), -ENOENT);
    end();
}
