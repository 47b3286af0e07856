/* SPDX-License-Identifier: Apache-2.0 */
/* See test_output.h. */
#include "test_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <doppel/output.h>

#include "svg.h"

static const char *const verdicts[] = {
    [TEST_SKIPPED] = "skipped", [TEST_PASSED] = "passed", [TEST_BY_HAND] = "touched by hand",
    [TEST_FAILED] = "failed",   [TEST_ERROR] = "error",
};

static void count_run(const struct test_results *run, struct test_counts *counts)
{
    for (size_t i = 0; run->plan && run->steps && i < run->plan->n_steps; i++) {
        enum test_verdict verdict = run->steps[i].verdict;
        counts->passed += verdict == TEST_PASSED;
        counts->by_hand += verdict == TEST_BY_HAND;
        counts->failed += verdict == TEST_FAILED;
        counts->errors += verdict == TEST_ERROR;
        counts->skipped += verdict == TEST_SKIPPED;
    }
    counts->errors += run->error[0] != '\0';
}

struct test_counts test_count(const struct test_results *runs, size_t n)
{
    struct test_counts counts = {0};
    for (size_t i = 0; i < n; i++) {
        count_run(&runs[i], &counts);
    }
    return counts;
}

void test_print_counts(const struct test_results *runs, size_t n)
{
    struct test_counts counts = test_count(runs, n);
    char errors[40] = "", by_hand[40] = "";
    if (counts.by_hand > 0) {
        snprintf(by_hand, sizeof by_hand, ", %zu touched by hand", counts.by_hand);
    }
    if (counts.errors > 0) {
        snprintf(errors, sizeof errors, ", %zu error%s", counts.errors,
                 counts.errors == 1 ? "" : "s");
    }
    printf("%zu run%s: %zu step%s passed%s, %zu failed%s, %zu skipped\n", n, n == 1 ? "" : "s",
           counts.passed, counts.passed == 1 ? "" : "s", by_hand, counts.failed, errors,
           counts.skipped);
}

static int complain(const struct dpl_diag *error)
{
    dpl_diag_print(stderr, error);
    return -1;
}

/* ---- JUnit ---- */

/* NaN and infinity have no form in JUnit that all readers accept. */
static void write_measures(FILE *out, const struct dpl_plan_result *result)
{
    if (result->n_measures == 0) {
        return;
    }
    fprintf(out, "      <properties>\n");
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct dpl_plan_measure *measure = &result->measures[i];
        if (isfinite(measure->value)) {
            xml_print(out, "        <property name=\"%s\"", measure->name);
            fprintf(out, " value=\"%.9g\"/>\n", measure->value);
        }
    }
    fprintf(out, "      </properties>\n");
}

static void write_failures(FILE *out, const char *element, const struct dpl_plan_result *result)
{
    xml_print(out, "      <%s type=\"%s\" message=\"%s\">", element,
              strcmp(element, "error") == 0 ? "error" : "failed",
              result->n_failures > 0 ? result->failures[0] : "");
    for (size_t i = 0; i < result->n_failures && i < DPL_PLAN_FAILURES_MAX; i++) {
        xml_print(out, "%s\n", result->failures[i]);
    }
    fprintf(out, "</%s>\n", element);
}

static void write_notes(FILE *out, const struct test_step_result *step)
{
    for (size_t i = 0; i < step->n_notes; i++) {
        fputs(i == 0 ? "      <system-out>" : "", out);
        xml_print(out, "note: %s", step->notes[i]);
        fputs(i + 1 == step->n_notes ? "</system-out>\n" : "\n", out);
    }
}

static void write_skipped(FILE *out, const char *lacks)
{
    fprintf(out, "      <skipped");
    if (lacks) {
        xml_print(out, " message=\"'%s' has not passed\"", lacks);
    }
    fprintf(out, "/>\n");
}

static void write_case(FILE *out, const struct dpl_sim_plan *plan, size_t index,
                       const struct test_step_result *step)
{
    xml_print(out, "    <testcase classname=\"%s\" name=\"%s\"", plan->name,
              plan->steps[index].name);
    fprintf(out, " time=\"%.3f\">\n", step->result.duration_s);
    if (step->verdict == TEST_BY_HAND) {
        fprintf(out, "      <skipped message=\"touched by hand\"/>\n");
    } else if (step->verdict == TEST_SKIPPED) {
        write_skipped(out, step->lacks);
    } else {
        write_measures(out, &step->result);
    }
    if (step->verdict == TEST_FAILED || step->verdict == TEST_ERROR) {
        write_failures(out, step->verdict == TEST_ERROR ? "error" : "failure", &step->result);
    }
    write_notes(out, step);
    fprintf(out, "    </testcase>\n");
}

static double duration_of(const struct test_results *run)
{
    double sum = 0.0;
    for (size_t i = 0; i < run->plan->n_steps; i++) {
        sum += run->steps[i].result.duration_s;
    }
    return sum;
}

static void write_suite(FILE *out, const struct test_results *run)
{
    struct test_counts counts = {0};
    count_run(run, &counts);
    xml_print(out, "  <testsuite name=\"%s", run->plan->name);
    fprintf(out, " seed %llu\"", (unsigned long long)run->seed);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            run->plan->n_steps, counts.failed, counts.errors - (run->error[0] != '\0'),
            counts.skipped + counts.by_hand, duration_of(run));
    for (size_t i = 0; i < run->plan->n_steps; i++) {
        write_case(out, run->plan, i, &run->steps[i]);
    }
    fprintf(out, "  </testsuite>\n");
}

