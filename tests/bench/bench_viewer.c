/* SPDX-License-Identifier: Apache-2.0 */
/* What viewers cost a loop. argv[1]: the file of a world with mechanisms. Viewers are links of this
 * process, each with a thread of its own that takes the newest frame of all poses 60 times a second
 * and draws nothing. Time of the processor that the world's thread takes a step, in one run, in
 * turns, the best of some rounds: alone; with a link that has found nothing; with one viewer and
 * with four. Exit 1: one viewer costs more than the limit. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "link_embedded.h"

enum { N_STEPS = 4000, ROUNDS = 7, N_POSES_MAX = 4096, N_VIEWERS_MAX = 4 };

static const double limit = 1.05;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop_if(int err, const struct dpl_diag *error)
{
    if (err < 0) {
        dpl_diag_print(stderr, error);
        exit(1);
    }
}

struct viewer {
    struct dpl_link *link;
    struct dpl_channel poses[N_POSES_MAX];
    size_t n;
    pthread_t thread;
    atomic_bool over;
    unsigned frames;
    double sum; /* of what it saw */
};

static void *look(void *argument)
{
    struct viewer *viewer = argument;
    while (!atomic_load_explicit(&viewer->over, memory_order_relaxed)) {
        viewer->frames += dpl_link_refresh(viewer->link, NULL) == 0;
        for (size_t i = 0; i < viewer->n; i++) {
            double pose[7] = {0};
            dpl_channel_get(viewer->poses[i], pose, NULL);
            viewer->sum += pose[2];
        }
        nanosleep(&(struct timespec){.tv_nsec = 16666667}, NULL);
    }
    return NULL;
}

static void find_poses(struct viewer *viewer, const struct hosted_world *world)
{
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(world->channels, &n);
    for (size_t i = 0; i < n && viewer->n < N_POSES_MAX; i++) {
        if (descs[i].type == &dpl_channel_pose && descs[i].dir == DPL_CHANNEL_OUT) {
            char path[DPL_CHANNEL_PATH_MAX + 1];
            struct dpl_diag error = {0};
            snprintf(path, sizeof path, "/%s", descs[i].path);
            struct dpl_channel_want want = {.path = path};
            stop_if(dpl_link_find(viewer->link, &want, &viewer->poses[viewer->n++], &error),
                    &error);
        }
    }
}

static struct viewer viewers[N_VIEWERS_MAX];

/* s of the processor a step of the world's thread. `looks` false: links that find nothing. */
static double step_time(const char *file, size_t n_viewers, bool looks)
{
    struct dpl_sim_load_options load = {.has_seed = true, .seed = 1};
    struct hosted_world *world;
    struct dpl_diag error = {0};
    stop_if(hosted_world_create(file, &load, &world, &error), &error);
    for (size_t i = 0; i < n_viewers; i++) {
        struct dpl_link_config config = {.part = ""};
        viewers[i] = (struct viewer){0};
        stop_if(link_embedded_open(world, &config, NULL, &viewers[i].link, &error), &error);
        if (looks) {
            find_poses(&viewers[i], world);
        }
        pthread_create(&viewers[i].thread, NULL, look, &viewers[i]);
    }
    dpl_ns step = world->model->step;
    double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < N_STEPS; i++) {
        hosted_world_advance(world, (i + 1) * step);
    }
    double took = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / N_STEPS;
    for (size_t i = 0; i < n_viewers; i++) {
        atomic_store(&viewers[i].over, true);
        pthread_join(viewers[i].thread, NULL);
    }
    hosted_world_destroy(world);
    return took;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        size_t n;
        bool looks;
    } cases[] = {
        {"alone", 0, false},
        {"with a link that looks at nothing", 1, false},
        {"with a viewer of all poses", 1, true},
        {"with four viewers of all poses", 4, true},
    };
    enum { N_CASES = sizeof cases / sizeof cases[0] };
    double best[N_CASES] = {1.0, 1.0, 1.0, 1.0};
    if (argc != 2) {
        return 2;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N_CASES; i++) {
            double took = step_time(argv[1], cases[i].n, cases[i].looks);
            best[i] = took < best[i] ? took : best[i];
        }
    }
    printf("a loop and its viewers, world '%s', %zu poses\n", argv[1], viewers[0].n);
    for (int i = 0; i < N_CASES; i++) {
        printf("  step %-36s %8.2f us  (%.3f times)\n", cases[i].name, 1e6 * best[i],
               best[i] / best[0]);
    }
    printf("  a viewer: %.3f times, limit %.2f\n", best[2] / best[0], limit);
    return best[2] > limit * best[0];
}
