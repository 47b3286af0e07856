/* SPDX-License-Identifier: Apache-2.0 */
/* Builds an application from its profiles. The stages, one file each: build_files.c reads profiles,
 * build_tree.c creates scopes and instances of the nested profiles, build_find.c finds them by
 * name, build_execution.c parses when they run, build_rates.c checks the members of a rate group,
 * build_ports.c compares declared ports with the class, build_binding.c applies bindings and --set,
 * build_world.c finds the world and its changes,
 * build_driver.c finds drivers, build_properties.c parses values, build_names.c, build_wiring.c and
 * build_order.c resolve connections and orders, build_agreement.c checks properties that connected
 * components must have in common, build_commanders.c finds components with two commanders,
 * build_results.c components with one result file. All data is in the builder's arena. */
#ifndef DOPPEL_PROFILE_BUILD_H
#define DOPPEL_PROFILE_BUILD_H

#include <stdbool.h>

#include <doppel/host/app.h>

#include "arena.h"
#include "catalog.h"
#include "dialect.h"
#include "xml_reader.h"

/* Limits of an application. Each name and order is compared with all others, so the limits also
 * limit the time for a malicious file. */
enum {
    DPL__NESTING_MAX = 16,
    DPL__INSTANCES_MAX = 1000,
    DPL__LINKS_MAX = 4000,
    DPL__ORDERS_MAX = 1000,
    DPL__LIST_MAX = 1000, /* ports, properties, methods, members of one element */
};

enum dpl__origin {
    DPL__ORIGIN_COMPONENT, /* the component's profile */
    DPL__ORIGIN_INSTANCE,  /* the application or composite that contains it */
    DPL__ORIGIN_BINDING,
    DPL__ORIGIN_SET,
};

/* One value for one property, in the order in which they apply. */
struct dpl__assignment {
    enum dpl__origin origin;
    const char *name, *type; /* type: from the profile; NULL: none */
    struct dpl_place name_place;
    struct dpl_field_text text;
    struct dpl__assignment *next;
};

/* A block of parsed values, and which of its fields were given. */
struct dpl__field_block {
    const struct dpl_field *fields;
    size_t n;
    void *base;
    bool *assigned;
};

struct dpl__device_build {
    struct dpl_app_device *model; /* NULL: not resolved */
    struct dpl__field_block block;
    struct dpl__device_build *sides;
    size_t n_sides;
};

/* Position in the profile; no file: not given. */
struct dpl__execution_places {
    struct dpl_place period, priority, policy, affinity, rate_group;
};

struct dpl__instance {
    const char *name; /* full */
    struct dpl_place place;
    const struct dpl_component_class *class_; /* NULL: not on this machine */
    const struct dpl_xml_node *profile;       /* component_profile; NULL: class defaults */
    struct dpl_app_execution execution;
    struct dpl__execution_places execution_places;
    const char *node_id;
    struct dpl__assignment *assignments, *last_assignment;
    struct dpl__field_block block;
    struct dpl__device_build *device; /* NULL: none, or not resolved */
    bool driver_is_absent;            /* named, but not on this machine */
    struct dpl_app_port *ports;
    bool *connected; /* class_->n_ports */
    size_t index;
    struct dpl__instance *next;
};

struct dpl__scope;

/* A name inside a composite or application. Neither instance nor scope: not on this machine. */
struct dpl__entry {
    const char *name;
    struct dpl_place place;
    struct dpl__instance *instance;
    struct dpl__scope *scope;
    struct dpl__entry *next;
};

struct dpl__scope {
    const char *prefix; /* "" at the top, "Outer." inside */
    const char *file;
    const struct dpl_xml_node *profile;
    struct dpl__entry *entries, *last_entry;
    struct dpl__scope *parent;
};

struct dpl__link {
    struct dpl_app_connection connection;
    struct dpl__link *next;
};

struct dpl__order {
    struct dpl_app_depends depends;
    struct dpl__order *next;
};

