/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions of classes, which plugins bring too: whatever one gives, an error has a text.
 * Each: 0, -ENOMEM, or -EINVAL with reterr, which has no place. */
#ifndef DOPPEL_SIM_CLASS_CALLS_H
#define DOPPEL_SIM_CLASS_CALLS_H

#include <doppel/sim/subsystem.h>

/* What a function of a class gave, with the diag that it got. `call`: its name; `who`: what gave
 * it, for messages. */
int dpl__class_answer(int given, const char *call, const char *who, const struct dpl_diag *why,
                      struct dpl_diag *reterr);

/* `check` of its class, then `attach` if there is a mechanism (NULL: none). */
int dpl__entry_check(const struct dpl_sim_entry *entry, const struct dpl_sim_mechanism *mechanism,
                     struct dpl_diag *reterr);

int dpl__entry_build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr);
int dpl__entry_connect(void *state, const struct dpl_sim_site *site,
                       const struct dpl_world_channels *channels, struct dpl_diag *reterr);

int dpl__subsystem_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);
int dpl__subsystem_build(const struct dpl_subsystem_class *class_, void *data,
                         const struct dpl_subsystem_site *site, struct dpl_diag *reterr);
int dpl__subsystem_built(const struct dpl_subsystem_class *class_, void *data,
                         struct dpl_diag *reterr);

#endif
