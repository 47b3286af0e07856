/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue's files: search paths, listing folders, finding profiles by reference. */
#include "catalog.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const kinds[] = {"components", "apps",    "benches", "bindings", "worlds",
                                    "plans",      "studies", "robots",  "services", "types"};

static void add_folder(struct dpl__folders *folders, const char *path)
{
    if (folders->n < DPL__FOLDERS_MAX) {
        folders->paths[folders->n++] = path;
    }
}

void dpl__folders_split(struct dpl_catalog *catalog, const char *list, struct dpl__folders *ret)
{
    while (list && *list != '\0') {
        size_t n = strcspn(list, ":");
        if (n > 0) {
            add_folder(ret, dpl_arena_strndup(&catalog->arena, list, n));
        }
        list += n + (list[n] == ':');
    }
}

void dpl__folders_add_installed(struct dpl_catalog *catalog, enum dpl__installed kind,
                                struct dpl__folders *folders)
{
    char *paths[DPL__INSTALLED_MAX];
    size_t n = dpl__installed_folders(kind, paths);
    for (size_t i = 0; i < n; i++) {
        add_folder(folders, dpl_arena_strdup(&catalog->arena, paths[i]));
        free(paths[i]);
    }
}

int dpl_catalog_add_profiles(struct dpl_catalog *catalog, const char *folder,
                             struct dpl_diag *reterr)
{
    struct dpl__folders *folders = &catalog->profile_folders;
    if (folders->n == DPL__FOLDERS_MAX) {
        return dpl_fail(reterr, -ENOSPC, (struct dpl_place){.file = folder},
                        "the profile path has already %d folders", DPL__FOLDERS_MAX);
    }
    memmove(folders->paths + 1, folders->paths, folders->n * sizeof folders->paths[0]);
    folders->paths[0] = dpl_arena_strdup(&catalog->arena, folder);
    folders->n++;
    return 0;
}

static const char *path_of(struct dpl_catalog *catalog, const struct dpl__folders *folders)
{
    const char *path = "";
    for (size_t i = 0; i < folders->n; i++) {
        path =
            dpl_arena_printf(&catalog->arena, "%s%s%s", path, i == 0 ? "" : ":", folders->paths[i]);
    }
    return path;
}

const char *dpl_catalog_plugin_path(struct dpl_catalog *catalog)
{
    return path_of(catalog, &catalog->plugin_folders);
}

