/* SPDX-License-Identifier: Apache-2.0 */
/* Robots and models from formats of others (docs/design/machine-formats.md), in these files:
 * import_text.c numbers in texts, import_names.c names of channels, import_find.c files that are
 * named by package:// and model://, mesh_shelf.h meshes, mesh_process.c the process that reads
 * them, import_shape.c shapes, import_mass.c masses, urdf_xml.c URDF, sdf_*.c SDF, assemble.c what
 * both become: bodies, joints and drives of a mechanism. */
#ifndef DOPPEL_SIM_IMPORT_H
#define DOPPEL_SIM_IMPORT_H

#include <doppel/sim/import.h>

#include "classes.h"
#include "element.h"
#include "mesh_shelf.h"

#define DPL__IMPORT_NO_LIMIT 1e16 /* rad, m, N m ...: beyond all limits */

enum dpl__import_type {
    DPL__IMPORT_FIXED,
    DPL__IMPORT_REVOLUTE, /* a turn with limits */
    DPL__IMPORT_CONTINUOUS,
    DPL__IMPORT_PRISMATIC,
    DPL__IMPORT_FLOATING,
    DPL__IMPORT_PLANAR,
    DPL__IMPORT_BALL, /* URDF: spherical */
    DPL__IMPORT_UNIVERSAL,
};

struct dpl__import_solid {
    struct dpl_sim_solid solid; /* a mesh as it is in the file, scaled */
    struct dpl_place place;
    const char *uri; /* of a mesh */
    double friction; /* negative: that of its link */
};

struct dpl__import_link {
    char name[DPL_SIM_NAME_SIZE]; /* of the body */
    const struct dpl_xml_node *node;
    const char *own_name;  /* as the file says it */
    struct dpl_pose3 pose; /* at the start, in the frame of the mechanism */
    struct dpl_mass mass;  /* in the frame of the link; 0: it has none */
    const struct dpl_xml_node *mass_node;
    struct dpl__list solids, looks; /* of struct dpl__import_solid */
    double friction;                /* of its solids; negative: that of the options */
    int model;                      /* links of one model do not touch each other; 0: they do */
    bool is_static;
    /* What assemble.c finds out. */
    int host; /* the link whose body it is a part of */
    int body; /* of the mechanism; of a host */
};

struct dpl__import_joint {
    char name[DPL_SIM_NAME_SIZE];
    const struct dpl_xml_node *node;
    const char *own_name;
    enum dpl__import_type type;
    int parent, child;                    /* links; -1: the world */
    struct dpl_pose3 in_parent, in_child; /* agree at 0 */
    struct dpl_vector3 axis, axis2;       /* in both */
    bool has_range, has_drive;
    double lower, upper;
    double effort, velocity; /* most, of its drive */
    double damping, friction, stiffness, rest;
    bool cuts_loop;
    /* Position = multiplier * (that of joint `mimics`) + offset; -1: it mimics none. */
    int mimics;
    double multiplier, offset;
    int made; /* of the mechanism; -1: none */
};

struct dpl__import {
    struct dpl_element_reader *reader;
    const char *file; /* that is being read */
    const struct dpl_sim_import_options *options;
    const struct dpl__classes *classes;
    struct dpl_sim_objects *objects;
    struct dpl__list links, joints; /* of struct dpl__import_link, struct dpl__import_joint */
    struct dpl__list notes;         /* of const char * */
    struct dpl__list left_out;      /* of struct dpl__import_left */
    struct dpl__mesh_shelf meshes;  /* those that were read */
    struct dpl__list body_nodes, joint_nodes; /* as the mechanism numbers them */
    bool is_alone;     /* the file is looked at: no world says how its base stands */
    bool names_models; /* SDF: names of bodies begin with that of their model */
};

static inline struct dpl__import_link *dpl__import_link(const struct dpl__import *import,
                                                        int number)
{
    return &((struct dpl__import_link *)import->links.items)[number];
}

static inline struct dpl__import_joint *dpl__import_joint(const struct dpl__import *import,
                                                          int number)
{
    return &((struct dpl__import_joint *)import->joints.items)[number];
}

/* ---- messages ---- */

