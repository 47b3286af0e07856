/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files of foreign formats: see mesh_shelf.h. Only three formats are read, by a process
 * of its own (mesh_process.h). Points that are equal become one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/import.h>

#include "arena.h"
#include "mesh_process.h"

static const struct dpl_place nowhere;

bool dpl__mesh_is_format(const char *path)
{
    static const char *const formats[] = {".stl", ".obj", ".dae"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < DPL_COUNT(formats); i++) {
        if (strcasecmp(dot, formats[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int check_file(const char *path, struct dpl_diag *reterr)
{
    struct stat status;
    if (!dpl__mesh_is_format(path)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s': expected a file .stl, .obj or .dae",
                        path);
    }
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return dpl_fail(reterr, -ENOENT, nowhere, "mesh '%s' is not a file", path);
    }
    if (status.st_size > (off_t)DPL_IMPORT_MESH_BYTES_MAX) {
        return dpl_fail(reterr, -EFBIG, nowhere, "mesh '%s' has more than %u MB", path,
                        DPL_IMPORT_MESH_BYTES_MAX >> 20);
    }
    return 0;
}

/* Numbers equal points as the first of them, and drops faces without an area. */
static void join(struct dpl_arena *arena, struct dpl__mesh_file *mesh)
{
    size_t room = 16, n = 0, n_faces = 0;
    while (room < 2 * mesh->n_points) {
        room *= 2;
    }
    size_t *slots = dpl_arena_alloc(arena, room * sizeof *slots); /* 1 + number; 0: free */
    unsigned *number = dpl_arena_alloc(arena, (mesh->n_points + 1) * sizeof *number);
    for (size_t i = 0; i < mesh->n_points; i++) {
        struct dpl_vector3 p = mesh->points[i];
        uint64_t bits[3], hash = 0;
        p = (struct dpl_vector3){p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 is 0 */
        memcpy(bits, &p, sizeof bits);
        for (int k = 0; k < 3; k++) {
            hash = (hash ^ bits[k]) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        size_t slot = hash & (room - 1);
        while (slots[slot] > 0 && memcmp(&mesh->points[slots[slot] - 1], &p, sizeof p) != 0) {
            slot = (slot + 1) & (room - 1);
        }
        if (slots[slot] == 0) {
            mesh->points[n] = p; /* n <= i */
            slots[slot] = ++n;
        }
        number[i] = (unsigned)(slots[slot] - 1);
    }
    for (size_t i = 0; i < mesh->n_faces; i++) {
        const unsigned *f = mesh->faces[i];
        unsigned a = number[f[0]], b = number[f[1]], c = number[f[2]];
        if (a != b && b != c && c != a) {
            mesh->faces[n_faces][0] = a;
            mesh->faces[n_faces][1] = b;
            mesh->faces[n_faces++][2] = c;
        }
    }
    mesh->n_points = n;
    mesh->n_faces = n_faces;
}

static int check_points(const struct dpl__mesh_file *mesh, const char *path,
                        struct dpl_diag *reterr)
{
    for (size_t i = 0; i < mesh->n_points; i++) {
        struct dpl_vector3 p = mesh->points[i];
        if (!(fabs(p.x) <= 1e6 && fabs(p.y) <= 1e6 && fabs(p.z) <= 1e6)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s': point %zu is beyond 1e6", path,
                            i);
        }
    }
    return 0;
}

int dpl__mesh_read(struct dpl_arena *arena, const char *path, struct dpl__mesh_file *ret_mesh,
                   struct dpl_diag *reterr)
{
    /* A file of 64 MB takes a few seconds; a computer may be busy with other things. */
    static const struct dpl__mesh_limits limits = {
        .time = 60 * DPL_S,
        .cpu_s = 20,
        .megabytes = 2048,
        .points_max = DPL_IMPORT_POINTS_MAX,
    };
    struct dpl__mesh_file mesh = {0};
    int err = check_file(path, reterr);
    err = err ? err : dpl__mesh_ask(arena, path, &limits, &mesh, reterr);
    err = err ? err : check_points(&mesh, path, reterr);
    if (err) {
        return err;
    }
    join(arena, &mesh);
    if (mesh.n_faces == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' has no triangles", path);
    }
    *ret_mesh = mesh;
    return 0;
}

/* ---- hulls ---- */

/* Direction i of n that are spread evenly over a sphere (Fibonacci lattice). */
static struct dpl_vector3 direction(size_t i, size_t n)
{
    const double golden = 2.39996322972865332; /* angle: pi (3 - sqrt 5) */
    double z = 1.0 - (2.0 * (double)i + 1.0) / (double)n, r = sqrt(1.0 - z * z);
    return (struct dpl_vector3){r * cos(golden * (double)i), r * sin(golden * (double)i), z};
}

/* The points that are furthest along `most` directions; directions are stretched as the points are,
 * so that a long thin mesh keeps both its ends and its sides. */
static size_t furthest(const struct dpl_vector3 *points, size_t n, size_t most, bool *taken)
{
    struct dpl_vector3 low = points[0], high = points[0];
    for (size_t i = 1; i < n; i++) {
        low = (struct dpl_vector3){fmin(low.x, points[i].x), fmin(low.y, points[i].y),
                                   fmin(low.z, points[i].z)};
        high = (struct dpl_vector3){fmax(high.x, points[i].x), fmax(high.y, points[i].y),
                                    fmax(high.z, points[i].z)};
    }
    struct dpl_vector3 size = dpl_vector3_minus(high, low);
    double least = 1e-9 * (size.x + size.y + size.z) + 1e-300;
    size_t n_taken = 0;
    for (size_t k = 0; k < most; k++) {
        struct dpl_vector3 d = direction(k, most);
        d = (struct dpl_vector3){d.x / (size.x + least), d.y / (size.y + least),
                                 d.z / (size.z + least)};
        size_t best = 0;
        double far = -(double)INFINITY;
        for (size_t i = 0; i < n; i++) {
            double at = dpl_vector3_dot(points[i], d);
            if (at > far) {
                far = at;
                best = i;
            }
        }
        n_taken += !taken[best];
        taken[best] = true;
    }
    return n_taken;
}

int dpl__mesh_hull(struct dpl_arena *arena, const struct dpl_vector3 *points, size_t n, size_t most,
                   struct dpl_vector3 **ret_points, size_t *ret_n, struct dpl_diag *reterr)
{
    struct dpl_vector3 *chosen =
        dpl_arena_alloc(arena, ((n < most ? n : most) + 1) * sizeof *chosen);
    unsigned(*faces)[3] = dpl_arena_alloc(arena, 2 * (most + 1) * sizeof *faces);
    bool *taken = dpl_arena_alloc(arena, n + 1);
    size_t n_chosen = 0, n_corners = 0;
    if (n > most) {
        furthest(points, n, most, taken);
    }
    for (size_t i = 0; i < n; i++) {
        if (n <= most || taken[i]) {
            chosen[n_chosen++] = points[i];
        }
    }
    int n_faces = n_chosen < 4 ? -EINVAL : dpl_hull_faces(chosen, n_chosen, faces);
    if (n_faces < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "its points are in one plane: it has no hull");
    }
    memset(taken, 0, n);
    for (int i = 0; i < n_faces; i++) {
        for (int k = 0; k < 3; k++) {
            taken[faces[i][k]] = true;
        }
    }
    for (size_t i = 0; i < n_chosen; i++) {
        if (taken[i]) {
            chosen[n_corners++] = chosen[i];
        }
    }
    *ret_points = chosen;
    *ret_n = n_corners;
    return 0;
}
