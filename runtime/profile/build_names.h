/* SPDX-License-Identifier: Apache-2.0 */
/* Names of components and ports in profiles, resolved through composites. Used by build_names.c,
 * build_wiring.c and build_order.c only. */
#ifndef DOPPEL_PROFILE_NAMES_H
#define DOPPEL_PROFILE_NAMES_H

#include "build.h"

enum dpl__find_result {
    DPL__FOUND,
    DPL__ABSENT, /* a part of the name is not on this machine, or was reported before */
    DPL__WRONG,  /* reported */
};

struct dpl__port_ref {
    struct dpl__instance *instance;
    unsigned port;
};

/* Names in a profile, and their place. */
struct dpl__port_name {
    const char *component, *port;
    struct dpl_place component_place, port_place;
};

/* A name of the scope, or a path into the composites below it ("Outer.Inner"); NULL: none. */
struct dpl__entry *dpl__find_path(const struct dpl__scope *scope, const char *name);
const char *dpl__nearest_entry(const struct dpl__scope *scope, const char *name);

const struct dpl_xml_node *dpl__first_export(const struct dpl__scope *scope);
/* The outer name of an <export_port>; NULL: it has none. */
const char *dpl__export_name(const struct dpl_xml_node *export_port);
/* The first <export_port> of that outer name; NULL: none. */
const struct dpl_xml_node *dpl__find_export(const struct dpl__scope *scope, const char *name);
/* The inner names of an <export_port>; false: incomplete, which was reported before. */
bool dpl__read_export(const struct dpl_xml_node *node, struct dpl__port_name *ret);

/* Follows a name through export ports to the instance that has the port. */
enum dpl__find_result dpl__find_port(struct dpl__builder *builder, const struct dpl__scope *scope,
                                     const struct dpl__port_name *name, struct dpl__port_ref *ret);

/* The orders of a profile's <coordination>; see dpl__build_connections. */
void dpl__build_orders(struct dpl__builder *builder, const struct dpl__scope *scope,
                       const struct dpl_xml_node *profile, bool lenient);

#endif
