/* SPDX-License-Identifier: Apache-2.0 */
/* What lives as long as a model, but not in its arena. */
#ifndef DOPPEL_SIM_MODEL_OWNED_H
#define DOPPEL_SIM_MODEL_OWNED_H

#include <doppel/sim/model.h>

struct dpl_sim_owned {
    void (*destroy)(void *item);
    void *item;
    struct dpl_sim_owned *next;
};

/* The model destroys the item when it goes, the newest one first. Ends the process when there is no
 * memory, as an arena does. */
void dpl__model_own(struct dpl_sim_model *model, void (*destroy)(void *item), void *item);

#endif
