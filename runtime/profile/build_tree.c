/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of nested profiles: composites become scopes, atomic components become instances. */
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "words.h"

/* The <node_id> of this process. */
#define LOCAL_NODE "local"

/* ---- instances ------------------------------------------------------------------------------- */

static struct dpl__instance *add_instance(struct dpl__builder *builder, const char *name,
                                          struct dpl_place place)
{
    struct dpl__instance *instance = dpl_arena_alloc(builder->arena, sizeof(*instance));
    instance->name = name;
    instance->place = place;
    instance->execution.priority = DPL_PRIORITY_DEFAULT;
    instance->execution.late_limit = DPL_LATE_LIMIT_DEFAULT;
    instance->index = builder->n_instances++;
    if (!builder->last_instance) {
        builder->instances = instance;
    } else {
        builder->last_instance->next = instance;
    }
    builder->last_instance = instance;
    return instance;
}

/* ---- classes --------------------------------------------------------------------------------- */

static void set_class(struct dpl__builder *builder, struct dpl__instance *instance,
                      const struct dpl_component_class *class_)
{
    instance->class_ = class_;
    dpl_ns period = class_->default_period != 0 ? class_->default_period : 100 * DPL_MS;
    instance->execution.period = period;
    instance->ports =
        dpl_arena_alloc(builder->arena, (class_->n_ports + 1) * sizeof(*instance->ports));
    instance->connected =
        dpl_arena_alloc(builder->arena, (class_->n_ports + 1) * sizeof(*instance->connected));
    for (size_t i = 0; i < class_->n_ports; i++) {
        instance->ports[i] = (struct dpl_app_port){class_->ports[i].policy, class_->ports[i].depth};
    }
}

/* The class is the one of the library; if no plugin has that name, the one of the profile. */
static void find_class(struct dpl__builder *builder, struct dpl__instance *instance)
{
    const struct dpl_xml_node *environment =
        dpl__child_named(instance->profile, "execution_environment");
    const struct dpl_xml_node *library = dpl__child_named(environment, "library_name");
    const struct dpl_xml_node *name = dpl__child_named(instance->profile, "name");
    const struct dpl_xml_node *candidates[] = {library, name};
    const struct dpl_component_class *class_;
    struct dpl_diag diag;
    const struct dpl_xml_node *blamed = NULL;
    for (size_t i = 0; i < DPL_COUNT(candidates); i++) {
        if (!candidates[i] || candidates[i]->text[0] == '\0') {
            continue;
        }
        struct dpl_diag *reterr = blamed ? NULL : &diag;
        if (dpl_catalog_class(builder->catalog, candidates[i]->text, &class_, reterr) == 0) {
            set_class(builder, instance, class_);
            return;
        }
        blamed = blamed ? blamed : candidates[i];
    }
    if (blamed) {
        dpl__build_absent(builder, blamed->text_place, "%s", diag.text);
    }
}

/* ---- atomic components ----------------------------------------------------------------------- */

static void check_singleton(struct dpl__builder *builder, const struct dpl__instance *instance,
                            struct dpl_place place)
{
    const struct dpl_xml_node *semantics =
        dpl__child_named(instance->profile, "execution_semantics");
    const char *creation = dpl__child_text(semantics, "instance_creation|creation_type");
    if (!creation || !dpl_name_equal(creation, "singleton")) {
        return;
    }
    for (const struct dpl__instance *i = builder->instances; i != instance; i = i->next) {
        if (i->profile == instance->profile) {
            dpl__build_error(builder, place, "a second instance of a singleton; the first is '%s'",
                             i->name);
            return;
        }
    }
}

static struct dpl__instance *build_atomic(struct dpl__builder *builder, const char *name,
                                          const struct dpl_xml_node *node,
                                          const struct dpl__file *file)
{
    struct dpl__instance *instance = add_instance(builder, name, node->place);
    instance->profile = file->root;
    find_class(builder, instance);
    check_singleton(builder, instance, node->place);
    dpl__build_declared_ports(builder, instance);
    dpl__build_execution(builder, dpl__child_named(file->root, "execution_semantics"), instance);
    dpl__build_add_properties(builder, instance, dpl__child_named(file->root, "properties"),
                              DPL__ORIGIN_COMPONENT);
    return instance;
}

static struct dpl__instance *build_without_profile(struct dpl__builder *builder, const char *name,
                                                   const struct dpl_xml_node *node)
{
    const struct dpl_xml_node *name_node = dpl__child_named(node, "name");
    struct dpl__instance *instance = add_instance(builder, name, node->place);
    const struct dpl_component_class *class_;
    struct dpl_diag diag;
    if (dpl_catalog_class(builder->catalog, name_node->text, &class_, &diag) == 0) {
        set_class(builder, instance, class_);
    } else {
        dpl__build_absent(builder, name_node->text_place, "no <reference>, and %s", diag.text);
    }
    return instance;
}

