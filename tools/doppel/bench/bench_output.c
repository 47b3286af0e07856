/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `doppel bench`. */
#include "bench_output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/output.h>

#include "statistics.h"
#include "svg.h"

/* kinds that are counted separately; further kinds count as the last one */
#define VERDICTS_MAX 32

void bench_print_result(const char *name, const uint64_t *seed, const struct bench_result *result)
{
    printf("%-4s %s", result->verdict.expected ? "ok" : result->interrupted ? "-" : "FAIL", name);
    if (seed) {
        printf(" seed %llu", (unsigned long long)*seed);
    }
    printf(": %s: %s\n", result->verdict.name, result->verdict.text);
    fflush(stdout);
}

size_t bench_count_expected(const struct bench_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++) {
        n += group->results[i].verdict.expected;
    }
    return n;
}

size_t bench_count_judged(const struct bench_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++) {
        n += !group->results[i].interrupted;
    }
    return n;
}

int bench_exit_code(const struct bench_group *groups, size_t n, size_t total)
{
    size_t n_results = 0;
    int code = DPL_EXIT_DONE;
    for (size_t g = 0; g < n; g++) {
        for (size_t i = 0; i < groups[g].n; i++) {
            const struct bench_result *result = &groups[g].results[i];
            bool judged = result->failure == DPL_EXIT_DONE || result->interrupted;
            int own = result->verdict.expected ? DPL_EXIT_DONE
                      : judged                 ? DPL_EXIT_VERDICT
                                               : (int)result->failure;
            code = own > code ? own : code;
        }
        n_results += groups[g].n;
    }
    return n_results < total ? DPL_EXIT_VERDICT : code;
}

/* Prints the verdicts with their counts, in the order in which they occurred. */
static void print_verdicts(const struct bench_group *group)
{
    struct {
        const char *name;
        size_t n;
    } verdicts[VERDICTS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++) {
        const char *name = group->results[i].verdict.name;
        if (group->results[i].interrupted) {
            continue;
        }
        size_t k = 0;
        while (k < n && strcmp(verdicts[k].name, name) != 0) {
            k++;
        }
        if (k == n && n < VERDICTS_MAX) {
            verdicts[n].name = name;
            verdicts[n++].n = 0;
        }
        verdicts[k < VERDICTS_MAX ? k : VERDICTS_MAX - 1].n++;
    }
    for (size_t k = 0; k < n; k++) {
        printf("%s %zu %s", k ? "," : "", verdicts[k].n, verdicts[k].name);
    }
}

void bench_print_rate(const struct bench_group *group)
{
    size_t good = bench_count_expected(group), n = bench_count_judged(group);
    if (n == 0) {
        return;
    }
    struct sweep_interval rate = sweep_rate(good, n, 0.95);
    printf("%s: %zu of %zu runs as expected, %.1f %% (95 %% confidence: %.1f to %.1f %%):",
           group->name, good, n, 100.0 * (double)good / (double)n, 100.0 * rate.low,
           100.0 * rate.high);
    print_verdicts(group);
    printf("\n");
}

/* Writes the measures. NaN and infinity have no form in JUnit that all readers accept. */
static void write_measures(FILE *out, const struct dpl_verdict *verdict)
{
    size_t n = verdict->n_measures < DPL_MEASURES_MAX ? verdict->n_measures : DPL_MEASURES_MAX;
    if (n == 0) {
        return;
    }
    fprintf(out, "      <properties>\n");
    for (size_t i = 0; i < n; i++) {
        const struct dpl_measure *measure = &verdict->measures[i];
        if (!isfinite(measure->value)) {
            continue;
        }
        xml_print(out, "        <property name=\"%s", measure->name);
        if (measure->unit[0] != '\0') {
            xml_print(out, " [%s]", measure->unit);
        }
        fprintf(out, "\" value=\"%.9g\"/>\n", measure->value);
    }
    fprintf(out, "      </properties>\n");
}

static void write_case(FILE *out, const struct bench_group *group, size_t i)
{
    const struct bench_result *result = &group->results[i];
    xml_print(out, "    <testcase classname=\"%s", group->name);
    fprintf(out, "\" name=\"seed %llu\" time=\"%.3f\">\n", (unsigned long long)(group->seed + i),
            result->duration_s);
    write_measures(out, &result->verdict);
    if (result->interrupted) {
        fprintf(out, "      <skipped/>\n");
    } else if (!result->verdict.expected) {
        xml_print(out, "      <failure type=\"%s\" message=\"%s\"/>\n", result->verdict.name,
                  result->verdict.text);
    } else {
        xml_print(out, "      <system-out>%s</system-out>\n", result->verdict.text);
    }
    fprintf(out, "    </testcase>\n");
}

static int open_junit(struct dpl_output *output, const char *file)
{
    struct dpl_diag error = {0};
    int err = dpl_output_open(output, file, &error);
    if (err < 0) {
        fprintf(stderr, "doppel bench: --junit: %s\n", error.text);
    }
    return err;
}

int bench_try_junit(const char *file)
{
    struct dpl_output output;
    if (open_junit(&output, file) < 0) {
        return -1;
    }
    dpl_output_abandon(&output);
    return 0;
}

static void write_suite(FILE *out, const struct bench_group *group)
{
    size_t judged = bench_count_judged(group);
    xml_print(out, "  <testsuite name=\"%s", group->name);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\"", group->n,
            judged - bench_count_expected(group));
    if (judged < group->n) {
        fprintf(out, " skipped=\"%zu\"", group->n - judged);
    }
    fprintf(out, ">\n");
    for (size_t i = 0; i < group->n; i++) {
        write_case(out, group, i);
    }
    fprintf(out, "  </testsuite>\n");
}

int bench_write_junit(const char *file, const struct bench_group *groups, size_t n)
{
    struct dpl_output output;
    struct dpl_diag error = {0};
    if (open_junit(&output, file) < 0) {
        return -1;
    }
    FILE *out = output.stream;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t g = 0; g < n; g++) {
        if (groups[g].n > 0) {
            write_suite(out, &groups[g]);
        }
    }
    fprintf(out, "</testsuites>\n");
    if (dpl_output_close(&output, &error) < 0) {
        fprintf(stderr, "doppel bench: --junit: %s\n", error.text);
        return -1;
    }
    return 0;
}
