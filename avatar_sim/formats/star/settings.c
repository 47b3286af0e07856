/* SPDX-License-Identifier: Apache-2.0 */
/* model_parameters: the dialect, units, gravity, and how the world is solved. */
#include <stdio.h>
#include <string.h>

#include "reader.h"
#include "units.h"

/* ---- dialect ---- */

static enum dpl_star_dialect dialect_of_containers(struct dpl__star_reader *reader,
                                                   struct dpl__star_node root)
{
    if (json_is_array(dpl__star_get(reader, root, "assemblies").json)) {
        return DPL_STAR_C;
    }
    return DPL_STAR_A;
}

static enum dpl_star_dialect read_version(struct dpl__star_reader *reader,
                                          struct dpl__star_node root,
                                          struct dpl__star_node parameters)
{
    static const char *const keys[] = {"star_version", "version", NULL};
    struct dpl__star_node node = dpl__star_get_any(reader, parameters, keys);
    const char *version = node.json ? dpl__star_string(reader, node) : NULL;
    if (!version) {
        return dialect_of_containers(reader, root);
    }
    if (dpl__star_get(reader, parameters, "star_version").json) {
        if (strncmp(version, "2.", 2) != 0) {
            dpl__star_warn(reader, node, "only versions 2 are known; it is read as 2.0.1");
        }
        return DPL_STAR_A;
    }
    if (strncmp(version, "0.", 2) == 0) {
        return DPL_STAR_B;
    }
    if (strncmp(version, "2.", 2) != 0) {
        dpl__star_warn(reader, node, "only versions 0.2 and 2.0 are known; it is read as 2.0.0");
    }
    return DPL_STAR_C;
}

/* ---- units ---- */

static void read_unit(struct dpl__star_reader *reader, struct dpl__star_node units, const char *key,
                      const struct dpl__star_unit_word *words, double *ret_value,
                      const char **ret_word)
{
    struct dpl__star_node node = dpl__star_get(reader, units, key);
    const char *list[32];
    size_t n = 0;
    for (; words[n].word; n++) {
        list[n] = words[n].word;
    }
    int found = node.json ? dpl__star_word(reader, node, list, n) : -1;
    if (found >= 0) {
        *ret_value = words[found].value;
        *ret_word = words[found].word;
    }
}

static void read_units(struct dpl__star_reader *reader, struct dpl__star_node parameters,
                       struct dpl__star_node root)
{
    struct dpl_star_units *units = &reader->world->units;
    struct dpl__star_node node = dpl__star_get(reader, parameters, "units");
    if (!node.json) {
        dpl__star_warn(reader, parameters.json ? parameters : root,
                       "there are no units: they are SI units, angles are in radians");
        return;
    }
    if (!dpl__star_is_object(reader, node)) {
        return;
    }
    static const char *const keys[] = {"angle", "length", "mass", "time", NULL};
    dpl__star_check_keys(reader, node, keys);
    read_unit(reader, node, "angle", dpl__star_angles, &units->angle, &units->angle_word);
    read_unit(reader, node, "length", dpl__star_lengths, &units->length, &units->length_word);
    read_unit(reader, node, "mass", dpl__star_masses, &units->mass, &units->mass_word);
    read_unit(reader, node, "time", dpl__star_times, &units->time, &units->time_word);
}

/* ---- solver and integrator ---- */

/* An object, or the first one of an array of them. */
static struct dpl__star_node first_of(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    struct dpl__star_node nothing = {.json = NULL};
    if (!node.json) {
        return nothing;
    }
    if (json_is_array(node.json)) {
        if (json_array_size(node.json) > 1) {
            dpl__star_warn(reader, dpl__star_element(reader, node, 1), "only the first one counts");
        }
        node = json_array_size(node.json) > 0 ? dpl__star_element(reader, node, 0) : nothing;
    }
    return node.json && dpl__star_is_object(reader, node) ? node : nothing;
}

static void read_positive(struct dpl__star_reader *reader, struct dpl__star_node object,
                          const char *key, double scale, double *ret_value)
{
    struct dpl__star_node node = dpl__star_get(reader, object, key);
    double value;
    if (!node.json || !dpl__star_number(reader, node, scale, &value)) {
        return;
    }
    if (value <= 0.0) {
        dpl__star_error(reader, node, "more than 0 is expected");
        return;
    }
    *ret_value = value;
}

static void read_method(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    static const char *const words[] = {"semi_implicit", "rk4",    "dopri5",
                                        "gragg",         "ode113", "ode113b"};
    enum { OWN = 4 };
    int method = dpl__star_word(reader, node, words, sizeof words / sizeof *words);
    if (method < 0) {
        return;
    }
    if (method >= OWN) {
        dpl__star_note(reader, node, "there is no integrator '%s'; gragg takes its place",
                       words[method]);
        method = DPL_MB_GRAGG;
    }
    reader->world->settings.solver.integrator = (enum dpl_mb_integrator)method;
}

