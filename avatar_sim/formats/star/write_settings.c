/* SPDX-License-Identifier: Apache-2.0 */
/* model_parameters of the document that is written. */
#include <string.h>

#include "units.h"
#include "writer.h"

static void put_version(struct dpl__star_writer *writer, json_t *object, json_t *source)
{
    const char *key = writer->is_c ? "version" : "star_version";
    bool is_same = writer->world->dialect == (writer->is_c ? DPL_STAR_C : DPL_STAR_A);
    if (!is_same || !dpl__star_put_said(writer, object, key, source)) {
        dpl__star_put(writer, object, key, json_string(writer->is_c ? "2.0.0" : "2.0.1"));
    }
}

static void put_units(struct dpl__star_writer *writer, json_t *object)
{
    json_t *units = json_object();
    dpl__star_put(writer, units, "angle", json_string(writer->units->angle_word));
    dpl__star_put(writer, units, "length", json_string(writer->units->length_word));
    dpl__star_put(writer, units, "mass", json_string(writer->units->mass_word));
    dpl__star_put(writer, units, "time", json_string(writer->units->time_word));
    dpl__star_put(writer, object, "units", units);
}

/* A number other than 0. */
static void put_number(struct dpl__star_writer *writer, json_t *object, const char *key, double si,
                       double scale)
{
    if (si != 0.0) {
        dpl__star_put(writer, object, key, dpl__star_write_number(si, scale));
    }
}

static void put_integrator(struct dpl__star_writer *writer, json_t *object)
{
    static const char *const words[] = {"semi_implicit", "rk4", "dopri5", "gragg"};
    const struct dpl_star_settings *settings = &writer->world->settings;
    json_t *integrator = json_object();
    dpl__star_put(writer, integrator, "type", json_string(words[settings->solver.integrator]));
    put_number(writer, integrator, "time_step", settings->time_step, writer->units->time);
    put_number(writer, integrator, "time_span", settings->time_span, writer->units->time);
    put_number(writer, integrator, "relative_error", settings->solver.relative, 1.0);
    put_number(writer, integrator, "absolute_error", settings->solver.absolute, 1.0);
    json_t *solver = json_object();
    put_number(writer, solver, "infinity_norm_multiplier", settings->solver.repartition, 1.0);
    if (settings->solver.correction == DPL_MB_LAGGED) {
        dpl__star_put(writer, solver, "correction", json_string("lagged"));
    }
    if (settings->solver.damps_singular) {
        dpl__star_put(writer, solver, "singular", json_string("damp"));
    }
    dpl__star_put_list(writer, object, "integrator", integrator);
    dpl__star_put_list(writer, object, "solver", solver);
}

/* Settings as they were read, if they are still those; the include directories in any case. */
static void put_settings(struct dpl__star_writer *writer, json_t *object, json_t *source)
{
    static const char *const settings[] = {"integrator", "integrators", "simulation",
                                           "solver",     "solvers",     NULL};
    static const char *const others[] = {"logger",      "loggers",           "include_directories",
                                         "include_dir", "include_directory", "include_worlds",
                                         NULL};
    if (dpl__star_same_settings(&writer->world->settings, &writer->source->settings)) {
        for (const char *const *key = settings; *key; key++) {
            dpl__star_put_said(writer, object, *key, source);
        }
    } else {
        put_integrator(writer, object);
    }
    for (const char *const *key = others; *key; key++) {
        dpl__star_put_said(writer, object, *key, source);
    }
}

json_t *dpl__star_write_parameters(struct dpl__star_writer *writer)
{
    json_t *source = json_object_get(writer->source->root, "model_parameters");
    json_t *object = json_object();
    const double *gravity = writer->graph->gravity;
    put_version(writer, object, source);
    put_units(writer, object);
    if (!writer->source->root || json_object_get(source, "gravity") || gravity[0] != 0.0 ||
        gravity[1] != 0.0 || gravity[2] != 0.0) {
        dpl__star_put(
            writer, object, "gravity",
            dpl__star_write_numbers(writer, gravity, 3, dpl__star_gravity(writer->units)));
    }
    put_settings(writer, object, source);
    dpl__star_put_kept(writer, object, source, dpl__star_parameter_keys);
    return object;
}
