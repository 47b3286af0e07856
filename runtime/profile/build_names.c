/* SPDX-License-Identifier: Apache-2.0 */
/* Names of components and ports: scopes, export ports, suggestions. */
#include "build_names.h"

#include <string.h>

enum { NAMES_MAX = 256 };

static struct dpl__entry *find_entry(const struct dpl__scope *scope, const char *name, size_t n)
{
    for (struct dpl__entry *e = scope->entries; e; e = e->next) {
        if (strlen(e->name) == n && strncmp(e->name, name, n) == 0) {
            return e;
        }
    }
    return NULL;
}

/* A name of the scope, or a path into the composites below it ("Outer.Inner"). */
struct dpl__entry *dpl__find_path(const struct dpl__scope *scope, const char *name)
{
    size_t n = strcspn(name, ".");
    struct dpl__entry *entry = find_entry(scope, name, n);
    while (entry && name[n] == '.' && entry->scope) {
        name += n + 1;
        n = strcspn(name, ".");
        entry = find_entry(entry->scope, name, n);
    }
    return entry;
}

const char *dpl__nearest_entry(const struct dpl__scope *scope, const char *name)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    for (const struct dpl__entry *e = scope->entries; e && n < NAMES_MAX; e = e->next) {
        names[n++] = e->name;
    }
    return dpl_nearest(name, names, n);
}

const char *dpl__export_name(const struct dpl_xml_node *export_port)
{
    const char *name = dpl__child_text(export_port, "export_port_name");
    return name ? name : dpl__child_text(export_port, "port_name");
}

const struct dpl_xml_node *dpl__first_export(const struct dpl__scope *scope)
{
    return dpl__child_named(dpl__child_named(scope->profile, "export_ports"), "export_port");
}

const struct dpl_xml_node *dpl__find_export(const struct dpl__scope *scope, const char *name)
{
    const struct dpl_xml_node *node = dpl__first_export(scope);
    for (; node; node = dpl_xml_next(node, "export_port")) {
        const char *exported = dpl__export_name(node);
        if (exported && dpl_name_equal(exported, name)) {
            return node;
        }
    }
    return NULL;
}

static const char *nearest_export(const struct dpl__scope *scope, const char *name)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    const struct dpl_xml_node *node = dpl__first_export(scope);
    for (; node && n < NAMES_MAX; node = dpl_xml_next(node, "export_port")) {
        const char *exported = dpl__export_name(node);
        if (exported) {
            names[n++] = exported;
        }
    }
    return dpl_nearest(name, names, n);
}

static const char *nearest_port(const struct dpl_component_class *class_, const char *name)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < class_->n_ports && n < NAMES_MAX; i++) {
        names[n++] = class_->ports[i].name;
    }
    return dpl_nearest(name, names, n);
}

bool dpl__read_export(const struct dpl_xml_node *node, struct dpl__port_name *ret)
{
    const struct dpl_xml_node *component = dpl__child_named(node, "component_name");
    const struct dpl_xml_node *port = dpl__child_named(node, "port_name");
    if (!component || !port || component->text[0] == '\0' || port->text[0] == '\0') {
        return false;
    }
    *ret = (struct dpl__port_name){component->text, port->text, component->text_place,
                                   port->text_place};
    return true;
}

/* Without the class, the profile's own <ports> are used, if it has any. */
static enum dpl__find_result find_declared(struct dpl__builder *builder,
                                           const struct dpl__instance *instance,
                                           const struct dpl__port_name *name)
{
    const char *names[NAMES_MAX];
    size_t n = 0;
    const struct dpl_xml_node *list =
        instance ? dpl__child_named(instance->profile, "ports") : NULL;
    const struct dpl_xml_node *node = list ? list->children : NULL;
    for (; node && n < NAMES_MAX; node = node->next) {
        const char *declared = dpl__child_text(node, "name");
        if (declared && dpl_name_equal(declared, name->port)) {
            return DPL__ABSENT;
        }
        if (declared) {
            names[n++] = declared;
        }
    }
    if (n == 0 || n == NAMES_MAX) {
        return DPL__ABSENT;
    }
    dpl__build_error(builder, name->port_place, "the profile of '%s' has no port '%.80s'%s",
                     instance->name, name->port,
                     dpl__build_hint(builder, dpl_nearest(name->port, names, n)));
    return DPL__WRONG;
}

/* Follows a name through export ports to the instance that has the port. A composite cannot contain
 * itself, so the recursion ends. Only the outermost name is reported. */
enum dpl__find_result dpl__find_port(struct dpl__builder *builder, const struct dpl__scope *scope,
                                     const struct dpl__port_name *name, struct dpl__port_ref *ret)
{
    const struct dpl__entry *entry = dpl__find_path(scope, name->component);
    if (!entry) {
        dpl__build_error(builder, name->component_place, "there is no component '%.80s'%s",
                         name->component,
                         dpl__build_hint(builder, dpl__nearest_entry(scope, name->component)));
        return DPL__WRONG;
    }
    if (entry->scope) {
        struct dpl__port_name inner;
        const struct dpl_xml_node *node = dpl__find_export(entry->scope, name->port);
        if (!node) {
            dpl__build_error(builder, name->port_place, "composite '%s' exports no port '%.80s'%s",
                             entry->name, name->port,
                             dpl__build_hint(builder, nearest_export(entry->scope, name->port)));
            return DPL__WRONG;
        }
        if (!dpl__read_export(node, &inner) || !dpl__find_path(entry->scope, inner.component)) {
            return DPL__ABSENT;
        }
        return dpl__find_port(builder, entry->scope, &inner, ret);
    }
    if (!entry->instance || !entry->instance->class_) {
        return find_declared(builder, entry->instance, name);
    }
    const struct dpl_component_class *class_ = entry->instance->class_;
    int index = dpl__build_find_port(class_, name->port);
    if (index < 0) {
        dpl__build_error(builder, name->port_place, "'%s' (class %s) has no port '%.80s'%s",
                         entry->instance->name, class_->name, name->port,
                         dpl__build_hint(builder, nearest_port(class_, name->port)));
        return DPL__WRONG;
    }
    *ret = (struct dpl__port_ref){entry->instance, (unsigned)index};
    return DPL__FOUND;
}
