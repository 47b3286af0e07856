/* SPDX-License-Identifier: Apache-2.0 */
/* A loaded application: the profile with its composites flattened, bindings and --set overrides
 * applied, classes and drivers resolved, properties parsed, and connections resolved to port
 * indices. Const after loading. It owns all its data, except the tables of classes and drivers,
 * which the catalogue owns. */
#ifndef DOPPEL_HOST_APP_H
#define DOPPEL_HOST_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/component.h>
#include <doppel/device.h>
#include <doppel/diag.h>
#include <doppel/host/catalog.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_execution_type {
    DPL_EXECUTION_PERIODIC,           /* its own thread */
    DPL_EXECUTION_PERIODIC_SHARED,    /* one thread for all components of the same period, priority,
                                         policy and affinity; or for all of one rate group */
    DPL_EXECUTION_PERIODIC_EXCLUSIVE, /* its own thread, never shared */
    DPL_EXECUTION_APERIODIC,          /* runs when a message or an event arrives */
    DPL_EXECUTION_PASSIVE,            /* only its services run */
};

enum dpl_policy {
    DPL_POLICY_OTHER,
    DPL_POLICY_FIFO,
    DPL_POLICY_RR,
};

/* Equal to the values in the shipped profiles, so that a component whose profile gives none shares
 * their threads. */
#define DPL_PRIORITY_DEFAULT   50
#define DPL_LATE_LIMIT_DEFAULT (300 * DPL_MS)

struct dpl_app_execution {
    enum dpl_execution_type type;
    dpl_ns period; /* periodic types; > 0; of the component, also in a rate group */
    int priority;  /* 0..99; DPL_PRIORITY_DEFAULT when the profile gives none */
    enum dpl_policy policy;
    uint64_t affinity; /* one bit per CPU; 0: any */
    /* NULL: none. Otherwise (periodic-shared only) the name of a group, unique in the application.
     * The components of a group share one thread and one time base, with any periods: the thread
     * runs at the shortest period, all other periods are multiples of it, and a component runs in
     * each cycle whose number is a multiple of its own divisor (all run in cycle 0). Priority,
     * policy and affinity are equal for the whole group. */
    const char *rate_group;
    dpl_ns late_limit; /* > 0: when its executor is later than this, its device stops */
};

struct dpl_app_device {
    const char *name; /* "Camera", "Camera.hardware" */
    const struct dpl_driver *driver;
    void *properties;
    struct dpl_place place; /* of ApiName, or of the property that selects the side's driver */
    const struct dpl_app_device *sides; /* driver->n_sides of them */
};

/* Queue of an input port from the profile, or from the class if the profile gives none. */
struct dpl_app_port {
    enum dpl_queue policy;
    uint16_t depth;
};

struct dpl_app_component {
    const char *name; /* "Camera"; in a composite "Base.Camera" */
    struct dpl_place place;
    const struct dpl_component_class *class_;
    void *properties;                    /* parsed properties of the class; never NULL */
    const struct dpl_app_device *device; /* NULL: the class has no device class */
    struct dpl_app_execution execution;
    const struct dpl_app_port *ports; /* class_->n_ports of them */
    const char *node_id; /* NULL: this process; dpl_app_load supports no other value yet */
};

struct dpl_app_connection {
    enum dpl_port_kind kind;
    size_t source,
        target; /* components; data, event: sender -> receiver; service: requirer -> provider */
    unsigned source_port, target_port;
    struct dpl_place place;
};

/* `target` runs only when `source` has run since the last run of `target`. In a rate group, a
 * source that was not due since then does not delay the target: there the order applies to cycles
 * in which both are due. */
struct dpl_app_depends {
    size_t source, target;
    struct dpl_place place;
};

/* Another value for an attribute of the application's world, from a binding. */
struct dpl_app_world_property {
    const char *text; /* "ENTRY.ATTRIBUTE=VALUE", as `doppel sim --set` takes it */
    struct dpl_place place;
};

struct dpl_app {
    const char *name;
    const char *file;
    const char *world; /* path of the application's embedded world, or NULL */
    struct dpl_place world_place;
    const struct dpl_app_world_property *world_properties; /* in order: a later one replaces */
    size_t n_world_properties;
    const struct dpl_app_component *components; /* in profile order */
    size_t n_components;
    const struct dpl_app_connection *connections;
    size_t n_connections;
    const struct dpl_app_depends *depends;
    size_t n_depends;
    /* Where files that components name are found; NULL: nowhere but by their path. Borrowed. */
    struct dpl_catalog *catalog;
    /* What it was loaded with (dpl_app_options). */
    const char *const *bindings, *const *sets;
    size_t n_bindings, n_sets;
};

struct dpl_app_options {
    const char *const *bindings; /* names or files, applied in order */
    size_t n_bindings;
    const char *const *sets; /* "Component.Property=value", applied last */
    size_t n_sets;
    /* Drivers, required properties and connections of required ports may be missing, because a
     * binding that is not given may have them: to draw an application, not to run it. The device of
     * a component is then NULL. */
    bool incomplete;
};

/* Loads an application to run it: everything that is missing on this machine is an error. On
 * failure (-EINVAL) the reasons are in diags, and nothing stays allocated. Warnings are possible on
 * success. */
int dpl_app_load(const char *file, const struct dpl_app_options *options,
                 struct dpl_catalog *catalog, struct dpl_app **ret_app, struct dpl_diags *diags);
void dpl_app_destroy(struct dpl_app *app); /* NULL: does nothing */

enum dpl_check_flag {
    /* everything that is missing on this machine is an error, not a warning */
    DPL_CHECK_RESOLVE = 1 << 0,
    DPL_CHECK_STRICT = 1 << 1, /* warnings count as errors */
};

/* Checks one profile of any kind (component, composite, application, service type, data type,
 * binding) without running it. avatar_sim checks worlds and robots. -EMEDIUMTYPE: the root element
 * of the file is not a profile (ret_root, when not NULL, gets the root's name). 0, or -EINVAL with
 * errors. */
int dpl_check_profile(const char *file, const struct dpl_app_options *options, unsigned flags,
                      struct dpl_catalog *catalog, struct dpl_diags *diags, char ret_root[64]);

#ifdef __cplusplus
}
#endif

#endif
