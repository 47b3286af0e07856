/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/sim/shown.h>

#include <errno.h>
#include <stdlib.h>

#include <doppel/sim/devices.h>

#include "world_scene.h"

struct dpl_sim_shown {
    struct world_scene *scene;
    dpl_ns offset;
};

struct dpl_sim_shown *dpl_sim_shown_create(const struct dpl_world *world,
                                           const struct dpl_world_channels *channels)
{
    struct dpl_sim_shown *shown = calloc(1, sizeof *shown);
    if (!shown) {
        return NULL;
    }
    shown->scene = world_scene_create(&(struct world_scene_options){
        .world = world, .offset = &shown->offset, .channels = channels});
    if (!shown->scene) {
        free(shown);
        return NULL;
    }
    world_scene_interface(shown->scene)->is_own = true;
    return shown;
}

void dpl_sim_shown_destroy(struct dpl_sim_shown *shown)
{
    if (shown) {
        world_scene_destroy(shown->scene);
        free(shown);
    }
}

void dpl_sim_shown_follow(struct dpl_sim_shown *shown, const struct dpl_world *world,
                          const struct dpl_world_channels *channels, dpl_ns offset)
{
    world_scene_follow(shown->scene, world, channels);
    shown->offset = offset;
}

void dpl_sim_shown_look(struct dpl_sim_shown *shown)
{
    world_scene_look(shown->scene);
}

/* ---- as a world host ---- */

static int open_link(void *self, const struct dpl_link_config *config, struct dpl_device *device,
                     struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    (void)self;
    (void)device;
    (void)ret_link;
    return dpl_fail(reterr, -ENOTSUP, config->place, "this world has no devices of the run");
}

static uint64_t contacts(void *self)
{
    const struct dpl_sim_shown *shown = self;
    const struct dpl_world *world = shown->scene->live.world;
    uint64_t sum = 0;
    for (size_t i = 0; i < dpl_world_model(world)->n_robots; i++) {
        struct dpl_world_robot robot;
        dpl_world_get_robot(world, (int)i, &robot);
        sum += robot.contacts;
    }
    return sum;
}

static struct dpl_scene *scene(void *self, size_t i)
{
    return i == 0 ? world_scene_interface(((struct dpl_sim_shown *)self)->scene) : NULL;
}

static void look(void *self)
{
    world_scene_look_while_time_stands(((struct dpl_sim_shown *)self)->scene);
}

struct dpl_world_host dpl_sim_shown_host(struct dpl_sim_shown *shown)
{
    static const struct dpl_world_host_ops ops = {
        .open_link = open_link, .look = look, .contacts = contacts, .scene = scene};
    return (struct dpl_world_host){.ops = &ops, .self = shown};
}
