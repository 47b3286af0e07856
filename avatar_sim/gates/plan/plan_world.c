/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a plan's world. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/host/catalog.h>
#include <doppel/sim/load.h>

#include "arena.h"
#include "plan_parts.h"

#define NAMES_MAX 256

struct names {
    const char *list[NAMES_MAX];
    size_t n;
};

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* ---- did you mean ---- */

/* The name of a file "folder/NAME.xml". */
static void add(struct dpl_arena *arena, struct names *names, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".xml") == 0 && names->n < NAMES_MAX) {
        names->list[names->n++] = dpl_arena_strndup(arena, name, n - 4);
    }
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_folder(struct dpl_arena *arena, struct names *names, const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, NULL, by_bytes);
    for (int i = 0; i < n; i++) {
        add(arena, names, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* The world whose name is most similar; NULL: none is similar. */
static const char *nearest(struct dpl_arena *arena, const char *folder, const char *world,
                           struct dpl_catalog *catalog)
{
    struct names names = {.n = 0};
    size_t n = 0, length = strlen(world);
    const char *const *files = catalog ? dpl_catalog_profiles(catalog, "worlds", &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        add(arena, &names, files[i]);
    }
    add_folder(arena, &names, dpl_arena_printf(arena, "%s/../worlds", folder));
    add_folder(arena, &names, folder);
    bool has_end = length > 4 && strcmp(world + length - 4, ".xml") == 0;
    return dpl_nearest(dpl_arena_strndup(arena, world, has_end ? length - 4 : length), names.list,
                       names.n);
}

/* ---- the world ---- */

const char *dpl_sim_plan_world(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_catalog *catalog, struct dpl_diag *reterr)
{
    static const char *const forms[] = {"%s/%s", "%s/%s.xml", "%s/../worlds/%s",
                                        "%s/../worlds/%s.xml"};
    const char *slash = strrchr(plan->file, '/');
    const char *folder =
        slash ? dpl_arena_strndup(arena, plan->file, (size_t)(slash - plan->file)) : ".";
    for (size_t i = 0; i < DPL_COUNT(forms) && plan->world[0] != '/'; i++) {
        const char *path = dpl_arena_printf(arena, forms[i], folder, plan->world);
        if (is_file(path)) {
            return path;
        }
    }
    const char *found =
        catalog ? dpl_catalog_find_profile(catalog, "worlds", plan->world, NULL) : NULL;
    if (found || is_file(plan->world)) {
        return found ? found : plan->world;
    }
    const char *near = nearest(arena, folder, plan->world, catalog);
    (void)dpl_fail(reterr, -ENOENT, plan->world_place,
                   "there is no world '%s'%s%s%s; searched: %s, %s/../worlds%s%s", plan->world,
                   near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "", folder,
                   folder, catalog ? ", " : "", catalog ? dpl_catalog_profile_path(catalog) : "");
    return NULL;
}

void dpl_sim_plan_load_options(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_sim_load_options *inout_options)
{
    inout_options->params = plan->world_params;
    inout_options->n_params = plan->n_world_params;
    inout_options->params_of = dpl_arena_printf(arena, "world '%s'", plan->world);
}
