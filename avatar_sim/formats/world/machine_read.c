/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of a robot model's file. */
#include <doppel/sim/machine.h>

#include <errno.h>

#include <doppel/sim/axes.h>
#include <doppel/sim/load.h>

#include "arena.h"
#include "machine_xml.h"

/* The first error. Its place must outlive the arena. */
static int fail_machine(const struct dpl_diags *diags, const char *file, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < diags->n; i++) {
        struct dpl_place place = diags->items[i].place;
        if (diags->items[i].severity == DPL_SEVERITY_ERROR) {
            place.file = file;
            return dpl_fail(reterr, -EINVAL, place, "%s", diags->items[i].text);
        }
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file}, "cannot be read");
}

int dpl_sim_read_machine(const char *file, struct dpl_machine *ret_machine, struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_sim_robot robot;
    int err = dpl_sim_read_robot(&arena, file, &robot, &diags);
    if (err < 0) {
        err = fail_machine(&diags, file, reterr);
    } else if (robot.subsystem != &dpl_axes_subsystem) {
        err = dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                       "robot model '%s' is no machine: it has no <hexaslide>", robot.name);
    } else {
        dpl__machine_describe(robot.name, robot.part, ret_machine);
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return err;
}
