/* SPDX-License-Identifier: Apache-2.0 */
/* A hosted world as observers see it: which of its robots are avatars, and when it is looked at. */
#include <stdlib.h>

#include "hosted_link.h"
#include "world_scene.h"

static bool is_avatar(const struct hosted_world *world, const char *robot)
{
    const struct hosted_link *link = world->links;
    while (link && !(link->is_copy && dpl_name_equal(link->under, robot))) {
        link = link->next;
    }
    return link != NULL;
}

bool hosted_world_has_robots(const struct hosted_world *world)
{
    size_t i = 0;
    while (i < world->model->n_robots && is_avatar(world, world->model->robots[i].name)) {
        i++;
    }
    return i < world->model->n_robots;
}

/* Before a step: users have put what belongs to this time. */
static bool look(void *scene)
{
    world_scene_look(scene);
    return false;
}

void hosted_world_look(struct hosted_world *world)
{
    hosted_hands_take(world);
    if (world->scene) {
        world_scene_look_while_time_stands(world->scene);
    }
}

struct dpl_scene *hosted_world_scene(struct hosted_world *world, bool shows_real)
{
    if (world->scene) {
        return world_scene_interface(world->scene);
    }
    bool *avatars = calloc(world->model->n_robots + 1, sizeof *avatars);
    for (size_t i = 0; avatars && i < world->model->n_robots; i++) {
        avatars[i] = is_avatar(world, world->model->robots[i].name);
    }
    const struct world_scene_options options = {.world = world->world,
                                                .is_avatar = avatars,
                                                .offset = &world->offset,
                                                .shows_real = shows_real,
                                                .channels = world->channels};
    world->scene = avatars ? world_scene_create(&options) : NULL;
    free(avatars);
    if (!world->scene) {
        return NULL;
    }
    hosted_world_attend(world,
                        &(struct hosted_attendant){.boundary = world_scene_look_while_time_stands,
                                                   .holds = look,
                                                   .user = world->scene});
    return world_scene_interface(world->scene);
}
