/* SPDX-License-Identifier: Apache-2.0 */
/* Links of drivers to simulated worlds: see avatar_link.h. */
#include "avatar_link.h"

#include <errno.h>
#include <stdio.h>

int avatar_link_find(struct dpl_link *link, const struct avatar_want *wants, size_t n,
                     struct dpl_diag *reterr)
{
    for (size_t i = 0; i < n; i++) {
        const struct avatar_want *want = &wants[i];
        char path[DPL_CHANNEL_PATH_MAX];
        if (want->device && want->device[0] == '\0') {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "a device of the robot is needed for its '%s', but no name is given",
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

int avatar_link_open(struct dpl_device *device, const struct avatar_link_properties *props,
                     bool take_over, struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    char remote[320];
    snprintf(remote, sizeof remote, "tcp://%s:%d", props->ip, (int)props->port);
    struct dpl_link_config config = {
        .world = props->ip[0] ? remote : props->world,
        .part = props->robot,
        .take_over = take_over,
    };
    return dpl_device_open_link(device, &config, ret_link, reterr);
}
