/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/sim/shown.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <doppel/sim/devices.h>

#include "world_scene.h"

struct dpl_sim_shown {
    struct world_scene *scene;
    dpl_ns offset;
    bool takes_hands;
    pthread_mutex_t lock; /* of those below: the observer's thread puts */
    struct dpl_world_host hands;
    unsigned touched;
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
    pthread_mutex_init(&shown->lock, NULL);
    return shown;
}

void dpl_sim_shown_destroy(struct dpl_sim_shown *shown)
{
    if (shown) {
        world_scene_destroy(shown->scene);
        pthread_mutex_destroy(&shown->lock);
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

/* ---- hands ---- */

void dpl_sim_shown_hand_over(struct dpl_sim_shown *shown, struct dpl_world_host hands)
{
    pthread_mutex_lock(&shown->lock);
    shown->takes_hands = true;
    shown->hands = hands;
    pthread_mutex_unlock(&shown->lock);
}

unsigned dpl_sim_shown_touched(struct dpl_sim_shown *shown)
{
    pthread_mutex_lock(&shown->lock);
    unsigned touched = shown->touched;
    pthread_mutex_unlock(&shown->lock);
    return touched;
}

static int put(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr)
{
    struct dpl_sim_shown *shown = self;
    pthread_mutex_lock(&shown->lock);
    const struct dpl_world_host *to = &shown->hands;
    int r = to->ops ? to->ops->put(to->self, i, channel, value, hold, reterr)
                    : dpl_fail(reterr, -EBUSY, (struct dpl_place){0}, "there is no world now");
    shown->touched += r == 0;
    pthread_mutex_unlock(&shown->lock);
    return r;
}

static int hand(void *self, size_t i, size_t channel, struct dpl_diag *reterr)
{
    struct dpl_sim_shown *shown = self;
    pthread_mutex_lock(&shown->lock);
    const struct dpl_world_host *to = &shown->hands;
    int r = to->ops ? to->ops->hand(to->self, i, channel, reterr) : DPL_HAND_FREE;
    pthread_mutex_unlock(&shown->lock);
    return r;
}

static const char *commander(void *self, size_t i, size_t channel)
{
    struct dpl_sim_shown *shown = self;
    pthread_mutex_lock(&shown->lock);
    const struct dpl_world_host *to = &shown->hands;
    const char *by = to->ops ? to->ops->commander(to->self, i, channel) : NULL;
    pthread_mutex_unlock(&shown->lock);
    return by;
}

struct dpl_world_host dpl_sim_shown_host(struct dpl_sim_shown *shown)
{
    static const struct dpl_world_host_ops with_hands = {.open_link = open_link,
                                                         .look = look,
                                                         .contacts = contacts,
                                                         .scene = scene,
                                                         .put = put,
                                                         .hand = hand,
                                                         .commander = commander};
    static const struct dpl_world_host_ops ops = {
        .open_link = open_link, .look = look, .contacts = contacts, .scene = scene};
    return (struct dpl_world_host){.ops = shown->takes_hands ? &with_hands : &ops, .self = shown};
}
