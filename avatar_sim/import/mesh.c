/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files of foreign formats, by Assimp: see import.h. Only three of its formats are
 * read; sizes have limits before and after. Points that are equal become one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "import.h"
#include "number.h"

static const struct dpl_place nowhere;

enum { NODES_MAX = 100000, DEPTH_MAX = 64 };

static bool has_format(const char *path)
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
    if (!has_format(path)) {
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

/* The number of an attribute whose name ends at `at`; 0: it is no attribute. What is no number is
 * huge: Assimp makes any number of it. */
static double claim_at(const char *at, const char *end)
{
    double value = 0.0;
    bool is_attribute = false;
    while (at < end && (*at == '=' || *at == '"' || *at == '\'' || dpl__is_blank(*at))) {
        is_attribute |= *at++ == '=';
    }
    if (is_attribute && (at == end || *at < '0' || *at > '9')) {
        return 1e15;
    }
    while (is_attribute && at < end && *at >= '0' && *at <= '9' && value < 1e15) {
        value = 10.0 * value + (*at++ - '0');
    }
    return value;
}

/* Assimp believes the sizes that a DAE claims, and takes memory for them: none may be larger than
 * what the file can hold. */
static int check_claims(const char *bytes, size_t n, const char *path, struct dpl_diag *reterr)
{
    static const struct {
        const char *name;
        bool is_of_file; /* at most the bytes of the file; else 64 */
    } claims[] = {{"count", true}, {"offset", false}, {"stride", false}, {"set", false}};
    const char *end = bytes + n;
    for (size_t i = 0; i < DPL_COUNT(claims); i++) {
        size_t length = strlen(claims[i].name);
        double most = claims[i].is_of_file ? (double)n : 64.0;
        const char *at = bytes;
        while ((at = memmem(at, (size_t)(end - at), claims[i].name, length))) {
            at += length;
            double claimed = claim_at(at, end);
            if (claimed > most) {
                return dpl_fail(reterr, -EINVAL, nowhere,
                                "mesh '%s': %s %g is more than the file can have", path,
                                claims[i].name, claimed);
            }
        }
    }
    return 0;
}

/* Lists of whole numbers: at any other character Assimp reads on for ever. */
static int check_lists(const char *bytes, size_t n, const char *path, struct dpl_diag *reterr)
{
    static const char *const lists[] = {"<p>", "<v>", "<h>", "<vcount>"};
    const char *end = bytes + n;
    for (size_t i = 0; i < DPL_COUNT(lists); i++) {
        const char *at = bytes;
        while ((at = memmem(at, (size_t)(end - at), lists[i], strlen(lists[i])))) {
            at += strlen(lists[i]);
            while (at < end && (dpl__is_blank(*at) || (*at >= '0' && *at <= '9'))) {
                at++;
            }
            if (at == end || *at != '<') {
                return dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s': no number in %s", path,
                                lists[i]);
            }
        }
    }
    return 0;
}

static int check_dae(struct dpl_arena *arena, const char *path, struct dpl_diag *reterr)
{
    const char *dot = strrchr(path, '.');
    FILE *file = dot && strcasecmp(dot, ".dae") == 0 ? fopen(path, "rb") : NULL;
    if (!file) {
        return 0; /* another format; one that cannot be read is an error later */
    }
    int rc = fseek(file, 0, SEEK_END);
    long size = rc == 0 ? ftell(file) : 0;
    size = size < 0 ? 0 : size;
    size = size > (long)DPL_IMPORT_MESH_BYTES_MAX ? (long)DPL_IMPORT_MESH_BYTES_MAX : size;
    char *bytes = dpl_arena_alloc(arena, (size_t)size + 1);
    rewind(file);
    size_t n = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    int err = check_claims(bytes, n, path, reterr);
    return err ? err : check_lists(bytes, n, path, reterr);
}

/* What is gathered of a scene. */
struct gathering {
    struct dpl__mesh_file *mesh; /* with room for n_points, n_faces */
    size_t n_points, n_faces, n_nodes;
    bool is_too_deep;
};

