/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --snapshot: a picture of a world. */
#ifndef DOPPEL_CLI_SIM_PICTURE_H
#define DOPPEL_CLI_SIM_PICTURE_H

#include <doppel/sim/world.h>

#include "picture_world.h"
#include "sim_world.h"

/* Zero-initialised: no picture. */
struct sim_picture {
    const struct dpl_world *world;
    const char *file;
    struct picture_traces *traces; /* NULL: they are not drawn */
    struct picture_view view;
    unsigned parts;
    int focus;
};

/* 0, or -EINVAL with reterr: an option makes no sense. Without a file: nothing. */
int sim_picture_begin(struct sim_picture *picture, const struct dpl_world *world,
                      const struct sim_picture_options *options, struct dpl_diag *reterr);

/* After each step. */
void sim_picture_take(struct sim_picture *picture);

/* 0, or -errno with reterr. Without a file: nothing. */
int sim_picture_write(const struct sim_picture *picture, struct dpl_diag *reterr);
void sim_picture_end(struct sim_picture *picture);

#endif
