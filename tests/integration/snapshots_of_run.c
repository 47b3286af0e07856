/* SPDX-License-Identifier: Apache-2.0 */
/* The program `doppel`, in which the calls of its world are seen: what the run tells the world at
 * each step, and all that the world then shows, is recorded, and N_SNAPSHOTS snapshots are taken at
 * random steps. When the run is over and gives its world back, the world is restored from each of
 * them and told the rest of the recording again: it must show the same, to the last bit. Arguments
 * as of doppel; SNAPSHOT_STEPS in the environment: steps that the run has at least. Exits with 1
 * when something differs or no world was compared. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/math/random.h>
#include <doppel/sim/axes.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/world.h>

enum { N_SNAPSHOTS = 20 };

enum order { PUT, RELEASE };

struct told {
    enum order order;
    size_t step; /* before which */
    size_t channel;
    double value[8]; /* of PUT: its bytes */
};

struct numbers {
    double *items;
    size_t n, room;
};

static struct told *told;
static size_t n_told, told_room;
static struct numbers seen; /* after all steps, one behind the other */
static size_t *seen_at;     /* [n_steps + 1] where those of a step begin */
static size_t n_steps, steps_room, steps_wanted;
static struct snapshot {
    size_t step, size, n_told;
    void *bytes;
} snapshots[N_SNAPSHOTS];
static size_t n_compared;

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "no %s\n", name);
        _exit(1);
    }
    return found;
}

#define REAL(name) ((__typeof__(&name))real(#name))

/* Room for one more; ends the process when there is none. */
static void *grow(void *items, size_t *room, size_t n, size_t size)
{
    if (n < *room) {
        return items;
    }
    *room = 2 * n + 1024;
    void *larger = realloc(items, *room * size);
    if (!larger) {
        _exit(1);
    }
    return larger;
}

static void put(struct numbers *numbers, double value)
{
    numbers->items = grow(numbers->items, &numbers->room, numbers->n, sizeof value);
    numbers->items[numbers->n++] = value;
}

static void put_all(struct numbers *numbers, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(numbers, values[i]);
    }
}

/* ---- what a world shows ---- */

static void see_robot(const struct dpl_world *world, int robot, struct numbers *numbers)
{
    struct dpl_world_robot truth = {0};
    dpl_ns stamp = 0;
    double platform[6] = {0};
    dpl_world_get_robot(world, robot, &truth);
    dpl_world_get_platform(world, robot, &stamp, platform);
    put_all(numbers,
            (double[]){truth.pose.x, truth.pose.y, truth.pose.theta, truth.twist.linear,
                       truth.twist.angular, (double)truth.contacts, truth.touched,
                       (double)truth.ejections, (double)stamp},
            9);
    put_all(numbers, platform, 6);
}

static void see_axes(const struct dpl_world *world, struct numbers *numbers)
{
    const struct dpl_sim_model *model = dpl_world_model(world);
    for (size_t i = 0; i < model->n_robots * DPL_AXES_N; i++) {
        struct dpl_world_axis axis = {0};
        dpl_world_get_axis(world, (int)i, &axis);
        put_all(numbers,
                (double[]){axis.position_m, axis.velocity_m_s, axis.effort_n, axis.load_m,
                           axis.weight_n, axis.braked},
                6);
    }
}

/* A scan in the step that it was measured in. */
static void see_scan(const struct dpl_world *world, int laser, struct numbers *numbers)
{
    struct dpl_world_scan scan;
    if (dpl_world_get_scan(world, laser, &scan) < 0 || scan.stamp != dpl_world_now(world)) {
        return;
    }
    put(numbers, (double)scan.sequence);
    for (size_t i = 0; i < scan.n; i++) {
        put(numbers, (double)scan.ranges_m[i]);
    }
}

static void see(const struct dpl_world *world, struct numbers *numbers)
{
    put(numbers, (double)dpl_world_now(world));
    for (size_t i = 0; i < dpl_world_model(world)->n_robots; i++) {
        see_robot(world, (int)i, numbers);
    }
    for (int i = 0; dpl_world_wheel(world, i); i++) {
        struct dpl_world_encoder encoder;
        dpl_world_get_encoder(world, i, &encoder);
        put_all(numbers, (double[]){encoder.angle_rad, encoder.velocity_rad_s}, 2);
    }
    see_axes(world, numbers);
    for (int i = 0; dpl_world_laser(world, i); i++) {
        see_scan(world, i, numbers);
    }
}

/* ---- the run ---- */

static void choose_steps(void)
{
    struct dpl_random rng = dpl_random_seeded(75, 0);
    const char *text = getenv("SNAPSHOT_STEPS");
    steps_wanted = text ? (size_t)atol(text) : 0;
    for (size_t i = 0; i < N_SNAPSHOTS; i++) {
        snapshots[i].step = (size_t)dpl_random_uniform(&rng, 0.0, (double)steps_wanted);
    }
}

