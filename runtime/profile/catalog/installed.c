/* SPDX-License-Identifier: Apache-2.0 */
/* The folders that belong to this library: see installed.h. */
#include "installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUILD_FILE "doppel-build.txt"

enum { LINE_SIZE = PATH_MAX + 32 };

static const struct {
    const char *word; /* in the build's file */
    const char *from_library;
} kinds[] = {
    [DPL__PLUGINS] = {"plugins ", DPL__PLUGINS_FROM_LIBRARY},
    [DPL__PROFILES] = {"profiles ", DPL__PROFILES_FROM_LIBRARY},
    [DPL__MODULES] = {"modules ", DPL__MODULES_FROM_LIBRARY},
};

/* The folder of the file that holds this code: of the library, or of a program that is linked
 * without it. */
static bool find_own_folder(char ret_path[PATH_MAX])
{
    Dl_info info;
    if (!dladdr(kinds, &info) || !realpath(info.dli_fname, ret_path)) {
        ssize_t n = readlink("/proc/self/exe", ret_path, PATH_MAX - 1);
        if (n <= 0) {
            return false;
        }
        ret_path[n] = '\0';
    }
    char *slash = strrchr(ret_path, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash;
}

static size_t add(const char *path, char **paths, size_t n)
{
    if (n == DPL__INSTALLED_MAX) {
        return n;
    }
    char *real = realpath(path, NULL);
    paths[n] = real ? real : strdup(path);
    return paths[n] ? n + 1 : n;
}

/* The lines "WORD FOLDER" of the build's file. */
static size_t add_built(FILE *file, const char *word, char **paths)
{
    char line[LINE_SIZE];
    size_t n = 0, length = strlen(word);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, word, length) == 0) {
            line[strcspn(line, "\n")] = '\0';
            n = add(line + length, paths, n);
        }
    }
    return n;
}

size_t dpl__installed_folders(enum dpl__installed kind, char *ret_paths[DPL__INSTALLED_MAX])
{
    char own[PATH_MAX], path[2 * PATH_MAX];
    if (!find_own_folder(own)) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/" BUILD_FILE, own);
    FILE *file = fopen(path, "re");
    if (file) {
        size_t n = add_built(file, kinds[kind].word, ret_paths);
        fclose(file);
        return n;
    }
    const char *relative = kinds[kind].from_library;
    snprintf(path, sizeof path, "%s%s%s", *relative == '/' ? "" : own, *relative == '/' ? "" : "/",
             relative);
    return add(path, ret_paths, 0);
}
