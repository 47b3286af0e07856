/* SPDX-License-Identifier: Apache-2.0 */
/* Connections: type checks, export ports, required ports that stay open. */
#include <protobuf-c/protobuf-c.h>
#include <string.h>

#include "build_names.h"
#include "words.h"

static const struct dpl_port_desc *desc_of(const struct dpl__port_ref *ref)
{
    return &ref->instance->class_->ports[ref->port];
}

static bool read_end(const struct dpl_xml_node *connection, const char *end,
                     struct dpl__port_name *ret)
{
    const struct dpl_xml_node *node = dpl_xml_child(connection, end);
    if (!node) {
        return false;
    }
    const struct dpl_xml_attribute *component = dpl_xml_attribute(node, "component_name");
    const struct dpl_xml_attribute *port = dpl_xml_attribute(node, "port_name");
    if (!component || !port || component->value[0] == '\0' || port->value[0] == '\0') {
        return false;
    }
    *ret = (struct dpl__port_name){component->value, port->value, component->value_place,
                                   port->value_place};
    return true;
}

/* ---- type checks ----------------------------------------------------------------------------- */

static const char *kind_word(enum dpl_port_kind kind)
{
    static const char *const words[] = {
        [DPL_PORT_DATA] = "data", [DPL_PORT_EVENT] = "event", [DPL_PORT_SERVICE] = "service"};
    return words[kind];
}

static const char *kind_phrase(enum dpl_port_kind kind)
{
    static const char *const phrases[] = {[DPL_PORT_DATA] = "a data",
                                          [DPL_PORT_EVENT] = "an event",
                                          [DPL_PORT_SERVICE] = "a service"};
    return phrases[kind];
}

static const char *dir_word(const struct dpl_port_desc *port)
{
    if (port->kind == DPL_PORT_SERVICE) {
        return port->dir == DPL_PORT_IN ? "requires" : "provides";
    }
    return port->dir == DPL_PORT_IN ? "receives" : "sends";
}

static const char *type_name(const struct dpl_port_desc *port)
{
    if (port->kind == DPL_PORT_SERVICE) {
        return port->service ? port->service->name : "nothing";
    }
    return port->message ? port->message->name : "nothing";
}

struct connection_ends {
    const struct dpl_xml_node *node;
    struct dpl__port_name source_name, target_name;
    struct dpl__port_ref source, target;
};

static bool check_kinds(struct dpl__builder *builder, const struct connection_ends *ends)
{
    const struct dpl_port_desc *source = desc_of(&ends->source);
    const struct dpl_port_desc *target = desc_of(&ends->target);
    const struct dpl_xml_attribute *said = dpl_xml_attribute(ends->node, "port_type");
    if (said && dpl__word_index(DPL__PORT_TYPES, said->value) >= 0 &&
        !dpl_name_equal(said->value, kind_word(source->kind))) {
        dpl__build_error(builder, said->value_place, "port_type says '%.20s', '%s' is %s port",
                         said->value, source->name, kind_phrase(source->kind));
        return false;
    }
    if (source->kind != target->kind) {
        dpl__build_error(builder, ends->target_name.port_place,
                         "'%s' is %s port, the source '%s' is %s port", target->name,
                         kind_phrase(target->kind), source->name, kind_phrase(source->kind));
        return false;
    }
    return true;
}

static bool check_directions(struct dpl__builder *builder, const struct connection_ends *ends)
{
    const struct dpl_port_desc *source = desc_of(&ends->source);
    const struct dpl_port_desc *target = desc_of(&ends->target);
    bool is_service = source->kind == DPL_PORT_SERVICE;
    enum dpl_port_dir source_dir = is_service ? DPL_PORT_IN : DPL_PORT_OUT;
    bool exchanged = source->dir != source_dir && target->dir == source_dir;
    if (source->dir != source_dir) {
        dpl__build_error(builder, ends->source_name.port_place,
                         "wrong direction: '%s' %s, the source of %s connection %s%s", source->name,
                         dir_word(source), kind_phrase(source->kind),
                         is_service ? "requires" : "sends",
                         exchanged ? "; are source and target exchanged?" : "");
        return false;
    }
    if (target->dir == source_dir) {
        dpl__build_error(builder, ends->target_name.port_place,
                         "wrong direction: '%s' %s, the target of %s connection %s", target->name,
                         dir_word(target), kind_phrase(target->kind),
                         is_service ? "provides" : "receives");
        return false;
    }
    return true;
}

