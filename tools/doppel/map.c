/* SPDX-License-Identifier: Apache-2.0 */
/* doppel map: a world from the scans and the odometry of a recording. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>
#include <doppel/sim/load.h>

#include "arena.h"
#include "closing.h"
#include "commands.h"
#include "common.h"
#include "delay.h"
#include "fields.h"
#include "map_file.h"
#include "mount.h"
#include "outputs.h"
#include "status_row.h"

#define PATH_BYTES   4096
#define MEDIAN_MAX_M 0.05 /* of ends from walls: a map is far better */

struct values {
    const char *output, *robot, *picture, *mount, *name;
    double sweep_s, delay_s; /* NaN: by the kind of recording; found out */
    double min_range_m;
    uint64_t hold_out;
};

/* What the command works on. */
struct job {
    const struct values *values;
    const char *recording_name;
    struct recording recording;
    struct mapper mapper;
    struct walls walls;
    struct quality quality;
    struct mount_estimate mount; /* of a log, whose mount nobody knows */
    double share;                /* of the build, for the status row */
    size_t n_builds;             /* before this one */
    double delay_s;              /* of the scans' stamps behind the odometry's */
    struct dpl_output output, picture;
    char model[PATH_BYTES]; /* of the robot, as the world names it */
    char file[PATH_BYTES];  /* that was read */
};

static int complain(const struct dpl_diag *error, int code)
{
    char text[DPL_DIAG_TEXT_MAX + PATH_BYTES];
    dpl_diag_format_cause(error, text, sizeof text);
    fprintf(stderr, "doppel map: %s\n", text);
    return code;
}

/* ---- the robot ---- */

/* A model on the profile path keeps its name, so that the world can be given to others; another one
 * gets its whole path. */
static int find_robot(struct job *job, struct dpl_catalog *catalog, struct dpl_diag *reterr)
{
    const char *robot = job->values->robot;
    if (!robot) {
        robot = job->recording.is_log ? "recorded.xml" : "kobuki_urg.xml";
    }
    const char *file = cli_find(catalog, "robots", robot, reterr);
    if (!file) {
        return -ENOENT;
    }
    const char *name = dpl_catalog_profile_name(file, "robots");
    const char *found = dpl_catalog_find_profile(catalog, "robots", name, NULL);
    char *whole = realpath(file, NULL), *other = found ? realpath(found, NULL) : NULL;
    bool is_on_path = whole && other && strcmp(whole, other) == 0;
    snprintf(job->model, sizeof job->model, "%s", is_on_path ? name : whole ? whole : file);
    free(whole);
    free(other);
    return 0;
}

/* ---- the map ---- */

/* "X Y YAW" in m and degrees, for all scans. */
static int set_mount(struct job *job, struct dpl_diag *reterr)
{
    double x, y, degrees;
    int end = 0;
    const char *text = job->values->mount;
    if (!text) {
        return 0;
    }
    bool good = sscanf(text, "%lf %lf %lf %n", &x, &y, &degrees, &end) == 3 && text[end] == '\0' &&
                fabs(x) <= 10.0 && fabs(y) <= 10.0 && fabs(degrees) <= 360.0;
    if (!good) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--mount: found '%s', expected \"X Y YAW\": m (to 10) and degrees", text);
    }
    for (size_t i = 0; i < job->recording.n; i++) {
        job->recording.scans[i].mount = (struct dpl_pose2){x, y, dpl_deg_to_rad(degrees)};
    }
    return 0;
}

/* Gives the scans the odometry of the instant at which they were measured. */
static int align(struct job *job, const struct scan_points_options *options)
{
    int err = 0;
    job->delay_s = job->values->delay_s;
    if (!isfinite(job->delay_s)) {
        err = delay_estimate(&job->recording, options, &job->delay_s);
    }
    return err < 0 ? err : delay_apply(&job->recording, job->delay_s);
}

/* A recording that does not know its laser may be mapped twice. */
static void show_progress(void *user, double share)
{
    struct job *job = user;
    job->n_builds += share < job->share;
    job->share = share;
    bool twice = job->recording.is_log && !job->values->mount;
    char text[64];
    snprintf(text, sizeof text, "map of %zu scans", job->recording.n);
    status_row_show(twice ? 0.5 * (share + (double)job->n_builds) : share, text);
}

static int make_map(struct job *job, struct dpl_diag *reterr)
{
    const struct values *values = job->values;
    struct mapper_options options = {
        .points.sweep_s = isfinite(values->sweep_s) ? values->sweep_s
                          : job->recording.is_log   ? 0.1
                                                    : 0.0,
        .points.min_range_m = values->min_range_m,
        .hold_out = (size_t)values->hold_out,
        .progress = show_progress,
        .progress_user = job,
    };
    int err = align(job, &options.points);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no memory");
    }
    bool asks = job->recording.is_log && !values->mount;
    err = asks ? mount_build(&job->recording, &options, &job->mapper, &job->mount, reterr)
               : mapper_build(&job->recording, &options, &job->mapper, reterr);
    if (err < 0) {
        return err;
    }
    uint32_t min_scans = job->recording.n >= 10 ? 3 : 1;
    err = walls_find(&job->mapper.map, min_scans, &job->walls);
    err = err < 0 ? err : quality_measure(&job->mapper, &job->walls, &job->quality);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no memory");
    }
    return job->walls.n > 0 ? 0
                            : dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = job->file},
                                       "no wall was found in %zu scans: expected beams that return "
                                       "from surfaces",
                                       job->recording.n);
}