void dpl__build_single(struct dpl__builder *builder, const struct dpl__file *file)
{
    const char *name = dpl__child_text(file->root, "name");
    if (!name) {
        name =
            dpl__child_text(dpl__child_named(file->root, "execution_environment"), "library_name");
    }
    build_atomic(builder, name ? name : "", file->root, file);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static struct dpl__entry *find_entry(const struct dpl__scope *scope, const char *name)
{
    struct dpl__entry *entry = scope->entries;
    while (entry && strcmp(entry->name, name) != 0) {
        entry = entry->next;
    }
    return entry;
}

static struct dpl__entry *add_entry(struct dpl__builder *builder, struct dpl__scope *scope,
                                    const struct dpl_xml_node *name)
{
    struct dpl__entry *entry = dpl_arena_alloc(builder->arena, sizeof(*entry));
    entry->name = name->text;
    entry->place = name->text_place;
    if (!scope->last_entry) {
        scope->entries = entry;
    } else {
        scope->last_entry->next = entry;
    }
    scope->last_entry = entry;
    return entry;
}

/* Whether the file is already being processed as a scope: it would contain itself. */
/* A file can have several paths, but has one inode number. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return strcmp(a, b) == 0 || (stat(a, &first) == 0 && stat(b, &second) == 0 &&
                                 first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

static bool holds_itself(const struct dpl__scope *scope, const char *path)
{
    while (scope && !is_same_file(scope->file, path)) {
        scope = scope->parent;
    }
    return scope != NULL;
}

static size_t nesting(const struct dpl__scope *scope)
{
    size_t n = 0;
    for (; scope; scope = scope->parent) {
        n++;
    }
    return n;
}

static void warn_of_wrong_type(struct dpl__builder *builder, const struct dpl_xml_node *node,
                               bool is_composite)
{
    const struct dpl_xml_node *type = dpl__child_named(node, "type");
    if (!type || type->text[0] == '\0') {
        return;
    }
    if (dpl_name_equal(type->text, "composite") != is_composite) {
        dpl__build_warn(builder, type->text_place, "<type> says '%.30s', the reference is %s",
                        type->text, is_composite ? "a composite" : "an atomic component");
    }
}

/* A composite has no properties itself: "Component.Property" sets those of its components. */
static void set_inner_property(struct dpl__builder *builder, const struct dpl__scope *scope,
                               const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    const struct dpl_xml_attribute *type = dpl_xml_attribute(node, "type");
    const struct dpl_xml_attribute *unit = dpl_xml_attribute(node, "unit");
    if (!name || name->value[0] == '\0') {
        return;
    }
    size_t n = 0;
    const char *full = dpl_arena_printf(builder->arena, "%s%s", scope->prefix, name->value);
    struct dpl__instance *instance = dpl__build_instance_before_dot(builder, full, &n);
    if (!instance || n < strlen(scope->prefix)) {
        if (!dpl__build_may_be_absent(scope, name->value)) {
            const char *component =
                dpl_arena_strndup(builder->arena, full, (size_t)(strrchr(full, '.') - full));
            const char *near = dpl__build_nearest_instance(builder, component);
            dpl__build_error(builder, name->value_place,
                             "'%.80s': found no such component in the composite, expected "
                             "Component.Property%s",
                             name->value, dpl__build_hint(builder, near));
        }
        return;
    }
    struct dpl__assignment assignment = {
        .origin = DPL__ORIGIN_INSTANCE,
        .name = full + n + 1,
        .type = type ? type->value : NULL,
        .name_place = name->value_place,
        .text = {node->text, unit ? unit->value : NULL, node->text_place},
    };
    dpl__build_add_assignment(builder, instance, &assignment);
}

static void build_composite(struct dpl__builder *builder, struct dpl__scope *scope,
                            struct dpl__entry *entry, const struct dpl_xml_node *node,
                            const struct dpl__file *file)
{
    struct dpl_place place = dpl__child_named(node, "reference")->text_place;
    if (holds_itself(scope, file->path)) {
        dpl__build_error(builder, place, "a cycle of references: '%s' contains itself", file->path);
        return;
    }
    if (nesting(scope) >= DPL__NESTING_MAX) {
        dpl__build_error(builder, place, "composites are nested too deeply (at most %d)",
                         DPL__NESTING_MAX);
        return;
    }
    const char *prefix = dpl_arena_printf(builder->arena, "%s%s.", scope->prefix, entry->name);
    entry->scope = dpl__build_scope(builder, file, scope, prefix);
    const struct dpl_xml_node *list = dpl__child_named(node, "properties");
    const struct dpl_xml_node *first = dpl__child_named(list, "property");
    if (!entry->scope || !dpl__build_list_is_short(builder, first)) {
        return;
    }
    for (; first; first = dpl_xml_next(first, "property")) {
        set_inner_property(builder, entry->scope, first);
    }
}

static void build_referenced(struct dpl__builder *builder, struct dpl__scope *scope,
                             struct dpl__entry *entry, const struct dpl_xml_node *node,
                             const char *beside)
{
    const struct dpl_xml_node *reference = dpl__child_named(node, "reference");
    const char *path =
        dpl_catalog_find_profile(builder->catalog, "components", reference->text, beside);
    if (!path) {
        dpl__build_absent(builder, reference->text_place,
                          "cannot find the profile '%.120s' beside this file, in profile/, or on "
                          "the profile path",
                          reference->text);
        return;
    }
    const char *root_name = NULL;
    const struct dpl__file *file = dpl__build_read(builder, path, &root_name);
    if (file && file->kind == DPL__KIND_COMPONENT) {
        const char *name = dpl_arena_printf(builder->arena, "%s%s", scope->prefix, entry->name);
        warn_of_wrong_type(builder, node, false);
        entry->instance = build_atomic(builder, name, node, file);
    } else if (file && file->kind == DPL__KIND_COMPOSITE) {
        warn_of_wrong_type(builder, node, true);
        build_composite(builder, scope, entry, node, file);
    } else if (file || root_name) {
        dpl__build_error(builder, reference->text_place,
                         "'%.120s' holds <%.40s>, expected <component_profile> or "
                         "<composite_component_profile>",
                         reference->text, file ? file->root->name : root_name);
    }
}

static bool name_is_good(struct dpl__builder *builder, const struct dpl__scope *scope,
                         const struct dpl_xml_node *name)
{
    if (strchr(name->text, '.')) {
        dpl__build_error(builder, name->text_place,
                         "'%.60s': the name of a component must not have a '.'", name->text);
        return false;
    }
    const struct dpl__entry *first = find_entry(scope, name->text);
    if (first) {
        dpl__build_error(builder, name->text_place,
                         "duplicate component name '%.60s'; the first is at %d:%d", name->text,
                         first->place.line, first->place.column);
        return false;
    }
    return true;
}

/* "local" is the same as no node. A component of another node does not run in this process, and its
 * ports are not connected to other nodes. */
static const char *build_node(struct dpl__builder *builder, const struct dpl_xml_node *node)
{
    const struct dpl_xml_node *id = dpl__child_named(node, "node_id");
    if (!id || id->text[0] == '\0' || strcmp(id->text, LOCAL_NODE) == 0) {
        return NULL;
    }
    dpl__build_absent(builder, id->text_place,
                      "node_id '%.60s': remote nodes are not supported yet; leave it empty or say "
                      "'" LOCAL_NODE "'",
                      id->text);
    return id->text;
}

static void build_subcomponent(struct dpl__builder *builder, struct dpl__scope *scope,
                               const struct dpl_xml_node *node, const char *file)
{
    const struct dpl_xml_node *name = dpl__child_named(node, "name");
    if (builder->n_entries >= DPL__INSTANCES_MAX || !name || name->text[0] == '\0' ||
        !name_is_good(builder, scope, name)) {
        return;
    }
    if (++builder->n_entries == DPL__INSTANCES_MAX) {
        dpl__build_error(builder, node->place, "more than %d components", DPL__INSTANCES_MAX - 1);
        return;
    }
    struct dpl__entry *entry = add_entry(builder, scope, name);
    const char *node_id = build_node(builder, node);
    if (dpl__child_text(node, "reference")) {
        build_referenced(builder, scope, entry, node, file);
    } else {
        const char *full = dpl_arena_printf(builder->arena, "%s%s", scope->prefix, name->text);
        entry->instance = build_without_profile(builder, full, node);
    }
    if (!entry->instance) {
        return;
    }
    entry->instance->node_id = node_id;
    dpl__build_execution(builder, dpl__child_named(node, "execution_semantics"), entry->instance);
    dpl__build_add_properties(builder, entry->instance, dpl__child_named(node, "properties"),
                              DPL__ORIGIN_INSTANCE);
}

void dpl__build_subcomponents(struct dpl__builder *builder, struct dpl__scope *scope,
                              const struct dpl_xml_node *profile, const char *file)
{
    const struct dpl_xml_node *list = dpl__child_named(profile, "subcomponents");
    const struct dpl_xml_node *node = dpl__child_named(list, "subcomponent");
    for (; node; node = dpl_xml_next(node, "subcomponent")) {
        build_subcomponent(builder, scope, node, file);
    }
}

struct dpl__scope *dpl__build_scope(struct dpl__builder *builder, const struct dpl__file *file,
                                    struct dpl__scope *parent, const char *prefix)
{
    struct dpl__scope *scope = dpl_arena_alloc(builder->arena, sizeof(*scope));
    *scope = (struct dpl__scope){
        .prefix = prefix, .file = file->path, .profile = file->root, .parent = parent};
    dpl__build_subcomponents(builder, scope, file->root, file->path);
    return scope;
}
