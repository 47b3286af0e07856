/* SPDX-License-Identifier: Apache-2.0 */
/* What a look costs: 8 rollouts of 3 s for one robot among 100 boxes, with bases by Bullet
 * (`mobile`) and by kinematics (`planar`), at steps of 1 and 5 ms; and what its world's owner pays,
 * a copy. CPU time, the best of 20. Prints a table; fails above the limits the project promises,
 * which are for steps of 5 ms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/ahead.h>
#include <doppel/sim/load.h>

enum { ROLLOUTS = 8, TRIES = 20 };

static const double limit_mobile_ms = 50.0, limit_planar_ms = 2.0;

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void require(int err, const struct dpl_diag *error)
{
    if (err < 0) {
        dpl_diag_print(stderr, error);
        exit(1);
    }
}

static struct dpl_sim_model *load(const char *file, bool planar, dpl_ns step)
{
    const struct dpl_sim_set params[] = {
        {.text = "ROBOTS=1"}, {.text = "BOXES=100"}, {.text = planar ? "PLANAR=1" : "PLANAR=0"}};
    struct dpl_sim_load_options options = {.params = params, .n_params = 3, .step = step};
    struct dpl_sim_model *model;
    struct dpl_diag error = {0};
    require(dpl_sim_load_world_with(file, &options, &model, &error), &error);
    return model;
}

/* Forward at 0.2 m/s, from places some centimetres apart. */
static void fill(struct dpl_ahead_request *request)
{
    request->sample = 125 * DPL_MS;
    request->n_rollouts = ROLLOUTS;
    for (unsigned i = 0; i < ROLLOUTS; i++) {
        request->rollouts[i] = (struct dpl_ahead_rollout){
            .duration = 3 * DPL_S, .start = DPL_AHEAD_OFFSET, .pose = {0.0, 0.01 * i, 0.0}};
        for (uint32_t wheel = 0; wheel < 2; wheel++) {
            request->puts[request->n_puts++] =
                (struct dpl_ahead_put){.rollout = i, .channel = wheel, .value = {0.2 / 0.035}};
        }
    }
}

static double look_ms(const char *file, bool planar, dpl_ns step)
{
    static struct dpl_ahead_request request;
    static const char *const puts_[] = {"r0/LeftWheel/speed", "r0/RightWheel/speed"},
                             *const reads[] = {"r0/planar"};
    const struct dpl_ahead_setup setup = {
        .robot = "r0", .puts = puts_, .n_puts = 2, .reads = reads, .n_reads = 1};
    struct dpl_sim_model *model = load(file, planar, step);
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    struct dpl_sim_ahead *ahead;
    struct dpl_diag error = {0};
    require(dpl_world_create(model, &world, &error), &error);
    require(dpl_world_channels_create(world, &channels), &error);
    require(dpl_sim_ahead_create(world, channels, &setup, &ahead, &error), &error);
    request = (struct dpl_ahead_request){0};
    fill(&request);
    dpl_world_run_until(world, DPL_S);
    double best = (double)INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const struct dpl_ahead_result *result;
        double began = cpu_ms();
        require(dpl_sim_ahead_run(ahead, &request, &result), &error);
        best = fmin(best, cpu_ms() - began);
    }
    printf("%-7s steps of %g ms: a look %8.3f ms, a copy of %zu kB\n", planar ? "planar" : "mobile",
           1e3 * dpl_ns_to_s(model->step), best, dpl_world_snapshot_size(world) / 1024);
    dpl_sim_ahead_destroy(ahead);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench_look_ahead tests/bench/fleet.xml\n");
        return 2;
    }
    look_ms(argv[1], false, DPL_MS);
    double mobile = look_ms(argv[1], false, 5 * DPL_MS);
    look_ms(argv[1], true, DPL_MS);
    double planar = look_ms(argv[1], true, 5 * DPL_MS);
    if (mobile > limit_mobile_ms || planar > limit_planar_ms) {
        printf("FAILED: above %g ms (mobile) or %g ms (planar)\n", limit_mobile_ms,
               limit_planar_ms);
        return 1;
    }
    return 0;
}
