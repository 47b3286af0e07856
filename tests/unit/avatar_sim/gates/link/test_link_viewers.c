/* SPDX-License-Identifier: Apache-2.0 */
/* A world goes on in the same way, bit for bit, whoever looks at it from another thread. */
#include <stdatomic.h>
#include <string.h>

#include <doppel/math/hash.h>

#include "link_embedded.h"
#include "link_world.h"

enum { N_VIEWERS = 3, N_STEPS = 600, N_SEEN_MAX = 1024 };

static const struct dpl_sim_load_options world_options = {.has_seed = true, .seed = 1};

/* ---- viewers: all that can be read, as often as possible ---- */

struct viewer {
    struct dpl_link *link;
    struct dpl_channel channels[N_SEEN_MAX];
    size_t n;
    pthread_t thread;
    atomic_bool over;
    atomic_ullong frames; /* of different steps */
    atomic_bool is_torn;  /* values of a frame were of different steps */
};

static void *look(void *argument)
{
    struct viewer *viewer = argument;
    static _Thread_local _Alignas(16) unsigned char value[1 << 16];
    dpl_ns newest = -1, stamp, at;
    while (!atomic_load(&viewer->over)) {
        if (dpl_link_refresh(viewer->link, &stamp) < 0 || stamp == newest) {
            continue;
        }
        newest = stamp;
        atomic_fetch_add(&viewer->frames, 1);
        for (size_t i = 0; i < viewer->n; i++) {
            bool has = dpl_channel_get(viewer->channels[i], value, &at) == 0;
            if (has && at != stamp && strcmp(viewer->channels[i].desc->type->name, "pose") == 0) {
                atomic_store(&viewer->is_torn, true);
            }
        }
    }
    return NULL;
}

/* Finds all channels that come out of the world. */
static void attach(struct viewer *viewer, struct dpl_link *link,
                   const struct dpl_channel_desc *descs, size_t n)
{
    viewer->link = link;
    viewer->n = 0;
    atomic_init(&viewer->over, false);
    atomic_init(&viewer->is_torn, false);
    atomic_init(&viewer->frames, 0);
    for (size_t i = 0; i < n; i++) {
        if (descs[i].dir == DPL_CHANNEL_OUT && dpl_channel_bytes(&descs[i]) <= 1 << 16) {
            char path[DPL_CHANNEL_PATH_MAX + 1];
            snprintf(path, sizeof path, "/%s", descs[i].path);
            cr_assert_lt(viewer->n, (size_t)N_SEEN_MAX);
            viewer->channels[viewer->n++] = find_out(link, path);
        }
    }
    cr_assert_eq(pthread_create(&viewer->thread, NULL, look, viewer), 0);
}

static void detach(struct viewer *viewer)
{
    atomic_store(&viewer->over, true);
    pthread_join(viewer->thread, NULL);
    cr_expect_gt(atomic_load(&viewer->frames), 5, "it saw the world move");
    cr_expect_not(atomic_load(&viewer->is_torn), "a frame is of one step");
}

/* ---- the world ---- */

/* All that comes out of the world now. */
static uint64_t hash_now(const struct hosted_world *world)
{
    static _Alignas(16) unsigned char value[1 << 16];
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(world->channels, &n);
    uint64_t hash = DPL_HASH_NONE;
    for (size_t i = 0; i < n; i++) {
        dpl_ns stamp = 0;
        if (descs[i].dir == DPL_CHANNEL_OUT && dpl_channel_bytes(&descs[i]) <= sizeof value &&
            dpl_world_channels_get(world->channels, i, value, &stamp) == 0) {
            hash = dpl_hash_more(hash, value, dpl_channel_bytes(&descs[i]));
        }
    }
    return hash;
}

static void run(const char *file, size_t n_viewers, uint64_t ret_hashes[N_STEPS])
{
    static struct viewer viewers[N_VIEWERS];
    struct hosted_world *world;
    struct dpl_diag error = {0};
    cr_assert_eq(hosted_world_create(file, &world_options, &world, &error), 0, "%s", error.text);
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(world->channels, &n);
    for (size_t i = 0; i < n_viewers; i++) {
        struct dpl_link_config config = {.part = ""};
        struct dpl_link *link;
        cr_assert_eq(link_embedded_open(world, &config, NULL, &link, &error), 0, "%s", error.text);
        attach(&viewers[i], link, descs, n);
    }
    for (int i = 0; i < N_STEPS; i++) {
        hosted_world_advance(world, (i + 1) * world->model->step);
        ret_hashes[i] = hash_now(world);
        for (size_t k = 0; k < n_viewers && i % 20 == 0; k++) { /* each must have its turn */
            EVENTUALLY(atomic_load(&viewers[k].frames) > (unsigned)i / 20);
        }
    }
    for (size_t i = 0; i < n_viewers; i++) {
        detach(&viewers[i]);
    }
    hosted_world_destroy(world);
}

static void compare(const char *file)
{
    static uint64_t alone[N_STEPS], seen[N_STEPS];
    run(file, 0, alone);
    run(file, N_VIEWERS, seen);
    cr_expect_neq(alone[0], alone[N_STEPS - 1], "something moves");
    for (int i = 0; i < N_STEPS; i++) {
        cr_assert_eq(alone[i], seen[i], "step %d of %s differs", i + 1, file);
    }
}

Test(link_viewers, a_mechanism_moves_in_the_same_way_with_viewers, .timeout = 60)
{
    compare(PROFILES "/worlds/delta_cell.xml");
}

Test(link_viewers, a_machine_moves_in_the_same_way_with_viewers, .timeout = 60)
{
    compare(PROFILES "/worlds/hexafloat.xml");
}

/* ---- a world that another process steps ---- */

static void drive(bool with_viewer, double ret_angles[50])
{
    static struct viewer viewer;
    struct served served;
    struct remote_world *list = NULL, *other = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, "avatar");
    struct dpl_channel left = find_in(link, "LeftWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_left/angle");
    if (with_viewer) {
        struct dpl_channel_desc descs[64];
        struct dpl_link *eyes = open_remote(&other, served.address, "");
        size_t n = dpl_link_describe(eyes, 0, descs, 64);
        attach(&viewer, eyes, descs, n < 64 ? n : 64);
        EVENTUALLY(atomic_load(&viewer.frames) > 0);
    }
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    for (int i = 0; i < 50; i++) {
        dpl_channel_put_number(left, 3.0 + 0.1 * i);
        cr_assert_eq(remote_worlds_advance(list, (i + 1) * 20 * DPL_MS, NULL), 0);
        ret_angles[i] = number_of(angle);
        if (with_viewer && i % 5 == 0) { /* it must have its turn */
            EVENTUALLY(atomic_load(&viewer.frames) > (unsigned)i / 5);
        }
    }
    if (with_viewer) {
        detach(&viewer);
        remote_worlds_destroy(other);
    }
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_viewers, a_served_world_moves_in_the_same_way_with_a_viewer, .timeout = 60)
{
    double alone[50], seen[50];
    drive(false, alone);
    drive(true, seen);
    cr_expect_gt(alone[49], 1.0);
    cr_expect_eq(memcmp(alone, seen, sizeof alone), 0);
}
