/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms from arbitrary bytes: what is read can be described and checked with any step, and
 * its bodies have masses that bodies can have. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <doppel/sim/modbus.h>
#include <doppel/sim/objects.h>

#include "arena.h"

static void ignore(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct dpl_sim_mechanism *mechanism = user;
    if (finding->body >= (int)mechanism->n_bodies || finding->joint >= (int)mechanism->n_joints ||
        (finding->body < 0) == (finding->joint < 0)) {
        abort();
    }
}

/* Maps are in order, and no address is there twice. */
static void check_modbus(const struct dpl_sim_modbus *unit)
{
    for (size_t i = 1; i < unit->n_maps; i++) {
        const struct dpl_sim_modbus_map *before = &unit->maps[i - 1], *map = &unit->maps[i];
        unsigned end = before->address + dpl_modbus_width(before->type);
        if (map->table < before->table || (map->table == before->table && map->address < end)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_objects objects;
    int err = dpl_sim_read_objects_text(&arena, "no_such_folder/fuzz.xml", data, size, NULL,
                                        &objects, &diags);
    if ((err != 0) != (diags.n_errors > 0)) {
        abort();
    }
    for (size_t i = 0; err == 0 && i < objects.mechanism.n_bodies; i++) {
        const struct dpl_sim_body *body = &objects.mechanism.bodies[i];
        if (!dpl_pose3_is_finite(body->pose) ||
            (!body->is_static && dpl_mass_check(&body->mass, NULL) != 0)) {
            abort();
        }
    }
    if (err == 0) {
        (void)dpl_sim_describe_objects(&arena, &objects);
        for (size_t i = 0; i < objects.n_modbus; i++) {
            check_modbus(&objects.modbus[i]);
        }
        dpl_mechanism_check(&objects.mechanism, 0.1, ignore, &objects.mechanism);
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
