/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <stdio.h>
#include <string.h>

#include "drive.h"
#include "frame.h"

#define DEG             (DPL_PI / 180.0)
#define OF_TWELVE       12.0
#define CALM_S          600.0 /* one drive without a fault */
#define SURVEY_M        0.010
#define BASE_RADIUS_M   0.177 /* of a Kobuki */
#define IN_SIGHT_S      5.0
#define IN_SIGHT_OVER_S 20.0
#define TRIES           20
#define TWIST_S         2.0 /* after the fault's begin */
#define AFTER_TWIST_S   60.0
#define POISSON_95      2.996 /* none seen: less than this, at 95 % */

struct row {
    const char *name;
    enum robot_fault fault;
    enum drive_fault around;
    double amount, lasts_s;
    enum verdict verdict;
    double median_s, worst_s; /* limits of the time to detection */
    int least;                /* right verdicts of twelve */
    double rms_mm, max_mm;    /* of the pose's error during the fault; 0: not judged */
    bool in_sight;            /* only drives that see the thing often enough, by the truth */
};

static const struct row table[] = {
    {"no scans", ROBOT_LASER_ABSENT, 0, 0.0, 5.0, VERDICT_NO_LASER, 0.7, 0.7, 10, 0, 0},
    {"frozen scans", ROBOT_LASER_FROZEN, 0, 0.0, 5.0, VERDICT_FROZEN_LASER, 0.6, 2.0, 10, 0, 0},
    {"kidnapped", ROBOT_KIDNAPPED, 0, 0.0, 20.0, VERDICT_KIDNAP, 1.0, 2.0, 10, 0, 0},
    {"left wheel blocked", ROBOT_BLOCKED_LEFT, 0, 0.0, 8.0, VERDICT_BLOCKED, 1.2, 1.2, 10, 2, 10},
    {"drive dead", ROBOT_BLOCKED_BOTH, 0, 0.0, 8.0, VERDICT_BLOCKED, 1.2, 1.2, 10, 2, 10},
    {"left encoder dead", ROBOT_ENCODER_LEFT, 0, 1.0, 8.0, VERDICT_ENCODER, 1.2, 1.2, 10, 4, 24},
    {"left encoder loses 40 %", ROBOT_ENCODER_LEFT, 0, 0.4, 8.0, VERDICT_ENCODER, 2.0, 4.4, 10, 4,
     24},
    {"left wheel slips 30 %", ROBOT_SLIPS_LEFT, 0, 0.3, 8.0, VERDICT_SLIP, 1.0, 2.0, 10, 10, 48},
    {"left wheel slips 50 %", ROBOT_SLIPS_LEFT, 0, 0.5, 8.0, VERDICT_SLIP, 1.2, 1.8, 10, 10, 48},
    {"both wheels slip 30 %", ROBOT_SLIPS_BOTH, 0, 0.3, 8.0, VERDICT_SLIP, 1.6, 2.4, 10, 10, 48},
    {"both wheels spin", ROBOT_SLIPS_BOTH, 0, 1.0, 8.0, VERDICT_SLIP, 0.8, 1.0, 10, 26, 64},
    {"pushed 0.1 m/s sideways", ROBOT_PUSHED, 0, 0.1, 8.0, VERDICT_PUSH, 1.0, 1.2, 10, 2, 14},
    {"gyro dead", ROBOT_GYRO_SCALE, 0, 1.0, 40.0, VERDICT_GYRO, 40.0, 40.0, 10, 4, 20},
    {"gyro drifts 5 deg/s", ROBOT_GYRO_DRIFT, 0, 5.0 * DEG, 40.0, VERDICT_GYRO, 40.0, 40.0, 10, 4,
     20},
    {"laser turns 3 deg", ROBOT_LASER_YAW, 0, 3.0 * DEG, 40.0, VERDICT_LASER, 1.8, 32.0, 10, 20,
     124},
    {"scans 50 ms later", ROBOT_LATENCY, 0, 0.05, 40.0, VERDICT_LATENCY, 12.0, 32.0, 10, 4, 20},
    {"left radius 3 % less", ROBOT_RADIUS_LEFT, 0, 0.03, 80.0, VERDICT_RADIUS, 54.0, 68.0, 8, 4,
     20},
    {"a third of objects moved 0.5 m", 0, DRIVE_OBJECTS_MOVED, 0.5, 60.0, VERDICT_MAP_CHANGED, 60.0,
     60.0, 10, 15, 40},
    {"unknown pillar", 0, DRIVE_OBJECT_ADDED, 0.0, 40.0, VERDICT_UNKNOWN_OBJECT, 40.0, 40.0, 10, 4,
     20},
    {"unknown pillar, in sight", 0, DRIVE_OBJECT_ADDED, 0.0, 40.0, VERDICT_UNKNOWN_OBJECT, 40.0,
     40.0, 10, 4, 20, true},
    {"avatar 1 m off", 0, DRIVE_AVATAR_FAR, 1.0, 5.0, VERDICT_AVATAR, 1.0, 1.0, 10, 4, 20},
};

