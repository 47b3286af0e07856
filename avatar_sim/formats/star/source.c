/* SPDX-License-Identifier: Apache-2.0 */
/* What a file said: see source.h. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

const char *const dpl__star_root_keys[] = {"model_parameters", "fixed",      "frames", "lights",
                                           "assembly",         "assemblies", NULL};
const char *const dpl__star_parameter_keys[] = {"star_version",
                                                "version",
                                                "units",
                                                "gravity",
                                                "integrator",
                                                "integrators",
                                                "solver",
                                                "solvers",
                                                "simulation",
                                                "logger",
                                                "loggers",
                                                "include_dir",
                                                "include_directories",
                                                "include_directory",
                                                "include_worlds",
                                                NULL};
const char *const dpl__star_fixed_keys[] = {"frames", "lights", NULL};
const char *const dpl__star_assembly_keys[] = {"name",       "active",  "bodies",   "joints",
                                               "restraints", "devices", "assembly", "assemblies",
                                               "gears",      NULL};
const char *const dpl__star_body_keys[] = {
    "name",   "body_def",       "definition", "geometry",          "shapes",  "frames",
    "active", "center_of_mass", "mass",       "moment_of_inertia", "inertia", NULL};
const char *const dpl__star_inertia_keys[] = {"mass", "Ixx", "Iyy", "Izz",
                                              "Ixy",  "Iyz", "Izx", NULL};
const char *const dpl__star_frame_keys[] = {"name", "T", "R", "axis_angle", "quaternion", NULL};
const char *const dpl__star_joint_keys[] = {"name",
                                            "body_frame_pairs",
                                            "parent",
                                            "child",
                                            "type",
                                            "axis",
                                            "pitch",
                                            "initial_displacement",
                                            "active",
                                            "initial_velocity",
                                            "hold",
                                            "limits",
                                            "motor",
                                            "stiffness",
                                            "damping",
                                            "stiffness_coefficients",
                                            "damping_coefficients",
                                            NULL};
const char *const dpl__star_gear_keys[] = {"name", "joints", "ratio", "active", NULL};
const char *const dpl__star_restraint_keys[] = {
    "name",   "type",        "joint",  "body_frame_pair", "body_frame_pairs", "distance_type",
    "active", "knot_points", "normal", "coefficients",    "regularization",   NULL};
const char *const dpl__star_light_keys[] = {"name", "type", "parent", "Ka", "Kd", "Ks", NULL};
const char *const dpl__star_device_keys[] = {"name", "active", "joints", "sensors", NULL};
const char *const dpl__star_sensor_keys[] = {"name", "type", "frame", "joint", NULL};

struct dpl__star_source *dpl__star_source_create(void)
{
    return calloc(1, sizeof(struct dpl__star_source));
}

void dpl__star_source_destroy(struct dpl__star_source *source)
{
    if (!source) {
        return;
    }
    for (size_t kind = 0; kind < DPL_STAR_KINDS; kind++) {
        free(source->said[kind]);
    }
    json_decref(source->root);
    dpl_arena_finish(&source->arena);
    free(source);
}

struct dpl__star_said *dpl__star_say(struct dpl__star_source *source, enum dpl_mb_kind kind,
                                     int number)
{
    size_t needed = (size_t)number + 1, capacity = source->capacity[kind];
    if (needed > capacity) {
        capacity = 2 * needed + 16;
        struct dpl__star_said *said = realloc(source->said[kind], capacity * sizeof *said);
        if (!said) {
            source->is_out_of_memory = true;
            return NULL;
        }
        source->said[kind] = said;
        source->capacity[kind] = capacity;
    }
    struct dpl__star_said *all = source->said[kind];
    if (needed > source->n_said[kind]) {
        memset(all + source->n_said[kind], 0, (needed - source->n_said[kind]) * sizeof *all);
        source->n_said[kind] = needed;
    }
    return &all[number];
}

const struct dpl__star_said *dpl__star_said(const struct dpl__star_source *source,
                                            enum dpl_mb_kind kind, int number)
{
    return (size_t)number < source->n_said[kind] ? &source->said[kind][number] : NULL;
}

bool dpl__star_same_settings(const struct dpl_star_settings *a, const struct dpl_star_settings *b)
{
    const struct dpl_mb_settings *x = &a->solver, *y = &b->solver;
    return a->time_step == b->time_step && a->time_span == b->time_span &&
           x->integrator == y->integrator && x->correction == y->correction &&
           x->relative == y->relative && x->absolute == y->absolute &&
           x->repartition == y->repartition && x->damps_singular == y->damps_singular;
}
