/* SPDX-License-Identifier: Apache-2.0 */
#include "judges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEVIATIONS 3.72 /* in the plane: 1 in 1000 */

const char *judge_name(enum judge judge)
{
    static const char *const names[JUDGES] = {"published",       "published, in limit",
                                              "monitor",         "monitor, told",
                                              "monitor, proven", "monitor, followed"};
    return names[judge];
}

void judges_begin(struct judges *judges)
{
    memset(judges->run_withheld, 0, sizeof judges->run_withheld);
    for (int j = 0; j < JUDGES; j++) {
        tally_begin(&judges->tallies[j]);
    }
}

void judges_row(struct judges *judges, const struct drive_row *row)
{
    const struct integrity_verdict *v = &row->verdict;
    bool ok = v->state == INTEGRITY_OK;
    double level_m = DEVIATIONS * row->sigma_m;
    const bool oks[JUDGES] = {
        [JUDGE_PUBLISHED] = row->decided,
        [JUDGE_LIMITED] = row->decided && level_m <= TALLY_LIMIT_M,
        [JUDGE_MONITOR] = ok,
        [JUDGE_TOLD] = ok && v->basis == INTEGRITY_TOLD,
        [JUDGE_PROVEN] = ok && v->basis == INTEGRITY_PROVEN,
        [JUDGE_FOLLOWED] = ok && v->basis == INTEGRITY_FOLLOWED,
    };
    judges->run_withheld[v->reason]++;
    for (int j = 0; j < JUDGES; j++) {
        struct tally_row counted = {row->time_s, row->error_m,
                                    j < JUDGE_MONITOR ? level_m : v->level_m, oks[j]};
        tally_add(&judges->tallies[j], &counted);
        diagram_add(&judges->diagrams[j], &counted);
    }
}

void judges_end(struct judges *judges, const struct drive_about *about)
{
    for (int j = 0; j < JUDGES; j++) {
        tally_end(&judges->tallies[j], about);
    }
    for (int i = 0; about->what == DRIVE_RIGHT && i < INTEGRITY_REASONS; i++) {
        judges->withheld[i] += judges->run_withheld[i];
        judges->n_undisturbed += judges->run_withheld[i];
    }
}

static double percent(size_t part, size_t all)
{
    return 100.0 * tally_share(part, all);
}

static void print_judges(const struct judges *judges)
{
    printf("%-20s %8s %6s %12s %6s %12s %9s %11s %9s\n", "judge", "rows OK", "OK %", "hazardous %",
           "runs", "misleading %", "small %", "alert s", "carried s");
    for (int j = 0; j < JUDGES; j++) {
        const struct tally *t = &judges->tallies[j];
        const struct tally_counts *c = &t->all;
        printf("%-20s %8zu %6.1f %12.3f %6zu %12.3f %9.3f %11.1f %9.1f\n", judge_name(j), c->ok,
               percent(c->ok, c->rows), percent(c->hazardous, c->ok), c->hazardous_runs,
               percent(c->misleading, c->ok), percent(c->misleading_small, c->ok), t->worst_alert_s,
               t->carried_alert_s);
    }
}

static void print_counts(const struct judges *judges, const char *what, const char *name,
                         size_t offset)
{
    const struct tally_counts *c[3];
    for (int j = 0; j <= JUDGE_MONITOR; j++) {
        const char *at = (const char *)&judges->tallies[j] + offset;
        c[j] = (const struct tally_counts *)(const void *)at;
    }
    if (c[0]->runs > 0) {
        printf("%-12s %-10s %5zu %9zu %9zu %9zu %11.1f %9.1f %9.1f\n", what, name, c[0]->runs,
               c[0]->hazardous, c[1]->hazardous, c[2]->hazardous, percent(c[0]->ok, c[0]->rows),
               percent(c[1]->ok, c[1]->rows), percent(c[2]->ok, c[2]->rows));
    }
}

static void print_parts(const struct judges *judges)
{
    printf("\n%-12s %-10s %5s %9s %9s %9s %11s %9s %9s\n", "", "", "runs", "hazardous", "limited",
           "monitor", "OK %", "limited", "monitor");
    for (int i = 0; i < DRIVE_CASES; i++) {
        print_counts(judges, "case", drive_case_name((enum drive_case)i),
                     offsetof(struct tally, cases) + (size_t)i * sizeof(struct tally_counts));
    }
    for (int i = 0; i < WORLD_KINDS; i++) {
        print_counts(judges, "world", world_name((enum world_kind)i),
                     offsetof(struct tally, kinds) + (size_t)i * sizeof(struct tally_counts));
    }
    for (int i = 0; i < WORLD_KINDS; i++) {
        print_counts(judges, "undisturbed", world_name((enum world_kind)i),
                     offsetof(struct tally, undisturbed_kinds) +
                         (size_t)i * sizeof(struct tally_counts));
    }
}

void judges_print(const struct judges *judges)
{
    print_judges(judges);
    print_parts(judges);
    printf("\nundisturbed rows by the monitor's reason, %%:");
    for (int i = 0; i < INTEGRITY_REASONS; i++) {
        if (judges->withheld[i] > 0) {
            printf(" %s %.1f", i == 0 ? "OK" : rules_reason_name((enum integrity_reason)i),
                   percent(judges->withheld[i], judges->n_undisturbed));
        }
    }
    printf("\n\n");
    fflush(stdout);
}
