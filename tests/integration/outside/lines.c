/* SPDX-License-Identifier: Apache-2.0 */
/* A format outside of the tree: a robot as lines "NAME KILOGRAMS X Y Z EDGE", a cube each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/part.h>
#include <doppel/sim/format.h>

struct settings {
    double scale;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, scale, "scale", NULL, "1", 0.01, 100.0, "of the edges"),
};

static bool is_mine(const char *file, const char *root, const struct dpl_xml_node *node)
{
    size_t n = strlen(file);
    (void)root, (void)node;
    return n > 6 && strcmp(file + n - 6, ".lines") == 0;
}

static int add_cube(const char *line, double scale, struct dpl_sim_mechanism *mechanism,
                    struct dpl_diag *reterr)
{
    struct dpl_sim_body body = {.pose = {.orientation = {.w = 1.0}}};
    struct dpl_sim_solid solid = {.kind = DPL_SOLID_BOX, .pose = {.orientation = {.w = 1.0}}};
    struct dpl_vector3 *at = &body.pose.position;
    double kilograms, edge;
    if (sscanf(line, "%30s %lf %lf %lf %lf %lf", body.name, &kilograms, &at->x, &at->y, &at->z,
               &edge) != 6) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "expected a name and 5 numbers");
    }
    solid.size[0] = solid.size[1] = solid.size[2] = edge * scale;
    body.solids = &solid;
    body.n_solids = 1;
    int err = dpl_mass_of_solid(&solid, 1.0, &body.mass, reterr);
    if (err == 0) {
        body.mass = dpl_mass_scale(&body.mass, kilograms);
        err = dpl_mechanism_add_body(mechanism, &body, reterr);
    }
    return err;
}

static int read_lines(const struct dpl_format_file *given, struct dpl_sim_objects *inout_objects,
                      struct dpl_diags *diags)
{
    const struct settings *settings = given->settings;
    struct dpl_sim_mechanism *mechanism = &inout_objects->mechanism;
    struct dpl_diag diag;
    char line[256];
    FILE *file = fopen(given->path, "r");
    int err =
        file ? dpl_mechanism_add_material(mechanism, &dpl_sim_material_default, &diag) : -errno;
    for (int i = 1; err == 0 && fgets(line, sizeof line, file); i++) {
        err = add_cube(line, settings->scale, mechanism, &diag);
        if (err < 0) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){given->path, i, 1}, "%s",
                          diag.text);
        }
    }
    if (file) {
        fclose(file);
    }
    return err;
}

static const struct dpl_format lines_format = {
    .name = "lines",
    .is_mine = is_mine,
    .attribute = "lines",
    .summary = "in place of model: a file of lines",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .read = read_lines,
};

const struct dpl_part dpl_part = DPL_PART(lines_format);
