/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sweep: studies of many runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "accept.h"
#include "chunk.h"
#include "commands.h"
#include "common.h"
#include "observe.h"
#include "options.h"
#include "pool.h"
#include "sweep.h"
#include "sweep_report.h"

bool sweep_read(const char *store, struct sweep_table *ret_table, long *ret_stale)
{
    struct dpl_diags diags = {0};
    struct dpl_diag error = {0};
    int err = sweep_store_read(store, ret_table, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    long stale = err < 0 ? 0 : sweep_chunks_read(store, ret_table, &error);
    if (stale < 0) {
        dpl_diag_print(stderr, &error);
    }
    if (ret_stale) {
        *ret_stale = stale;
    }
    return err == 0 && stale >= 0;
}

bool sweep_open(const struct sweep_table *table, struct dpl_catalog *catalog,
                struct sweep_subject *ret_subject)
{
    struct dpl_diags diags = {0};
    int err = sweep_subject_open(ret_subject, &table->study, catalog, &diags);
    if (err == 0 && ret_subject->closure != table->closure) {
        dpl_diags_add(&diags, DPL_SEVERITY_ERROR, table->study.file_place,
                      "a profile, a world or this program is not what it was when this was "
                      "planned: plan again");
        err = -EINVAL;
    }
    if (err < 0) {
        cli_print_diags(&diags);
    }
    dpl_diags_finish(&diags);
    return err == 0;
}

/* ---- status, collect, report ---- */

static size_t count(const struct sweep_table *table, enum sweep_status status)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        n += table->rows[i].result && table->rows[i].result->status == status;
    }
    return n;
}

static void print_status(const struct sweep_table *table, long stale)
{
    static const struct {
        enum sweep_status status;
        const char *word;
    } rows[] = {{SWEEP_DONE, "done"},
                {SWEEP_FAILED, "failed"},
                {SWEEP_CRASHED, "crashed"},
                {SWEEP_TIMED_OUT, "timed out"}};
    size_t n_done = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = count(table, rows[i].status);
        n_done += n;
        if (n > 0 || rows[i].status == SWEEP_DONE) {
            printf("%-10s %zu\n", rows[i].word, n);
        }
    }
    printf("%-10s %zu of %zu\n", "missing", table->n - n_done, table->n);
    if (stale > 0) {
        printf("%-10s %ld results of an older plan do not count\n", "stale", stale);
    }
}

static int show_status(const char *store)
{
    struct sweep_table table;
    long stale;
    bool is_read = sweep_read(store, &table, &stale);
    if (is_read) {
        print_status(&table, stale);
    }
    sweep_table_finish(&table);
    return is_read ? DPL_EXIT_DONE : DPL_EXIT_BAD_INPUT;
}

/* To a file, or "-": to standard output. */
static int write_csv(const struct sweep_table *table, const char *file)
{
    struct dpl_output output = {0};
    struct dpl_diag error = {0};
    if (strcmp(file, "-") == 0) {
        sweep_table_print(table, stdout);
        return DPL_EXIT_DONE;
    }
    int err = dpl_output_open(&output, file, &error);
    if (err == 0) {
        sweep_table_print(table, output.stream);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_diag_print(stderr, &error);
    }
    return (int)(err < 0 ? cli_code_of_output(err) : DPL_EXIT_DONE);
}

static int collect(const char *store, const struct sweep_values *values)
{
    struct sweep_table table;
    struct dpl_diag error = {0};
    int code = sweep_read(store, &table, NULL) ? DPL_EXIT_DONE : DPL_EXIT_BAD_INPUT;
    if (code == DPL_EXIT_DONE && sweep_store_collect(&table, store, &error) < 0) {
        dpl_diag_print(stderr, &error);
        code = DPL_EXIT_FAULT;
    }
    if (code == DPL_EXIT_DONE && values->csv) {
        code = write_csv(&table, values->csv);
    }
    sweep_table_finish(&table);
    return code;
}

/* Prints what was accepted. 4: something was not, or runs are missing. */
static int print_accepted(const struct sweep_table *table)
{
    int code = DPL_EXIT_DONE;
    for (size_t i = 0; i < table->study.n_accepts; i++) {
        struct sweep_judgement judgement;
        sweep_judge(table, &table->study.accepts[i], &judgement);
        printf("%s: %s\n", sweep_judgement_word(judgement.state), judgement.text);
        code = judgement.state == SWEEP_ACCEPTED ? code : DPL_EXIT_VERDICT;
    }
    if (table->study.n_accepts > 0 && sweep_count_results(table) < table->n) {
        code = DPL_EXIT_VERDICT;
    }
    return code;
}

static int write_report(const struct sweep_table *table, const char *store, const char *file)
{
    struct dpl_output output = {0};
    struct dpl_diag error = {0};
    int err = dpl_output_open(&output, file, &error);
    if (err == 0) {
        sweep_report_write(output.stream, table, store);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_diag_print(stderr, &error);
    }
    return (int)(err < 0 ? cli_code_of_output(err) : DPL_EXIT_DONE);
}

static int report(const char *store, const struct sweep_values *values)
{
    struct sweep_table table;
    long stale = 0;
    int code = sweep_read(store, &table, &stale) ? DPL_EXIT_DONE : DPL_EXIT_BAD_INPUT;
    if (code == DPL_EXIT_DONE) {
        print_status(&table, stale);
        code = values->output ? write_report(&table, store, values->output) : code;
        int judged = print_accepted(&table);
        code = code == DPL_EXIT_DONE ? judged : code;
    }
    sweep_table_finish(&table);
    return code;
}

