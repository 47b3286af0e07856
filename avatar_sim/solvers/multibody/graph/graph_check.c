/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of names, numbers, masses, places and laws. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/linear.h>

#include "graph_store.h"

static const struct dpl_place nowhere;

bool dpl__mb_all_finite(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

/* ---- names ---- */

/* Bytes of the UTF-8 character at `text`, which may be a control character; 0: it is none. */
static size_t character_length(const unsigned char *text)
{
    static const unsigned char least[] = {0x00, 0xc2, 0xe0, 0xf0, 0xf5};
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    if (length > 1 && (text[0] < least[length - 1] || text[0] >= least[4])) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) { /* also the end of the text */
            return 0;
        }
    }
    bool is_longer_than_needed =
        (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool is_half = text[0] == 0xed && text[1] >= 0xa0; /* of a pair of UTF-16 */
    bool is_beyond = text[0] == 0xf4 && text[1] >= 0x90;
    return is_longer_than_needed || is_half || is_beyond ? 0 : length;
}

static bool is_control(const unsigned char *text)
{
    return text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0);
}

int dpl__mb_check_name(const char *name, struct dpl_diag *reterr)
{
    char quoted[4 * 64];
    if (!name || !name[0]) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the name is empty");
    }
    size_t length = strnlen(name, DPL_MB_NAME_MAX + 1);
    const char *shown = dpl_diag_quote(name, length < 64 ? length : 64, quoted, sizeof quoted);
    if (length > DPL_MB_NAME_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the name \"%s...\" has more bytes than %d, which is the limit", shown,
                        DPL_MB_NAME_MAX);
    }
    const unsigned char *at = (const unsigned char *)name;
    for (size_t step; *at; at += step) {
        step = character_length(at);
        if (step == 0) {
            return dpl_fail(reterr, -EINVAL, nowhere, "the name \"%s\" is not UTF-8", shown);
        }
        if (is_control(at)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "the name \"%s\" has a control character in it", shown);
        }
    }
    if (strchr(name, ':')) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the name \"%s\" has a colon in it, which separates names in a path", name);
    }
    return 0;
}

int dpl__mb_check_there(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                        struct dpl_diag *reterr)
{
    if ((int)kind < 0 || (int)kind >= DPL__MB_KINDS) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%d is no kind of thing", (int)kind);
    }
    if (number < 0 || (size_t)number >= dpl__mb_count(graph, kind)) {
        return dpl_fail(reterr, -ENOENT, nowhere, "there is no %s with the number %d",
                        dpl__mb_kind_words[kind], number);
    }
    struct dpl__mb_thing thing = dpl__mb_thing_of(graph, kind, number);
    return thing.is_removed ? dpl_fail(reterr, -ENOENT, nowhere, "the %s \"%s\" was removed",
                                       dpl__mb_kind_words[kind], thing.name)
                            : 0;
}

int dpl__mb_check_new(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                      const char *name, struct dpl_diag *reterr)
{
    enum dpl_mb_kind of = kind == DPL_MB_FRAME ? DPL_MB_BODY : DPL_MB_ASSEMBLY;
    int err = dpl__mb_check_there(graph, of, container, reterr);
    err = err ? err : dpl__mb_check_name(name, reterr);
    if (err) {
        return err;
    }
    if (kind == DPL_MB_BODY && strcmp(name, "fixed") == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no body may have the name \"fixed\": it is that of what stands still");
    }
    if (kind == DPL_MB_FRAME && strcmp(name, "origin") == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no frame may have the name \"origin\": each body has that frame already");
    }
    if (dpl_mb_find(graph, kind, container, name) < 0) {
        return 0;
    }
    char path[256];
    size_t length = dpl_mb_path(graph, of, container, path, sizeof path);
    return dpl_fail(reterr, -EEXIST, nowhere, "there is already %s %s \"%s\" in %s%s%s%s",
                    kind == DPL_MB_ASSEMBLY ? "an" : "a", dpl__mb_kind_words[kind], name,
                    length > 0 ? dpl__mb_kind_words[of] : "the root", length > 0 ? " \"" : "", path,
                    length > 0 ? "\"" : "");
}

/* ---- masses ---- */

/* Its eigenvalues, the largest first. Tensors of any size: it is made one of about 1 before. */
static void eigenvalues(const double inertia[6], double ret_values[3])
{
    double size = 0.0, vectors[9];
    for (int i = 0; i < 6; i++) {
        size = fmax(size, fabs(inertia[i]));
    }
    double by = size > 0.0 ? size : 1.0;
    const double xx = inertia[0] / by, yy = inertia[1] / by, zz = inertia[2] / by;
    const double xy = inertia[3] / by, yz = inertia[4] / by, zx = inertia[5] / by;
    const double matrix[9] = {xx, xy, zx, xy, yy, yz, zx, yz, zz};
    dpl_symmetric_eigen(matrix, 3, ret_values, vectors);
    for (int i = 0; i < 3; i++) {
        ret_values[i] *= by;
    }
}

