/* SPDX-License-Identifier: Apache-2.0 */
#include "judges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *judge_name(enum judge judge)
{
    static const char *const names[JUDGES] = {"all", "told", "proven", "followed"};
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
    bool ok = row->decided;
    const bool oks[JUDGES] = {
        [JUDGE_ALL] = ok,
        [JUDGE_TOLD] = ok && v->basis == INTEGRITY_TOLD,
        [JUDGE_PROVEN] = ok && v->basis == INTEGRITY_PROVEN,
        [JUDGE_FOLLOWED] = ok && v->basis == INTEGRITY_FOLLOWED,
    };
    judges->run_withheld[v->reason]++;
    for (int j = 0; j < JUDGES; j++) {
        struct tally_row counted = {row->time_s, row->error_m, v->level_m, oks[j]};
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
    printf("%-10s %8s %6s %12s %6s %12s %9s %11s %9s\n", "basis", "rows OK", "OK %", "hazardous %",
           "runs", "misleading %", "small %", "alert s", "carried s");
    for (int j = 0; j < JUDGES; j++) {
        const struct tally *t = &judges->tallies[j];
        const struct tally_counts *c = &t->all;
        printf("%-10s %8zu %6.1f %12.3f %6zu %12.3f %9.3f %11.1f %9.1f\n", judge_name(j), c->ok,
               percent(c->ok, c->rows), percent(c->hazardous, c->ok), c->hazardous_runs,
               percent(c->misleading, c->ok), percent(c->misleading_small, c->ok), t->worst_alert_s,
               t->carried_alert_s);
    }
}

static void print_counts(const struct judges *judges, const char *what, const char *name,
                         size_t offset)
{
    const char *at = (const char *)&judges->tallies[JUDGE_ALL] + offset;
    const struct tally_counts *c = (const struct tally_counts *)(const void *)at;
    if (c->runs > 0) {
        printf("%-12s %-10s %5zu %9zu %6.1f\n", what, name, c->runs, c->hazardous,
               percent(c->ok, c->rows));
    }
}

static void print_parts(const struct judges *judges)
{
    printf("\n%-12s %-10s %5s %9s %6s\n", "", "", "runs", "hazardous", "OK %");
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
    printf("\nundisturbed rows by reason, %%:");
    for (int i = 0; i < INTEGRITY_REASONS; i++) {
        if (judges->withheld[i] > 0) {
            printf(" %s %.1f", i == 0 ? "OK" : rules_reason_name((enum integrity_reason)i),
                   percent(judges->withheld[i], judges->n_undisturbed));
        }
    }
    printf("\n\n");
    fflush(stdout);
}
