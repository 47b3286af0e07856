/* SPDX-License-Identifier: Apache-2.0 */
/* integrity: drives through worlds drawn by chance, and what an OK of the Localizer is worth there:
 * the Stanford diagram. The draws have two halves; one is held
 * out from whoever changes a rule. Exit 0 when all limits are met, 1 when one is not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "judges.h"

struct values {
    struct rows rows;
    uint64_t runs, first;
    const char *world, *what, *csv, *diagram;
    bool held_out, verbose;
    struct drive_options drive;
};

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"runs", "N", OPTION_COUNT, V(runs), 1, 1e5, "how many (default 40)", NULL},
    {"first", "N", OPTION_COUNT, V(first), 1, 1e9, "number of the first run (default 1)", NULL},
    {"held-out", NULL, OPTION_FLAG, V(held_out), 0, 0, "the half of the draws to be judged by",
     NULL},
    {"seconds", "S", OPTION_NUMBER, V(drive.seconds), 10, 1e4, "of a drive (default 80)", NULL},
    {"world", "KIND", OPTION_STRING, V(world), 0, 0, "all in one kind of world", NULL},
    {"case", "NAME", OPTION_STRING, V(what), 0, 0, "in all the same happens", NULL},
    {"correlation", "N", OPTION_NUMBER, V(drive.correlation), 1, 1e4,
     "ScanCorrelation (default: the Localizer's)", NULL},
    {"no-trust", NULL, OPTION_FLAG, V(drive.no_trust), 0, 0, "a told start has to be proven", NULL},
    {"csv", "FILE", OPTION_STRING, V(csv), 0, 0, "all rows", NULL},
    {"diagram", "FILE", OPTION_STRING, V(diagram), 0, 0, "the Stanford diagram, SVG", NULL},
    {"verbose", NULL, OPTION_FLAG, V(verbose), 0, 0, "a line for each drive", NULL},
};

static const struct command command = {
    .name = "integrity",
    .is_program = true,
    .summary = "shows what an OK of the Localizer is worth",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

static struct judges judges;

struct taking {
    uint64_t run;
    FILE *csv;
};

static void take(void *user, const struct drive_row *row)
{
    const struct taking *taking = user;
    const struct integrity_verdict *v = &row->verdict;
    judges_row(&judges, row);
    if (taking->csv) {
        fprintf(taking->csv, "%llu,%.2f,%.4f,%d,%s,%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.3f,%.3f,%.2f\n",
                (unsigned long long)taking->run, row->time_s, row->error_m, row->state,
                rules_state_name(v->state), rules_reason_name(v->reason), v->basis, v->level_m,
                v->protection.sigma_m, v->protection.separation_m, v->protection.offset_m,
                v->protection.contradicted_m, v->continuity, v->fit, v->lead);
    }
}

static void drive(const struct values *values, uint64_t i, struct taking *taking)
{
    struct drive_sink sink = {take, taking};
    struct drive_about about;
    int kind = -1, what = -1;
    for (int k = 0; values->world && k < WORLD_KINDS; k++) {
        kind = strcmp(values->world, world_name((enum world_kind)k)) == 0 ? k : kind;
    }
    for (int k = 0; values->what && k < DRIVE_CASES; k++) {
        what = strcmp(values->what, drive_case_name((enum drive_case)k)) == 0 ? k : what;
    }
    taking->run = 2 * i + values->held_out;
    judges_begin(&judges);
    drive_run(taking->run, kind, what, &values->drive, &sink, &about);
    judges_end(&judges, &about);
    if (values->verbose) {
        printf("%6llu %-9s %-7s plan %2.0f mm, moved %2.0f %%, %d people, at %4.1f s",
               (unsigned long long)taking->run, world_name(about.kind), drive_case_name(about.what),
               1e3 * about.survey_m, 100.0 * about.moved_share, about.people, about.event_s);
        const struct tally_counts *c = &judges.tallies[JUDGE_ALL].run;
        printf("  %3zu of %3zu bad", c->hazardous, c->ok);
        printf("\n");
        fflush(stdout);
    }
}

static void print_tables(void)
{
    judges_print(&judges);
}

static void print_limits(void)
{
    const struct tally *m = &judges.tallies[JUDGE_ALL];
    row_at_most("hazardous beyond the time to alert, of OK rows",
                100.0 * tally_share(m->all.hazardous, m->all.ok), 0.2, "%");
    row_at_most("runs with such rows", 100.0 * tally_share(m->all.hazardous_runs, m->all.runs), 3.0,
                "%");
    row_at_most("misleading, of OK rows", tally_share(m->all.misleading, m->all.ok), 2e-3, "");
    row_at_most("of these with an error below the alert limit",
                tally_share(m->all.misleading_small, m->all.ok), 2e-4, "");
    row_at_most("worst alert after a carry of 0.5 m or more", m->carried_alert_s, TALLY_ALERT_S,
                "s");
    const struct tally_counts *office = &m->undisturbed_kinds[WORLD_OFFICE];
    if (office->runs > 0) {
        row_at_least("OK in undisturbed office rows", 100.0 * tally_share(office->ok, office->rows),
                     95.0, "%");
    }
}

static int write_diagram(const char *file)
{
    static const char *const names[JUDGES] = {"all", "told", "proven", "followed"};
    return diagram_write(file, judges.diagrams, names, JUDGES);
}

static int run_all(const struct values *values)
{
    struct taking taking = {.csv = values->csv ? fopen(values->csv, "w") : NULL};
    if (values->csv && !taking.csv) {
        return -errno;
    }
    if (taking.csv) {
        fprintf(taking.csv, "run,time,error,published,state,reason,basis,level,scan_sigma,"
                            "separation,offset,contradicted,continuity,fit,lead\n");
    }
    for (uint64_t i = values->first; i < values->first + values->runs; i++) {
        drive(values, i, &taking);
    }
    int err = taking.csv && fclose(taking.csv) != 0 ? -errno : 0;
    return err == 0 && values->diagram ? write_diagram(values->diagram) : err;
}

int main(int argc, char **argv)
{
    static const struct rows_group groups[] = {{"tables", print_tables, NULL},
                                               {"limits", print_limits, NULL}};
    struct values values = {.runs = 40,
                            .first = 1,
                            .drive = {.seconds = 80.0, .correlation = LOCALIZER_USUAL_CORRELATION}};
    int code = rows_options(&command, argc, argv, &values);
    if (code >= 0) {
        return code;
    }
    int err = run_all(&values);
    if (err < 0) {
        fprintf(stderr, "integrity: %s\n", strerror(-err));
        return 1;
    }
    return rows_run(&command, groups, sizeof groups / sizeof groups[0]);
}
