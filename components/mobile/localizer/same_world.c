/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the plan is of the world that the avatar is in. */
#include "same_world.h"

#include <stdio.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/wheel_controller.h>

#include "tables.h"

/* Properties of a device that name its world. */
struct world_name {
    char world[DPL_PARAMETER_VALUE_SIZE]; /* file; "": the application's */
    char ip[DPL_PARAMETER_VALUE_SIZE];    /* "": in this process */
    char port[DPL_PARAMETER_VALUE_SIZE];
};

#define TEXT_SIZE (2 * DPL_PARAMETER_VALUE_SIZE + 32)

static bool own_name(struct dpl_component *self, struct world_name *ret)
{
    return dpl_component_get_property(self, "World", ret->world, sizeof ret->world) == 0 &&
           dpl_component_get_property(self, "ip", ret->ip, sizeof ret->ip) == 0 &&
           dpl_component_get_property(self, "port", ret->port, sizeof ret->port) == 0;
}

static bool ask(struct dpl_component *self, const char *name,
                char ret_value[DPL_PARAMETER_VALUE_SIZE])
{
    Doppel__Parameter request, answer;
    doppel__parameter__init(&request);
    doppel__parameter__init(&answer);
    ret_value[0] = '\0';
    request.name = (char *)(uintptr_t)name;
    answer.value = ret_value;
    return dpl_wheel_controller_call_get_parameter(self, LOC_PORT_AVATAR, &request, &answer) == 0;
}

static bool avatar_name(struct dpl_component *self, struct world_name *ret)
{
    return dpl_port_is_connected(self, LOC_PORT_AVATAR) && ask(self, "World", ret->world) &&
           ask(self, "ip", ret->ip) && ask(self, "port", ret->port);
}

static bool is_same(const struct world_name *a, const struct world_name *b)
{
    if (a->ip[0] == '\0' && b->ip[0] == '\0') {
        return strcmp(a->world, b->world) == 0;
    }
    return strcmp(a->ip, b->ip) == 0 && strcmp(a->port, b->port) == 0;
}

static const char *describe(const struct world_name *name, char ret_text[TEXT_SIZE])
{
    if (name->ip[0] != '\0') {
        snprintf(ret_text, TEXT_SIZE, "the world at %s:%s", name->ip, name->port);
    } else if (name->world[0] != '\0') {
        snprintf(ret_text, TEXT_SIZE, "the world '%s'", name->world);
    } else {
        snprintf(ret_text, TEXT_SIZE, "the application's world");
    }
    return ret_text;
}

void loc_warn_of_another_world(struct dpl_component *self)
{
    struct world_name own, avatar;
    char own_text[TEXT_SIZE], avatar_text[TEXT_SIZE];
    if (own_name(self, &own) && avatar_name(self, &avatar) && !is_same(&own, &avatar)) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the plan is of %s, the avatar is in %s: unless the two are the same, "
                          "poses of the one are wrong in the other",
                          describe(&own, own_text), describe(&avatar, avatar_text));
    }
}
