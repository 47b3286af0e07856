/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "delay.h"
#include "frame.h"
#include "localizer.h"
#include "log_player.h"
#include "map_file.h"
#include "mount.h"
#include "raycast.h"
#include <doppel/protocol/kobuki.h>

#define SWEEP_S     0.1  /* of a URG-04LX */
#define MIN_RANGE_M 0.1  /* nearer ones are the robot, as for doppel map */
#define RANGE_MIN_M 0.02 /* of a URG-04LX */
#define RANGE_MAX_M 5.6
#define ODOMETRY    (20 * DPL_MS) /* of a Kobuki */
#define FROM_S      10.0          /* judged from then on */
#define OFF_M       0.11
#define OFF_DEG     3.0
#define STARTS      8

/* The log, its map, and what all starts share. */
struct log_map {
    struct log_player player;
    struct recording recording;
    struct mapper mapper;
    struct mount_estimate mount;
    struct walls walls;
    struct dpl_raycast_outline *outlines; /* [4 * walls.n] */
    double delay_s, seconds;
    double odometry_noise; /* m per sqrt(m) of a wheel */
    double *distances;     /* [all beams of the recording] */
    FILE *trace;           /* NULL: none */
};

struct drive {
    struct log_map *map;
    struct localizer *localizer;
    struct dpl_pose2 start;
    size_t next;     /* scan */
    double judged_s; /* stamp of the last scan that was judged */
    double sum2, sum2_rad, max_m;
    size_t n, n_distances;
    struct localizer_calibration calibration;
    int number; /* of the start */
};

struct outcome {
    double rms_m, max_m, rms_rad, median_m;
    size_t n;
};

/* A wall of the map's world: from the visible surface back. */
static void outline_wall(const struct wall *wall, int number, struct dpl_raycast_outline ret[4])
{
    double back_x = -MAP_WALL_THICKNESS * wall->nx, back_y = -MAP_WALL_THICKNESS * wall->ny;
    double corners[4][2] = {
        {wall->x1, wall->y1},
        {wall->x2, wall->y2},
        {wall->x2 + back_x, wall->y2 + back_y},
        {wall->x1 + back_x, wall->y1 + back_y},
    };
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4];
        ret[i] = (struct dpl_raycast_outline){
            .x = a[0], .y = a[1], .dx = b[0] - a[0], .dy = b[1] - a[1], .owner = number};
    }
}

static int outline_walls(struct log_map *map)
{
    map->outlines = calloc(4 * map->walls.n + 1, sizeof *map->outlines);
    map->distances = calloc(map->recording.n_ranges + 1, sizeof *map->distances);
    for (size_t i = 0; map->outlines && i < map->walls.n; i++) {
        outline_wall(&map->walls.items[i], (int)i, &map->outlines[4 * i]);
    }
    return map->outlines && map->distances ? 0 : -ENOMEM;
}

/* How far the wheels are from what the mapping run says that the robot did, over the scans that are
 * in the map: slip, wrong wheels, and the errors of matching. */
static void measure_odometry(struct log_map *map)
{
    double sum2 = 0.0, way = 1e-9;
    for (size_t i = 2; i < map->recording.n; i += 2) {
        const struct dpl_pose2 *poses = map->mapper.poses;
        struct dpl_pose2 did = dpl_pose2_relative(poses[i - 2], poses[i]);
        struct dpl_pose2 said = dpl_pose2_relative(mapper_odometry(&map->recording, i - 2),
                                                   mapper_odometry(&map->recording, i));
        double half = 0.5 * DPL_KOBUKI_AXLE_M, turn = dpl_wrap_angle(did.theta - said.theta);
        double left = did.x - said.x - half * turn, right = did.x - said.x + half * turn;
        sum2 += left * left + right * right;
        way += fabs(said.x - half * said.theta) + fabs(said.x + half * said.theta);
    }
    map->odometry_noise = sqrt(sum2 / way);
}

static int make_map(struct log_map *map, const char *log, struct dpl_diag *reterr)
{
    const struct mapper_options options = {
        .points = {.sweep_s = SWEEP_S, .min_range_m = MIN_RANGE_M}, .hold_out = 2};
    static char file[4096];
    int err = recording_read(log, file, sizeof file, &map->recording, reterr);
    err = err < 0 ? err : log_player_load(log, &map->player, reterr);
    if (err < 0) {
        return err;
    }
    err = delay_estimate(&map->recording, &options.points, &map->delay_s);
    err = err < 0 ? err : delay_apply(&map->recording, map->delay_s);
    err = err < 0 ? err : mount_build(&map->recording, &options, &map->mapper, &map->mount, reterr);
    err = err < 0 ? err : walls_find(&map->mapper.map, 3, &map->walls);
    if (err == 0) {
        measure_odometry(map);
    }
    return err < 0 ? err : outline_walls(map);
}