/* ---- writing ---- */

/* Reads the world before it gets its name: what is written can be loaded. */
static int check_world(const struct job *job, const char *text, size_t n,
                       struct dpl_catalog *catalog, struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_model *model = NULL;
    struct dpl_sim_load_options options = {.catalog = catalog};
    int err =
        dpl_sim_read_world_text(&arena, job->values->output, text, n, &options, &model, &diags);
    if (err < 0 && diags.n > 0) {
        dpl_fail(reterr, err, (struct dpl_place){0}, "the map is not a good world: %.400s",
                 diags.items[0].text);
    } else if (err < 0) {
        dpl_fail(reterr, err, (struct dpl_place){0}, "the map is not a good world");
    }
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return err;
}

static int format_world(const struct job *job, char **ret_text, size_t *ret_size)
{
    struct map_world world = {
        .name = job->values->name,
        .recording = job->recording_name,
        .robot_model = job->model,
        .walls = &job->walls,
        .quality = &job->quality,
    };
    FILE *stream = open_memstream(ret_text, ret_size);
    if (!stream) {
        return -ENOMEM;
    }
    map_file_write_world(stream, &world);
    return fclose(stream) == 0 ? 0 : -ENOMEM;
}

/* Before the map is made. */
static int open_outputs(struct job *job, struct dpl_diag *reterr)
{
    const char *picture = job->values->picture;
    int err = dpl_output_open(&job->output, job->values->output, reterr);
    return err < 0 || !picture ? err : dpl_output_open(&job->picture, picture, reterr);
}

static int write_file(struct dpl_output *output, const char *text, size_t size)
{
    struct dpl_diag error = {0};
    fwrite(text, 1, size, output->stream);
    return dpl_output_close(output, &error) < 0 ? complain(&error, DPL_EXIT_FAULT) : DPL_EXIT_DONE;
}

static int write_picture(struct job *job)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    int err = stream ? map_file_write_picture(stream, &job->mapper, &job->walls) : -ENOMEM;
    err = stream && fclose(stream) != 0 ? -ENOMEM : err;
    int code = DPL_EXIT_FAULT;
    if (err < 0) {
        fprintf(stderr, "doppel map: no memory\n");
    } else {
        code = write_file(&job->picture, text, size);
    }
    free(text);
    return code;
}

static int write_world(struct job *job, struct dpl_catalog *catalog)
{
    char *text = NULL;
    size_t size = 0;
    struct dpl_diag error = {0};
    int err = format_world(job, &text, &size);
    int code = DPL_EXIT_FAULT;
    if (err < 0) {
        fprintf(stderr, "doppel map: no memory\n");
    } else if (check_world(job, text, size, catalog, &error) < 0) {
        code = complain(&error, DPL_EXIT_BAD_INPUT);
    } else {
        code = write_file(&job->output, text, size);
    }
    free(text);
    return code;
}

static void print_result(const struct job *job)
{
    const struct quality *q = &job->quality;
    double length = 0.0;
    for (size_t i = 0; i < job->walls.n; i++) {
        length += wall_length(&job->walls.items[i]);
    }
    double delay_ms = fabs(round(1e3 * job->delay_s)); /* never -0 */
    printf("%zu scans, stamped %.0f ms %s the odometry; %zu walls, %.1f m of them\n",
           job->recording.n, delay_ms, job->delay_s < 0.0 && delay_ms > 0.0 ? "before" : "behind",
           job->walls.n, length);
    if (job->mount.known) {
        const struct dpl_pose2 *at = &job->mount.mount;
        printf("laser at X %.3f m, Y %.3f m, Yaw %.1f deg, estimated from its turns (+-%.0f mm, "
               "%.1f deg)\n",
               at->x, at->y, dpl_rad_to_deg(at->theta), 1e3 * job->mount.sigma_m,
               dpl_rad_to_deg(job->mount.sigma_rad));
    }
    printf("%s: %zu, not on the map: %zu\n", q->of_held_out ? "scans held out" : "scans judged",
           q->n_scans, q->n_lost);
    printf("the laser scatters by %.1f mm from beam to beam, the ends by %.1f mm around surfaces; "
           "%.0f %% of them show no direction of one\n",
           1e3 * q->noise_m, 1e3 * q->scatter_m, 100.0 * q->vague_share);
    printf("distance of a beam's end from a wall: median %.1f mm, 90 %% below %.1f mm; by odometry "
           "alone median %.1f mm\n",
           1e3 * q->median_m, 1e3 * q->ninety_m, 1e3 * q->odometry_m);
    if (q->median_m > MEDIAN_MAX_M) {
        fprintf(stderr,
                "doppel map: warning: half of the beams' ends are more than %.0f mm from a "
                "wall: this is no map of the recording; are --scan-time, --mount and "
                "--robot right?\n",
                1e3 * MEDIAN_MAX_M);
    }
}

