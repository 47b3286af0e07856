/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of bodies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/state.h>

#include "picture_world.h"

#define SAMPLES_MAX 2000

struct picture_traces {
    const struct dpl_sim_state *state;
    struct dpl_vector3 *samples; /* [SAMPLES_MAX * n_bodies], sample after sample */
    size_t n, every, skipped;
};

struct picture_traces *picture_traces_create(const struct dpl_world *world)
{
    struct picture_traces *traces = calloc(1, sizeof *traces);
    const struct dpl_sim_state *state = dpl_world_state(world);
    struct dpl_vector3 *samples = calloc(SAMPLES_MAX * (state->bodies.n + 1), sizeof *samples);
    if (!traces || !samples) {
        abort();
    }
    *traces = (struct picture_traces){.state = state, .samples = samples, .every = 1};
    return traces;
}

void picture_traces_destroy(struct picture_traces *traces)
{
    if (traces) {
        free(traces->samples);
        free(traces);
    }
}

static struct dpl_vector3 *sample_of(const struct picture_traces *traces, size_t number)
{
    return &traces->samples[number * traces->state->bodies.n];
}

static void halve(struct picture_traces *traces)
{
    for (size_t i = 0; i < traces->n / 2; i++) {
        memcpy(sample_of(traces, i), sample_of(traces, 2 * i),
               traces->state->bodies.n * sizeof(struct dpl_vector3));
    }
    traces->n /= 2;
    traces->every *= 2;
}

void picture_traces_take(struct picture_traces *traces)
{
    if (++traces->skipped < traces->every) {
        return;
    }
    traces->skipped = 0;
    if (traces->n == SAMPLES_MAX) {
        halve(traces);
    }
    struct dpl_vector3 *sample = sample_of(traces, traces->n++);
    for (size_t i = 0; i < traces->state->bodies.n; i++) {
        const double *p = traces->state->bodies.position[i];
        sample[i] = (struct dpl_vector3){p[0], p[1], p[2]};
    }
}

static void add_way(struct picture *picture, const struct picture_traces *traces, size_t body)
{
    static const struct picture_color color = {0.85, 0.33, 0.10, 0.85};
    for (size_t i = 1; i < traces->n; i++) {
        struct dpl_vector3 from = sample_of(traces, i - 1)[body];
        struct dpl_vector3 to = sample_of(traces, i)[body];
        if (dpl_vector3_length(dpl_vector3_minus(to, from)) > 1e-6) {
            picture_add_line(picture, from, to, color, 1.4);
        }
    }
}

void picture_add_traces(struct picture *picture, const struct picture_traces *traces, int focus)
{
    const struct dpl_sim_state *state = traces->state;
    for (size_t i = 0; i < state->n_robots; i++) {
        const struct dpl_sim_span *span = &state->robots[i];
        for (size_t k = 0; k < span->n_bodies && (focus < 0 || focus == (int)i); k++) {
            add_way(picture, traces, (size_t)span->first_body + k);
        }
    }
}
