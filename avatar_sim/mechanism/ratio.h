/* SPDX-License-Identifier: Apache-2.0 */
/* Light bodies that joints hold to heavy ones. */
#ifndef DOPPEL_SIM_RATIO_H
#define DOPPEL_SIM_RATIO_H

#include <doppel/sim/mechanism.h>

struct dpl_arena;

/* Joints in a tree carry any ratio of masses: their bodies have joint coordinates. Other joints
 * are rows of a solver: those that close loops, that a file cuts, that can break. Rows are solved
 * directly, too, until something of what they connect touches anything: then by iterations, which
 * give way where a light body has rows on both sides (docs/reference/mechanisms.md has figures).
 * Reports such bodies. */
void dpl__ratio_check(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                      void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                      void *user);

#endif
