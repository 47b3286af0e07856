/* SPDX-License-Identifier: Apache-2.0 */
/* Links of drivers to simulated worlds: see avatar_link.h. */
#include "avatar_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int avatar_link_find(struct dpl_link *link, const struct avatar_want *wants, size_t n,
                     struct dpl_diag *reterr)
{
    for (size_t i = 0; i < n; i++) {
        const struct avatar_want *want = &wants[i];
        char path[DPL_CHANNEL_PATH_MAX];
        if (want->device && want->device[0] == '\0') {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "the robot's '%s' needs the name of a device, but none is given",
                            want->leaf);
        }
        snprintf(path, sizeof path, "%s%s%s", want->device ? want->device : "",
                 want->device ? "/" : "", want->leaf);
        struct dpl_channel_want full = {
            .path = path, .type = want->type, .unit = want->unit, .put = want->put};
        int err = dpl_link_find(link, &full, want->ret_channel, reterr);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

void avatar_link_close(struct avatar_link *self)
{
    dpl_link_close(self->link);
    *self = (struct avatar_link){0};
}

static int bind(struct dpl_device *device, struct avatar_link *self, struct dpl_diag *reterr)
{
    int err = self->bind(device, reterr);
    self->bound = err == 0;
    return err;
}

/* `late`: the world may answer later. */
static int open_link(struct dpl_device *device, struct avatar_link *self,
                     const struct dpl_link_config *config, bool late, avatar_bind bind_,
                     struct dpl_diag *reterr)
{
    *self = (struct avatar_link){.bind = bind_};
    int err = dpl_device_open_link(device, config, &self->link, reterr);
    if (err < 0) {
        return err;
    }
    err = bind(device, self, reterr);
    if (err < 0 && !(late && err == -EAGAIN)) {
        avatar_link_close(self);
        return err;
    }
    return 0;
}

int avatar_link_open(struct dpl_device *device, struct avatar_link *self,
                     const struct avatar_link_properties *props, bool take_over, avatar_bind bind_,
                     struct dpl_diag *reterr)
{
    char remote[320];
    snprintf(remote, sizeof remote, "tcp://%s:%d", props->ip, (int)props->port);
    struct dpl_link_config config = {
        .world = props->ip[0] ? remote : props->world,
        .part = props->robot,
        .take_over = take_over,
    };
    return open_link(device, self, &config, true, bind_, reterr);
}

int avatar_link_open_now(struct dpl_device *device, struct avatar_link *self, const char *world,
                         const char *robot, avatar_bind bind_, struct dpl_diag *reterr)
{
    struct dpl_link_config config = {.world = world, .part = robot};
    return open_link(device, self, &config, false, bind_, reterr);
}

int avatar_link_ready(struct dpl_device *device, struct avatar_link *self)
{
    struct dpl_diag why = {0};
    if (!dpl_link_alive(self->link)) {
        return -ENODEV;
    }
    if (self->bound) {
        return 0;
    }
    if (dpl_device_is_lost(device)) { /* nobody has found it, so nothing has changed */
        return -ENODEV;
    }
    int err = bind(device, self, &why);
    if (err < 0 && err != -EAGAIN) {
        dpl_device_lost(device, "%s", why.text[0] ? why.text : strerror(-err));
        return -ENODEV;
    }
    return err;
}