static void save_if_due(const struct dpl_world *world)
{
    for (size_t i = 0; i < N_SNAPSHOTS; i++) {
        if (snapshots[i].step == n_steps && !snapshots[i].bytes) {
            snapshots[i].n_told = n_told;
            snapshots[i].size = dpl_world_snapshot_size(world);
            snapshots[i].bytes = malloc(snapshots[i].size);
            if (dpl_world_save(world, snapshots[i].bytes, snapshots[i].size) < 0) {
                _exit(1);
            }
        }
    }
}

static void note(struct told what)
{
    what.step = n_steps;
    told = grow(told, &told_room, n_told, sizeof *told);
    told[n_told++] = what;
}

void dpl_world_step(struct dpl_world *world, unsigned n)
{
    if (steps_wanted == 0) {
        choose_steps();
    }
    for (unsigned i = 0; i < n; i++) {
        save_if_due(world);
        REAL(dpl_world_step)(world, 1);
        seen_at = grow(seen_at, &steps_room, n_steps + 1, sizeof *seen_at);
        seen_at[n_steps] = seen.n;
        see(world, &seen);
        seen_at[++n_steps] = seen.n;
    }
}

static void note_put(const struct dpl_world_channels *channels, size_t channel, const void *value)
{
    size_t n;
    struct told what = {.order = PUT, .channel = channel};
    size_t bytes = dpl_channel_bytes(&dpl_world_channels_describe(channels, &n)[channel]);
    if (bytes > sizeof what.value) {
        fprintf(stderr, "channel %zu has %zu bytes\n", channel, bytes);
        _exit(1);
    }
    memcpy(what.value, value, bytes);
    note(what);
}

int dpl_world_channels_put(const struct dpl_world_channels *channels, size_t channel,
                           const void *value)
{
    note_put(channels, channel, value);
    return REAL(dpl_world_channels_put)(channels, channel, value);
}

/* The run has one user of a shared flag, so that it is on when that one wants it. */
void dpl_world_channels_share(struct dpl_world_channels *channels, size_t channel, bool on)
{
    note_put(channels, channel, &on);
    REAL(dpl_world_channels_share)(channels, channel, on);
}

void dpl_world_channels_release(const struct dpl_world_channels *channels, size_t channel)
{
    note((struct told){.order = RELEASE, .channel = channel});
    REAL(dpl_world_channels_release)(channels, channel);
}

/* ---- the same again ---- */

static struct dpl_world_channels *channels_again; /* those of the run are gone by now */

static void tell(const struct told *what)
{
    if (what->order == PUT) {
        REAL(dpl_world_channels_put)(channels_again, what->channel, what->value);
    } else {
        REAL(dpl_world_channels_release)(channels_again, what->channel);
    }
}

static void compare_from(struct dpl_world *world, const struct snapshot *snapshot)
{
    static struct numbers again;
    size_t first = snapshot->step, next = snapshot->n_told;
    for (size_t step = first; step < n_steps; step++) {
        while (next < n_told && told[next].step == step) {
            tell(&told[next++]);
        }
        REAL(dpl_world_step)(world, 1);
        again.n = 0;
        see(world, &again);
        const double *before = &seen.items[seen_at[step]];
        size_t n = seen_at[step + 1] - seen_at[step];
        if (again.n != n || memcmp(again.items, before, n * sizeof *before) != 0) {
            fprintf(stderr, "restored at step %zu: step %zu differs\n", first, step);
            _exit(1);
        }
    }
}

void dpl_world_destroy(struct dpl_world *world)
{
    if (n_steps > 0 && dpl_world_channels_create(world, &channels_again) < 0) {
        _exit(1);
    }
    for (size_t i = 0; i < N_SNAPSHOTS && n_steps > 0; i++) {
        if (!snapshots[i].bytes ||
            dpl_world_restore(world, snapshots[i].bytes, snapshots[i].size) < 0) {
            fprintf(stderr, "snapshot %zu, of step %zu, is not there or does not fit\n", i,
                    snapshots[i].step);
            _exit(1);
        }
        compare_from(world, &snapshots[i]);
        free(snapshots[i].bytes);
        n_compared++;
    }
    dpl_world_channels_destroy(channels_again);
    channels_again = NULL;
    REAL(dpl_world_destroy)(world);
}

static __attribute__((destructor)) void report(void)
{
    bool whole = n_compared == N_SNAPSHOTS && n_steps >= steps_wanted && n_told > 100;
    printf("%zu snapshots in %zu steps with %zu orders: %s\n", n_compared, n_steps, n_told,
           whole ? "all go on the same" : "not what was wanted");
    fflush(stdout);
    free(told);
    free(seen.items);
    free(seen_at);
    if (!whole) {
        _exit(1);
    }
}
