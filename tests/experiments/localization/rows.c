/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <stdio.h>
#include <string.h>

#include "drives.h"
#include "frame.h"

#define NO_LIMIT (double)INFINITY
#define FREE                                                                                       \
    {                                                                                              \
        NO_LIMIT, NO_LIMIT, NO_LIMIT                                                               \
    }
#define SEEDS 6

struct row;

struct limits {
    double rms_mm, max_mm, rms_deg;
};

/* The worst of the seeds. */
struct worst {
    double rms_mm, max_mm, rms_deg, nees;
};

struct row {
    char letter;
    const char *name;
    void (*change)(struct trial *trial);
    struct limits limits;
    bool (*also)(const struct trial_result *results, unsigned n); /* NULL: nothing */
    unsigned n_seeds;                                             /* 0: SEEDS */
    size_t n_beams;                                               /* 0: as the drive has */
};

/* ---- what else must come of it ---- */

static double worst_parameter(const struct trial_result *r, unsigned n, int parameter)
{
    double worst = 0.0;
    for (unsigned i = 0; i < n; i++) {
        worst = fmax(worst, fabs(r[i].parameter_error[parameter]));
    }
    return worst;
}

static double worst_time(const struct trial_result *r, unsigned n, int first, int last)
{
    double worst = 0.0;
    for (unsigned i = 0; i < n; i++) {
        for (int k = first; k <= last; k++) {
            worst = fmax(worst, r[i].reached_s[k]);
        }
    }
    return worst;
}

static double worst_scale(const struct trial_result *r, unsigned n)
{
    return fmax(worst_parameter(r, n, LOCALIZER_SCALE_LEFT),
                worst_parameter(r, n, LOCALIZER_SCALE_RIGHT));
}

static bool also_wheels(const struct trial_result *r, unsigned n)
{
    bool ok = row_at_most("wheel scales, %", 100.0 * worst_scale(r, n), 0.3, "");
    ok &= row_at_most("axle, %", 100.0 * worst_parameter(r, n, LOCALIZER_AXLE_SCALE), 0.5, "");
    return ok & row_at_most("time offset, ms", 1e3 * worst_parameter(r, n, LOCALIZER_TIME_OFFSET),
                            5.0, "");
}

static bool also_identified(const struct trial_result *r, unsigned n)
{
    bool ok = row_at_most("wheel scales within 0.2 % after, s", worst_time(r, n, 0, 1), 172.0, "");
    ok &= row_at_most("axle within 0.3 % after, s", worst_time(r, n, 2, 2), 230.0, "");
    ok &= row_at_most("offset within 5 ms after, s", worst_time(r, n, 3, 3), 48.0, "");
    ok &= row_at_most("mount within 5 mm after, s", worst_time(r, n, 4, 5), 12.0, "");
    ok &= row_at_most("mount within 0.2 deg after, s", worst_time(r, n, 6, 6), 20.0, "");
    ok &= row_at_most("wheel scales at the end, %", 100.0 * worst_scale(r, n), 0.2, "");
    return ok & row_at_most("axle at the end, %", 100.0 * worst_parameter(r, n, 2), 0.3, "");
}

/* Nothing is missed here: it says what the first 12 s can tell. */
static bool also_told(const struct trial_result *r, unsigned n)
{
    unsigned unsure = 0, out_of_reach = 0;
    for (unsigned i = 0; i < n; i++) {
        const double *sigma = r[i].calibration.sigma;
        double x = 1e3 * sigma[LOCALIZER_MOUNT_X], y = 1e3 * sigma[LOCALIZER_MOUNT_Y];
        double bound =
            1e3 * fmax(r[i].bound_sigma[LOCALIZER_MOUNT_X], r[i].bound_sigma[LOCALIZER_MOUNT_Y]);
        printf(
            "      drive %u: deviation of the mount after 12 s %.1f, %.1f mm, bound of the worse "
            "%.1f mm; error %.1f, %.1f mm\n",
            i + 1, x, y, bound, 1e3 * r[i].parameter_error[LOCALIZER_MOUNT_X],
            1e3 * r[i].parameter_error[LOCALIZER_MOUNT_Y]);
        unsure += fmax(x, y) > 5.0 / 1.96;
        out_of_reach += bound > 5.0 / 1.96;
    }
    printf("      drives that do not tell it within 5 mm at 95 %%: %u of %u; to nobody: %u\n",
           unsure, n, out_of_reach);
    return true;
}