static void finish(struct log_map *map)
{
    walls_finish(&map->walls);
    mapper_finish(&map->mapper);
    recording_finish(&map->recording);
    log_player_finish(&map->player);
    free(map->outlines);
    free(map->distances);
}

static struct localizer_odometry odometry_at(const struct log_map *map, dpl_ns at)
{
    struct log_motion motion = log_player_motion(&map->player, at);
    return (struct localizer_odometry){
        .stamp_s = dpl_ns_to_s(at),
        .left_m = motion.left_rad * DPL_KOBUKI_WHEEL_RADIUS_M,
        .right_m = motion.right_rad * DPL_KOBUKI_WHEEL_RADIUS_M,
    }; /* no gyro: the log has none */
}

/* From one time to a later one by the odometry as it is calibrated. */
static struct dpl_pose2 moved(const struct drive *d, double from_s, double to_s)
{
    const double *scale = d->calibration.value;
    struct dpl_pose2 pose = {0};
    struct localizer_odometry a = odometry_at(d->map, dpl_ns_from_s(from_s));
    for (int i = 1; i <= 20; i++) {
        struct localizer_odometry b =
            odometry_at(d->map, dpl_ns_from_s(from_s + i * (to_s - from_s) / 20.0));
        double left = scale[LOCALIZER_SCALE_LEFT] * (b.left_m - a.left_m);
        double right = scale[LOCALIZER_SCALE_RIGHT] * (b.right_m - a.right_m);
        double turn = (right - left) / (DPL_KOBUKI_AXLE_M * scale[LOCALIZER_AXLE_SCALE]);
        double way = 0.5 * (left + right);
        struct dpl_pose2 step = {way * cos(0.5 * turn), way * sin(0.5 * turn), turn};
        pose = dpl_pose2_compose(pose, step);
        a = b;
    }
    return pose;
}

/* The ends of the scan's beams, from where the Localizer says that they were measured. */
static void measure_beams(struct drive *d, size_t scan, struct dpl_pose2 pose)
{
    struct log_map *map = d->map;
    size_t n = mapper_points(&map->mapper, scan);
    for (size_t i = 0; i < n; i++) {
        const struct scan_point *p = &map->mapper.points[i];
        struct dpl_pose2 end = dpl_pose2_compose(pose, (struct dpl_pose2){p->x, p->y, 0.0});
        map->distances[d->n_distances++] = walls_distance(&map->walls, end.x, end.y);
    }
}

/* One row: the robot's error in its own frame, and what the Localizer says of itself. */
static void write_trace(const struct drive *d, size_t scan, struct dpl_pose2 pose,
                        const struct localizer_estimate *e)
{
    static const char *const states[] = {"INIT",      "TRACKING", "DEGRADED", "COASTING",
                                         "AMBIGUOUS", "LOST",     "MAP_WRONG"};
    struct dpl_pose2 wanted = d->map->mapper.poses[scan];
    struct dpl_pose2 off = dpl_pose2_relative(wanted, pose);
    FILE *trace = d->map->trace;
    fprintf(trace, "%d,%.3f,%.4f,%.4f,%.5f,", d->number, d->map->recording.scans[scan].time_s,
            wanted.x, wanted.y, wanted.theta);
    fprintf(trace, "%.1f,%.1f,%.3f,%s,%u,", 1e3 * off.x, 1e3 * off.y, dpl_rad_to_deg(off.theta),
            states[e->state], e->hypotheses);
    fprintf(trace, "%.3f,%.3f,%.3f,%.2f,%.1f", e->agreement, e->too_short, e->too_long, e->nis,
            1e3 * e->map_error_m);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        fprintf(trace, ",%.5f", d->calibration.value[i]);
    }
    fprintf(trace, "\n");
}