struct dpl__world_change {
    struct dpl_app_world_property property;
    struct dpl__world_change *next;
};

struct dpl__file {
    const char *path;
    const struct dpl_xml_node *root; /* NULL: it could not be read */
    int kind;
    struct dpl__file *next;
};

struct dpl__builder {
    struct dpl_arena *arena;
    struct dpl_catalog *catalog;
    struct dpl_diags *diags;
    bool resolve; /* missing things are errors */
    struct dpl__file *files;
    struct dpl__scope *top;
    struct dpl__instance *instances, *last_instance;
    size_t n_instances, n_entries;
    struct dpl__link *links, *last_link;
    size_t n_links;
    struct dpl__order *orders, *last_order;
    size_t n_orders;
    const char *world;
    struct dpl_place world_place;
    struct dpl__world_change *world_changes, *last_world_change;
    size_t n_world_changes;
};

/* ---- build_files.c --------------------------------------------------------------------------- */

/* Reads and checks a profile once; later calls return the same. NULL: an error was reported, or it
 * is not a profile (then ret_root_name, which may be NULL, has the root's name). */
const struct dpl__file *dpl__build_read(struct dpl__builder *builder, const char *path,
                                        const char **ret_root_name);

/* Takes a tree that was already read. NULL: its root is not in the dialect. */
const struct dpl__file *dpl__build_take(struct dpl__builder *builder, const char *path,
                                        const struct dpl_xml_node *root);

/* Reports something that is missing on this machine: an error when resolving, otherwise a
 * warning. */
