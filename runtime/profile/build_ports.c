/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the ports that a component profile declares with those of the class. */
#include <string.h>

#include "build.h"
#include "number.h"
#include "words.h"

enum { PORTS_MAX = 256 };

int dpl__build_find_port(const struct dpl_component_class *class_, const char *name)
{
    for (size_t i = 0; i < class_->n_ports; i++) {
        if (dpl_name_equal(class_->ports[i].name, name) ||
            dpl__word_index(class_->ports[i].aliases, name) >= 0) {
            return (int)i;
        }
    }
    return -1;
}

static const char *const kind_elements[] = {
    [DPL_PORT_DATA] = "data_port",
    [DPL_PORT_EVENT] = "event_port",
    [DPL_PORT_SERVICE] = "service_port",
};

static const char *dir_word(enum dpl_port_kind kind, enum dpl_port_dir dir)
{
    if (kind == DPL_PORT_SERVICE) {
        return dir == DPL_PORT_IN ? "required" : "provided";
    }
    return dir == DPL_PORT_IN ? "input" : "output";
}

static const char *nearest_port(const struct dpl_component_class *class_, const char *name)
{
    const char *names[PORTS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < class_->n_ports && n < PORTS_MAX; i++) {
        names[n++] = class_->ports[i].name;
    }
    return dpl_nearest(name, names, n);
}

/* The declared queue, in any of the known spellings. */
static void read_queue(const struct dpl_xml_node *node, struct dpl_app_port *port)
{
    static const enum dpl_queue queues[] = {DPL_QUEUE_LAST, DPL_QUEUE_FIFO, DPL_QUEUE_LIFO,
                                            DPL_QUEUE_UFIFO};
    const struct dpl_xml_node *policy =
        dpl__child_named(node, "queueing_policy|queuing_policy|policy");
    int index = policy ? dpl__word_index(DPL__QUEUES, policy->text) : -1;
    if (index >= 0) {
        port->policy = queues[index];
    }
    const char *size = dpl__child_text(node, "queue_size");
    const struct dpl_xml_node *param = dpl__child_named(policy, "policy_param");
    param = param ? param : dpl__child_named(node, "policy_param");
    if (!size && param) {
        const struct dpl_xml_attribute *value = dpl_xml_attribute(param, "value");
        const struct dpl_xml_attribute *name = dpl_xml_attribute(param, "name");
        size = value ? value->value : param->text;
        size = name && dpl_name_equal(name->value, "size") ? size : NULL;
    }
    int64_t depth;
    const char *end = size ? dpl__whole_read(size, &depth) : NULL;
    if (end && *end == '\0' && depth >= 1 && depth <= UINT16_MAX) {
        port->depth = (uint16_t)depth;
    }
}

static void check_declaration(struct dpl__builder *builder, struct dpl__instance *instance,
                              const struct dpl_xml_node *node, enum dpl_port_kind kind)
{
    const struct dpl_component_class *class_ = instance->class_;
    const struct dpl_xml_node *name = dpl__child_named(node, "name");
    int index = dpl__build_find_port(class_, name->text);
    if (index < 0) {
        dpl__build_warn(builder, name->text_place, "class %s has no port '%.60s'%s", class_->name,
                        name->text, dpl__build_hint(builder, nearest_port(class_, name->text)));
        return;
    }
    const struct dpl_port_desc *port = &class_->ports[index];
    if (port->kind != kind) {
        dpl__build_error(builder, node->place, "port '%s' of class %s is a <%s>", port->name,
                         class_->name, kind_elements[port->kind]);
        return;
    }
    const struct dpl_xml_node *usage = dpl__child_named(node, "usage");
    const char *expected = dir_word(kind, port->dir);
    if (usage && dpl__word_index("input|output|provided|required", usage->text) >= 0 &&
        !dpl_name_equal(usage->text, expected)) {
        dpl__build_error(builder, usage->text_place, "port '%s' of class %s is '%s', not '%.20s'",
                         port->name, class_->name, expected, usage->text);
        return;
    }
    if (port->dir == DPL_PORT_IN && kind != DPL_PORT_SERVICE) {
        read_queue(node, &instance->ports[index]);
    }
}

static bool report_duplicate(struct dpl__builder *builder, const struct dpl_xml_node *first,
                             const struct dpl_xml_node *node)
{
    const char *name = dpl__child_text(node, "name");
    for (; first != node; first = first->next) {
        const struct dpl_xml_node *other = dpl__child_named(first, "name");
        if (other && strcmp(other->text, name) == 0) {
            dpl__build_error(builder, dpl__child_named(node, "name")->text_place,
                             "duplicate port name '%.60s'; the first is at %d:%d", name,
                             other->text_place.line, other->text_place.column);
            return true;
        }
    }
    return false;
}

void dpl__build_declared_ports(struct dpl__builder *builder, struct dpl__instance *instance)
{
    const struct dpl_xml_node *list = dpl__child_named(instance->profile, "ports");
    const struct dpl_xml_node *first = list ? list->children : NULL;
    if (!dpl__build_list_is_short(builder, first)) {
        return;
    }
    for (const struct dpl_xml_node *node = first; node; node = node->next) {
        size_t kind = 0;
        while (kind < DPL_COUNT(kind_elements) && strcmp(kind_elements[kind], node->name) != 0) {
            kind++;
        }
        if (kind == DPL_COUNT(kind_elements) || !dpl__child_text(node, "name")) {
            continue;
        }
        if (!report_duplicate(builder, first, node) && instance->class_) {
            check_declaration(builder, instance, node, (enum dpl_port_kind)kind);
        }
    }
}
