/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_diagnostics.h"

#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "ros2_convert.h"

enum { OK, WARN, ERROR }; /* diagnostic_msgs/DiagnosticStatus */

static uint8_t level_of(const char *state)
{
    return strcmp(state, "ERROR") == 0 ? ERROR : strcmp(state, "ACTIVE") == 0 ? OK : WARN;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void add_component(diagnostic_msgs_msg_dds__DiagnosticStatus_ *status,
                          const json_t *component, const char *application, struct dpl_arena *arena)
{
    const char *state = text_of(component, "state");
    diagnostic_msgs_msg_dds__KeyValue_ *class_ = dpl_arena_alloc(arena, sizeof *class_);
    *class_ = (diagnostic_msgs_msg_dds__KeyValue_){ros2_text("class"),
                                                   ros2_text(text_of(component, "class"))};
    *status = (diagnostic_msgs_msg_dds__DiagnosticStatus_){
        .level = level_of(state),
        .name = dpl_arena_printf(arena, "doppel: %s", text_of(component, "name")),
        .message = ros2_text(state),
        .hardware_id = ros2_text(application),
        .values = {1, 1, class_, false},
    };
}

static void add_gateway(diagnostic_msgs_msg_dds__DiagnosticStatus_ *status,
                        const struct ros2_inputs *inputs, const char *application,
                        struct dpl_arena *arena)
{
    uint64_t dropped = 0;
    for (const struct ros2_endpoint *e = inputs->node->endpoints; e; e = e->next) {
        dropped += e->dropped;
    }
    const struct {
        const char *key;
        uint64_t value;
    } counted[] = {{"commands taken", inputs->n_taken},
                   {"commands refused", inputs->n_refused},
                   {"messages malformed", ros2_session_malformed()},
                   {"messages dropped for slow readers", dropped}};
    diagnostic_msgs_msg_dds__KeyValue_ *values =
        dpl_arena_alloc(arena, DPL_COUNT(counted) * sizeof *values);
    for (size_t i = 0; i < DPL_COUNT(counted); i++) {
        values[i] = (diagnostic_msgs_msg_dds__KeyValue_){
            ros2_text(counted[i].key), dpl_arena_printf(arena, "%" PRIu64, counted[i].value)};
    }
    bool is_well = counted[1].value + counted[2].value == 0;
    *status = (diagnostic_msgs_msg_dds__DiagnosticStatus_){
        .level = is_well ? OK : WARN,
        .name = ros2_text("doppel: ros2"),
        .message = ros2_text(is_well ? "OK" : "commands were refused"),
        .hardware_id = ros2_text(application),
        .values = {DPL_COUNT(counted), DPL_COUNT(counted), values, false},
    };
}

void ros2_diagnostics_write(struct ros2_endpoint *writer, const struct json_t *components,
                            const char *application, const struct ros2_inputs *inputs, dpl_ns stamp,
                            struct dpl_arena *arena)
{
    size_t n = json_array_size(components) + 1, i;
    const json_t *component;
    diagnostic_msgs_msg_dds__DiagnosticStatus_ *list = dpl_arena_alloc(arena, n * sizeof *list);
    json_array_foreach(components, i, component)
    {
        add_component(&list[i], component, application, arena);
    }
    add_gateway(&list[n - 1], inputs, application, arena);
    const diagnostic_msgs_msg_dds__DiagnosticArray_ all = {
        .header = ros2_header(stamp, ""),
        .status = {(uint32_t)n, (uint32_t)n, list, false},
    };
    ros2_endpoint_write(writer, &all);
}
