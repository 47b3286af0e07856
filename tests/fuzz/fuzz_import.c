/* SPDX-License-Identifier: Apache-2.0 */
/* Robots in formats of others (URDF, SDF) from arbitrary bytes: what is read can be described and
 * checked with any step, and its bodies have masses that bodies can have. */
#include <stdint.h>
#include <stdlib.h>

#include <doppel/sim/import.h>

#include "arena.h"

static void ignore(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct dpl_sim_mechanism *mechanism = user;
    if (finding->body >= (int)mechanism->n_bodies || finding->joint >= (int)mechanism->n_joints ||
        (finding->body < 0) == (finding->joint < 0)) {
        abort();
    }
}

static void check(const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i];
        if (!dpl_pose3_is_finite(body->pose) ||
            (!body->is_static && dpl_mass_check(&body->mass, NULL) != 0)) {
            abort();
        }
    }
    for (size_t i = 0; i < mechanism->n_mimics; i++) {
        if (mechanism->mimics[i].leader == mechanism->mimics[i].follower) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_objects objects;
    int err = dpl_sim_read_import_text(&arena, "no_such_folder/fuzz.urdf", data, size, NULL,
                                       &objects, &diags);
    if ((err != 0) != (diags.n_errors > 0)) {
        abort();
    }
    if (err == 0) {
        check(&objects.mechanism);
        (void)dpl_sim_describe_objects(&arena, &objects);
        dpl_mechanism_check(&objects.mechanism, 0.1, ignore, &objects.mechanism);
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
