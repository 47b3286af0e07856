/* SPDX-License-Identifier: Apache-2.0 */
/* What the Synchronizer reads from both bases, the application and the Localizer. */
#ifndef SYNCHRONIZER_INPUTS_H
#define SYNCHRONIZER_INPUTS_H

#include "tables.h"

struct dpl_component;
struct dpl_tick;

/* The true poses of both robots at the same time. That of the real robot may come late, from a
 * world in another process. false: one of them is not known. */
bool sync_read_truths(struct dpl_component *self, struct dpl_pose2 *ret_real,
                      struct dpl_pose2 *ret_avatar);

/* The application's newest command; false: it drives nothing, or there was none. */
bool sync_read_command(struct dpl_component *self, struct dpl_twist2 *ret_command);

/* All of it, for one correction. */
struct dpl_sync_input sync_gather(struct dpl_component *self, const struct dpl_tick *tick);

/* Notes that the avatar was not put at its place. `code`: an error, positive or negative. */
void sync_refuse_place(struct sync_state *state, int code);

#endif
