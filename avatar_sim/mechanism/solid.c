/* SPDX-License-Identifier: Apache-2.0 */
/* Solids: see doppel/sim/solid.h. */
#include <doppel/sim/solid.h>

#include <errno.h>

#include <doppel/math/vector3.h>

static const struct dpl_place nowhere;

const char *const dpl_sim_solid_words[] = {"box",   "sphere", "capsule", "cylinder",
                                           "plane", "hull",   "mesh",    "height field"};

static int check_length(double value, const char *what, struct dpl_diag *reterr)
{
    if (value > 0.0 && value <= 1e6) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, nowhere, "%s is %g m, expected more than 0, at most 1e6 m",
                    what, value);
}

static int check_points(const struct dpl_sim_solid *solid, struct dpl_diag *reterr)
{
    bool is_hull = solid->kind == DPL_SOLID_HULL;
    size_t most = is_hull ? DPL_SOLID_HULL_MAX : DPL_SOLID_POINTS_MAX, least = is_hull ? 4 : 3;
    if (solid->n_points < least || solid->n_points > most) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a %s has %zu points, expected %zu to %zu",
                        dpl_sim_solid_words[solid->kind], solid->n_points, least, most);
    }
    for (size_t i = 0; i < solid->n_points; i++) {
        const struct dpl_vector3 *p = &solid->points[i];
        if (!(fabs(p->x) <= 1e6 && fabs(p->y) <= 1e6 && fabs(p->z) <= 1e6)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "point %zu is not within 1e6 m", i);
        }
    }
    return 0;
}

static int check_faces(const struct dpl_sim_solid *solid, struct dpl_diag *reterr)
{
    if (solid->n_faces == 0 || solid->n_faces > DPL_SOLID_FACES_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a mesh has %zu faces, expected 1 to %d",
                        solid->n_faces, DPL_SOLID_FACES_MAX);
    }
    for (size_t i = 0; i < solid->n_faces; i++) {
        const unsigned *face = solid->faces[i];
        for (int k = 0; k < 3; k++) {
            if (face[k] >= solid->n_points) {
                return dpl_fail(reterr, -EINVAL, nowhere,
                                "face %zu names point %u, but the last point is %zu", i, face[k],
                                solid->n_points - 1);
            }
        }
        if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) {
            return dpl_fail(reterr, -EINVAL, nowhere, "face %zu has the same point twice", i);
        }
    }
    return 0;
}

void dpl_sim_field_span(struct dpl_sim_field *inout_field)
{
    size_t n = (size_t)inout_field->columns * inout_field->rows;
    inout_field->lowest = inout_field->highest = inout_field->heights[0];
    for (size_t i = 1; i < n; i++) {
        inout_field->lowest = fmin(inout_field->lowest, inout_field->heights[i]);
        inout_field->highest = fmax(inout_field->highest, inout_field->heights[i]);
    }
}

struct dpl_vector3 dpl_sim_field_point(const struct dpl_sim_field *field, unsigned column,
                                       unsigned row)
{
    return (struct dpl_vector3){
        (column - 0.5 * (field->columns - 1)) * field->cell,
        (row - 0.5 * (field->rows - 1)) * field->cell,
        field->heights[(size_t)row * field->columns + column],
    };
}

static int check_field(const struct dpl_sim_field *field, struct dpl_diag *reterr)
{
    size_t n = (size_t)field->columns * field->rows;
    if (field->columns < 2 || field->rows < 2 || field->columns > DPL_SOLID_SIDE_MAX ||
        field->rows > DPL_SOLID_SIDE_MAX || n > DPL_SOLID_GRID_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "a height field has %u x %u heights, expected 2 to %d along each side, at "
                        "most %d in all",
                        field->columns, field->rows, DPL_SOLID_SIDE_MAX, DPL_SOLID_GRID_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        double height = field->heights[i];
        if (!(fabs(height) <= 1e6 && height >= field->lowest && height <= field->highest)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "height %zu is %g m, expected within 1e6 m and %g to %g m", i, height,
                            field->lowest, field->highest);
        }
    }
    return check_length(field->cell, "cell", reterr);
}

int dpl_sim_solid_check(const struct dpl_sim_solid *solid, struct dpl_diag *reterr)
{
    static const char *const edges[] = {"edge x", "edge y", "edge z"};
    int err = 0;
    switch (solid->kind) {
    case DPL_SOLID_BOX:
        for (int i = 0; i < 3 && err == 0; i++) {
            err = check_length(solid->size[i], edges[i], reterr);
        }
        return err;
    case DPL_SOLID_CAPSULE:
    case DPL_SOLID_CYLINDER:
        err = check_length(solid->height, "height", reterr);
        return err ? err : check_length(solid->radius, "radius", reterr);
    case DPL_SOLID_SPHERE: return check_length(solid->radius, "radius", reterr);
    case DPL_SOLID_MESH:
        err = check_points(solid, reterr);
        return err ? err : check_faces(solid, reterr);
    case DPL_SOLID_HULL: return check_points(solid, reterr);
    case DPL_SOLID_FIELD: return check_field(&solid->field, reterr);
    case DPL_SOLID_PLANE: break;
    }
    return 0;
}

static void box_of_points(const struct dpl_sim_solid *solid, struct dpl_vector3 *ret_centre,
                          double ret_half[3])
{
    struct dpl_vector3 low = solid->points[0], high = low;
    for (size_t i = 1; i < solid->n_points; i++) {
        const struct dpl_vector3 *p = &solid->points[i];
        low = (struct dpl_vector3){fmin(low.x, p->x), fmin(low.y, p->y), fmin(low.z, p->z)};
        high = (struct dpl_vector3){fmax(high.x, p->x), fmax(high.y, p->y), fmax(high.z, p->z)};
    }
    *ret_centre = dpl_vector3_times(dpl_vector3_add(low, high), 0.5);
    ret_half[0] = 0.5 * (high.x - low.x);
    ret_half[1] = 0.5 * (high.y - low.y);
    ret_half[2] = 0.5 * (high.z - low.z);
}

void dpl_sim_solid_box(const struct dpl_sim_solid *solid, struct dpl_vector3 *ret_centre,
                       double ret_half[3])
{
    double r = solid->radius, half = 0.5 * solid->height;
    *ret_centre = (struct dpl_vector3){0};
    switch (solid->kind) {
    case DPL_SOLID_HULL:
    case DPL_SOLID_MESH: box_of_points(solid, ret_centre, ret_half); return;
    case DPL_SOLID_FIELD:
        ret_centre->z = 0.5 * (solid->field.lowest + solid->field.highest);
        ret_half[0] = 0.5 * (solid->field.columns - 1) * solid->field.cell;
        ret_half[1] = 0.5 * (solid->field.rows - 1) * solid->field.cell;
        ret_half[2] = 0.5 * (solid->field.highest - solid->field.lowest);
        return;
    case DPL_SOLID_BOX:
        for (int i = 0; i < 3; i++) {
            ret_half[i] = 0.5 * solid->size[i];
        }
        return;
    case DPL_SOLID_SPHERE: half = r; break;
    case DPL_SOLID_CAPSULE: half += r; break;
    case DPL_SOLID_CYLINDER:
    case DPL_SOLID_PLANE: break;
    }
    ret_half[0] = ret_half[1] = r;
    ret_half[2] = half;
}