/* A line that `doppel check` says besides: what became other than the file says. */
void dpl__import_note(struct dpl__import *import, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The element is not read: one note for all of its name, with their lines. */
void dpl__import_leave_out(struct dpl__import *import, const struct dpl_xml_node *node);

/* Makes notes of what was left out, and a text of all notes for the objects. */
void dpl__import_tell(struct dpl__import *import);

/* An error with a place; returns false. */
bool dpl__import_fail(struct dpl__import *import, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- texts ---- */

/* Numbers with blanks between. False, and an error with the place of the wrong one, unless there
 * are exactly n and all are within 1e12. `what` names them in messages. */
bool dpl__import_numbers(struct dpl__import *import, const char *text, struct dpl_place place,
                         const char *what, size_t n, double *ret_numbers);

/* One number, which may be beyond 1e12 or "inf": then it is DPL__IMPORT_NO_LIMIT with its sign, as
 * files say that there is no limit. False after an error. */
bool dpl__import_wide(struct dpl__import *import, const char *text, struct dpl_place place,
                      const char *what, double *ret_number);

/* A boolean as SDF's own reader takes it: "true", "1", "false", "0" in any case. False after an
 * error. */
bool dpl__import_bool(struct dpl__import *import, const char *text, struct dpl_place place,
                      const char *what, bool *ret_bool);

/* The scale of a mesh: three numbers, or one for all axes with a note. False after an error. */
bool dpl__import_scale(struct dpl__import *import, const char *text, struct dpl_place place,
                       double ret_scale[3]);

/* A colour of four numbers, or of three with a note. False, and a warning, when it is none. */
bool dpl__import_color(struct dpl__import *import, const char *text, struct dpl_place place,
                       const char *what, double ret_rgba[4]);

/* A coefficient of friction that a material can have, with a note where it is another. */
double dpl__import_friction(struct dpl__import *import, struct dpl_place place, double friction);

/* Those of an attribute; without it they stay as they are. */
bool dpl__import_attribute(struct dpl__import *import, const struct dpl_xml_node *node,
                           const char *name, size_t n, double *inout_numbers);

/* The attribute, which must be there: NULL after an error. */
const struct dpl_xml_attribute *
dpl__import_required(struct dpl__import *import, const struct dpl_xml_node *node, const char *name);

/* Names of channels that are there: the first of n parts of that size. */
struct dpl__import_taken {
    const void *names;
    size_t n, size;
};

/* The name of a part in channels: that of the file, at most 47 bytes, without characters that no
 * channel may have. If it is one of `taken` (dpl_name_equal) or "world": with the suffix, then with
 * the suffix and "_2", "_3" ... behind it. */
void dpl__import_channel_name(const char *name, const char *suffix,
                              const struct dpl__import_taken *taken, size_t n_taken,
                              char ret_name[DPL_SIM_NAME_SIZE]);

/* The number of a link or joint by its own name; -1. */
int dpl__import_find_link(const struct dpl__import *import, const char *name);
int dpl__import_find_joint(const struct dpl__import *import, const char *name);

/* ---- files ---- */

/* Where a file is that is named by package://PACKAGE/..., model://MODEL/..., file://... or a path
 * beside the file that is being read; in the arena. NULL: nowhere. Opens nothing. */
const char *dpl__import_path(struct dpl__import *import, const char *uri);

/* Where dpl__import_path has looked, for messages; in the arena. */
const char *dpl__import_places(struct dpl__import *import, const char *uri);

/* ---- masses ---- */

/* Makes an inertia that no body has (dpl_mass_check) into one that a body can have, with a warning:
 * moments that are missing or too small are raised. A mass that is not positive stays. */
void dpl__import_real_mass(struct dpl__import *import, struct dpl_place place, const char *link,
                           struct dpl_mass *inout);

/* ---- shapes ---- */

/* Whether a shape that is no mesh has a size. That of a look without is a warning, that of another
 * shape an error. */
bool dpl__import_size(struct dpl__import *import, const struct dpl_xml_node *node, bool is_look,
                      const struct dpl_sim_solid *solid);

/* A mesh from a file as a solid without a pose; false when there is none. A file that is not there
 * is a warning; one that cannot be read is a warning for a look, an error for another shape. */
bool dpl__import_mesh(struct dpl__import *import, const char *uri, struct dpl_place place,
                      const double scale[3], bool is_look, struct dpl__import_solid *ret_solid);

/* Adds the convex hull of a mesh of link `name`, or those of its parts, to a list of struct
 * dpl_sim_solid. */
bool dpl__import_hulls(struct dpl__import *import, const char *name,
                       const struct dpl__import_solid *from, struct dpl__list *inout);

/* ---- all ---- */

/* False, and an error, when the file has elements or expressions of xacro. */
bool dpl__import_is_expanded(struct dpl__import *import, const struct dpl_xml_node *node);

/* Reads what the root says into links and joints; false after an error. */
bool dpl__urdf_read(struct dpl__import *import, const struct dpl_xml_node *root);

bool dpl__sdf_read(struct dpl__import *import, const struct dpl_xml_node *root);

/* A link without mass or a joint, with its name in the file and that in the mechanism, which must
 * be new; NULL after an error. */
struct dpl__import_link *dpl__import_add_link(struct dpl__import *import,
                                              const struct dpl_xml_node *node, const char *own_name,
                                              const char *name);
struct dpl__import_joint *dpl__import_add_joint(struct dpl__import *import,
                                                const struct dpl_xml_node *node,
                                                const char *own_name, const char *name);

/* Positions of joints at the start, as the options, limits and mimics say; [joints.n], in the
 * arena. NULL after an error. */
double *dpl__import_positions(struct dpl__import *import);

/* The joint that a joint follows in the end, through any number of others: position = *ret_ratio *
 * (that of the leader) + *ret_offset. Itself: it mimics none. */
int dpl__import_leader(const struct dpl__import *import, int number, double *ret_ratio,
                       double *ret_offset);

/* Makes the mechanism of links and joints; false after an error. */
bool dpl__import_assemble(struct dpl__import *import);

/* Gives each joint that is driven an entry. */
bool dpl__import_drive(struct dpl__import *import);

struct dpl__import_how {
    const char *file;
    const struct dpl_sim_import_options *options;
    const struct dpl__classes *classes;
    double step_s; /* for which it is checked */
    /* As in struct dpl__objects_how. */
    void (*check)(const struct dpl_sim_mechanism *mechanism,
                  void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                  void *user);
};

/* Reads a root; all that is made lives in the reader's arena. False after an error, which the
 * reader has. */
bool dpl__import_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                      const struct dpl__import_how *how, struct dpl_sim_objects *ret_objects);

#endif
