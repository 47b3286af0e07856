/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mesh by Assimp and writes its points and triangles: see mesh_wire.h. A process of its
 * own, with limits, as Assimp crashes on some damaged files and reads others for ever. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "mesh_wire.h"

enum { OUTPUT_BUFFER = 1 << 16 };

static int finish(void)
{
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}

/* Writes why there is no mesh. */
static int refuse(const char *why)
{
    size_t n = strlen(why);
    n = n > DPL__MESH_WIRE_TEXT_MAX ? DPL__MESH_WIRE_TEXT_MAX : n;
    n = n > 0 ? n : 1;
    struct dpl__mesh_wire wire = {.n_text = (uint32_t)n};
    memcpy(wire.magic, DPL__MESH_WIRE_MAGIC, sizeof wire.magic);
    fwrite(&wire, sizeof wire, 1, stdout);
    fwrite(*why ? why : "?", 1, n, stdout);
    return finish();
}

/* One walk over a scene: it counts, and writes what it is told to. */
struct walk {
    const struct aiScene *scene;
    size_t most;
    bool writes_points, writes_faces;
    size_t n_points, n_faces;
};

static bool is_too_large(const struct walk *walk)
{
    return walk->n_points > walk->most || walk->n_faces > walk->most;
}

static void walk_mesh(struct walk *walk, const struct aiMesh *mesh, const struct aiMatrix4x4 *at)
{
    size_t first = walk->n_points;
    walk->n_points += mesh->mNumVertices;
    for (unsigned i = 0; i < mesh->mNumVertices && walk->writes_points; i++) {
        struct aiVector3D v = mesh->mVertices[i];
        aiTransformVecByMatrix4(&v, at);
        const double point[3] = {(double)v.x, (double)v.y, (double)v.z};
        fwrite(point, sizeof point, 1, stdout);
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3) {
            continue;
        }
        walk->n_faces++;
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = (uint32_t)(first + face->mIndices[k]);
        }
        if (walk->writes_faces) {
            fwrite(corners, sizeof corners, 1, stdout);
        }
    }
}

static void walk_node(struct walk *walk, const struct aiNode *node, const struct aiMatrix4x4 *outer)
{
    struct aiMatrix4x4 at = *outer;
    aiMultiplyMatrix4(&at, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes && !is_too_large(walk); i++) {
        walk_mesh(walk, walk->scene->mMeshes[node->mMeshes[i]], &at);
    }
    for (unsigned i = 0; i < node->mNumChildren && !is_too_large(walk); i++) {
        walk_node(walk, node->mChildren[i], &at);
    }
}

static struct walk walk_scene(const struct aiScene *scene, size_t most, bool points, bool faces)
{
    struct walk walk = {scene, most, points, faces, 0, 0};
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    walk_node(&walk, scene->mRootNode, &identity);
    return walk;
}

static int write_scene(const struct aiScene *scene, size_t most)
{
    char text[DPL__MESH_WIRE_TEXT_MAX];
    struct walk counted = walk_scene(scene, most, false, false);
    if (is_too_large(&counted)) {
        snprintf(text, sizeof text, "it has more than %zu points or triangles", most);
        return refuse(text);
    }
    struct dpl__mesh_wire wire = {
        .n_points = (uint32_t)counted.n_points,
        .n_faces = (uint32_t)counted.n_faces,
    };
    memcpy(wire.magic, DPL__MESH_WIRE_MAGIC, sizeof wire.magic);
    fwrite(&wire, sizeof wire, 1, stdout);
    walk_scene(scene, most, true, false);
    walk_scene(scene, most, false, true);
    return finish();
}

static const struct aiScene *read_scene(const char *path)
{
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    /* As RViz and Gazebo: axes are those of the file; its unit counts. */
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(settings, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_ValidateDataStructure, NULL,
        settings);
    aiReleasePropertyStore(settings);
    return scene;
}

static bool limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) {
        return false;
    }
    now.rlim_max = now.rlim_max < hard ? now.rlim_max : hard; /* less stays less */
    now.rlim_cur = now.rlim_max < soft ? now.rlim_max : soft;
    return setrlimit(resource, &now) == 0;
}

int main(int argc, char **argv)
{
    static char buffer[OUTPUT_BUFFER];
    char text[DPL__MESH_WIRE_TEXT_MAX];
    if (argc != 5) {
        fputs("usage: doppel-mesh FILE MEGABYTES SECONDS POINTS\n"
              "doppel starts it to read a mesh.\n",
              stderr);
        return 2;
    }
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    rlim_t memory = strtoul(argv[2], NULL, 10) << 20, seconds = strtoul(argv[3], NULL, 10);
    if (!limit(RLIMIT_AS, memory, memory) || !limit(RLIMIT_CPU, seconds, seconds + 1) ||
        !limit(RLIMIT_CORE, 0, 0)) {
        return refuse("its limits cannot be set");
    }
    const struct aiScene *scene = read_scene(argv[1]);
    if (!scene) {
        const char *why = aiGetErrorString();
        if (!strstr(why, "bad_alloc")) {
            return refuse(why);
        }
        snprintf(text, sizeof text, "it needs more than %s MB of memory", argv[2]);
        return refuse(text);
    }
    /* The scene ends with the process. */
    return scene->mRootNode ? write_scene(scene, strtoul(argv[4], NULL, 10))
                            : refuse("it has no triangles");
}
