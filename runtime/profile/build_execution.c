/* SPDX-License-Identifier: Apache-2.0 */
/* Parses <execution_semantics>: when a component runs. It overrides the class and earlier
 * profiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "number.h"
#include "words.h"

enum { CPUS = 64 };

static void read_type(struct dpl__builder *builder, const struct dpl_xml_node *semantics,
                      struct dpl_app_execution *execution)
{
    static const enum dpl_execution_type types[] = {
        DPL_EXECUTION_PERIODIC,  DPL_EXECUTION_PERIODIC_SHARED, DPL_EXECUTION_PERIODIC_EXCLUSIVE,
        DPL_EXECUTION_APERIODIC, DPL_EXECUTION_PASSIVE,         DPL_EXECUTION_APERIODIC,
    };
    const struct dpl_xml_node *node = dpl__child_named(semantics, "type");
    int index = node ? dpl__word_index(DPL__EXECUTION_TYPES, node->text) : -1;
    if (index < 0) {
        return;
    }
    execution->type = types[index];
    if (index == DPL_COUNT(types) - 1) {
        dpl__build_warn(builder, node->text_place, "'%s' is deprecated; write 'aperiodic'",
                        node->text);
    }
}

static void read_period(struct dpl__builder *builder, const struct dpl_xml_node *semantics,
                        struct dpl__instance *instance)
{
    struct dpl_app_execution *execution = &instance->execution;
    const struct dpl_xml_node *node = dpl__child_named(semantics, "period");
    double period_ms;
    const char *end = node ? dpl__number_read(node->text, &period_ms) : NULL;
    if (!end || *end != '\0' || period_ms < 0 || period_ms > 3600000) {
        return;
    }
    bool is_periodic =
        execution->type != DPL_EXECUTION_APERIODIC && execution->type != DPL_EXECUTION_PASSIVE;
    dpl_ns period = (dpl_ns)llround(period_ms * 1e6);
    if (is_periodic && period <= 0) {
        dpl__build_error(builder, node->text_place,
                         "<period>: a periodic component needs a period above 0 ms");
        return;
    }
    execution->period = period;
    instance->execution_places.period = node->text_place;
}

static void read_policy(const struct dpl_xml_node *semantics, struct dpl__instance *instance)
{
    static const enum dpl_policy policies[] = {DPL_POLICY_OTHER, DPL_POLICY_FIFO, DPL_POLICY_RR};
    const struct dpl_xml_node *node = dpl__child_named(semantics, "policy");
    int index = node ? dpl__word_index(DPL__POLICIES, node->text) : -1;
    if (index >= 0) {
        instance->execution.policy = policies[index];
        instance->execution_places.policy = node->text_place;
    }
}

static void read_priority(const struct dpl_xml_node *semantics, struct dpl__instance *instance)
{
    int64_t priority;
    const struct dpl_xml_node *node = dpl__child_named(semantics, "priority");
    if (node && dpl__whole_read(node->text, &priority) && priority >= 0 && priority <= 99) {
        instance->execution.priority = (int)priority;
        instance->execution_places.priority = node->text_place;
    }
}

/* Parses one "a" or "a-b" of a list of processors; returns the rest, NULL when it is malformed. */
static const char *read_range(const char *text, uint64_t *inout_mask)
{
    int64_t first, last;
    const char *end = dpl__whole_read(text, &first);
    if (!end) {
        return NULL;
    }
    last = first;
    if (*end == '-') {
        end = dpl__whole_read(end + 1, &last);
    }
    if (!end || first < 0 || last < first || last >= CPUS) {
        return NULL;
    }
    for (int64_t cpu = first; cpu <= last; cpu++) {
        *inout_mask |= UINT64_C(1) << cpu;
    }
    return end;
}

static void read_affinity(struct dpl__builder *builder, const struct dpl_xml_node *semantics,
                          struct dpl__instance *instance)
{
    const struct dpl_xml_node *node = dpl__child_named(semantics, "affinity");
    if (!node || node->text[0] == '\0') {
        return;
    }
    uint64_t mask = 0;
    const char *text = read_range(node->text, &mask);
    while (text && *text == ',') {
        text += 1 + strspn(text + 1, " ");
        text = read_range(text, &mask);
    }
    if (!text || *text != '\0') {
        dpl__build_error(builder, node->text_place,
                         "<affinity>: '%.60s' is no list of processors 0..%d, such as 0,2-3",
                         node->text, CPUS - 1);
        return;
    }
    instance->execution.affinity = mask;
    instance->execution_places.affinity = node->text_place;
}

/* Empty: in no group, even if the component's own profile names one. */
static void read_rate_group(const struct dpl_xml_node *semantics, struct dpl__instance *instance)
{
    const struct dpl_xml_node *node = dpl__child_named(semantics, "rate_group");
    if (node) {
        instance->execution.rate_group = node->text[0] != '\0' ? node->text : NULL;
        instance->execution_places.rate_group = node->text_place;
    }
}

static void read_late_limit(const struct dpl_xml_node *semantics, struct dpl__instance *instance)
{
    double limit_ms;
    const struct dpl_xml_node *node = dpl__child_named(semantics, DPL__LATE_LIMIT);
    const char *end = node ? dpl__number_read(node->text, &limit_ms) : NULL;
    if (end && *end == '\0' && limit_ms >= DPL__LATE_LIMIT_MIN_MS &&
        limit_ms <= DPL__LATE_LIMIT_MAX_MS) {
        instance->execution.late_limit = (dpl_ns)llround(limit_ms * 1e6);
    }
}

void dpl__build_late_limit(struct dpl__builder *builder, struct dpl__instance *instance,
                           const struct dpl__assignment *assignment)
{
    struct limit {
        double ms;
    } limit;
    static const struct dpl_field field =
        DPL_NUMBER(struct limit, ms, DPL__LATE_LIMIT, "ms", "300", DPL__LATE_LIMIT_MIN_MS,
                   DPL__LATE_LIMIT_MAX_MS, "when it is later than this, its device stops");
    struct dpl_diag diag = {0};
    if (!instance->class_->device_class) {
        dpl__build_error(builder, assignment->name_place,
                         "'%.60s' has no device that " DPL__LATE_LIMIT " could stop",
                         instance->name);
    } else if (dpl_field_parse(&field, &assignment->text, &limit, &diag) != 0) {
        dpl_diags_add_diag(builder->diags, &diag);
    } else {
        instance->execution.late_limit = (dpl_ns)llround(limit.ms * 1e6);
    }
}

void dpl__build_execution(struct dpl__builder *builder, const struct dpl_xml_node *semantics,
                          struct dpl__instance *instance)
{
    if (!semantics) {
        return;
    }
    read_type(builder, semantics, &instance->execution);
    read_period(builder, semantics, instance);
    read_policy(semantics, instance);
    read_priority(semantics, instance);
    read_affinity(builder, semantics, instance);
    read_rate_group(semantics, instance);
    read_late_limit(semantics, instance);
}