void dpl__build_absent(struct dpl__builder *builder, struct dpl_place place, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));
void dpl__build_error(struct dpl__builder *builder, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void dpl__build_warn(struct dpl__builder *builder, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a list (its first element) has at most DPL__LIST_MAX elements; otherwise reports it. */
bool dpl__build_list_is_short(struct dpl__builder *builder, const struct dpl_xml_node *first);

/* "; did you mean 'x'?" or "", in the arena. */
const char *dpl__build_hint(struct dpl__builder *builder, const char *nearest);

/* A child by its spellings ("a|b"); NULL when absent. The text of a child; NULL when absent or
 * empty. */
const struct dpl_xml_node *dpl__child_named(const struct dpl_xml_node *node, const char *names);
const char *dpl__child_text(const struct dpl_xml_node *node, const char *names);

/* ---- build_tree.c ---------------------------------------------------------------------------- */

/* Creates the instances of the <subcomponents> of a composite or application, recursively. */
struct dpl__scope *dpl__build_scope(struct dpl__builder *builder, const struct dpl__file *file,
                                    struct dpl__scope *parent, const char *prefix);
void dpl__build_subcomponents(struct dpl__builder *builder, struct dpl__scope *scope,
                              const struct dpl_xml_node *profile, const char *file);

/* An instance of one component profile, for checking the profile itself. */
void dpl__build_single(struct dpl__builder *builder, const struct dpl__file *file);

/* ---- build_find.c ---------------------------------------------------------------------------- */

/* The instance whose name, followed by a '.', begins the text; of several the longest one, its
 * length in ret_n. NULL: none. */
struct dpl__instance *dpl__build_instance_before_dot(const struct dpl__builder *builder,
                                                     const char *text, size_t *ret_n);

/* Whether a dotted name refers to something that is missing on this machine, so that it cannot be
 * checked. */
bool dpl__build_may_be_absent(const struct dpl__scope *scope, const char *name);

/* The instance with this index in the application; NULL: there is none. */
const struct dpl__instance *dpl__build_instance_at(const struct dpl__builder *builder,
                                                   size_t index);

/* The innermost composite that begins a dotted name; NULL: none. */
const struct dpl__scope *dpl__build_scope_before_dot(const struct dpl__scope *scope,
                                                     const char *name);

struct dpl__instance *dpl__build_find_instance(const struct dpl__builder *builder,
                                               const char *name);
/* By the full name, otherwise by its last part; NULL: no similar name. */
const char *dpl__build_nearest_instance(const struct dpl__builder *builder, const char *name);

/* ---- the other stages ------------------------------------------------------------------------ */

/* Applies the content of <execution_semantics> (NULL: nothing), in addition to earlier ones. */
void dpl__build_execution(struct dpl__builder *builder, const struct dpl_xml_node *semantics,
                          struct dpl__instance *instance);
/* <late_limit> in a binding or --set, in the form of a property. */
#define DPL__LATE_LIMIT "late_limit"
void dpl__build_late_limit(struct dpl__builder *builder, struct dpl__instance *instance,
                           const struct dpl__assignment *assignment);
/* Checks rate groups: only periodic-shared components, equal priority, policy and affinity, periods
 * that are multiples of the shortest one. */
void dpl__build_rates(struct dpl__builder *builder);

void dpl__build_declared_ports(struct dpl__builder *builder, struct dpl__instance *instance);
/* Index in the class's table by name or alias, or -1. */
int dpl__build_find_port(const struct dpl_component_class *class_, const char *name);

/* Applies a binding read from `file` to the top scope (its connections included). */
void dpl__build_binding(struct dpl__builder *builder, const struct dpl__file *file);
void dpl__build_set(struct dpl__builder *builder, const char *set);

/* The <world> of an application or a binding. */
void dpl__build_world(struct dpl__builder *builder, const struct dpl_xml_node *profile,
                      const char *file);
/* The <world_properties> of a binding. */
void dpl__build_world_properties(struct dpl__builder *builder, const struct dpl_xml_node *profile);

void dpl__build_add_assignment(struct dpl__builder *builder, struct dpl__instance *instance,
                               const struct dpl__assignment *assignment);
/* Adds each <property> of a <properties> element (NULL: none). */
void dpl__build_add_properties(struct dpl__builder *builder, struct dpl__instance *instance,
                               const struct dpl_xml_node *properties, enum dpl__origin origin);
/* Finds the driver (and those of its sides) that the assignments name; `complete`: a driver must be
 * given. */
#define DPL__DRIVER_PROPERTY "ApiName"
void dpl__build_driver(struct dpl__builder *builder, struct dpl__instance *instance, bool complete);

struct dpl__table {
    const struct dpl_field *fields;
    size_t n, size;
};

/* Creates a block with the defaults of its table. */
void dpl__build_block(struct dpl__builder *builder, const struct dpl__table *table,
                      struct dpl__field_block *ret);

/* Resolves drivers and parses all assignments of an instance. `complete`: required properties must
 * be given. */
void dpl__build_properties(struct dpl__builder *builder, struct dpl__instance *instance,
                           bool complete);

/* Resolves export ports, connections and orders of a scope; first those of the scopes inside it. */
void dpl__build_wiring(struct dpl__builder *builder, struct dpl__scope *scope);
/* The connections and orders of one profile between the names of a scope. `lenient`: names that the
 * scope does not have are ignored. */
void dpl__build_connections(struct dpl__builder *builder, struct dpl__scope *scope,
                            const struct dpl_xml_node *profile, bool lenient);
/* Reports required ports that are neither connected nor exported by the top scope. */
void dpl__build_open_ports(struct dpl__builder *builder);

/* Checks the properties that the components of a connection must have in common; call it after all
 * connections. A difference is an error when resolving, otherwise a warning. */
void dpl__build_agreements(struct dpl__builder *builder);

/* Warns of two components that command the same one. Call when all connections are known. */
void dpl__build_commanders(struct dpl__builder *builder);

/* Reports two components that write the same result file. Call when the properties are known. */
void dpl__build_results(struct dpl__builder *builder);

/* ---- app.c ----------------------------------------------------------------------------------- */

/* Checks a file of any kind; used by dpl_check_profile and by the fuzzer. */
void dpl__build_check(struct dpl__builder *builder, const struct dpl__file *file,
                      const struct dpl_app_options *options);

#endif