const char *dpl_catalog_profile_path(struct dpl_catalog *catalog)
{
    return path_of(catalog, &catalog->profile_folders);
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), length = strlen(suffix);
    return n > length && strcmp(text + n - length, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t dpl__folder_list(struct dpl_catalog *catalog, const char *folder, const char *suffix,
                        const char *const **ret_names)
{
    const char *found[DPL__PROFILES_MAX];
    size_t n = 0;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && n < DPL__PROFILES_MAX && (entry = readdir(dir))) {
        if (entry->d_name[0] != '.' && ends_with(entry->d_name, suffix)) {
            found[n++] = dpl_arena_strdup(&catalog->arena, entry->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(found, n, sizeof(found[0]), compare_names);
    const char **names = dpl_arena_alloc(&catalog->arena, (n + 1) * sizeof(*names));
    memcpy(names, found, n * sizeof(*names));
    *ret_names = names;
    return n;
}

/* ---- paths ---------------------------------------------------------------------------------- */

const char *dpl__catalog_intern(struct dpl_catalog *catalog, const char *text)
{
    for (size_t i = 0; i < catalog->n_interned; i++) {
        if (strcmp(catalog->interned[i], text) == 0) {
            return catalog->interned[i];
        }
    }
    const char *copy = dpl_arena_strdup(&catalog->arena, text);
    if (catalog->n_interned == catalog->interned_capacity) {
        size_t capacity = catalog->interned_capacity == 0 ? 32 : 2 * catalog->interned_capacity;
        const char **larger = realloc(catalog->interned, capacity * sizeof(*larger));
        if (!larger) {
            return copy;
        }
        catalog->interned = larger;
        catalog->interned_capacity = capacity;
    }
    catalog->interned[catalog->n_interned++] = copy;
    return copy;
}

/* ---- search ---------------------------------------------------------------------------------- */

static const char *existing(struct dpl_catalog *catalog, const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        return dpl__catalog_intern(catalog, path);
    }
    return NULL;
}

/* folder/sub/name with and without ".xml"; `folder` (with its '/') and `sub` may be "". */
static const char *try_in(struct dpl_catalog *catalog, const char *folder, const char *sub,
                          const char *name)
{
    struct dpl_arena scratch = {0};
    const char *between = *sub != '\0' ? "/" : "";
    const char *path = dpl_arena_printf(&scratch, "%s%s%s%s", folder, sub, between, name);
    const char *found = existing(catalog, path);
    if (!found) {
        found = existing(catalog, dpl_arena_printf(&scratch, "%s.xml", path));
    }
    dpl_arena_finish(&scratch);
    return found;
}

static const char *try_plain(struct dpl_catalog *catalog, const char *name)
{
    struct dpl_arena scratch = {0};
    const char *found = existing(catalog, name);
    if (!found) {
        found = existing(catalog, dpl_arena_printf(&scratch, "%s.xml", name));
    }
    dpl_arena_finish(&scratch);
    return found;
}

/* Beside the referring file, in profile/, and in the component's own folder. */
static const char *try_beside(struct dpl_catalog *catalog, const char *beside, const char *name)
{
    struct dpl_arena scratch = {0};
    const char *slash = strrchr(beside, '/');
    const char *folder =
        slash ? dpl_arena_strndup(&scratch, beside, (size_t)(slash + 1 - beside)) : "";
    const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    const char *dot = strrchr(base, '.');
    size_t n = dot ? (size_t)(dot - base) : strlen(base);
    const char *own = dpl_arena_strndup(&scratch, base, n);
    const char *own_profile = dpl_arena_printf(&scratch, "%s/profile", own);
    const char *const subs[] = {"", "profile", own, own_profile};
    const char *found = NULL;
    for (size_t i = 0; i < DPL_COUNT(subs) && !found; i++) {
        found = try_in(catalog, folder, subs[i], name);
    }
    dpl_arena_finish(&scratch);
    return found;
}

const char *dpl_catalog_find_profile(struct dpl_catalog *catalog, const char *kind,
                                     const char *name, const char *beside)
{
    if (*name == '\0') {
        return NULL;
    }
    struct dpl_arena scratch = {0};
    const char *found = NULL;
    if (beside && *name != '/') {
        found = try_beside(catalog, beside, name);
    }
    /* a name without folder and suffix means a profile of that name, not a file in the working
     * folder */
    bool bare = !strchr(name, '/') && !strchr(name, '.');
    if (!found && !bare) {
        found = try_plain(catalog, name);
    }
    for (size_t f = 0; f < catalog->profile_folders.n && !found; f++) {
        const char *folder = dpl_arena_printf(&scratch, "%s/", catalog->profile_folders.paths[f]);
        found = try_in(catalog, folder, "", name);
        for (size_t k = 0; k < DPL_COUNT(kinds) && !found; k++) {
            if (!kind || strcmp(kind, kinds[k]) == 0) {
                found = try_in(catalog, folder, kinds[k], name);
            }
        }
    }
    dpl_arena_finish(&scratch);
    return found || !bare ? found : try_plain(catalog, name);
}

/* Adds the files of a folder; `deep`: and of its sub-folders. */
static size_t add_profiles(struct dpl_catalog *catalog, const char *folder, bool deep,
                           const char **paths, size_t n)
{
    const char *const *names;
    size_t n_names = dpl__folder_list(catalog, folder, "", &names);
    for (size_t i = 0; i < n_names && n < DPL__PROFILES_MAX; i++) {
        const char *path = dpl_arena_printf(&catalog->arena, "%s/%s", folder, names[i]);
        if (ends_with(names[i], ".xml")) {
            paths[n++] = path;
        } else if (deep) {
            n = add_profiles(catalog, path, false, paths, n);
        }
    }
    return n;
}

const char *const *dpl_catalog_profiles(struct dpl_catalog *catalog, const char *kind,
                                        size_t *ret_n)
{
    const char *paths[DPL__PROFILES_MAX];
    size_t n = 0;
    for (size_t f = 0; f < catalog->profile_folders.n; f++) {
        const char *folder =
            dpl_arena_printf(&catalog->arena, "%s/%s", catalog->profile_folders.paths[f], kind);
        n = add_profiles(catalog, folder, true, paths, n);
    }
    qsort(paths, n, sizeof(paths[0]), compare_names);
    const char **result = dpl_arena_alloc(&catalog->arena, (n + 1) * sizeof(*result));
    memcpy(result, paths, n * sizeof(*result));
    *ret_n = n;
    return result;
}
