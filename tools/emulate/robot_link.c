/* SPDX-License-Identifier: Apache-2.0 */
/* A link to the robot of an emulated device: see robot_link.h. */
#include "robot_link.h"

#include <errno.h>
#include <stdio.h>

#include <doppel/host/catalog.h>
#include <doppel/sim/host.h>

/* Names of files go with the catalogue: the place becomes words. */
static int format_place(int err, struct dpl_diag *reterr)
{
    const struct dpl_place place = reterr ? reterr->place : (struct dpl_place){0};
    if (err >= 0 || !place.file) {
        return err;
    }
    return place.line > 0
               ? dpl_fail(reterr, err, (struct dpl_place){0}, "%s:%d:%d: %s", place.file,
                          place.line, place.column, reterr->text)
               : dpl_fail(reterr, err, (struct dpl_place){0}, "%s: %s", place.file, reterr->text);
}

static int open_link(struct robot_link *self, struct dpl_diag *reterr)
{
    int err = dpl_catalog_create(NULL, &self->catalog, reterr);
    if (err < 0) {
        return err;
    }
    self->host = dpl_sim_host_create(&(struct dpl_sim_host_options){
        .world = self->options.world,
        .seed = self->options.seed,
        .epoch = self->options.epoch,
        .catalog = self->catalog,
    });
    if (!self->host) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_world_host host = dpl_sim_host_interface(self->host);
    struct dpl_link_config config = {
        .world = self->options.world,
        .part = self->options.robot,
        .silence = self->options.silence,
    };
    return host.ops->open_link(host.self, &config, NULL, &self->link, reterr);
}

int robot_link_open(struct robot_link *self, const struct robot_link_options *options,
                    struct dpl_diag *reterr)
{
    self->options = *options;
    return format_place(open_link(self, reterr), reterr);
}

int robot_link_find(struct robot_link *self, const struct avatar_want *wants, size_t n,
                    struct dpl_diag *reterr)
{
    return format_place(avatar_link_find(self->link, wants, n, reterr), reterr);
}

static int start(struct robot_link *self, struct dpl_diag *reterr)
{
    struct dpl_world_host host = dpl_sim_host_interface(self->host);
    if (self->options.serves) {
        int port = dpl_sim_host_serve(self->host, self->options.world, NULL,
                                      self->options.serve_port, reterr);
        if (port < 0) {
            return port;
        }
        if (self->options.serve_port == 0) {
            fprintf(stderr, "doppel emulate: serves its world at tcp://127.0.0.1:%d\n", port);
        }
    }
    if (self->options.is_shown) {
        return 0;
    }
    int err = host.ops->start(host.self, self->options.epoch, reterr);
    self->started = err >= 0;
    return err;
}

int robot_link_start(struct robot_link *self, struct dpl_diag *reterr)
{
    return format_place(start(self, reterr), reterr);
}

int robot_link_fault(const struct robot_link *self, struct dpl_diag *reterr)
{
    struct dpl_world_host host = dpl_sim_host_interface(self->host);
    int err = host.ops->fault(host.self, reterr);
    return err < 0 || dpl_link_alive(self->link)
               ? err
               : dpl_fail(reterr, -EAGAIN, (struct dpl_place){0},
                          "the world at %s does not answer, or another client has the robot: what "
                          "is sent is old",
                          self->options.world);
}

struct dpl_world_host robot_link_shown(const struct robot_link *self)
{
    return dpl_sim_host_interface(self->host);
}

void robot_link_close(struct robot_link *self)
{
    dpl_link_close(self->link);
    if (self->started) {
        struct dpl_world_host host = dpl_sim_host_interface(self->host);
        host.ops->stop(host.self);
    }
    dpl_sim_host_destroy(self->host);
    dpl_catalog_destroy(self->catalog);
}
