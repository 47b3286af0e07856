/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_link.h"

#include <errno.h>
#include <string.h>

#include <doppel/host/module.h>

static const struct dpl_place nowhere;

int ros2_topic_check(const char *text, struct dpl_diag *reterr)
{
    static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/";
    bool is_name = text[0] == '/' && text[1] && !text[strspn(text, signs)] && !strstr(text, "//");
    return is_name ? 0
                   : dpl_fail(reterr, -EINVAL, nowhere,
                              "'%.80s' is no topic of ROS 2, such as /robot/odom", text);
}

static int load(const struct ros2_devices **ret_dds, struct dpl_diag *reterr)
{
    const void *table;
    struct dpl_diag why = {0};
    int r = dpl_module_load("ros2", sizeof(struct dpl_gateway_module), &table, &why);
    if (r < 0) {
        return dpl_fail(reterr, r, nowhere, "driver ros2 needs the package doppel-ros2 (%s)",
                        why.text);
    }
    *ret_dds = ((const struct ros2_module *)table)->devices;
    return 0;
}

int ros2_link_open(struct ros2_link *link, struct dpl_device *device,
                   const struct ros2_link_properties *properties,
                   const struct ros2_peer_config *config, struct dpl_diag *reterr)
{
    *link = (struct ros2_link){.device = device, .by_arrival = properties->stamp != 0};
    dpl_device_clock_init(&link->clock, 32);
    int r = load(&link->dds, reterr);
    return r < 0 ? r : link->dds->open(config, properties->discovery_s, &link->peer, reterr);
}

void ros2_link_close(struct ros2_link *link)
{
    if (link->peer) {
        link->dds->close(link->peer);
        link->peer = NULL;
    }
}

bool ros2_link_take(struct ros2_link *link, void *ret_message, dpl_ns *stamp_of_message, dpl_ns now)
{
    if (!link->dds->take(link->peer, ret_message)) {
        return false;
    }
    *stamp_of_message = link->by_arrival || *stamp_of_message == 0
                            ? now
                            : dpl_device_clock_map_ns(&link->clock, *stamp_of_message, now);
    return true;
}

void ros2_link_tell(struct ros2_link *link, struct ros2_counts *ret_counts, dpl_ns now)
{
    const char *text = link->dds->complaint(link->peer, now);
    if (text) {
        dpl_device_log(link->device, DPL_LOG_WARN, "%s", text);
    }
    link->dds->count(link->peer, ret_counts);
}

void ros2_link_forget(struct ros2_link *link)
{
    dpl_device_clock_init(&link->clock, 32);
    link->dds->forget(link->peer);
}