static bool also_named(const struct trial_result *r, unsigned n)
{
    double named = 0.0, moved = 0.0, wrong = 0.0;
    for (unsigned i = 0; i < n; i++) {
        named += r[i].n_moved_named;
        moved += r[i].n_moved;
        wrong += r[i].n_wrongly_named;
    }
    printf("      moved objects named: %.0f of %.0f, others named: %.0f\n", named, moved, wrong);
    return true;
}

static bool also_nees(const struct trial_result *r, unsigned n)
{
    double worst = 0.0, inside = 0.0, all = 0.0;
    for (unsigned i = 0; i < n; i++) {
        worst = fmax(worst, r[i].nees);
        inside += (double)r[i].n_inside;
        all += (double)r[i].n;
    }
    printf("      poses within 3 sigma: %.1f %%\n", 100.0 * inside / all);
    return row_at_most("NEES / 3", worst, 3.0, "");
}

static bool also_corridor(const struct trial_result *r, unsigned n)
{
    double flagged = 1.0, lateral = 0.0, sigmas = 0.0, along = 0.0;
    for (unsigned i = 0; i < n; i++) {
        flagged = fmin(flagged, (double)r[i].n_flagged / (double)r[i].n);
        lateral = fmax(lateral, r[i].lateral_rms_m);
        sigmas = fmax(sigmas, r[i].along_sigmas);
        along = fmax(along, r[i].along_max_m);
    }
    printf("      along, most: %.0f mm\n", 1e3 * along);
    bool ok = row_at_most("lateral RMS, mm", 1e3 * lateral, 8.0, "");
    ok &= row_at_least("scans flagged, share", flagged, 0.99, "");
    return ok & row_at_most("along, in sigmas", sigmas, 3.0, "");
}

static bool also_blind(const struct trial_result *r, unsigned n)
{
    double end = 0.0, most = 0.0, state = 0.0, back = 0.0, sum = 0.0;
    for (unsigned i = 0; i < n; i++) {
        sum += r[i].blind_end_m * r[i].blind_end_m;
        end = sqrt(sum / (i + 1));
        most = fmax(most, r[i].blind_max_m);
        state = fmax(state, r[i].blind_state_s);
        back = fmax(back, r[i].return_m);
    }
    bool ok = row_at_most("at the end of the gap, RMS mm", 1e3 * end, 80.0, "");
    ok &= row_at_most("in the gap, most mm", 1e3 * most, 200.0, "");
    ok &= row_at_most("state COASTING after, s", state, 0.5, "");
    return ok & row_at_most("from 1 s after the return, mm", 1e3 * back, 20.0, "");
}

static bool also_resolved(const struct trial_result *r, unsigned n)
{
    unsigned found = 0, resolved = 0, wrong = 0;
    double slowest = 0.0;
    for (unsigned i = 0; i < n; i++) {
        found += r[i].found_s <= 1.0;
        resolved += r[i].resolved_s <= 15.0;
        slowest = fmax(slowest, r[i].resolved_s);
        wrong += r[i].wrong;
    }
    printf("      slowest right again after %.1f s\n", slowest);
    bool ok = row_at_least("found within 1 s, share", (double)found / n, 0.95, "");
    ok &= row_at_least("resolved within 15 s, share", (double)resolved / n, 0.90, "");
    return ok & row_at_most("wrong decisions", wrong, 0.0, "");
}

static bool also_resolved_late(const struct trial_result *r, unsigned n)
{
    unsigned resolved = 0, wrong = 0;
    double slowest = 0.0;
    for (unsigned i = 0; i < n; i++) {
        resolved += r[i].resolved_s <= 60.0;
        slowest = fmax(slowest, r[i].resolved_s);
        wrong += r[i].wrong;
    }
    printf("      slowest right again after %.1f s\n", slowest);
    bool ok = row_at_least("resolved within 60 s, share", (double)resolved / n, 0.90, "");
    return ok & row_at_most("wrong decisions", wrong, 0.0, "");
}

static bool also_kept(const struct trial_result *r, unsigned n)
{
    unsigned lost = 0;
    for (unsigned i = 0; i < n; i++) {
        lost += r[i].n_off > 0;
    }
    return row_at_most("drives with a pose that was lost", lost, 0.0, "");
}

