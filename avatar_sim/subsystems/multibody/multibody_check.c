/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a mechanism in STAR's format can be put together, without a world. */
#include <errno.h>

#include <doppel/sim/multibody_world.h>

#include "arena.h"
#include "multibody_state.h"

struct report {
    struct dpl_diags *diags;
    const char *file;
};

static void take(void *user, const struct dpl_diag *diag)
{
    struct report *report = user;
    dpl_diags_add(report->diags, diag->severity,
                  (struct dpl_place){report->file, diag->place.line, diag->place.column}, "%s",
                  diag->text);
}

static int check_robot(struct dpl_arena *arena, const struct dpl_sim_robot *robot,
                       struct dpl_diags *diags, const char **inout_about)
{
    const struct dpl_multibody_part *part = robot->part;
    struct report report = {diags, dpl_arena_printf(arena, "%s", part->file)};
    struct dpl_mb_settings settings = part->settings;
    struct dpl_mb_system *system = NULL;
    struct dpl_diag why;
    dpl__multibody_say(part, DPL_SEVERITY_NOTE, report.file, diags);
    int err =
        dpl_mb_system_create(part->star->graph, &settings, NULL, take, &report, &system, &why);
    if (err) {
        why.severity = DPL_SEVERITY_ERROR;
        if (err == -ENOMEM) {
            dpl_fail(&why, err, (struct dpl_place){0}, "out of memory");
        }
        take(&report, &why);
        return -EINVAL;
    }
    *inout_about =
        dpl_arena_printf(arena, "%s%s: %s", *inout_about ? *inout_about : "", robot->name,
                         dpl_sim_describe_multibody(arena, part->star->graph, system));
    dpl_mb_system_destroy(system);
    return 0;
}

int dpl__multibody_check(struct dpl_arena *arena, const struct dpl_sim_model *model,
                         struct dpl_diags *diags, const char **ret_about)
{
    int rc = 0;
    for (size_t i = 0; i < model->n_robots; i++) {
        if (dpl__multibody_part_of(&model->robots[i])) {
            int err = check_robot(arena, &model->robots[i], diags, ret_about);
            rc = rc ? rc : err;
        }
    }
    return rc;
}
