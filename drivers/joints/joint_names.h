/* SPDX-License-Identifier: Apache-2.0 */
/* The property Joints of drivers of class joints: names in order, separated by blanks. Pure. */
#ifndef JOINTS_JOINT_NAMES_H
#define JOINTS_JOINT_NAMES_H

#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/drv/joints.h>
#include <doppel/field.h>

#define JOINT_NAME_SIZE 64 /* with its end */

struct joint_names {
    size_t n;
    char name[DPL_JOINTS_MAX][JOINT_NAME_SIZE];
};

/* Takes a text that joint_names_check accepts; of any other text, the names before the fault. */
void joint_names_parse(const char *text, struct joint_names *ret_names);

/* For the field table: 1 to DPL_JOINTS_MAX names, each once (as dpl_name_equal compares) and
 * shorter than JOINT_NAME_SIZE. -EINVAL with reterr. */
int joint_names_check(const char *text, struct dpl_diag *reterr);

/* The row of a driver's property table. */
#define JOINT_NAMES_FIELD(struct_, member_)                                                        \
    DPL_TEXT_CHECKED(struct_, member_, "Joints", NULL, joint_names_check,                          \
                     "names of the joints, in order, separated by blanks; at most 32")

#endif
