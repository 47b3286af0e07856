/* SPDX-License-Identifier: Apache-2.0 */
/* A program that moves a world of its own, into which people may look and which is recorded:
 * own_world WORLD.xml SECONDS RECORDING.mcap PORT; PORT -1: no viewers. */
#include <stdlib.h>

#include <doppel/host/observe.h>
#include <doppel/sim/load.h>
#include <doppel/sim/shown.h>

struct own {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    struct dpl_sim_shown *shown;
    dpl_ns end;
};

static int load(struct own *own, const char *file, struct dpl_diag *reterr)
{
    int err = dpl_sim_load_world(file, 1, NULL, &own->model, reterr);
    err = err < 0 ? err : dpl_world_create(own->model, &own->world, reterr);
    err = err < 0 ? err : dpl_world_channels_create(own->world, &own->channels);
    own->shown = err < 0 ? NULL : dpl_sim_shown_create(own->world, own->channels);
    return own->shown || err < 0 ? err : -1;
}

/* Step by step, as far as those who look let it go. */
static int move(void *user, struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    const struct own *own = user;
    dpl_ns step = own->model->step, now = 0;
    dpl_sim_shown_look(own->shown);
    while (now < own->end && dpl_runtime_go(runtime, now + step)) {
        dpl_world_step(own->world, 1);
        now = dpl_world_now(own->world);
        dpl_sim_shown_look(own->shown);
    }
    return dpl_world_check_motion(own->world, reterr);
}

int main(int argc, char **argv)
{
    struct own own = {.end = argc > 2 ? dpl_ns_from_s(atof(argv[2])) : 0};
    struct dpl_diag why = {0};
    if (argc != 5 || load(&own, argv[1], &why) < 0) {
        dpl_diag_print(stderr, &why);
        return DPL_EXIT_BAD_INPUT;
    }
    const struct dpl_app app = {.name = "Own", .world = argv[1]};
    const struct dpl_runtime_options options = {.simulated = true,
                                                .world = dpl_sim_shown_host(own.shown),
                                                .drive = move,
                                                .drive_user = &own,
                                                .drive_step = own.model->step};
    const struct dpl_observe_wanted wanted = {
        .record = argv[3], .view = atoi(argv[4]), .tell = stderr};
    enum dpl_exit code = dpl_observe_run(&app, &options, &wanted, &why);
    if (code != DPL_EXIT_DONE) {
        dpl_diag_print(stderr, &why);
    }
    dpl_sim_shown_destroy(own.shown);
    dpl_world_channels_destroy(own.channels);
    dpl_world_destroy(own.world);
    dpl_sim_model_destroy(own.model);
    return (int)code;
}
