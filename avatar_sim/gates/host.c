/* SPDX-License-Identifier: Apache-2.0 */
/* The world host: which world a link means, and moving all embedded worlds together. */
#include <doppel/sim/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/scene.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>

#include "hosted_world.h"
#include "link_embedded.h"
#include "link_remote.h"
#include "server.h"

struct dpl_sim_host {
    struct dpl_sim_host_options options;
    struct hosted_world *worlds;
    struct remote_world *remotes;
    struct server *servers;
    const struct dpl_run_services *services;
};

struct dpl_sim_host *dpl_sim_host_create(const struct dpl_sim_host_options *options)
{
    struct dpl_sim_host *host = calloc(1, sizeof *host);
    if (host) {
        host->options = *options;
    }
    return host;
}

void dpl_sim_host_destroy(struct dpl_sim_host *host)
{
    if (!host) {
        return;
    }
    while (host->servers) {
        struct server *server = host->servers;
        host->servers = server->next;
        server_destroy(server); /* before its world */
    }
    remote_worlds_destroy(host->remotes);
    while (host->worlds) {
        struct hosted_world *world = host->worlds;
        host->worlds = world->next;
        hosted_world_destroy(world);
    }
    free(host);
}

const struct dpl_world *dpl_sim_host_world(const struct dpl_sim_host *host, size_t i)
{
    const struct hosted_world *world = host->worlds;
    for (; world && i > 0; i--) {
        world = world->next;
    }
    return world ? world->world : NULL;
}

/* Changes are for the application's own world only. */
static int create_world(const struct dpl_sim_host *host, const char *file,
                        struct hosted_world **ret_world, struct dpl_diag *reterr)
{
    const struct dpl_sim_host_options *from = &host->options;
    size_t n = from->world && strcmp(file, from->world) == 0 ? from->n_properties : 0;
    struct dpl_sim_set *sets = calloc(n + 1, sizeof *sets);
    if (!sets) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        sets[i] = (struct dpl_sim_set){from->properties[i].text, from->properties[i].place};
    }
    struct dpl_sim_load_options options = {
        .has_seed = true,
        .seed = from->seed,
        .catalog = from->catalog,
        .sets = sets,
        .n_sets = n,
        .warn = from->warn,
    };
    int err = hosted_world_create(file, &options, ret_world, reterr);
    free(sets);
    return err;
}

/* In order of opening: worlds move in that order too. */
static int world_for(struct dpl_sim_host *host, const char *file, struct hosted_world **ret_world,
                     struct dpl_diag *reterr)
{
    struct hosted_world **at = &host->worlds;
    for (; *at; at = &(*at)->next) {
        if (strcmp((*at)->file, file) == 0) {
            *ret_world = *at;
            return 0;
        }
    }
    if (host->options.catalog && access(file, F_OK) < 0 && errno == ENOENT) {
        char searched[DPL_DIAG_TEXT_MAX];
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){0}, "there is no world '%s'%s", file,
                        dpl_catalog_say_searched(host->options.catalog, "worlds", file, searched,
                                                 sizeof searched));
    }
    int err = create_world(host, file, at, reterr);
    if (err == 0) {
        *ret_world = *at;
    }
    return err;
}

static const char *resolve(const struct dpl_sim_host *host, const char *name)
{
    if (!name || name[0] == '\0') {
        return host->options.world;
    }
    struct dpl_catalog *catalog = host->options.catalog;
    const char *found = catalog ? dpl_catalog_find_profile(catalog, "worlds", name, NULL) : NULL;
    return found ? found : name;
}

int dpl_sim_host_serve(struct dpl_sim_host *host, const char *world, const char *bind_host,
                       uint16_t port, struct dpl_diag *reterr)
{
    const char *file = resolve(host, world);
    if (!file) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "there is no world to serve");
    }
    struct hosted_world *hosted = NULL;
    int err = world_for(host, file, &hosted, reterr);
    if (err < 0) {
        return err;
    }
    struct dpl_sim_server_options options = {.host = bind_host, .port = port};
    struct server *server;
    err = server_create(hosted, &options, &server, reterr);
    if (err == 0) {
        err = server_start(server, reterr);
        server->next = host->servers;
        host->servers = server;
    }
    return err < 0 ? err : server->port;
}

static int open_link(void *self, const struct dpl_link_config *config, struct dpl_device *device,
                     struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    struct dpl_sim_host *host = self;
    if (config->world && strncmp(config->world, "tcp://", 6) == 0) {
        return link_remote_open(&host->remotes, config, device, ret_link, reterr);
    }
    const char *file = resolve(host, config->world);
    if (!file) {
        return dpl_fail(reterr, -EINVAL, config->place,
                        "%sthe application has no <world>, and property World names none",
                        device ? "" : "this program: "); /* a device's name is put in front */
    }
    struct hosted_world *world = NULL;
    int err = world_for(host, file, &world, reterr);
    return err < 0 ? err : link_embedded_open(world, config, device, ret_link, reterr);
}

int dpl_sim_link_loss(struct dpl_link *link, char *ret_why, size_t size)
{
    ret_why[0] = '\0';
    return dpl_link_alive(link) ? 0 : link_remote_loss(link, ret_why, size);
}

static void attend(void *self, const struct dpl_run_services *services)
{
    struct dpl_sim_host *host = self;
    host->services = services;
}

/* Changes of a world that no device of this process is in would have no effect. */
static int check_changes(const struct dpl_sim_host *host, struct dpl_diag *reterr)
{
    const struct dpl_sim_host_options *options = &host->options;
    if (options->n_properties == 0) {
        return 0;
    }
    for (const struct hosted_world *w = host->worlds; w; w = w->next) {
        if (options->world && strcmp(w->file, options->world) == 0) {
            return 0;
        }
    }
    return dpl_fail(reterr, -EINVAL, options->properties[0].place,
                    "no device of this run is in the application's world, so it cannot be changed; "
                    "a served world takes changes from `doppel sim --set`");
}

