/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a robot names: see import.h. A package is a folder of that name: in the folders of
 * the option `packages` and of environment variables, above the file, or beside a folder above it,
 * also in a folder `models` of these. */
#include "import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"

enum { FOLDERS_MAX = 64, PATH_LENGTH_MAX = 1000 };

struct folders {
    const char *paths[FOLDERS_MAX];
    size_t n;
};

static void add(struct folders *folders, const char *path)
{
    if (folders->n < FOLDERS_MAX && path[0] != '\0') {
        folders->paths[folders->n++] = path;
    }
}

static void add_list(struct dpl__import *import, struct folders *folders, const char *list)
{
    while (list && *list) {
        size_t length = strcspn(list, ":");
        add(folders, dpl_arena_strndup(import->reader->arena, list, length));
        list += length + (list[length] == ':');
    }
}

/* All folders in which packages are, the nearest first. */
static void find_folders(struct dpl__import *import, struct folders *ret_folders)
{
    struct folders folders = {.n = 0};
    add_list(import, &folders, import->options->packages);
    char *real = realpath(import->file, NULL);
    char *path = dpl_arena_strdup(import->reader->arena, real ? real : import->file);
    free(real);
    for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
        *slash = '\0';
        add(&folders, dpl_arena_strdup(import->reader->arena, path));
    }
    static const char *const variables[] = {"ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH",
                                            "GZ_SIM_RESOURCE_PATH"};
    for (size_t i = 0; i < DPL_COUNT(variables); i++) {
        add_list(import, &folders, getenv(variables[i]));
    }
    *ret_folders = folders;
}

static const char *readable(struct dpl__import *import, const char *folder, const char *rest)
{
    const char *path = dpl_arena_printf(import->reader->arena, "%s/%s", folder, rest);
    return access(path, R_OK) == 0 ? path : NULL;
}

static bool is_called(const char *folder, const char *name, size_t n)
{
    const char *slash = strrchr(folder, '/');
    const char *last = slash ? slash + 1 : folder;
    return strlen(last) == n && strncmp(last, name, n) == 0;
}

static const char *in_package(struct dpl__import *import, const char *name)
{
    size_t n = strcspn(name, "/");
    struct folders folders;
    find_folders(import, &folders);
    for (size_t i = 0; i < folders.n; i++) {
        const char *path = readable(import, folders.paths[i], name);
        if (!path && name[n] == '/' && is_called(folders.paths[i], name, n)) {
            path = readable(import, folders.paths[i], name + n + 1);
        }
        if (!path) { /* as Gazebo has them */
            const char *models =
                dpl_arena_printf(import->reader->arena, "%s/models", folders.paths[i]);
            path = readable(import, models, name);
        }
        if (path) {
            return path;
        }
    }
    return NULL;
}

/* The part from the name on of https://.../models/NAME, as Gazebo Fuel has them. NULL: it is none.
 */
static const char *model_on_net(const char *uri)
{
    static const char *const schemes[] = {"http://", "https://", "fuel://"};
    const char *models = strstr(uri, "/models/");
    for (size_t i = 0; i < DPL_COUNT(schemes); i++) {
        if (strncmp(uri, schemes[i], strlen(schemes[i])) == 0) {
            return models ? models + strlen("/models/") : "";
        }
    }
    return NULL;
}

/* What is behind package://, model:// or the address of a model on the net; NULL: neither. */
static const char *package_of(const char *uri)
{
    static const char *const schemes[] = {"package://", "model://"};
    for (size_t i = 0; i < DPL_COUNT(schemes); i++) {
        if (strncmp(uri, schemes[i], strlen(schemes[i])) == 0) {
            return uri + strlen(schemes[i]);
        }
    }
    return model_on_net(uri);
}

const char *dpl__import_path(struct dpl__import *import, const char *uri)
{
    const char *package = package_of(uri);
    if (strlen(uri) > PATH_LENGTH_MAX) {
        return NULL;
    }
    if (package) {
        return *package ? in_package(import, package) : NULL;
    }
    if (strncmp(uri, "file://", 7) == 0) {
        uri += 7;
    }
    if (uri[0] == '/') {
        return access(uri, R_OK) == 0 ? dpl_arena_strdup(import->reader->arena, uri) : NULL;
    }
    const char *slash = strrchr(import->file, '/');
    const char *folder = slash ? dpl_arena_strndup(import->reader->arena, import->file,
                                                   (size_t)(slash - import->file))
                               : ".";
    return readable(import, folder, uri);
}

const char *dpl__import_places(struct dpl__import *import, const char *uri)
{
    if (!package_of(uri)) {
        return "beside the file";
    }
    return model_on_net(uri)
               ? "in `packages`, ROS_PACKAGE_PATH, GAZEBO_MODEL_PATH, GZ_SIM_RESOURCE_PATH and the "
                 "folders above the file (nothing is loaded from the net: put its folder there)"
               : "in `packages`, in the folders above the file, in their `models`, and in "
                 "ROS_PACKAGE_PATH, GAZEBO_MODEL_PATH, GZ_SIM_RESOURCE_PATH";
}