/* ---- the command ---- */

enum verb { PLAN, RUN, STATUS, COLLECT, REPORT, RERUN };

/* -o FILE, -j N and -jN, as other programs have them. */
static void spell_out(int argc, char **argv)
{
    static char output[] = "--output", jobs[] = "--jobs", both[64];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "-o") == 0) {
            argv[i] = output;
        } else if (strcmp(argv[i], "-j") == 0) {
            argv[i] = jobs;
        } else if (strncmp(argv[i], "-j", 2) == 0) {
            snprintf(both, sizeof both, "--jobs=%.40s", argv[i] + 2);
            argv[i] = both;
        }
    }
}

static const char *find_misuse(enum verb verb, int n, const struct sweep_values *values)
{
    const bool is_run = verb == RUN;
    const struct {
        bool is_wrong;
        const char *why;
    } rules[] = {
        {(n == 3) != (verb == RERUN), verb == RERUN ? "expected DB ID" : "expected one file"},
        {verb == PLAN && !values->output, "--output: expected the file of the plan"},
        {values->bind.n > 0 && verb != PLAN, "--bind is of plan"},
        {values->output && verb != PLAN && verb != REPORT, "--output is of plan and report"},
        {values->csv && verb != COLLECT, "--csv is of collect"},
        {(values->chunk || values->shuffle || values->limit_s > 0.0) && !is_run,
         "--chunk, --limit and --shuffle are of run"},
        {(values->out || values->record || values->view != OBSERVE_NO_PORT) && verb != RERUN,
         "--out, --record and --view are of rerun"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].is_wrong) {
            return rules[i].why;
        }
    }
    return NULL;
}

static int run(int argc, char **argv)
{
    static const char *const verbs[] = {"plan", "run", "status", "collect", "report", "rerun"};
    struct sweep_values values = {.view = OBSERVE_NO_PORT};
    spell_out(argc, argv);
    int n = options_parse(&command_sweep, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int verb = cli_choose("sweep", argv[1], verbs, sizeof verbs / sizeof verbs[0]);
    const char *misuse = verb < 0 ? NULL : find_misuse((enum verb)verb, n, &values);
    if (misuse) {
        fprintf(stderr, "doppel sweep %s: %s\n", verbs[verb], misuse);
    }
    if (verb < 0 || misuse) {
        return DPL_EXIT_USAGE;
    }
    switch ((enum verb)verb) {
    case PLAN: return sweep_plan(argv[2], &values);
    case RUN: return sweep_run(argv[2], &values);
    case STATUS: return show_status(argv[2]);
    case COLLECT: return collect(argv[2], &values);
    case REPORT: return report(argv[2], &values);
    case RERUN: return sweep_rerun(argv[2], argv[3], &values);
    }
    return DPL_EXIT_USAGE;
}

#define V(member) offsetof(struct sweep_values, member)

static const struct option options[] = {
    {"output", "FILE", OPTION_STRING, V(output), 0, 0,
     "plan: the file of the study; report: the page; also -o", "file"},
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0,
     "plan: a binding after those of the study; the runs keep seeds and values", "binding"},
    {"jobs", "N", OPTION_COUNT, V(jobs), 1, SWEEP_SLOTS_MAX,
     "run: so many at the same time (default: as many as there are processors); also -j", NULL},
    {"chunk", "K/N", OPTION_STRING, V(chunk), 0, 0,
     "run: part K of N alone, from 1; each part is a process, on any machine", NULL},
    {"limit", "S", OPTION_NUMBER, V(limit_s), 0, 1e8,
     "run: begin no more after S seconds; the next call goes on", NULL},
    {"shuffle", NULL, OPTION_FLAG, V(shuffle), 0, 0, "run: in another order", NULL},
    {"fresh", NULL, OPTION_FLAG, V(fresh), 0, 0,
     "run: each run in a process of its own; otherwise a process carries out many", NULL},
    {"csv", "FILE", OPTION_STRING, V(csv), 0, 0,
     "collect: write the table, too; -: to standard output", "file"},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0, "rerun: folder of results, as of `doppel run`",
     "file"},
    {"record", "FILE", OPTION_STRING, V(record), 0, 0, "rerun: record the run to this MCAP file",
     "file"},
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "rerun: serve viewers (default port 8765; 0: a free one)", NULL},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0, "run: no progress", NULL},
};

const struct command command_sweep = {
    .name = "sweep",
    .operands = "plan|run|status|collect|report|rerun STUDY|DB [ID]",
    .summary = "runs a study: many runs that differ in some values, and what follows from them",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 2,
    .max_operands = 3,
    .more = "`plan` checks a study and writes the file DB with its runs; `run` carries out those "
            "that are\n"
            "missing, and may be ended and called again at any time; `collect` writes the results "
            "into DB;\n"
            "`report` judges them; `rerun` repeats one run. docs/guides/sweeps.md\n"
            "Exit codes: 0 done, 1 bad input, 2 usage, 3 a fault, 4 report: not accepted, or runs "
            "are\n"
            "missing; run: it was ended before all runs were done.\n",
    .run = run,
};
