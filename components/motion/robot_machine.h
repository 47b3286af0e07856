/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that a component's property Robot names. */
#ifndef MOTION_ROBOT_MACHINE_H
#define MOTION_ROBOT_MACHINE_H

#include <doppel/component.h>
#include <doppel/sim/machine.h>

/* `robot`: a robot model, as worlds name it, or its path. 0; -ENOENT; else as dpl_sim_read_machine.
 * For initialize: allocates and blocks. */
static inline int motion_read_machine(struct dpl_component *component, const char *robot,
                                      struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    const struct dpl_file_wanted wanted = {
        .folder = "robots", .what = "robot model", .name = robot};
    const char *file;
    int err = dpl_component_find_file(component, &wanted, &file, reterr);
    return err < 0 ? err : dpl_sim_read_machine(file, ret_machine, reterr);
}

#endif
