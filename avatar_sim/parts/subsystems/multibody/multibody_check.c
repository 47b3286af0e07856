/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a mechanism in STAR's format can be put together, without a world. */
#include <errno.h>

#include <doppel/sim/multibody_world.h>
#include <doppel/time.h>

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

/* Fewer steps of a fixed length than this do not follow a contact. */
static const double LEAST_STEPS = 6.0;

void dpl__multibody_say(const struct dpl_multibody_part *part, enum dpl_severity severity,
                        const char *file, struct dpl_diags *diags)
{
    for (size_t i = 0; i < part->n_notes; i++) {
        const struct dpl_diag *diag = &part->notes[i];
        if (diag->severity == severity) {
            dpl_diags_add(diags, severity,
                          (struct dpl_place){file, diag->place.line, diag->place.column}, "%s",
                          diag->text);
        }
    }
}

static void check_stiffness(const struct dpl_multibody_part *part, const char *file, double step,
                            struct dpl_diags *diags)
{
    const struct dpl_star_world *star = part->star;
    enum dpl_mb_integrator integrator = part->settings.integrator;
    if (integrator != DPL_MB_RK4 && integrator != DPL_MB_SEMI_IMPLICIT) {
        return; /* they choose shorter steps */
    }
    for (size_t i = 0; i < star->n_shapes; i++) {
        const struct dpl_star_shape *shape = &star->shapes[i];
        double mass = star->graph->bodies[shape->body].mass;
        double steps = dpl__multibody_contact_steps(shape, mass, step);
        if (steps < LEAST_STEPS) {
            struct dpl_star_shape free = *shape;
            free.stiffness = 0.0;
            struct dpl_multibody_touching fits =
                dpl__multibody_touching(&free, &star->graph->bodies[shape->body], integrator, step);
            dpl_diags_add(diags, DPL_SEVERITY_WARNING,
                          (struct dpl_place){file, shape->line, shape->column},
                          "a contact of this shape lasts %.2g steps of %g s, which do not follow "
                          "it: a stiffness of %.3g N/m takes 13 steps",
                          steps, step, fits.stiffness);
        }
    }
}

static int check_robot(struct dpl_arena *arena, const struct dpl_sim_robot *robot, double step,
                       struct dpl_diags *diags, const char **inout_about)
{
    const struct dpl_multibody_part *part = robot->part;
    struct report report = {diags, dpl_arena_printf(arena, "%s", part->file)};
    struct dpl_mb_settings settings = part->settings;
    struct dpl_mb_system *system = NULL;
    struct dpl_diag why;
    dpl__multibody_say(part, DPL_SEVERITY_NOTE, report.file, diags);
    check_stiffness(part, report.file, step, diags);
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
            int err =
                check_robot(arena, &model->robots[i], dpl_ns_to_s(model->step), diags, ret_about);
            rc = rc ? rc : err;
        }
    }
    return rc;
}
