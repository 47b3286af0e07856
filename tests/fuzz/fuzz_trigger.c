/* SPDX-License-Identifier: Apache-2.0 */
/* Triggers from arbitrary text, over a world with a mechanism and an obstacle. One that is refused
 * says why; one that is taken has a value or says why not, and the same one when it is asked again.
 */
#include <doppel/sim/objects.h>
#include <doppel/sim/trigger.h>

#include "arena.h"
#include "fuzz.h"

static struct dpl_world *world;
static struct dpl_world_channels *channels;

static void make_world(void)
{
    static const char text[] = "<objects><RigidObject name='ball' mass='1'><position z='0.1'/>"
                               "<SphereShape radius='0.1'/></RigidObject></objects>";
    static struct dpl_arena arena;
    static struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    static struct dpl_sim_model *model; /* as long as the process: it is not lost */
    const struct dpl_sim_obstacle post = {
        .name = "post",
        .shape = {.kind = DPL_SIM_CYLINDER, .x = 3.0, .radius = 0.1, .height = 1.0},
        .friction = 0.5,
    };
    model = dpl_sim_model_create();
    require(dpl_sim_read_objects_text(&arena, "fuzz", text, sizeof text - 1, NULL, &objects,
                                      &diags) == 0);
    require(model && dpl_sim_model_add_obstacle(model, &post, NULL) == 0);
    require(dpl_sim_model_add_objects(model, "m", (struct dpl_pose2){0}, &objects, NULL) == 0);
    require(dpl_world_create(model, &world, NULL) == 0);
    require(dpl_world_channels_create(world, &channels) == 0);
    dpl_world_step(world, 5);
    dpl_diags_finish(&diags);
}

static void ask_twice(struct dpl_trigger *trigger)
{
    bool first = false, second = false;
    struct dpl_diag error = {0};
    int err = dpl_trigger_holds(trigger, &first, &error);
    require(err == 0 || error.text[0] != '\0');
    require(dpl_trigger_holds(trigger, &second, &error) == err);
    require(first == second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_trigger *trigger = NULL;
    struct dpl_diag error = {0};
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    if (!world) {
        make_world();
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    if (dpl_trigger_create(world, channels, text, &trigger, &error) == 0) {
        ask_twice(trigger);
        dpl_trigger_destroy(trigger);
    } else {
        require(error.text[0] != '\0');
    }
    free(text);
    return 0;
}
