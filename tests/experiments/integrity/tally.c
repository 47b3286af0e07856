/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <math.h>
#include <string.h>

void tally_begin(struct tally *tally)
{
    memset(&tally->run, 0, sizeof tally->run);
    tally->hazard_s = tally->mislead_s = (double)NAN;
    tally->run_alert_s = 0.0;
}

/* How long it has lasted. */
static double since(double *from_s, bool now, double time_s)
{
    if (!now) {
        *from_s = (double)NAN;
        return 0.0;
    }
    *from_s = isnan(*from_s) ? time_s : *from_s;
    return time_s - *from_s;
}

void tally_add(struct tally *tally, const struct tally_row *row)
{
    struct tally_counts *run = &tally->run;
    bool wrong = row->ok && row->error_m > TALLY_LIMIT_M;
    bool beyond = row->ok && row->error_m > row->level_m;
    double wrong_s = since(&tally->hazard_s, wrong, row->time_s);
    double beyond_s = since(&tally->mislead_s, beyond, row->time_s);
    run->rows++;
    run->ok += row->ok;
    run->hazardous += wrong_s > TALLY_ALERT_S;
    run->misleading += beyond_s > TALLY_ALERT_S;
    run->misleading_small += beyond_s > TALLY_ALERT_S && !wrong;
    tally->run_alert_s = fmax(tally->run_alert_s, wrong_s);
}

static void add(struct tally_counts *to, const struct tally_counts *from)
{
    to->rows += from->rows;
    to->ok += from->ok;
    to->hazardous += from->hazardous;
    to->misleading += from->misleading;
    to->misleading_small += from->misleading_small;
    to->runs++;
    to->hazardous_runs += from->hazardous > 0;
}

void tally_end(struct tally *tally, const struct drive_about *about)
{
    enum drive_case what = about->what == DRIVE_CARRIED_AGAIN ? DRIVE_CARRIED : about->what;
    add(&tally->all, &tally->run);
    add(&tally->kinds[about->kind], &tally->run);
    add(&tally->cases[what], &tally->run);
    if (what == DRIVE_RIGHT) {
        add(&tally->undisturbed, &tally->run);
        add(&tally->undisturbed_kinds[about->kind], &tally->run);
    }
    tally->worst_alert_s = fmax(tally->worst_alert_s, tally->run_alert_s);
    if (what == DRIVE_CARRIED && about->carried_m >= 0.5) {
        tally->carried_alert_s = fmax(tally->carried_alert_s, tally->run_alert_s);
    }
}

double tally_share(size_t part, size_t all)
{
    return all > 0 ? (double)part / (double)all : 0.0;
}