static void tell_closing(const struct values *values)
{
    if (cli_has_reader()) {
        fflush(stdout);
        fprintf(stderr, "results: %s%s%s\n", cli_clean(values->output), values->picture ? ", " : "",
                values->picture ? cli_clean(values->picture) : "");
        fprintf(stderr, "next: doppel check %s\n", cli_clean(values->output));
    }
}

/* ---- the command ---- */

static int make(struct job *job, const char *path, struct dpl_catalog *catalog)
{
    struct dpl_diag error = {0};
    int err = recording_read(path, job->file, sizeof job->file, &job->recording, &error);
    err = err < 0 ? err : open_outputs(job, &error);
    err = err < 0 ? err : find_robot(job, catalog, &error);
    err = err < 0 ? err : set_mount(job, &error);
    status_row_begin();
    err = err < 0 ? err : make_map(job, &error);
    status_row_end();
    if (err < 0) {
        return complain(&error, err == -ENOMEM ? DPL_EXIT_FAULT : DPL_EXIT_BAD_INPUT);
    }
    int code = write_world(job, catalog);
    if (code == DPL_EXIT_DONE && job->values->picture) {
        code = write_picture(job);
    }
    if (code == DPL_EXIT_DONE) {
        print_result(job);
        tell_closing(job->values);
    }
    return code;
}

static int check_files(const struct values *values, const char *recording)
{
    const struct cli_path outputs[] = {{"--output", values->output},
                                       {"--picture", values->picture}};
    const struct cli_path inputs[] = {{"RECORDING", recording}, {"--robot", values->robot}};
    return cli_check_outputs("map", outputs, 2, inputs, 2);
}

static int check_usage(const struct values *values, const char *recording)
{
    if (!values->output) {
        fprintf(stderr, "doppel map: --output FILE is missing: the file for the world\n");
        return -1;
    }
    if (values->hold_out == 1) {
        fprintf(stderr, "doppel map: --hold-out 1 would leave no scan for the map, expected 2 or "
                        "more\n");
        return -1;
    }
    return check_files(values, recording);
}

static int run(int argc, char **argv)
{
    struct values values = {
        .sweep_s = (double)NAN, .delay_s = (double)NAN, .min_range_m = 0.1, .name = "map"};
    int n = options_parse(&command_map, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (check_usage(&values, argv[1]) < 0) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("map");
    struct job *job = calloc(1, sizeof *job);
    int code = DPL_EXIT_FAULT;
    if (catalog && job) {
        job->values = &values;
        job->recording_name = argv[1];
        code = make(job, argv[1], catalog);
        dpl_output_abandon(&job->output);
        dpl_output_abandon(&job->picture);
        walls_finish(&job->walls);
        mapper_finish(&job->mapper);
        recording_finish(&job->recording);
    }
    free(job);
    dpl_catalog_destroy(catalog);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"output", "WORLD.xml", OPTION_STRING, V(output), 0, 0, "file for the world", "file"},
    {"robot", "MODEL.xml", OPTION_STRING, V(robot), 0, 0,
     "the robot in the world (default: recorded.xml for a log, kobuki_urg.xml for a run)", "file"},
    {"picture", "FILE.svg", OPTION_STRING, V(picture), 0, 0,
     "draw the scans by odometry alone, and the map", "file"},
    {"hold-out", "N", OPTION_COUNT, V(hold_out), 0, 0,
     "leave every N-th scan out of the map, and measure how well the map predicts these scans",
     NULL},
    {"scan-time", "S", OPTION_NUMBER, V(sweep_s), 0.0, 10.0,
     "duration of one turn of the laser's mirror (default: 0.1 for a log, 0 for a run: the lasers "
     "of "
     "worlds measure at one instant; 0.1 for a run with a real URG)",
     NULL},
    {"delay", "S", OPTION_NUMBER, V(delay_s), -1.0, 1.0,
     "delay of the scans' stamps after those of the odometry (default: estimated from the turns of "
     "the robot)",
     NULL},
    {"min-range", "M", OPTION_NUMBER, V(min_range_m), 0.0, 100.0,
     "smaller ranges are the robot itself (default: 0.1)", NULL},
    {"mount", "'X Y YAW'", OPTION_STRING, V(mount), 0, 0,
     "mount of the laser on the base, in m and degrees (default: as recorded; for a log, estimated "
     "from the turns)",
     NULL},
    {"name", "TEXT", OPTION_STRING, V(name), 0, 0, "name of the world (default: map)", NULL},
};

const struct command command_map = {
    .name = "map",
    .operands = "RECORDING",
    .summary = "makes a world from the laser scans and the odometry of a recording",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "RECORDING is the folder of a run (--out) with a scans.csv, such a file, the recording of "
        "a\n"
        "run (--record FILE.mcap), or a robot's log as `doppel emulate --log` plays it. Only small "
        "loops are closed: over long ways the map\n"
        "drifts (docs/guides/map.md).\nExit codes: 0 done, 1 bad input, 2 usage, 3 a file could "
        "not be written.\n",
    .run = run,
};
