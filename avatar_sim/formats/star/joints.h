/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the reader of joints. False: an error was reported. */
#ifndef DOPPEL_STAR_JOINTS_H
#define DOPPEL_STAR_JOINTS_H

#include "reader.h"

/* Displacement and velocity at the start, pitch of a screw. */
bool dpl__star_read_start(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint);
/* Limits and motor. */
bool dpl__star_read_drive(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint);

/* A rotation as a vector along its axis, as long as its angle is large (transform.c). */
void dpl__star_rotation_vector(const double rotation[9], double ret_vector[3]);

#endif