/* Each plugin may have its own copy of a descriptor, so names are compared. */
static bool check_types(struct dpl__builder *builder, const struct connection_ends *ends)
{
    const char *source = type_name(desc_of(&ends->source));
    const char *target = type_name(desc_of(&ends->target));
    if (strcmp(source, target) == 0) {
        return true;
    }
    dpl__build_error(builder, ends->target_name.port_place,
                     "type mismatch: '%s' of '%s' has the type %s, the source '%s' has %s",
                     desc_of(&ends->target)->name, ends->target.instance->name, target,
                     desc_of(&ends->source)->name, source);
    return false;
}

static bool check_uniqueness(struct dpl__builder *builder, const struct connection_ends *ends)
{
    for (const struct dpl__link *l = builder->links; l; l = l->next) {
        const struct dpl_app_connection *c = &l->connection;
        bool same_source =
            c->source == ends->source.instance->index && c->source_port == ends->source.port;
        bool same_target =
            c->target == ends->target.instance->index && c->target_port == ends->target.port;
        if (same_source && same_target) {
            dpl__build_error(builder, ends->node->place,
                             "duplicate connection; the first is at %d:%d", c->place.line,
                             c->place.column);
            return false;
        }
        if (same_source && c->kind == DPL_PORT_SERVICE) {
            dpl__build_error(builder, ends->source_name.port_place,
                             "'%s' of '%s' requires one provider; it has one at %d:%d",
                             desc_of(&ends->source)->name, ends->source.instance->name,
                             c->place.line, c->place.column);
            return false;
        }
    }
    return true;
}

static void add_link(struct dpl__builder *builder, const struct connection_ends *ends)
{
    if (builder->n_links >= DPL__LINKS_MAX) {
        return;
    }
    if (++builder->n_links == DPL__LINKS_MAX) {
        dpl__build_error(builder, ends->node->place, "more than %d connections",
                         DPL__LINKS_MAX - 1);
        return;
    }
    struct dpl__link *link = dpl_arena_alloc(builder->arena, sizeof(*link));
    link->connection = (struct dpl_app_connection){
        .kind = desc_of(&ends->source)->kind,
        .source = ends->source.instance->index,
        .target = ends->target.instance->index,
        .source_port = ends->source.port,
        .target_port = ends->target.port,
        .place = ends->node->place,
    };
    if (!builder->last_link) {
        builder->links = link;
    } else {
        builder->last_link->next = link;
    }
    builder->last_link = link;
}

static void mark(const struct dpl__port_ref *ref)
{
    ref->instance->connected[ref->port] = true;
}

static bool is_unknown_name(const struct dpl__scope *scope, const struct dpl__port_name *name)
{
    return !dpl__find_path(scope, name->component);
}

static void build_connection(struct dpl__builder *builder, struct dpl__scope *scope,
                             const struct dpl_xml_node *node, bool lenient)
{
    struct connection_ends ends = {.node = node};
    if (!read_end(node, "source", &ends.source_name) ||
        !read_end(node, "target", &ends.target_name)) {
        return;
    }
    if (lenient &&
        (is_unknown_name(scope, &ends.source_name) || is_unknown_name(scope, &ends.target_name))) {
        return;
    }
    enum dpl__find_result source = dpl__find_port(builder, scope, &ends.source_name, &ends.source);
    enum dpl__find_result target = dpl__find_port(builder, scope, &ends.target_name, &ends.target);
    /* A port with a wrong connection is not reported as open too. */
    if (source == DPL__FOUND) {
        mark(&ends.source);
    }
    if (target == DPL__FOUND) {
        mark(&ends.target);
    }
    if (source != DPL__FOUND || target != DPL__FOUND) {
        return;
    }
    if (check_kinds(builder, &ends) && check_directions(builder, &ends) &&
        check_types(builder, &ends) && check_uniqueness(builder, &ends)) {
        add_link(builder, &ends);
    }
}

