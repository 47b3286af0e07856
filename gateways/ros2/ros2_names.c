/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_names.h"

#include <stdio.h>
#include <string.h>

#define AVATAR "simulation_"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void ros2_name_part(const char *name, size_t n, char *ret, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < n && at + 3 < size; i++) {
        char c = name[i];
        bool is_plain = is_upper(c) || is_digit(c) || (c >= 'a' && c <= 'z');
        bool begins = i > 0 && is_upper(c) && !is_upper(name[i - 1]);
        if ((begins && at > 0 && ret[at - 1] != '_') || (at == 0 && is_digit(c))) {
            ret[at++] = '_';
        }
        ret[at++] = (char)(!is_plain ? '_' : is_upper(c) ? c - 'A' + 'a' : c);
    }
    ret[at] = '\0';
}

void ros2_origin_read(const char *topic, struct ros2_origin *ret)
{
    const char *component = topic + (*topic == '/');
    size_t n = strcspn(component, "/");
    const char *port = component + n + (component[n] == '/');
    size_t n_port = strcspn(port, "/");
    ret->is_avatar = n_port >= strlen(AVATAR) && strncmp(port, AVATAR, strlen(AVATAR)) == 0;
    ros2_name_part(component, n, ret->component, sizeof ret->component);
    ros2_name_part(port, n_port, ret->port, sizeof ret->port);
}

void ros2_name_make(const struct ros2_origin *origin, const char *name, unsigned attempt, char *ret,
                    size_t size)
{
    snprintf(ret, size, "%s%s%s%s%s/%s", origin->is_avatar ? "/avatar" : "", attempt > 0 ? "/" : "",
             attempt > 0 ? origin->component : "", attempt > 1 ? "/" : "",
             attempt > 1 ? origin->port : "", name);
}
