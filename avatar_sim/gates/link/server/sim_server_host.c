/* SPDX-License-Identifier: Apache-2.0 */
/* A served world as the world host of a run without components: so that it is observed as any run
 * is. The run's control thread waits; the server has a thread of its own. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/host/scene.h>

#include "server.h"

static void *serve(void *argument)
{
    struct dpl_sim_server *server = argument;
    server->err = dpl_sim_server_run(server, &server->why);
    server->services->end(server->services->run);
    return NULL;
}

static void attend(void *self, const struct dpl_run_services *services)
{
    ((struct dpl_sim_server *)self)->services = services;
}

static int open_link(void *self, const struct dpl_link_config *config, struct dpl_device *device,
                     struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    (void)self;
    (void)device;
    (void)ret_link;
    return dpl_fail(reterr, -ENOTSUP, config->place, "a served world has no devices of its own");
}

static int start(void *self, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    struct dpl_sim_server *server = self;
    server->epoch = real_epoch;
    int err = pthread_create(&server->thread, NULL, serve, server);
    server->has_thread = err == 0;
    return err == 0 ? 0
                    : dpl_fail(reterr, -err, (struct dpl_place){0}, "no thread for the server: %s",
                               strerror(err));
}

static void stop(void *self)
{
    struct dpl_sim_server *server = self;
    if (server->has_thread) {
        dpl_sim_server_stop(server);
        pthread_join(server->thread, NULL);
        server->has_thread = false;
    }
}

/* Of the run, which ends when the world does. */
static int fault(void *self, struct dpl_diag *reterr)
{
    return hosted_world_fault(((struct dpl_sim_server *)self)->hosted.world, reterr);
}

static uint64_t contacts(void *self)
{
    return atomic_load(&((struct dpl_sim_server *)self)->hosted.world->contacts);
}

static struct dpl_scene *scene(void *self, size_t i)
{
    struct hosted_world *world = ((struct dpl_sim_server *)self)->hosted.world;
    struct dpl_scene *shown = i == 0 ? hosted_world_scene(world, false) : NULL;
    if (shown) {
        shown->is_own = true;
    }
    return shown;
}

/* ---- its time, on the observer's thread ---- */

static void time_of(void *self, struct dpl_world_time *ret_time)
{
    struct dpl_sim_server *server = self;
    struct hosted_world *world = server->hosted.world;
    *ret_time = (struct dpl_world_time){
        .rate = 1.0,
        .why_not = "this world is in lock-step: its time moves by grants of its clients"};
    if (world->can_be_controlled) {
        const struct dpl_sim_loop_status *status = hosted_status(&world->shown);
        *ret_time = (struct dpl_world_time){.now = status->time,
                                            .paused = status->paused,
                                            .rate = isfinite(status->rate) ? status->rate : 0.0};
    }
}

static int steer(void *self, const char *command, struct dpl_diag *reterr)
{
    return hosted_world_request(((struct dpl_sim_server *)self)->hosted.world, command, reterr);
}

static int steered(void *self, int number, dpl_ns *ret_time, struct dpl_diag *reterr)
{
    struct hosted_world *world = ((struct dpl_sim_server *)self)->hosted.world;
    const struct hosted_request *request = hosted_world_answer(world, number);
    if (!request) {
        return 0;
    }
    const char *why = hosted_answer_text(&request->answer);
    *ret_time = request->status.time;
    hosted_world_forget_request(world, number);
    return why[0] ? dpl_fail(reterr, -ECANCELED, (struct dpl_place){0}, "%s", why) : 1;
}

/* ---- hands of those who look ---- */

static int put(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr)
{
    (void)i;
    return hosted_hands_put(((struct dpl_sim_server *)self)->hosted.world, channel, value, hold,
                            reterr);
}

static int hand(void *self, size_t i, size_t channel, struct dpl_diag *reterr)
{
    (void)i;
    return hosted_hand(((struct dpl_sim_server *)self)->hosted.world, channel, reterr);
}

static const char *commander(void *self, size_t i, size_t channel)
{
    (void)i;
    return hosted_hands_commander(((struct dpl_sim_server *)self)->hosted.world, channel);
}

static const struct dpl_world_host_ops ops = {
    .attend = attend,
    .open_link = open_link,
    .start = start,
    .stop = stop,
    .contacts = contacts,
    .fault = fault,
    .scene = scene,
    .time = time_of,
    .steer = steer,
    .steered = steered,
    .put = put,
    .hand = hand,
    .commander = commander,
};

struct dpl_world_host dpl_sim_server_host(struct dpl_sim_server *server)
{
    return (struct dpl_world_host){.ops = &ops, .self = server};
}

int dpl_sim_server_result(const struct dpl_sim_server *server, struct dpl_diag *reterr)
{
    if (server->err < 0 && reterr) {
        *reterr = server->why;
    }
    return server->err;
}
