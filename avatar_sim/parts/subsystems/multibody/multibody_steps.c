/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the step of a model is short enough for its mechanisms in minimal coordinates. */
#include <doppel/sim/multibody_world.h>

#include "multibody_state.h"

struct teller {
    const char *file;
    void (*warn)(void *user, const struct dpl_diag *diag);
    void *user;
};

static void tell(void *user, const struct dpl_diag *diag)
{
    const struct teller *teller = user;
    struct dpl_diag placed = *diag;
    placed.place.file = teller->file;
    teller->warn(teller->user, &placed);
}

void dpl_sim_check_steps(const struct dpl_sim_model *model,
                         void (*warn)(void *user, const struct dpl_diag *diag), void *user)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_multibody_part *part = dpl__multibody_part_of(&model->robots[i]);
        if (part) {
            struct teller teller = {part->file, warn, user};
            dpl_mb_check_step(part->star->graph, &part->settings, dpl_ns_to_s(model->step), tell,
                              &teller);
        }
    }
}