void rows_config_init(struct rows_config *ret_config)
{
    *ret_config = (struct rows_config){.world = "profiles/worlds/office.xml",
                                       .first = 1,
                                       .seeds = 12,
                                       .hours = 1.0,
                                       .objects = true,
                                       .n_beams = 682,
                                       .twist_for_s = (double)INFINITY,
                                       .gyro = true};
}

struct counts {
    unsigned detected, right, false_alarms, others;
    double times_s[ROWS_SEEDS_MAX];
    double sum2, n, max_m; /* of the pose's error, over the scans of all drives */
    double straight_sum2;
    double headings_rad[ROWS_SEEDS_MAX]; /* errors at the end */
    unsigned drives;
    unsigned instead[VERDICTS];
};

static void count(const struct row *row, double from_s, const struct drive_result *result,
                  struct counts *counts)
{
    counts->detected += result->detected;
    counts->false_alarms += result->false_alarms;
    counts->others += result->others;
    counts->sum2 += result->rms_m * result->rms_m * result->n_scans;
    counts->straight_sum2 += result->straight_rms_m * result->straight_rms_m * result->n_scans;
    counts->headings_rad[counts->drives++] = fabs(result->last_rad);
    counts->n += result->n_scans;
    counts->max_m = fmax(counts->max_m, result->max_m);
    if (result->detected && result->first.what.verdict == row->verdict) {
        counts->times_s[counts->right++] = result->first.stamp_s - from_s;
    } else if (result->detected) {
        counts->instead[result->first.what.verdict]++;
    }
}

static bool print_row(const struct rows_config *config, const struct row *row,
                      struct counts *counts)
{
    double median_s = (double)INFINITY, worst_s = (double)INFINITY;
    if (counts->right > 0) {
        median_s = rows_median(counts->times_s, counts->right);
        worst_s = counts->times_s[counts->right - 1];
    }
    bool kept = counts->right >= row->least / OF_TWELVE * (double)config->seeds &&
                median_s <= row->median_s && worst_s <= row->worst_s && counts->false_alarms == 0;
    double rms_mm = 1e3 * sqrt(counts->sum2 / fmax(1.0, counts->n)), max_mm = 1e3 * counts->max_m;
    bool holds = row->rms_mm <= 0.0 || (rms_mm <= row->rms_mm && max_mm <= row->max_mm);
    printf("%-31s %-14s %3u/%u %6.2f %5.1f %6.2f %5.1f  %6.1f %3.0f %6.1f %3.0f  %s%s", row->name,
           verdict_name(row->verdict), counts->right, (unsigned)config->seeds, median_s,
           row->median_s, worst_s, row->worst_s, rms_mm, row->rms_mm, max_mm, row->max_mm,
           kept ? "kept" : "MISSED", holds ? "" : ", pose MISSED");
    for (int i = 0; i < VERDICTS; i++) {
        if (counts->instead[i] > 0) {
            printf(", %u as %s", counts->instead[i], verdict_name((enum verdict)i));
        }
    }
    if (counts->detected < config->seeds) {
        printf(", %u not seen", (unsigned)config->seeds - counts->detected);
    }
    if (counts->others > 0) {
        printf(", %u further verdicts", counts->others);
    }
    if (row->fault == ROBOT_LATENCY) { /* a delay and a slip look the same until then */
        printf(", %.1f mm rms of it before the robot turned otherwise",
               1e3 * sqrt(counts->straight_sum2 / fmax(1.0, counts->n)));
    }
    if (config->twist_deg != 0.0) {
        double median = rows_median(counts->headings_rad, counts->drives);
        printf(", heading at the end off by %.2f deg, worst %.2f", median / DEG,
               counts->headings_rad[counts->drives - 1] / DEG);
    }
    printf("%s\n", counts->false_alarms > 0 ? ", false before it" : "");
    fflush(stdout);
    return kept && holds;
}