/* The mapping run's pose is that of the instant of measuring: `delay_s` before the stamp. */
static void measure(struct drive *d, size_t scan)
{
    double stamp_s = d->map->recording.scans[scan].time_s;
    struct localizer_estimate e;
    localizer_estimate(d->localizer, stamp_s, &e);
    localizer_calibration(d->localizer, &d->calibration);
    struct dpl_pose2 since = moved(d, stamp_s - d->map->delay_s, e.stamp_s);
    struct dpl_pose2 back = dpl_pose2_relative(since, (struct dpl_pose2){0});
    struct dpl_pose2 pose = dpl_pose2_compose(e.pose, back), wanted = d->map->mapper.poses[scan];
    double off = dpl_pose2_distance(pose, wanted), turn = dpl_wrap_angle(pose.theta - wanted.theta);
    if (d->map->trace) {
        write_trace(d, scan, pose, &e);
    }
    if (stamp_s < FROM_S) {
        return;
    }
    d->n++;
    d->sum2 += off * off;
    d->sum2_rad += turn * turn;
    d->max_m = fmax(d->max_m, off);
    measure_beams(d, scan, pose);
}

static void give_scan(struct drive *d, size_t scan)
{
    const struct recorded_scan *from = &d->map->recording.scans[scan];
    localizer_scan(d->localizer, &(struct localizer_scan){
                                     .stamp_s = from->time_s,
                                     .n = from->n,
                                     .ranges = &d->map->recording.ranges[from->first],
                                     .start_angle = from->start_angle,
                                     .step_angle = from->step_angle,
                                     .range_min = RANGE_MIN_M,
                                     .range_max = RANGE_MAX_M,
                                     .mount = from->mount,
                                 });
}

static void run(struct drive *d)
{
    const struct recording *recording = &d->map->recording;
    for (dpl_ns now = 0; dpl_ns_to_s(now) <= d->map->seconds; now += ODOMETRY) {
        struct localizer_odometry odometry = odometry_at(d->map, now);
        localizer_odometry(d->localizer, &odometry);
        size_t given = recording->n;
        while (d->next < recording->n && recording->scans[d->next].time_s <= dpl_ns_to_s(now)) {
            if (mapper_is_held_out(&d->map->mapper, d->next)) {
                given = d->next;
                give_scan(d, given);
            }
            d->next++;
        }
        localizer_step(d->localizer, dpl_ns_to_s(now));
        if (given < recording->n) {
            measure(d, given);
        }
    }
}

/* As a user would set it: the start, the delay and the mount that `doppel map` prints, the laser's
 * turn, and wheels that slip as this robot's do. Mount, bias and scale of the ranges are those of
 * the map by definition: this laser has made it. */
static int make_localizer(struct drive *d)
{
    struct localizer_config config;
    localizer_config_init(&config);
    config.outlines = d->map->outlines;
    config.n_outlines = 4 * d->map->walls.n;
    config.n_objects = d->map->walls.n;
    config.axle_m = DPL_KOBUKI_AXLE_M;
    config.revolution_s = SWEEP_S;
    config.start = d->start;
    config.initial[LOCALIZER_TIME_OFFSET] = d->map->delay_s;
    config.initial_sigma[LOCALIZER_MOUNT_X] = config.initial_sigma[LOCALIZER_MOUNT_Y] = 0.0;
    config.initial_sigma[LOCALIZER_MOUNT_YAW] = 0.0;
    config.initial_sigma[LOCALIZER_RANGE_BIAS] = config.initial_sigma[LOCALIZER_RANGE_SCALE] = 0.0;
    config.odometry_noise = d->map->odometry_noise;
    config.judged = false;  /* the estimator is measured */
    config.diagnose = true; /* as the component does by default */
    return localizer_create(&config, &d->localizer);
}

static int drive(struct log_map *map, struct dpl_pose2 start, int number,
                 struct outcome *ret_outcome)
{
    struct drive d = {.map = map, .start = start, .number = number};
    int err = make_localizer(&d);
    if (err < 0) {
        return err;
    }
    run(&d);
    localizer_destroy(d.localizer);
    double n = fmax(1.0, (double)d.n);
    *ret_outcome = (struct outcome){
        .rms_m = sqrt(d.sum2 / n),
        .max_m = d.max_m,
        .rms_rad = sqrt(d.sum2_rad / n),
        .median_m = rows_median(map->distances, d.n_distances),
        .n = d.n,
    };
    return 0;
}

/* The same beams from where the mapping run has put their scans: no localization of single scans
 * can be expected to be nearer. */
static double beams_when_mapped(struct log_map *map)
{
    struct drive d = {.map = map};
    for (size_t i = 0; i < map->recording.n; i++) {
        if (mapper_is_held_out(&map->mapper, i) && map->recording.scans[i].time_s >= FROM_S) {
            measure_beams(&d, i, map->mapper.poses[i]);
        }
    }
    return rows_median(map->distances, d.n_distances);
}