/* What belongs to no step. A suite without a case would be nothing to complain of. */
static void write_error(FILE *out, const struct test_results *run, const char *name)
{
    struct dpl_plan_result result = {.n_failures = 1};
    snprintf(result.failures[0], sizeof result.failures[0], "%s", run->error);
    fprintf(out,
            "  <testsuite name=\"plan\" tests=\"1\" failures=\"0\" errors=\"1\" "
            "skipped=\"0\" time=\"0\">\n"
            "    <testcase classname=\"plan\" name=\"%s\" time=\"0\">\n",
            name);
    write_failures(out, "error", &result);
    fprintf(out, "    </testcase>\n  </testsuite>\n");
}

int test_write_junit(const char *folder, const struct test_results *runs, size_t n)
{
    struct dpl_output output = {0};
    struct dpl_diag error = {0};
    if (dpl_results_open(folder, "junit.xml", &output, &error) < 0) {
        return complain(&error);
    }
    struct test_counts counts = test_count(runs, n);
    fprintf(output.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            counts.passed + counts.by_hand + counts.failed + counts.errors + counts.skipped,
            counts.failed, counts.errors, counts.skipped + counts.by_hand);
    for (size_t i = 0; i < n; i++) {
        if (runs[i].plan && runs[i].steps) {
            write_suite(output.stream, &runs[i]);
        }
        if (runs[i].error[0] != '\0') {
            bool was_read = runs[i].plan && runs[i].steps;
            write_error(output.stream, &runs[i], was_read ? "it is ended" : "it is read");
        }
    }
    fprintf(output.stream, "</testsuites>\n");
    return dpl_output_close(&output, &error) < 0 ? complain(&error) : 0;
}

/* ---- summary.json ---- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* NULL for text that is not UTF-8. */
static json_t *text_of(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_null();
}

static json_t *describe_measures(const struct dpl_plan_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct dpl_plan_measure *measure = &result->measures[i];
        json_t *item = json_object();
        json_object_set_new(item, "name", text_of(measure->name));
        json_object_set_new(item, "value", number(measure->value));
        json_object_set_new(item, "min", number(measure->min));
        json_object_set_new(item, "max", number(measure->max));
        json_object_set_new(item, "good", json_boolean(measure->good));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *describe_step(const char *name, const struct test_step_result *step)
{
    json_t *item = json_object(), *failures = json_array(), *notes = json_array();
    for (size_t i = 0; i < step->result.n_failures && i < DPL_PLAN_FAILURES_MAX; i++) {
        json_array_append_new(failures, text_of(step->result.failures[i]));
    }
    for (size_t i = 0; i < step->n_notes; i++) {
        json_array_append_new(notes, text_of(step->notes[i]));
    }
    json_object_set_new(item, "name", text_of(name));
    json_object_set_new(item, "verdict", json_string(verdicts[step->verdict]));
    json_object_set_new(item, "duration_s", number(step->result.duration_s));
    json_object_set_new(item, "failures", failures);
    json_object_set_new(item, "notes", notes);
    json_object_set_new(item, "measures", describe_measures(&step->result));
    if (step->lacks) {
        json_object_set_new(item, "lacks", text_of(step->lacks));
    }
    if (step->trace[0] != '\0') {
        json_object_set_new(item, "trace", text_of(step->trace));
    }
    return item;
}

static json_t *describe_run(const struct test_results *run)
{
    json_t *item = json_object(), *steps = json_array();
    for (size_t i = 0; i < run->plan->n_steps; i++) {
        json_array_append_new(steps, describe_step(run->plan->steps[i].name, &run->steps[i]));
    }
    json_object_set_new(item, "seed", json_integer((json_int_t)run->seed));
    json_object_set_new(item, "duration_s", number(duration_of(run)));
    json_object_set_new(item, "real_s", number(run->real_s));
    json_object_set_new(item, "steps", steps);
    return item;
}

static json_t *describe(const struct test_results *runs, size_t n, enum dpl_exit code)
{
    struct test_counts counts = test_count(runs, n);
    json_t *summary = json_object(), *list = json_array();
    for (size_t i = 0; i < n; i++) {
        if (runs[i].plan && runs[i].steps) {
            json_array_append_new(list, describe_run(&runs[i]));
        }
    }
    if (n > 0 && runs[n - 1].error[0] != '\0') { /* the last run: there is none after an error */
        json_object_set_new(summary, "error", text_of(runs[n - 1].error));
    }
    if (n > 0 && runs[0].plan) {
        json_object_set_new(summary, "plan", text_of(runs[0].plan->name));
        json_object_set_new(summary, "world", text_of(runs[0].plan->world));
    }
    json_object_set_new(summary, "exit", json_integer((json_int_t)code));
    json_object_set_new(summary, "passed", json_integer((json_int_t)counts.passed));
    if (counts.by_hand > 0) {
        json_object_set_new(summary, "touched_by_hand", json_integer((json_int_t)counts.by_hand));
    }
    json_object_set_new(summary, "failed", json_integer((json_int_t)counts.failed));
    json_object_set_new(summary, "errors", json_integer((json_int_t)counts.errors));
    json_object_set_new(summary, "skipped", json_integer((json_int_t)counts.skipped));
    json_object_set_new(summary, "runs", list);
    return summary;
}

int test_write_summary(const char *folder, const struct test_results *runs, size_t n,
                       enum dpl_exit code)
{
    struct dpl_output output = {0};
    struct dpl_diag error = {0};
    char path[DPL_OUTPUT_PATH_MAX];
    snprintf(path, sizeof path, "%s/summary.json", folder);
    if (dpl_output_open(&output, path, &error) < 0) {
        return complain(&error);
    }
    json_t *summary = describe(runs, n, code);
    json_dumpf(summary, output.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    fprintf(output.stream, "\n");
    json_decref(summary);
    return dpl_output_close(&output, &error) < 0 ? complain(&error) : 0;
}
