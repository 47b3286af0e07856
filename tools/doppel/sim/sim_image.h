/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --image: what a camera of a world has taken, as a file. */
#ifndef DOPPEL_CLI_SIM_IMAGE_H
#define DOPPEL_CLI_SIM_IMAGE_H

#include "options.h"
#include "sim_loaded.h"

/* Whether each CHANNEL=FILE.png of the list names a picture of the world: 0, or -EINVAL with
 * reterr. */
int sim_images_check(const struct sim_loaded *loaded, const struct option_list *list,
                     struct dpl_diag *reterr);

/* Writes the newest picture of each. 0, or -errno with reterr; -EAGAIN: there is none yet. */
int sim_images_write(const struct sim_loaded *loaded, const struct option_list *list,
                     struct dpl_diag *reterr);

#endif
