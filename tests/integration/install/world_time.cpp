/* SPDX-License-Identifier: Apache-2.0 */
/* A program outside of the tree, in C++: loads a world, steps it for a second, prints its time in
 * s. */
#include <cstdio>

#include <doppel/host/catalog.h>
#include <doppel/sim/load.h>
#include <doppel/sim/state.h>
#include <doppel/sim/world.h>

int main(int argc, char **argv)
{
    struct dpl_catalog *catalog = nullptr;
    struct dpl_sim_model *model = nullptr;
    struct dpl_world *world = nullptr;
    struct dpl_diag error = {};
    struct dpl_sim_load_options options = {};
    if (argc != 2 || dpl_catalog_create(nullptr, &catalog, &error) < 0) {
        return 2;
    }
    options.catalog = catalog;
    const char *file = dpl_catalog_find_profile(catalog, "worlds", argv[1], nullptr);
    if (!file || dpl_sim_load_world_with(file, &options, &model, &error) < 0 ||
        dpl_world_create(model, &world, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 1;
    }
    dpl_world_run_until(world, DPL_S);
    std::printf("%.3f\n", static_cast<double>(dpl_world_now(world)) * 1e-9);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_catalog_destroy(catalog);
    return 0;
}