/* Workers of look-aheads come first: fewer threads, and no world moves. */
static int start_aheads(struct dpl_sim_host *host, bool simulated, struct dpl_diag *reterr)
{
    int err = 0;
    for (struct hosted_world *w = host->worlds; w && err == 0; w = w->next) {
        err = hosted_world_start_aheads(w, simulated, reterr);
    }
    return err;
}

static int start(void *self, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    struct dpl_sim_host *host = self;
    if (real_epoch != 0 && host->options.epoch != 0) {
        real_epoch = host->options.epoch;
    }
    int changes = check_changes(host, reterr);
    if (changes < 0) {
        return changes;
    }
    int ahead = start_aheads(host, real_epoch == 0, reterr);
    if (ahead < 0) {
        return ahead;
    }
    remote_worlds_attend(host->remotes, host->services);
    int err = remote_worlds_start(host->remotes, real_epoch, reterr);
    for (struct hosted_world *w = host->worlds; w && err == 0 && real_epoch != 0; w = w->next) {
        w->services = host->services;
        err = hosted_world_start(w, real_epoch, reterr);
    }
    return err;
}

static int fault(void *self, struct dpl_diag *reterr)
{
    const struct dpl_sim_host *host = self;
    int err = 0;
    for (const struct hosted_world *w = host->worlds; w && err == 0; w = w->next) {
        err = hosted_world_fault(w, reterr);
    }
    return err;
}

static int advance(void *self, dpl_ns to, struct dpl_diag *reterr)
{
    struct dpl_sim_host *host = self;
    for (struct hosted_world *w = host->worlds; w; w = w->next) {
        hosted_world_advance(w, to);
    }
    int err = fault(self, reterr);
    return err < 0 ? err : remote_worlds_advance(host->remotes, to, reterr);
}

static void look(void *self)
{
    const struct dpl_sim_host *host = self;
    for (struct hosted_world *w = host->worlds; w; w = w->next) {
        hosted_world_look(w);
    }
}

static void stop(void *self)
{
    struct dpl_sim_host *host = self;
    for (struct hosted_world *w = host->worlds; w; w = w->next) {
        hosted_world_stop(w);
    }
    remote_worlds_stop(host->remotes);
}

static uint64_t contacts(void *self)
{
    struct dpl_sim_host *host = self;
    uint64_t sum = 0;
    for (struct hosted_world *w = host->worlds; w; w = w->next) {
        sum += atomic_load_explicit(&w->contacts, memory_order_relaxed);
    }
    return sum + remote_worlds_contacts(host->remotes);
}

static void tell_contacts(void *self,
                          void (*tell)(void *user, const struct dpl_world_host_contact *contact),
                          void *user)
{
    struct dpl_sim_host *host = self;
    struct dpl_world_contact contacts[DPL_WORLD_CONTACTS_MAX];
    for (const struct hosted_world *w = host->worlds; w; w = w->next) {
        for (size_t robot = 0; robot < w->model->n_robots; robot++) {
            size_t n =
                dpl_world_get_contacts(w->world, (int)robot, contacts, DPL_WORLD_CONTACTS_MAX);
            for (size_t i = 0; i < n; i++) {
                const struct dpl_world_host_contact contact = {
                    w->model->name, w->model->robots[robot].name, contacts[i].with, contacts[i].n,
                    contacts[i].first};
                tell(user, &contact);
            }
        }
    }
}

/* Number of the application's own world; the first one, where no device is in that. */
static size_t own_world(const struct dpl_sim_host *host)
{
    size_t i = 0;
    for (const struct hosted_world *w = host->worlds; w; w = w->next, i++) {
        if (host->options.world && strcmp(w->file, host->options.world) == 0) {
            return i;
        }
    }
    return 0;
}

static struct hosted_world *world_of_scene(const struct dpl_sim_host *host, size_t number)
{
    struct hosted_world *world = host->worlds;
    for (; world && number > 0; number--) {
        world = world->next;
    }
    return world;
}

/* The robot beside the avatars is shown when none of the worlds has it. */
static struct dpl_scene *scene(void *self, size_t number)
{
    const struct dpl_sim_host *host = self;
    bool has_robots = false;
    struct hosted_world *world = world_of_scene(host, number);
    for (const struct hosted_world *w = host->worlds; w; w = w->next) {
        has_robots |= hosted_world_has_robots(w);
    }
    struct dpl_scene *shown = world ? hosted_world_scene(world, !has_robots) : NULL;
    if (shown) {
        shown->is_own = number == own_world(host);
    }
    return shown;
}

/* ---- hands of those who look ---- */

static int put(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr)
{
    return hosted_hands_put(world_of_scene(self, i), channel, value, hold, reterr);
}

static int hand(void *self, size_t i, size_t channel, struct dpl_diag *reterr)
{
    return hosted_hand(world_of_scene(self, i), channel, reterr);
}

static const char *commander(void *self, size_t i, size_t channel)
{
    return hosted_hands_commander(world_of_scene(self, i), channel);
}

static const struct dpl_world_host_ops ops = {
    .attend = attend,
    .open_link = open_link,
    .start = start,
    .advance = advance,
    .look = look,
    .stop = stop,
    .contacts = contacts,
    .tell_contacts = tell_contacts,
    .fault = fault,
    .scene = scene,
    .put = put,
    .hand = hand,
    .commander = commander,
};

struct dpl_world_host dpl_sim_host_interface(struct dpl_sim_host *host)
{
    return (struct dpl_world_host){.ops = &ops, .self = host};
}
