/* SPDX-License-Identifier: Apache-2.0 */
/* What steps must not do: take memory, lock, or mind other systems. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "quiet.h"
#include "rows.h"

enum { STEPS = 500, JOINTS = 32 };
static const double STEP = 1e-3;

#ifndef QUIET_SANITIZED
static const char *const integrator_names[] = {"semi-implicit", "rk4", "dopri5", "gragg"};

static void count_memory(void)
{
    struct golden_world first;
    golden_loop(2, &first);
    quiet_counting = true;
    dpl_mb_system_destroy(golden_system(&first, DPL_MB_RK4));
    quiet_counting = false;
    int before = quiet_report();
    row_at_most("steps: memory of a new system, not counted", before == 0, 0.0, "systems");
    for (int integrator = 0; integrator < 4; integrator++) {
        char name[96];
        for (int number = 2; number <= 6; number++) {
            struct golden_world world;
            golden_loop(number, &world);
            struct dpl_mb_system *system =
                golden_system(&world, (enum dpl_mb_integrator)integrator);
            quiet_counting = true;
            for (int i = 0; i < STEPS; i++) {
                dpl_mb_step(system, STEP);
                dpl_mb_update(system);
            }
            quiet_counting = false;
            dpl_mb_system_destroy(system);
        }
        int now = quiet_report();
        snprintf(name, sizeof name, "steps: memory and locks, G2 to G6, %s",
                 integrator_names[integrator]);
        row_at_most(name, now - before, 0.0, "calls");
        before = now;
    }
}
#else
static void count_memory(void)
{
    remark("steps: memory and locks are not counted with a sanitizer");
}
#endif

struct run {
    int world;
    enum dpl_mb_integrator integrator;
    double state[2 * JOINTS];
};

static void *move(void *of)
{
    struct run *run = of;
    struct golden_world world;
    golden_loop(run->world, &world);
    struct dpl_mb_system *system = golden_system(&world, run->integrator);
    for (int i = 0; i < STEPS; i++) {
        dpl_mb_step(system, STEP);
    }
    for (int j = 0; j < JOINTS && world.joints[j].name; j++) {
        run->state[2 * j] = golden_q(system, j);
        run->state[2 * j + 1] = golden_v(system, j);
    }
    dpl_mb_system_destroy(system);
    return NULL;
}

/* Two worlds in two threads at one time, and the same one after the other. */
static void two_threads(void)
{
    int others = 0, failed = 0;
    for (int integrator = 0; integrator < 4; integrator++) {
        struct run alone[2] = {{.world = 4, .integrator = (enum dpl_mb_integrator)integrator},
                               {.world = 5, .integrator = (enum dpl_mb_integrator)integrator}};
        struct run both[2] = {alone[0], alone[1]};
        pthread_t other;
        move(&alone[0]);
        move(&alone[1]);
        if (pthread_create(&other, NULL, move, &both[0]) != 0) {
            failed++;
            continue;
        }
        move(&both[1]);
        pthread_join(other, NULL);
        for (int k = 0; k < 2; k++) {
            others += memcmp(alone[k].state, both[k].state, sizeof alone[k].state) != 0;
        }
    }
    row_at_most("steps: two worlds in two threads, other bits", others + failed, 0.0, "worlds");
}

void rows_steps(void)
{
    count_memory();
    two_threads();
}
