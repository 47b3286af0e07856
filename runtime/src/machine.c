/* SPDX-License-Identifier: Apache-2.0 */
/* Loads machines of robot models through the world host. */
#include <doppel/machine.h>

#include <errno.h>

#include "component.h"
#include "runtime.h"

int dpl_component_load_machine(struct dpl_component *component, const char *file,
                               struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    const struct dpl__component *self = component->runtime;
    const struct dpl_world_host *world = &self->runtime->options.world;
    if (!world->ops || !world->ops->load_machine) {
        return dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                        "'%s': this program cannot read robot models", file);
    }
    return world->ops->load_machine(world->self, file, ret_machine, reterr);
}