static bool also_undisturbed(const struct trial_result *r, unsigned n)
{
    double relocations = 0.0, verdicts = 0.0;
    for (unsigned i = 0; i < n; i++) {
        relocations += (double)r[i].relocations;
        verdicts += (double)r[i].verdicts;
    }
    bool ok = row_at_most("false verdicts, in all drives", verdicts, 0.0, "");
    return ok & row_at_most("jumps of the pose, in all drives", relocations, 0.0, "");
}

static const struct row table[] = {
    {'A', "data-sheet odometry", drive_data_sheet, {5, 20, 0.1}, also_wheels},
    {'B', "the same, 1 Hz", drive_one_hertz, {8, 25, 0.3}, NULL},
    {'B', "the same, 171 beams", drive_few_beams, {8, 25, 0.3}, NULL},
    {'C', "uncalibrated, turning laser", drive_uncalibrated, {5, 20, 0.3}, NULL},
    {'C', "the same, identified", drive_identified, {5, 20, 0.3}, also_identified},
    {'C', "the same, a turn on the spot first", drive_turned_first, {5, 20, 0.3}, also_identified},
    {'D', "range bias 20 mm", drive_range_bias, {5, 20, 0.2}, NULL},
    {'D', "range scale 2 %", drive_range_scale, {5, 20, 0.2}, NULL},
    {'E', "8 people", drive_people, {5, 20, 0.2}, NULL},
    {'E', "30 % moved 0.3 m", drive_rearranged, {5, 20, 0.2}, also_named},
    {'F', "60 % moved 0.5 m", drive_rearranged_more, {15, 40, 0.5}, also_named},
    {'G', "each object of the plan 10 mm off", drive_surveyed, {20, 45, 0.5}, also_nees},
    {'W', "the same, 5 mm", drive_surveyed_well, {10, 30, 0.3}, NULL},
    {'W', "the same, 20 mm", drive_surveyed_badly, FREE, NULL},
    {'H', "all at once", drive_everything, {25, 60, 0.6}, NULL},
    {'I', "corridor 40 m", drive_corridor, {NO_LIMIT, NO_LIMIT, 0.3}, also_corridor},
    {'J', "unknown start", drive_unknown_start, FREE, also_resolved, 20},
    {'J', "kidnapped", drive_kidnapped, FREE, also_resolved, 20},
    {'J', "start 1.7 m wrong", drive_wrong_start, FREE, also_resolved, 20},
    {'J', "unknown start, 90 beams", drive_unknown_start, FREE, also_resolved, 20, 90},
    {'J', "kidnapped, 90 beams", drive_kidnapped, FREE, also_resolved, 20, 90},
    {'J', "start 1.7 m wrong, 90 beams", drive_wrong_start, FREE, also_resolved, 20, 90},
    {'O', "unknown start, a third moved", drive_unknown_start_rearranged, FREE, also_resolved, 20},
    {'O', "kidnapped, a third moved", drive_kidnapped_rearranged, FREE, also_resolved, 20},
    {'O', "start 1.7 m off, a third moved", drive_wrong_start_rearranged, FREE, also_resolved, 20},
    {'P', "a fifth of the walls of glass", drive_glass, {15, 40, 0.5}, also_kept},
    {'P', "glass seen within 10 deg", drive_glass_seen_head_on, {15, 40, 0.5}, also_kept},
    {'P', "a tenth of the walls not in the plan", drive_unknown_walls, {15, 40, 0.5}, also_kept},
    {'P', "unknown start, glass", drive_glass_unknown_start, FREE, also_resolved, 20},
    {'P', "kidnapped, glass", drive_glass_kidnapped, FREE, also_resolved, 20},
    {'Q', "C, all noise known to the Localizer", drive_known_noise, FREE, also_told},
    {'S', "unknown start, 1 Hz", drive_seldom_seen, FREE, also_resolved_late, 20},
    {'L', "no scans for 15 s", drive_absent, FREE, also_blind},
    {'L', "frozen scans for 15 s", drive_frozen, FREE, also_blind},
    {'X', "base silent for 0.8 s of 6 s", drive_base_silent, {5, 20, 0.3}, also_undisturbed, 20},
    {'X', "the same, 1.5 s of 8 s", drive_base_silent_long, {5, 20, 0.3}, also_undisturbed, 20},
    {'U', "scans 150 ms late", drive_scans_delayed, {5, 20, 0.5}, NULL},
    {'U', "scans 300 ms late", drive_scans_late, {5, 20, 0.5}, NULL},
    {'V', "the room 1 % larger than its plan", drive_larger_room, FREE, NULL},
    {'T', "A for ten minutes, 171 beams", drive_long, {8, 25, 0.3}, also_kept, 100},
};

