/* SPDX-License-Identifier: Apache-2.0 */
/* How many rays into space sensors cast a second of CPU time among boxes: a laser of 16 layers, a
 * depth camera, a camera. Prints a table; fails below what docs/reference/mechanisms.md promises.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/math/random.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/world.h>

#include "arena.h"

enum { ROUNDS = 12, PICTURES = 10 };

struct sensor {
    const char *name, *attributes;
    int rays;     /* a picture; there is one in each step of 10 ms */
    double least; /* rays a second */
};

static const struct sensor sensors[] = {
    {"laser",
     "z='0' steps='900' first='0' last='899' front='450' max_range='30' rate_hz='100' layers='16' "
     "lowest='-15 deg' highest='15 deg'",
     16 * 900, 1e6},
    {"depth", "width='160' height='120' max_range='30' rate_hz='100'", 160 * 120, 1e6},
    {"camera", "width='160' height='120' rate_hz='100'", 160 * 120, 0.5e6},
};

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* As those of bench_world, at heights up to 2 m. */
static void add_boxes(struct dpl_sim_model *model, int n)
{
    struct dpl_random rng = dpl_random_seeded(1, (uint64_t)n);
    double half = 1.5 * sqrt((double)n);
    while (model->n_obstacles < (size_t)n) {
        struct dpl_sim_obstacle box = {
            .shape = {.kind = DPL_SIM_BOX,
                      .x = dpl_random_uniform(&rng, -half, half),
                      .y = dpl_random_uniform(&rng, -half, half),
                      .z = dpl_random_uniform(&rng, 0.25, 2.0),
                      .yaw = dpl_random_uniform(&rng, 0.0, 3.0),
                      .size_x = 0.5,
                      .size_y = 0.5,
                      .size_z = 0.5},
            .friction = 0.5,
        };
        if (hypot(box.shape.x, box.shape.y) > 1.5) {
            dpl_sim_model_add_obstacle(model, &box, NULL);
        }
    }
}

static void require(bool met, const struct dpl_diag *error)
{
    if (!met) {
        fprintf(stderr, "%s\n", error->text);
        exit(1);
    }
}

static void turn_on(struct dpl_world *world)
{
    struct dpl_world_channels *channels;
    struct dpl_channel_want want = {.path = "mast/s/on", .put = true};
    struct dpl_diag error = {0};
    require(dpl_world_channels_create(world, &channels) == 0, &error);
    int on = dpl_world_channels_find(channels, &want, &error);
    require(on >= 0, &error);
    dpl_world_channels_put(channels, (size_t)on, &(bool){true});
    dpl_world_channels_destroy(channels);
}

/* The best of several rounds: other programs take turns on the processor. */
static double best_rate(struct dpl_world *world, int rays)
{
    double best = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_s();
        dpl_world_step(world, PICTURES);
        best = fmax(best, PICTURES * (double)rays / (cpu_s() - start));
    }
    return best;
}

static double rays_s(const struct sensor *sensor, int n_boxes)
{
    char text[1024];
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_diag error = {0};
    struct dpl_sim_objects objects;
    struct dpl_world *world = NULL;
    struct dpl_sim_model *model = dpl_sim_model_create();
    snprintf(text, sizeof text,
             "<mechanism name='mast'><RigidObject name='head' static='true'><position z='1.2'/>"
             "<BoxShape x='0.1' y='0.1' z='0.1'/></RigidObject>"
             "<Sensor name='s' type='%s' body='head' %s/></mechanism>",
             sensor->name, sensor->attributes);
    int err =
        dpl_sim_read_objects_text(&arena, "bench", text, strlen(text), NULL, &objects, &diags);
    require(err == 0, diags.n ? &diags.items[0] : &error);
    model->step = 10 * DPL_MS;
    add_boxes(model, n_boxes);
    err = dpl_sim_model_add_objects(model, "mast", (struct dpl_pose2){0}, &objects, &error);
    require(err == 0, &error);
    require(dpl_world_create(model, &world, &error) == 0, &error);
    turn_on(world);
    double rate = best_rate(world, sensor->rays);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return rate;
}

int main(void)
{
    bool slow = false;
    printf("million rays a second of CPU   100 boxes   10000 boxes\n");
    for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
        double few = rays_s(&sensors[i], 100), many = rays_s(&sensors[i], 10000);
        printf("  %-28s %9.2f   %11.2f\n", sensors[i].name, few * 1e-6, many * 1e-6);
        slow |= fmin(few, many) < sensors[i].least;
    }
    if (slow) {
        printf("too slow: expected 1 million (a camera half of it)\n");
    }
    return slow;
}
