/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds and robots from arbitrary bytes: whatever loads must also run. The first byte chooses the
 * kind: 'R' a robot, anything else a world. Files that a world names are not read, because the fuzz
 * input stands for a file in a folder that is not there. */
#include <stdint.h>
#include <stdlib.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

#include "arena.h"

static void run(const struct dpl_sim_model *model)
{
    struct dpl_world *world = NULL;
    if (model->n_obstacles > 300 || dpl_world_create(model, &world, NULL)) {
        return;
    }
    dpl_world_enable_laser(world, 0, true);
    dpl_world_set_motor(world, 0, 5.0);
    dpl_world_set_axis(world, 0, 100.0);
    dpl_world_step(world, 2);
    dpl_world_destroy(world);
}

static void take_robot(struct dpl_arena *arena, struct dpl_diags *diags, const uint8_t *data,
                       size_t size)
{
    static struct dpl_sim_robot robot;
    struct dpl_sim_model *model = dpl_sim_model_create();
    if (model &&
        dpl_sim_read_robot_text(arena, "no_such_folder/fuzz.xml", data, size, &robot, diags) == 0) {
        if (dpl_sim_model_add_robot(model, &robot, NULL)) {
            abort();
        }
        run(model);
    }
    dpl_sim_model_destroy(model);
}

static void take_world(struct dpl_arena *arena, struct dpl_diags *diags, const uint8_t *data,
                       size_t size)
{
    struct dpl_sim_model *model = NULL;
    if (dpl_sim_read_world_text(arena, "no_such_folder/fuzz.xml", data, size, NULL, &model,
                                diags) == 0) {
        run(model);
    } else if (diags->n_errors == 0) {
        abort();
    }
    dpl_sim_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    if (size > 0 && data[0] == 'R') {
        take_robot(&arena, &diags, data + 1, size - 1);
    } else if (size > 0) {
        take_world(&arena, &diags, data + 1, size - 1);
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