static struct aiMatrix4x4 product(const struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b)
{
    struct aiMatrix4x4 c = *a;
    aiMultiplyMatrix4(&c, b);
    return c;
}

/* Counts, or (with a mesh that has arrays) copies what hangs on a node. */
static void gather_mesh(struct gathering *all, const struct aiMesh *mesh,
                        const struct aiMatrix4x4 *at)
{
    size_t first = all->n_points;
    all->n_points += mesh->mNumVertices;
    for (unsigned i = 0; i < mesh->mNumVertices && all->mesh->points; i++) {
        struct aiVector3D v = mesh->mVertices[i];
        aiTransformVecByMatrix4(&v, at);
        all->mesh->points[first + i] = (struct dpl_vector3){(double)v.x, (double)v.y, (double)v.z};
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3) {
            continue;
        }
        for (int k = 0; k < 3 && all->mesh->faces; k++) {
            all->mesh->faces[all->n_faces][k] = (unsigned)first + face->mIndices[k];
        }
        all->n_faces++;
    }
}

static void gather(struct gathering *all, const struct aiScene *scene, const struct aiNode *node,
                   const struct aiMatrix4x4 *outer, int depth)
{
    if (depth > DEPTH_MAX || ++all->n_nodes > NODES_MAX || all->n_points > DPL_IMPORT_POINTS_MAX ||
        all->n_faces > DPL_IMPORT_POINTS_MAX) {
        all->is_too_deep = true;
        return;
    }
    struct aiMatrix4x4 at = product(outer, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        gather_mesh(all, scene->mMeshes[node->mMeshes[i]], &at);
    }
    for (unsigned i = 0; i < node->mNumChildren && !all->is_too_deep; i++) {
        gather(all, scene, node->mChildren[i], &at, depth + 1);
    }
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
    return mesh->n_faces > 0
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' has no triangles", path);
}

static int take_scene(struct dpl_arena *arena, const char *path, const struct aiScene *scene,
                      struct dpl__mesh_file *ret_mesh, struct dpl_diag *reterr)
{
    struct dpl__mesh_file mesh = {.path = path};
    struct gathering all = {.mesh = &mesh};
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    gather(&all, scene, scene->mRootNode, &identity, 0);
    if (all.is_too_deep || all.n_points > DPL_IMPORT_POINTS_MAX ||
        all.n_faces > DPL_IMPORT_POINTS_MAX) {
        return dpl_fail(reterr, -EFBIG, nowhere,
                        "mesh '%s' has more than %d points, or parts more than %d deep", path,
                        DPL_IMPORT_POINTS_MAX, DEPTH_MAX);
    }
    mesh.points = dpl_arena_alloc(arena, (all.n_points + 1) * sizeof *mesh.points);
    mesh.faces = dpl_arena_alloc(arena, (all.n_faces + 1) * sizeof *mesh.faces);
    mesh.n_points = all.n_points;
    mesh.n_faces = all.n_faces;
    all = (struct gathering){.mesh = &mesh};
    gather(&all, scene, scene->mRootNode, &identity, 0);
    int err = check_points(&mesh, path, reterr);
    if (err == 0) {
        join(arena, &mesh);
        *ret_mesh = mesh;
    }
    return err;
}

int dpl__mesh_read(struct dpl_arena *arena, const char *path, struct dpl__mesh_file *ret_mesh,
                   struct dpl_diag *reterr)
{
    int err = check_file(path, reterr);
    err = err ? err : check_dae(arena, path, reterr);
    if (err) {
        return err;
    }
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    /* As RViz and Gazebo: axes are those of the file; its unit counts. */
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(settings, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_ValidateDataStructure, NULL,
        settings);
    aiReleasePropertyStore(settings);
    if (!scene) {
        return dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' cannot be read: %.200s", path,
                        aiGetErrorString());
    }
    err = scene->mRootNode ? take_scene(arena, path, scene, ret_mesh, reterr)
                           : dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' has no triangles", path);
    aiReleaseImport(scene);
    return err;
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