static double run_drive(const struct rows_config *config, const struct row *row, unsigned seed,
                        struct drive_result *ret_result)
{
    struct drive_config drive;
    drive_config_init(&drive);
    drive.world = config->world;
    drive.n_beams = (size_t)config->n_beams;
    drive.seed = seed;
    drive.fault = row->fault;
    drive.around = row->around;
    drive.amount = row->amount;
    drive.from_s += 0.37 * seed; /* at any moment of a scan and a manoeuvre */
    drive.has_gyro = config->gyro;
    drive.trace = config->trace;
    drive.to_s = drive.from_s + row->lasts_s;
    drive.seconds = drive.to_s + 2.0;
    if (config->twist_deg != 0.0) {
        drive.twist_rad = config->twist_deg * DEG;
        drive.twist_from_s = drive.from_s + TWIST_S;
        drive.twist_to_s = drive.twist_from_s + config->twist_for_s;
        bool back = isfinite(drive.twist_to_s);
        drive.seconds = fmax(drive.to_s, back ? drive.twist_to_s : 0.0) + AFTER_TWIST_S;
    }
    drive_run(&drive, ret_result);
    return drive.from_s;
}

static bool sees_enough(const struct drive_result *result)
{
    return result->in_sight_s >= IN_SIGHT_S && result->in_sight_over_s >= IN_SIGHT_OVER_S;
}

/* A drive that hardly sees what stands there says nothing of the rule, and one that would touch
 * something goes on as no robot could, for the robot of this simulator has no body. The next seed
 * is taken. */
static bool run_row(const struct rows_config *config, const struct row *row)
{
    struct counts counts = {0};
    unsigned drives = 0;
    for (unsigned i = 0; drives < config->seeds && i < TRIES * config->seeds; i++) {
        struct drive_result result;
        double from_s = run_drive(config, row, (unsigned)config->first + i, &result);
        if (result.clearance_m > BASE_RADIUS_M && (!row->in_sight || sees_enough(&result))) {
            count(row, from_s, &result, &counts);
            drives++;
        }
    }
    return print_row(config, row, &counts);
}

/* Drives without a fault, every second one with three people around and others who stand. */
static bool run_calm(const struct rows_config *config)
{
    unsigned drives = (unsigned)ceil(config->hours * 3600.0 / CALM_S), alarms = 0;
    for (unsigned i = 0; i < drives; i++) {
        struct drive_config drive;
        struct drive_result result;
        drive_config_init(&drive);
        drive.world = config->world;
        drive.n_beams = (size_t)config->n_beams;
        drive.seed = 1000 * (unsigned)config->first + 1 + i;
        drive.trace = config->trace;
        drive.objects = config->objects;
        drive.has_gyro = config->gyro;
        drive.people = i % 2 ? 3 : 0;
        drive.bystanders = i % 2;
        drive.survey_m = i % 3 == 2 ? SURVEY_M : 0.0;
        drive.from_s = drive.seconds = CALM_S;
        drive_run(&drive, &result);
        alarms += result.false_alarms;
        if (result.false_alarms > 0) {
            printf("  drive %u: %u false, last %s\n", drive.seed > 0 ? i : 0, result.false_alarms,
                   verdict_name(result.false_one));
        }
    }
    double hours = drives * CALM_S / 3600.0;
    printf("false verdicts in %.1f h of driving: %u", hours, alarms);
    if (alarms == 0) {
        printf(" (less than %.1f per hour at 95 %%)", POISSON_95 / hours);
    }
    printf("\n");
    return alarms == 0;
}

static void print_head(void)
{
    printf("%-31s %-14s %6s %6s %5s %6s %5s  %6s %3s %6s %3s\n", "fault", "verdict", "right",
           "median", "limit", "worst", "limit", "rms mm", "lim", "max mm", "lim");
}

bool diagnosis_rows(const struct rows_config *config)
{
    bool kept = true;
    print_head();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!config->only || strstr(table[i].name, config->only)) {
            kept = run_row(config, &table[i]) && kept;
        }
    }
    if (config->hours > 0.0) {
        kept = run_calm(config) && kept;
    }
    return kept;
}
