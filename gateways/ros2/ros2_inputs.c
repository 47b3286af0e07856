/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <doppel/system_clock.h>

#include "ros2_names.h"

#define TAKEN_MOST 16 /* of a reader in a turn */

/* ---- the ports ---- */

void ros2_inputs_see(struct ros2_inputs *inputs, const struct dpl_topic *topic)
{
    bool is_wanted = false;
    for (size_t i = 0; i < ros2_n_rows; i++) {
        is_wanted |= ros2_rows[i].from && strcmp(ros2_rows[i].ours->name, topic->schema_name) == 0;
    }
    if (is_wanted && inputs->n_connected < ROS2_INPUTS_MAX) {
        inputs->connected[inputs->n_connected++] = topic;
    }
}

/* Whether the application itself feeds a port of this type of the component. */
static bool is_connected(const struct ros2_inputs *inputs, const char *port, const char *type)
{
    size_t n = strcspn(port + 1, "/");
    for (size_t i = 0; i < inputs->n_connected; i++) {
        const struct dpl_topic *topic = inputs->connected[i];
        for (size_t k = 0; k < topic->n_subscribers; k++) {
            if (strcmp(topic->schema_name, type) == 0 && strlen(topic->subscribers[k]) == n &&
                strncmp(topic->subscribers[k], port + 1, n) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The readers of one port have one name: publishers of each type may be there. */
static void add_port(struct ros2_inputs *inputs, const char *port, const char *type)
{
    struct ros2_origin origin;
    char name[ROS2_NAME_MAX] = "";
    ros2_origin_read(port, &origin);
    for (size_t i = 0; i < ros2_n_rows && inputs->n < ROS2_INPUTS_MAX; i++) {
        const struct ros2_row *row = &ros2_rows[i];
        if (!row->from || strcmp(row->ours->name, type) != 0) {
            continue;
        }
        for (unsigned k = 0; k < 3 && !*name; k++) {
            ros2_name_make(&origin, row->name, k, name, sizeof name);
            name[0] = ros2_node_has(inputs->node, name) ? '\0' : name[0];
        }
        struct ros2_endpoint *reader =
            *name ? ros2_node_add(inputs->node, name, &row->ros, false) : NULL;
        if (reader) {
            struct ros2_input *input = &inputs->items[inputs->n++];
            snprintf(input->port, sizeof input->port, "%s", port);
            input->row = row;
            input->reader = reader;
        }
    }
}

void ros2_inputs_set(struct ros2_inputs *inputs, const void *json, size_t n)
{
    json_t *list = inputs->n > 0 ? NULL : json_loadb(json, n, 0, NULL), *item;
    size_t i;
    json_array_foreach(list, i, item)
    {
        const char *port = json_string_value(json_object_get(item, "name"));
        const char *type = json_string_value(json_object_get(item, "type"));
        if (port && type && *port == '/' && !is_connected(inputs, port, type)) {
            add_port(inputs, port, type);
        }
    }
    json_decref(list);
}

/* ---- commands ---- */

static void refuse(struct ros2_inputs *inputs, const char *who, const char *why)
{
    char text[512];
    dpl_ns now = dpl_monotonic_now();
    inputs->n_refused++;
    if (inputs->told_at > 0 && now - inputs->told_at < DPL_S) {
        return;
    }
    inputs->told_at = now;
    snprintf(text, sizeof text, "a command%s%s is refused, %" PRIu64 " until now: %s",
             *who ? " of " : "", who, inputs->n_refused, why);
    inputs->node->ops->tell(inputs->node->observer, DPL_LOG_WARN, text);
}

static void give(struct ros2_inputs *inputs, const struct ros2_input *input, const void *ros,
                 dds_instance_handle_t publisher)
{
    struct dpl_bytes bytes = {0};
    char who[48];
    snprintf(who, sizeof who, "ros2#%" PRIx64, (uint64_t)publisher);
    if (!inputs->may_control) {
        refuse(inputs, who, "the run has no --allow-control");
    } else if (!input->row->from(ros, &bytes)) {
        refuse(inputs, who, "it has something that is no finite number");
    } else {
        const struct dpl_asked asked = {.what = DPL_ASK_PUBLISH,
                                        .who = who,
                                        .role = DPL_ROLE_CONTROL,
                                        .name = input->port,
                                        .value = bytes.data,
                                        .n_value = bytes.n};
        inputs->node->ops->ask(inputs->node->observer, inputs->gateway, &asked);
    }
    dpl_bytes_finish(&bytes);
}

static void take(struct ros2_inputs *inputs, const struct ros2_input *input)
{
    void *samples[TAKEN_MOST] = {NULL};
    dds_sample_info_t infos[TAKEN_MOST];
    int n = dds_take(input->reader->entity, samples, infos, TAKEN_MOST, TAKEN_MOST);
    for (int i = 0; i < n; i++) {
        if (infos[i].valid_data) {
            give(inputs, input, samples[i], infos[i].publication_handle);
        }
    }
    if (n > 0) {
        dds_return_loan(input->reader->entity, samples, n);
    }
}

void ros2_inputs_turn(struct ros2_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n; i++) {
        take(inputs, &inputs->items[i]);
    }
}

void ros2_inputs_answer(struct ros2_inputs *inputs, const struct dpl_answer *answer)
{
    if (answer->err < 0) {
        refuse(inputs, "", answer->why);
    } else {
        inputs->n_taken++;
    }
}
