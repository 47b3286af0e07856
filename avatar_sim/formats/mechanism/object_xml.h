/* SPDX-License-Identifier: Apache-2.0 */
/* Reading mechanisms from XML: object_xml.c the roots, body_xml.c bodies and materials, solid_xml.c
 * shapes and places, shape_files.c what these take from files, joint_xml.c joints, entry_xml.c
 * motors and sensors. A part is read when all that it needs has been read: first materials, then
 * bodies, then joints, then motors and sensors, each in the order of the file. */
#ifndef DOPPEL_SIM_OBJECT_XML_H
#define DOPPEL_SIM_OBJECT_XML_H

#include <doppel/sim/objects.h>

#include "classes.h"
#include "element.h"
#include "mesh_shelf.h"

/* The reader's target while the root is read. */
struct dpl__mechanism_target {
    struct dpl_sim_mechanism *mechanism;
    const char *file;
    bool half_extents;      /* the edges of boxes are half edges */
    bool default_materials; /* the file has none: made as they are used */
    /* Of const struct dpl_xml_node *, to be read. */
    struct dpl__list materials, bodies, joints, entries, units;
    struct dpl__list body_nodes, joint_nodes; /* the same, as the mechanism numbers them */
    const struct dpl__classes *classes;
    struct dpl__list made;       /* of struct dpl_sim_entry */
    struct dpl__list made_nodes; /* the same, of const struct dpl_xml_node * */
    struct dpl__list modbus;     /* of struct dpl_sim_modbus */
    struct dpl__mesh_shelf meshes;
    struct dpl__list notes; /* of const char *: parts that differ from the file */
};

/* The target while the children of a body, a shape or a frame are read. */
struct dpl__part {
    struct dpl__mechanism_target *all;
    struct dpl_pose3 pose;
    double color[4]; /* as in struct dpl_sim_solid */
    bool has_color;
    struct dpl__list solids;      /* body: of struct dpl_sim_solid */
    struct dpl__list solid_nodes; /* the same, of const struct dpl_xml_node * */
    /* body: what makes its mass, as solids and solid_nodes; meshes where these have hulls */
    struct dpl__list weights, weight_nodes;
    bool has_mesh_mass, is_static;
    struct dpl__list looks, visuals; /* of struct dpl_sim_solid, struct dpl_sim_visual */
    struct dpl__list points, faces;  /* shape: of struct dpl_vector3, of unsigned[3] */
    struct dpl_mass mass;            /* body: its inertia, and where its centre is */
    bool has_inertia;
    struct dpl__velocity {
        struct dpl_vector3 linear, angular;
    } velocity; /* body: at the start */
};

enum {
    DPL_PLACE_KINDS = 2,
    DPL_LOOK_KINDS = 3,
    DPL_SHAPE_KINDS = 8,
    DPL_BODY_KINDS = DPL_SHAPE_KINDS + 6
};

/* What may be in a frame, in a shape, and in a body; all fill a struct dpl__part. */
extern const struct dpl_element_kind dpl__place_kinds[DPL_PLACE_KINDS];
extern const struct dpl_element_kind dpl__look_kinds[DPL_LOOK_KINDS];
extern const struct dpl_element_kind dpl__body_kinds[DPL_BODY_KINDS];

/* One of the body's children; in body_xml.c. */
extern const struct dpl_element_table dpl__inertia_table;
void dpl__inertia_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* The same. */
extern const struct dpl_element_table dpl__velocity_table;
void dpl__velocity_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

extern const struct dpl_element_table dpl__vector_table; /* of struct dpl_vector3, in m */

/* Adds the element to a list of const struct dpl_xml_node *. */
void dpl__node_keep(struct dpl_element_reader *reader, struct dpl__list *list,
                    const struct dpl_xml_node *node);

extern const struct dpl_element_table dpl__material_table, dpl__joint_table;

/* Read a <Material>, a <RigidObject>, a <Joint>; reader->target is the struct
 * dpl__mechanism_target. */
void dpl__material_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__body_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__joint_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* How an expanded root is read. */
struct dpl__objects_how {
    const char *file;
    const struct dpl__classes *classes; /* of motors and sensors */
    double step_s;                      /* for which it is checked; 0: that of the file */
    /* What else is looked for; its findings get their places. NULL: nothing. */
    void (*check)(const struct dpl_sim_mechanism *mechanism,
                  void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                  void *user);
};

/* Reads it; all that is made lives in the reader's arena. False after an error, which the reader
 * has. */
bool dpl__objects_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                       const struct dpl__objects_how *how, struct dpl_sim_objects *ret_objects);

/* All that a <Motor> (of actuators) or a <Sensor> may have, of all classes together; lives in the
 * arena. */
struct dpl_element_table dpl__entry_table(struct dpl_arena *arena,
                                          const struct dpl__classes *classes,
                                          enum dpl_sim_phase phase);

/* Reads a <Motor> or a <Sensor>; reader->target is the struct dpl__mechanism_target. */
void dpl__entry_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* An error at the value of an attribute, or at the element when it is not given: `what`, with the
 * name that was probably meant (`near`; NULL: none). */
void dpl__node_complain(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const char *attribute, const char *what, const char *near);

/* The number of the body that an attribute names; -1, and an error, when there is none. */
int dpl__node_body(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                   const char *attribute, const char *name);

/* A file whose root is a single <RigidObject>. */
extern const struct dpl_element_root dpl__object_root;

/* A file whose root is <mechanism>, with all that may be in it; lives in the arena. */
struct dpl_element_root dpl__mechanism_root(struct dpl_arena *arena,
                                            const struct dpl__classes *classes);

#endif
