/* SPDX-License-Identifier: Apache-2.0 */
/* Reading SDF, in six files: sdf_xml.c models, sdf_include.c what they include, sdf_frames.c where
 * things are, sdf_links.c links and shapes, sdf_joints.c joints, sdf_ends.c which links they have.
 */
#ifndef DOPPEL_SIM_SDF_H
#define DOPPEL_SIM_SDF_H

#include "import.h"

enum {
    DPL__SDF_DEPTH_MAX = 16,  /* of files and models in each other */
    DPL__SDF_CHAIN_MAX = 1000 /* of frames that are relative to each other */
};

/* A <model>, or the <world> or <sdf> around models, whose elements name each other. */
struct dpl__sdf_scope {
    const struct dpl_xml_node *node;
    const struct dpl__sdf_scope *outer; /* NULL: the root */
    struct dpl_pose3 pose;              /* in the frame of the mechanism */
    const char *prefix;                 /* of names in it: "arm::", "" */
    bool is_model, is_static, touches_itself;
    int group;   /* of its links */
    int version; /* of the format: 1.7 is 107 */
};

/* The tree with <include> replaced by the models that they name; in the arena. NULL after an error.
 */
const struct dpl_xml_node *dpl__sdf_include(struct dpl__import *import,
                                            const struct dpl_xml_node *root);

/* ---- values ---- */

/* n numbers of the text of a child; without it they stay as they are. "inf" is 1e16. */
bool dpl__sdf_numbers(struct dpl__import *import, const struct dpl_xml_node *node,
                      const char *child, size_t n, double *inout_numbers);

/* The text of a child; "": there is none. */
const char *dpl__sdf_text(const struct dpl_xml_node *node, const char *child);

/* The boolean of a child; without it, or without text, it stays as it is. False after an error. */
bool dpl__sdf_flag(struct dpl__import *import, const struct dpl_xml_node *node, const char *child,
                   bool *inout);

/* Leaves out all children but those of "a|b|c". */
void dpl__sdf_leave_out(struct dpl__import *import, const struct dpl_xml_node *node,
                        const char *known);

/* ---- frames ---- */

/* What <pose> of an element says; without one no pose. */
bool dpl__sdf_pose(struct dpl__import *import, const struct dpl_xml_node *node,
                   struct dpl_pose3 *ret_pose);

/* Where a link, joint, frame or model of a scope is, in the frame of the mechanism. */
bool dpl__sdf_place(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const struct dpl_xml_node *node, int depth, struct dpl_pose3 *ret_pose);

/* Where the frame of that name is; an error at `node`, which names it. */
bool dpl__sdf_frame(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const char *name, const struct dpl_xml_node *node, int depth,
                    struct dpl_pose3 *ret_pose);

/* ---- parts ---- */

/* The name of a part in the whole file, "arm::elbow". NULL after an error. */
const char *dpl__sdf_full_name(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                               const struct dpl_xml_node *node);

/* Its name in the mechanism: "arm_elbow", or "elbow" where there is one model. */
const char *dpl__sdf_short_name(struct dpl__import *import, const char *full);

/* The link that a name in a model stands for: a link, the link of a frame, the canonical link of a
 * model in it. `prefix`: of names in the model. -1: none. Once all links are known. */
int dpl__sdf_link_of(struct dpl__import *import, const struct dpl_xml_node *scope,
                     const char *prefix, const char *name, int depth);

void dpl__sdf_link(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                   const struct dpl_xml_node *node);

/* Once all links are known. */
void dpl__sdf_joint(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const struct dpl_xml_node *node);

#endif