int dpl__mb_check_mass(double mass, const double centre[3], const double inertia[6],
                       struct dpl_diag *reterr)
{
    double values[3];
    if (!(mass >= 0.0) || !isfinite(mass)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the mass is %g kg, expected 0 or more", mass);
    }
    if (!dpl__mb_all_finite(centre, 3)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the centre of mass is not finite");
    }
    if (!dpl__mb_all_finite(inertia, 6)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the moments of inertia are not finite");
    }
    eigenvalues(inertia, values);
    if (values[2] < -1e-9 * values[0] || values[0] < 0.0) { /* a rod may be rounded so far */
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no body has this inertia: its principal moments are %g, %g and %g kg m^2, "
                        "expected all to be 0 or more",
                        values[0], values[1], values[2]);
    }
    return 0;
}

bool dpl_mb_body_is_flat(const struct dpl_mb_body *body)
{
    double values[3];
    eigenvalues(body->inertia, values);
    return values[0] - values[1] - values[2] > 1e-6 * values[0];
}

/* ---- places ---- */

/* The largest element of R Rt - 1. */
static double rotation_error(const double r[9])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            most = fmax(most, fabs(dpl_dot(&r[3 * i], &r[3 * j], 3) - (i == j ? 1.0 : 0.0)));
        }
    }
    return most;
}

/* The nearest rotation, by Newton and Schulz: R (3 - Rt R) / 2 has the square of the error (Higham
 * 2008, 8.3). What is exact to rounding stays as it is, so that doing it twice changes nothing. */
static void make_orthonormal(double inout[9])
{
    for (int round = 0; round < 4 && rotation_error(inout) > 4e-15; round++) {
        double r[9], squares[9];
        memcpy(r, inout, sizeof r);
        for (int i = 0; i < 9; i++) { /* R Rt, which is symmetric */
            squares[i] = dpl_dot(&r[3 * (i / 3)], &r[3 * (i % 3)], 3);
        }
        for (int i = 0; i < 9; i++) {
            const double *row = &squares[3 * (i / 3)];
            double product = row[0] * r[i % 3] + row[1] * r[3 + i % 3] + row[2] * r[6 + i % 3];
            inout[i] = 1.5 * r[i] - 0.5 * product;
        }
    }
}

int dpl__mb_check_place(struct dpl_mb_place *inout_place, struct dpl_diag *reterr)
{
    double *r = inout_place->rotation;
    if (!dpl__mb_all_finite(r, 9) || !dpl__mb_all_finite(inout_place->position, 3)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the place is not finite");
    }
    double error = rotation_error(r);
    if (!(error <= 1e-6)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "this is no rotation: its rows are not of length 1 and at right angles to "
                        "each other, but %.3g off, expected at most 1e-06",
                        error);
    }
    double determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                         r[2] * (r[3] * r[7] - r[4] * r[6]);
    if (determinant < 0.0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "this is no rotation but a reflection: its determinant is -1, expected 1");
    }
    make_orthonormal(r);
    return 0;
}

/* ---- laws ---- */

static int check_pieces(const struct dpl_mb_piecewise *law, struct dpl_diag *reterr)
{
    size_t n = 0;
    for (size_t i = 0; i <= law->n_knots; i++) {
        if (law->n_of[i] == 0) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "piece %zu of the law has no coefficients, expected at least 1", i);
        }
        if (law->n_of[i] > DPL_MB_OTHERS_MAX - n) {
            return dpl_fail(reterr, -ENOSPC, nowhere,
                            "the law has more than %d coefficients, which is the limit",
                            DPL_MB_OTHERS_MAX);
        }
        for (size_t k = 0; k < law->n_of[i]; k++) {
            if (!isfinite(law->coefficients[n + k])) {
                return dpl_fail(reterr, -EINVAL, nowhere,
                                "coefficient %zu of piece %zu of the law is not finite", k, i);
            }
        }
        n += law->n_of[i];
    }
    return 0;
}

int dpl__mb_check_law(const struct dpl_mb_piecewise *law, struct dpl_diag *reterr)
{
    if (!law->n_of || !law->coefficients) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the law has no coefficients");
    }
    if (law->n_knots > 0 && !law->knots) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the law has no knots");
    }
    if (law->n_knots >= DPL_MB_OTHERS_MAX) {
        return dpl_fail(reterr, -ENOSPC, nowhere, "the law has %zu knots, expected less than %d",
                        law->n_knots, DPL_MB_OTHERS_MAX);
    }
    for (size_t i = 0; i < law->n_knots; i++) {
        if (!isfinite(law->knots[i])) {
            return dpl_fail(reterr, -EINVAL, nowhere, "knot %zu of the law is not finite", i);
        }
        if (i > 0 && !(law->knots[i] > law->knots[i - 1])) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "knot %zu of the law is %g, expected more than the one before, %g", i,
                            law->knots[i], law->knots[i - 1]);
        }
    }
    return check_pieces(law, reterr);
}
