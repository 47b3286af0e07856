/* SPDX-License-Identifier: Apache-2.0 */
/* Drives the navigator through random offices with random faults and counts what it touches.
 * robot_control_soak [--seeds N] [--first N] [--minutes M] [--room | --waypoints]
 *                    [--trace FILE] [--quiet]
 * Exit 0 if nothing was touched, 1 if something was, 2 for a wrong command line. */
#include "sim_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    unsigned seeds, first;
    double minutes;
    bool quiet, room, waypoints;
    const char *trace;
};

struct totals {
    unsigned contacts, touched, slow;
    size_t reached, abandoned;
    double speed, covered, least_covered, step_us, nearest, still;
};

static bool parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.seeds = 10, .first = 1, .minutes = 2.0};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quiet") == 0) {
            options->quiet = true;
        } else if (strcmp(argv[i], "--room") == 0) {
            options->room = true;
        } else if (strcmp(argv[i], "--waypoints") == 0) {
            options->waypoints = true;
        } else if (!value) {
            return false;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            options->seeds = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--first") == 0) {
            options->first = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--minutes") == 0) {
            options->minutes = strtod(argv[++i], NULL);
        } else if (strcmp(argv[i], "--trace") == 0) {
            options->trace = argv[++i];
        } else {
            return false;
        }
    }
    return options->seeds > 0 && options->minutes > 0.0;
}

static void write_row(void *context, double now_s, struct dpl_pose2 truth,
                      const struct dpl_nav_input *input, const struct dpl_nav_output *output)
{
    (void)input;
    fprintf(context, "%.2f %.3f %.3f %.3f %.3f %.3f %s %.3f %.2f %.2f\n", now_s, truth.x, truth.y,
            truth.theta, output->command.linear, output->command.angular,
            dpl_nav_state_name(output->state), output->nearest_m, output->goal.x, output->goal.y);
}

static void write_world(FILE *file, const struct sim_world *world)
{
    for (size_t i = 0; i < world->n_segments; i++) {
        const struct sim_segment *s = &world->segments[i];
        fprintf(file, "# wall %.3f %.3f %.3f %.3f\n", s->x1, s->y1, s->x2, s->y2);
    }
    for (size_t i = 0; i < world->n_circles; i++) {
        const struct sim_circle *c = &world->circles[i];
        fprintf(file, "# pillar %.3f %.3f %.3f\n", c->x, c->y, c->radius);
    }
}

/* A loop over random places, some of which cannot be reached. */
static void add_waypoints(struct sim_run *run, unsigned seed)
{
    /* Places are known by odometry alone: wheels that differ by percents would lose them. */
    run->plant.scale_left = run->plant.scale_right = 1.0;
    run->nav.mode = DPL_NAV_WAYPOINTS;
    run->nav.route.loop = true;
    run->nav.route.count = 5;
    for (size_t i = 0; i < run->nav.route.count; i++) {
        struct dpl_pose2 at =
            sim_world_random_pose(run->world, 1000 * seed + i, run->plant.radius_m + 0.15);
        run->nav.route.waypoints[i] = (struct dpl_nav_waypoint){at.x, at.y};
    }
}

/* Odd seeds: the paper's robot at 100 ms; even ones: a Kobuki at 50 ms. */
static struct sim_run make_run(unsigned seed, const struct options *options,
                               struct sim_world *world)
{
    double radius = seed % 2 ? 0.20 : 0.177;
    if (options->room) {
        sim_world_make_room(world, 6.0, 5.0);
    } else {
        sim_world_make_office(world, seed);
    }
    struct sim_run run = {
        .world = world,
        .plant = sim_plant_random(seed, radius),
        .nav = dpl_nav_config_default(),
        .start = sim_world_random_pose(world, seed, radius + 0.08),
        .duration_s = options->minutes * 60.0,
    };
    run.nav.robot_radius_m = radius;
    run.nav.period_s = seed % 2 ? 0.1 : 0.05;
    run.nav.seed = seed;
    if (options->waypoints) {
        add_waypoints(&run, seed);
    }
    return run;
}

static int one(unsigned seed, const struct options *options, struct totals *totals)
{
    static struct sim_world world;
    struct sim_run run = make_run(seed, options, &world);
    FILE *trace = options->trace ? fopen(options->trace, "w") : NULL;
    if (trace) {
        write_world(trace, &world);
        run.watcher = write_row;
        run.context = trace;
    }
    struct sim_result result;
    int rc = sim_run(&run, &result);
    if (trace) {
        fclose(trace);
    }
    if (rc < 0) {
        return rc;
    }
    totals->contacts += result.contacts;
    totals->touched += result.contacts > 0;
    totals->slow += result.longest_still_s > 30.0;
    totals->reached += result.reached;
    totals->abandoned += result.abandoned;
    totals->speed += result.mean_m_s;
    totals->covered += result.covered;
    totals->least_covered = fmin(totals->least_covered, result.covered);
    totals->step_us += result.step_us;
    totals->nearest = fmin(totals->nearest, result.nearest_m);
    totals->still = fmax(totals->still, result.longest_still_s);
    if (options->waypoints && !options->quiet) {
        printf("seed %3u: %zu waypoints reached, %zu given up\n", seed, result.reached,
               result.abandoned);
    }
    if (!options->quiet || result.contacts > 0) {
        printf("seed %3u: contacts %u (first %.1f s), least room %5.1f mm, mean %.3f m/s, covered "
               "%2.0f %%, longest still %.0f s, step %.1f us\n",
               seed, result.contacts, result.first_contact_s, 1e3 * result.nearest_m,
               result.mean_m_s, 100.0 * result.covered, result.longest_still_s, result.step_us);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    if (!parse(argc, argv, &options)) {
        fprintf(stderr, "usage: robot_control_soak [--seeds N] [--first N] [--minutes M] [--room | "
                        "--waypoints] "
                        "[--trace FILE] [--quiet]\n");
        return 2;
    }
    struct totals totals = {.least_covered = 1.0, .nearest = 1e9};
    for (unsigned i = 0; i < options.seeds; i++) {
        if (one(options.first + i, &options, &totals) < 0) {
            fprintf(stderr, "robot_control_soak: the navigator refuses its configuration\n");
            return 2;
        }
    }
    double n = options.seeds;
    printf("%u seeds of %.1f min: %u contacts in %u runs, least room %.1f mm, mean %.3f m/s, "
           "covered mean %.0f %% least %.0f %%, longest still %.0f s (%u runs over 30 s), step "
           "%.1f us\n",
           options.seeds, options.minutes, totals.contacts, totals.touched, 1e3 * totals.nearest,
           totals.speed / n, 100.0 * totals.covered / n, 100.0 * totals.least_covered, totals.still,
           totals.slow, totals.step_us / n);
    if (options.waypoints) {
        printf("waypoints: %zu reached, %zu given up\n", totals.reached, totals.abandoned);
    }
    return totals.contacts > 0;
}
