/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of execution (coordination/depends): must have no cycles. */
#include "build_names.h"

/* Whether `to` must run after `from` because of the orders so far. Depth-first over the
 * instances. */
static bool leads_to(const struct dpl__builder *builder, size_t from, size_t to, bool *visited)
{
    if (from == to) {
        return true;
    }
    visited[from] = true;
    for (const struct dpl__order *o = builder->orders; o; o = o->next) {
        if (o->depends.source == from && !visited[o->depends.target] &&
            leads_to(builder, o->depends.target, to, visited)) {
            return true;
        }
    }
    return false;
}

static struct dpl__instance *order_end(struct dpl__builder *builder, const struct dpl__scope *scope,
                                       const struct dpl_xml_attribute *name, bool lenient)
{
    const struct dpl__entry *entry = dpl__find_path(scope, name->value);
    if (!entry && !lenient) {
        dpl__build_error(builder, name->value_place, "there is no component '%.80s'%s", name->value,
                         dpl__build_hint(builder, dpl__nearest_entry(scope, name->value)));
    }
    if (entry && entry->scope) {
        dpl__build_error(builder, name->value_place,
                         "'%.60s' is a composite; name a component inside it (%.60s.Name)",
                         name->value, name->value);
    }
    return entry ? entry->instance : NULL;
}

static void build_order(struct dpl__builder *builder, const struct dpl__scope *scope,
                        const struct dpl_xml_node *node, bool lenient)
{
    const struct dpl_xml_attribute *source_name = dpl_xml_attribute(node, "source");
    const struct dpl_xml_attribute *target_name = dpl_xml_attribute(node, "target");
    if (!source_name || !target_name || source_name->value[0] == '\0' ||
        target_name->value[0] == '\0') {
        return;
    }
    const struct dpl__instance *source = order_end(builder, scope, source_name, lenient);
    const struct dpl__instance *target = order_end(builder, scope, target_name, lenient);
    if (!source || !target) {
        return;
    }
    if (builder->n_orders >= DPL__ORDERS_MAX) {
        return;
    }
    if (++builder->n_orders == DPL__ORDERS_MAX) {
        dpl__build_error(builder, node->place, "more than %d orders", DPL__ORDERS_MAX - 1);
        return;
    }
    bool visited[DPL__INSTANCES_MAX] = {false};
    if (leads_to(builder, target->index, source->index, visited)) {
        dpl__build_error(builder, node->place, "a cycle in depends: '%s' runs before '%s' already",
                         target->name, source->name);
        return;
    }
    struct dpl__order *order = dpl_arena_alloc(builder->arena, sizeof(*order));
    order->depends = (struct dpl_app_depends){source->index, target->index, node->place};
    if (!builder->last_order) {
        builder->orders = order;
    } else {
        builder->last_order->next = order;
    }
    builder->last_order = order;
}

void dpl__build_orders(struct dpl__builder *builder, const struct dpl__scope *scope,
                       const struct dpl_xml_node *profile, bool lenient)
{
    const struct dpl_xml_node *list = dpl__child_named(profile, "coordination");
    const struct dpl_xml_node *node = dpl__child_named(list, "depends");
    for (; node; node = dpl_xml_next(node, "depends")) {
        build_order(builder, scope, node, lenient);
    }
}