static bool check_outcome(struct log_map *map, const struct outcome *w)
{
    bool ok = 1e3 * w->rms_m <= 40.0 && 1e3 * w->max_m <= 120.0 &&
              dpl_rad_to_deg(w->rms_rad) <= 2.0 && 1e3 * w->median_m <= 15.0;
    printf("N %-36s rms %6.2f -> 40   max %6.1f -> 120  mm, heading %6.3f -> 2    deg  %s\n",
           "a real robot's log, worst start", 1e3 * w->rms_m, 1e3 * w->max_m,
           dpl_rad_to_deg(w->rms_rad), ok ? "ok" : "MISSED");
    printf("      %-34s %9.3g -> 15 mm (at the poses of the mapping run %.1f mm)\n",
           "beams to the map, median", 1e3 * w->median_m, 1e3 * beams_when_mapped(map));
    printf(
        "      %zu scans, stamped %.0f ms late; map of every second one, %zu walls; %zu of the "
        "others judged,\n      from %.0f s on, %d starts %.2f m and %.0f deg off. Against the "
        "mapping run: nobody knows the truth.\n      Laser %.0f mm ahead, %.1f deg turned (+-%.0f "
        "mm, %.1f deg). Wheels err by %.0f mm after 1 m\n",
        map->recording.n, 1e3 * map->delay_s, map->walls.n, w->n, FROM_S, STARTS, OFF_M, OFF_DEG,
        1e3 * map->mount.mount.x, dpl_rad_to_deg(map->mount.mount.theta), 1e3 * map->mount.sigma_m,
        dpl_rad_to_deg(map->mount.sigma_rad), 1e3 * map->odometry_noise);
    return ok;
}

static int drive_all(struct log_map *map, bool verbose, struct outcome *worst)
{
    for (int i = 0; i < STARTS; i++) {
        double to = 2.0 * DPL_PI * i / STARTS, turn = dpl_deg_to_rad(i % 2 ? -OFF_DEG : OFF_DEG);
        struct outcome one;
        int err =
            drive(map, (struct dpl_pose2){OFF_M * cos(to), OFF_M * sin(to), turn}, i + 1, &one);
        if (err < 0) {
            return err;
        }
        if (verbose) {
            printf("  start %d: %.2f mm max %.1f, %.3f deg, beams %.1f mm\n", i + 1,
                   1e3 * one.rms_m, 1e3 * one.max_m, dpl_rad_to_deg(one.rms_rad),
                   1e3 * one.median_m);
        }
        *worst = (struct outcome){fmax(worst->rms_m, one.rms_m), fmax(worst->max_m, one.max_m),
                                  fmax(worst->rms_rad, one.rms_rad),
                                  fmax(worst->median_m, one.median_m), one.n};
    }
    return worst->n > 0 ? 0 : -EINVAL;
}

/* A table that can be drawn: where and when the Localizer is off, and what it says then. */
static int open_trace(struct log_map *map, const char *file, struct dpl_diag *reterr)
{
    map->trace = file ? fopen(file, "w") : NULL;
    if (!file) {
        return 0;
    }
    if (!map->trace) {
        return dpl_fail(reterr, -errno, (struct dpl_place){.file = file}, "cannot be written");
    }
    fprintf(map->trace, "start,time_s,x_m,y_m,theta_rad,ahead_mm,left_mm,turned_deg,state,"
                        "hypotheses,agreement,short,long,nis,map_error_mm,scale_left,scale_right,"
                        "axle_scale,time_offset_s,mount_x,mount_y,mount_yaw,range_bias,"
                        "range_scale\n");
    return 0;
}

int recorded_run(const struct recorded_options *options)
{
    struct log_map map = {0};
    struct dpl_diag error = {.text = "no memory, or no scan after 10 s"};
    struct outcome worst = {0};
    int err = make_map(&map, options->log, &error);
    if (err == 0) {
        const struct recorded_scan *last = &map.recording.scans[map.recording.n - 1];
        map.seconds = options->seconds > 0.0 ? options->seconds : last->time_s;
        err = open_trace(&map, options->trace, &error);
    }
    if (err == 0) {
        err = drive_all(&map, options->verbose, &worst);
    }
    if (err < 0) {
        fprintf(stderr, "localization: ");
        dpl_diag_print(stderr, &error);
    } else if (!check_outcome(&map, &worst)) {
        err = -ERANGE;
    }
    if (map.trace && fclose(map.trace) != 0) {
        fprintf(stderr, "localization: %s: not written\n", options->trace);
        err = -EIO;
    }
    finish(&map);
    return err;
}