static void read_integrator(struct dpl__star_reader *reader, struct dpl__star_node object,
                            const char *type)
{
    struct dpl_star_settings *settings = &reader->world->settings;
    if (!object.json) {
        return;
    }
    static const char *const keys[] = {"type",      "integration_type", "time_span",
                                       "time_step", "relative_error",   "absolute_error",
                                       "omega_n",   "out_file",         NULL};
    dpl__star_check_keys(reader, object, keys);
    struct dpl__star_node method = dpl__star_get(reader, object, type);
    if (method.json) {
        read_method(reader, method);
    }
    read_positive(reader, object, "time_step", reader->units->time, &settings->time_step);
    read_positive(reader, object, "time_span", reader->units->time, &settings->time_span);
    read_positive(reader, object, "relative_error", 1.0, &settings->solver.relative);
    read_positive(reader, object, "absolute_error", 1.0, &settings->solver.absolute);
}

static void read_solver(struct dpl__star_reader *reader, struct dpl__star_node object)
{
    struct dpl_mb_settings *solver = &reader->world->settings.solver;
    if (!object.json) {
        return;
    }
    static const char *const keys[] = {"type", "infinity_norm_multiplier", "correction", "singular",
                                       NULL};
    dpl__star_check_keys(reader, object, keys);
    static const char *const corrections[] = {"projected", "lagged"};
    static const char *const ends[] = {"stop", "damp"};
    struct dpl__star_node type = dpl__star_get(reader, object, "type");
    static const char *const types[] = {"rnca"};
    if (type.json) {
        dpl__star_word(reader, type, types, 1);
    }
    struct dpl__star_node node = dpl__star_get(reader, object, "infinity_norm_multiplier");
    double value;
    if (node.json && dpl__star_number(reader, node, 1.0, &value)) {
        if (value < 1.2 || value > 10.0) {
            dpl__star_error(reader, node, "1.2 to 10 is expected, not %.9g", value);
        }
        solver->repartition = value;
    }
    node = dpl__star_get(reader, object, "correction");
    if (node.json) {
        solver->correction =
            dpl__star_word(reader, node, corrections, 2) == 1 ? DPL_MB_LAGGED : DPL_MB_PROJECTED;
    }
    node = dpl__star_get(reader, object, "singular");
    if (node.json) {
        solver->damps_singular = dpl__star_word(reader, node, ends, 2) == 1;
    }
}

static void read_includes(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    const char *const *files = NULL;
    size_t n = dpl__star_strings(reader, node, &files);
    size_t value = node.value + (json_is_array(node.json) ? 1 : 0);
    struct dpl_star_include *includes = dpl_arena_alloc(reader->arena, (n + 1) * sizeof *includes);
    for (size_t i = 0; i < n; i++) {
        const struct dpl__star_value *at = &reader->places.values[value];
        includes[i] = (struct dpl_star_include){files[i], at->line, at->column};
        value = at->next;
    }
    reader->world->include_worlds = includes;
    reader->world->n_include_worlds = n;
}

static void read_settings(struct dpl__star_reader *reader, struct dpl__star_node parameters)
{
    static const char *const solvers[] = {"solver", "solvers", NULL};
    static const char *const integrators[] = {"integrator", "integrators", "simulation", NULL};
    static const char *const directories[] = {"include_directories", "include_directory",
                                              "include_dir", NULL};
    struct dpl_star_world *world = reader->world;
    read_solver(reader, first_of(reader, dpl__star_get_any(reader, parameters, solvers)));
    struct dpl__star_node integrator = dpl__star_get_any(reader, parameters, integrators);
    bool is_old =
        integrator.json && integrator.json == dpl__star_get(reader, parameters, "simulation").json;
    read_integrator(reader, first_of(reader, integrator), is_old ? "integration_type" : "type");
    struct dpl__star_node node = dpl__star_get_any(reader, parameters, directories);
    if (node.json) {
        world->n_include_directories = dpl__star_strings(reader, node, &world->include_directories);
    }
    node = dpl__star_get(reader, parameters, "include_worlds");
    if (node.json) {
        read_includes(reader, node);
    }
}

void dpl__star_read_parameters(struct dpl__star_reader *reader, struct dpl__star_node root)
{
    struct dpl__star_node node = dpl__star_get(reader, root, "model_parameters");
    if (node.json && !dpl__star_is_object(reader, node)) {
        node.json = NULL;
    }
    if (node.json) {
        dpl__star_check_keys(reader, node, dpl__star_parameter_keys);
    }
    reader->world->dialect = read_version(reader, root, node);
    reader->world->settings.solver.integrator = DPL_MB_RK4; /* where the file says nothing */
    read_units(reader, node, root);
    struct dpl__star_node gravity = dpl__star_get(reader, node, "gravity");
    if (gravity.json) {
        dpl__star_numbers(reader, gravity, 3, dpl__star_gravity(reader->units),
                          reader->graph->gravity);
    } else {
        dpl__star_warn(reader, node.json ? node : root, "there is no gravity: it is 0");
    }
    read_settings(reader, node);
    reader->source->settings = reader->world->settings;
}
