/* SPDX-License-Identifier: Apache-2.0 */
/* Reading URDF, in two files: urdf_xml.c links, urdf_joints.c joints and the tree that they make.
 */
#ifndef DOPPEL_SIM_URDF_H
#define DOPPEL_SIM_URDF_H

#include "import.h"

/* Warns of attributes other than those of "a|b|c", and of a text. True. */
bool dpl__urdf_known(struct dpl__import *import, const struct dpl_xml_node *node,
                     const char *names);

/* Warns of a text in an element whose values are attributes. */
void dpl__urdf_no_text(struct dpl__import *import, const struct dpl_xml_node *node);

/* The pose that the child <origin> says; without one none. False after an error. */
bool dpl__urdf_origin(struct dpl__import *import, const struct dpl_xml_node *node,
                      struct dpl_pose3 *ret_pose);

/* Reads a <joint>, once all links are known. */
void dpl__urdf_joint(struct dpl__import *import, const struct dpl_xml_node *node);

/* Looks up which joints mimic which, once all are known. */
void dpl__urdf_mimics(struct dpl__import *import);

/* Checks that there is one tree, and places its links as the joints are at the start; false after
 * an error. */
bool dpl__urdf_place(struct dpl__import *import);

#endif