#define SEEDS_MAX 1000

static void print_interval(const struct trial_result *r, unsigned n)
{
    double held = 0.0, all = 0.0, half2 = 0.0, least = 1.0;
    for (unsigned i = 0; i < n; i++) {
        double judged = fmax(1.0, (double)r[i].n);
        held += (double)r[i].n_held;
        all += (double)r[i].n;
        half2 += (double)r[i].n * r[i].rms_interval_m * r[i].rms_interval_m;
        least = fmin(least, (double)r[i].n_held / judged);
    }
    printf(
        "      interval of 95 %%: half width %.1f mm RMS, holds the truth in %.1f %% (worst seed "
        "%.1f %%)\n",
        1e3 * sqrt(half2 / fmax(1.0, all)), 100.0 * held / fmax(1.0, all), 100.0 * least);
}

static bool check_row(const struct row *row, const struct trial_result *results, unsigned n)
{
    struct worst w = {0};
    for (unsigned i = 0; i < n; i++) {
        w.rms_mm = fmax(w.rms_mm, 1e3 * results[i].rms_m);
        w.max_mm = fmax(w.max_mm, 1e3 * results[i].max_m);
        w.rms_deg = fmax(w.rms_deg, dpl_rad_to_deg(results[i].rms_rad));
        w.nees = fmax(w.nees, results[i].nees);
    }
    bool ok = w.rms_mm <= row->limits.rms_mm && w.max_mm <= row->limits.max_mm &&
              w.rms_deg <= row->limits.rms_deg;
    printf("%c %-36s rms %6.2f -> %-4g max %6.1f -> %-4g mm, heading %6.3f -> %-4g deg  %s"
           "  (NEES/3 %.2f)\n",
           row->letter, row->name, w.rms_mm, row->limits.rms_mm, w.max_mm, row->limits.max_mm,
           w.rms_deg, row->limits.rms_deg, ok ? "ok" : "MISSED", w.nees);
    print_interval(results, n);
    return (!row->also || row->also(results, n)) && ok;
}

static bool run_row(const struct row *row, const struct localization_options *options)
{
    static struct trial_result results[SEEDS_MAX];
    unsigned own = row->n_seeds > 0 ? row->n_seeds : SEEDS;
    unsigned n = asked->seeds > 0 ? (unsigned)asked->seeds : own;
    for (unsigned i = 0; i < n; i++) {
        struct trial trial;
        trial_init(&trial);
        trial.world = options->world;
        row->change(&trial);
        size_t n_beams = options->n_beams > 0 ? (size_t)options->n_beams : row->n_beams;
        trial.faults.n_beams = n_beams > 0 ? n_beams : trial.faults.n_beams;
        trial.seconds = options->seconds > 0.0 ? options->seconds : trial.seconds;
        trial_run(&trial, (unsigned)options->first + i, &results[i]);
        if (options->verbose) {
            printf("  seed %u: %.2f mm max %.1f, %.3f deg, NEES/3 %.2f, agreement %.3f, found %.1f "
                   "resolved %.1f wrong %u, mount %.1f s\n",
                   (unsigned)options->first + i, 1e3 * results[i].rms_m, 1e3 * results[i].max_m,
                   dpl_rad_to_deg(results[i].rms_rad), results[i].nees, results[i].agreement,
                   results[i].found_s, results[i].resolved_s, results[i].wrong,
                   worst_time(&results[i], 1, LOCALIZER_MOUNT_X, LOCALIZER_MOUNT_Y));
        }
    }
    return check_row(row, results, n);
}

bool localization_rows(const struct localization_options *options)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strchr(options->rows, table[i].letter)) {
            ok &= run_row(&table[i], options);
            fflush(stdout);
        }
    }
    return ok;
}