/* ---- export ports ---------------------------------------------------------------------------- */

static void check_export_words(struct dpl__builder *builder, const struct dpl_xml_node *node,
                               const struct dpl_port_desc *port)
{
    const struct dpl_xml_node *type = dpl__child_named(node, "port_type");
    const struct dpl_xml_node *dir = dpl__child_named(node, "port_dir");
    if (type && type->text[0] != '\0' && !dpl_name_equal(type->text, kind_word(port->kind))) {
        dpl__build_error(builder, type->text_place, "port_type says '%.20s', '%s' is %s port",
                         type->text, port->name, kind_phrase(port->kind));
        return;
    }
    const char *expected = port->dir == DPL_PORT_IN ? "input|required|in" : "output|provided|out";
    if (dir && dir->text[0] != '\0' && dpl__word_index(expected, dir->text) < 0) {
        dpl__build_error(builder, dir->text_place, "port_dir says '%.20s', '%s' %s", dir->text,
                         port->name, dir_word(port));
    }
}

static void build_export(struct dpl__builder *builder, struct dpl__scope *scope,
                         const struct dpl_xml_node *node)
{
    struct dpl__port_name name;
    struct dpl__port_ref ref;
    const char *exported = dpl__export_name(node);
    if (!dpl__read_export(node, &name) || !exported) {
        return;
    }
    const struct dpl_xml_node *first = dpl__find_export(scope, exported);
    if (first && first != node) {
        dpl__build_error(builder, node->place,
                         "duplicate export port '%.60s'; the first is at %d:%d", exported,
                         first->place.line, first->place.column);
        return;
    }
    if (dpl__find_port(builder, scope, &name, &ref) != DPL__FOUND) {
        return;
    }
    check_export_words(builder, node, desc_of(&ref));
    if (!scope->parent) {
        mark(&ref);
    }
}

/* ---- public ---------------------------------------------------------------------------------- */

void dpl__build_connections(struct dpl__builder *builder, struct dpl__scope *scope,
                            const struct dpl_xml_node *profile, bool lenient)
{
    const struct dpl_xml_node *list = dpl__child_named(profile, "port_connections");
    const struct dpl_xml_node *node = dpl__child_named(list, "port_connection");
    for (; node; node = dpl_xml_next(node, "port_connection")) {
        build_connection(builder, scope, node, lenient);
    }
    dpl__build_orders(builder, scope, profile, lenient);
}

void dpl__build_wiring(struct dpl__builder *builder, struct dpl__scope *scope)
{
    for (struct dpl__entry *e = scope->entries; e; e = e->next) {
        if (e->scope) {
            dpl__build_wiring(builder, e->scope);
        }
    }
    const struct dpl_xml_node *node = dpl__first_export(scope);
    if (!dpl__build_list_is_short(builder, node)) {
        return;
    }
    for (; node; node = dpl_xml_next(node, "export_port")) {
        build_export(builder, scope, node);
    }
    dpl__build_connections(builder, scope, scope->profile, false);
}

void dpl__build_open_ports(struct dpl__builder *builder)
{
    for (struct dpl__instance *i = builder->instances; i; i = i->next) {
        for (size_t p = 0; i->class_ && p < i->class_->n_ports; p++) {
            const struct dpl_port_desc *port = &i->class_->ports[p];
            if (port->required && !i->connected[p]) {
                dpl__build_error(builder, i->place,
                                 "the required %s port '%s' of '%s' is not connected",
                                 kind_word(port->kind), port->name, i->name);
            } else if (port->expected && !i->connected[p]) {
                dpl__build_warn(builder, i->place, "the %s port '%s' of '%s' is not connected: %s",
                                kind_word(port->kind), port->name, i->name, port->summary);
            }
        }
    }
}
