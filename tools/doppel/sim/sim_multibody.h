/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel sim` and `doppel info` do with robots in STAR's format. */
#ifndef DOPPEL_CLI_SIM_MULTIBODY_H
#define DOPPEL_CLI_SIM_MULTIBODY_H

#include "sim_loaded.h"

/* -EDOM with reterr: a loop of one of them has stopped, and what it did since then is no motion. */
int sim_check_stops(const struct dpl_world *world, struct dpl_diag *reterr);

/* Warns on standard error of what else befell their loops: singular poses that they went through,
 * joints that do not fit any more, steps that are too long. */
void sim_warn_of_loops(const struct dpl_world *world);

/* Prints the structure of each of them. */
void sim_print_structures(const struct sim_loaded *loaded);

/* The number of the world's only robot in STAR's format; -1: there is none, or more. */
int sim_star_robot(const struct sim_loaded *loaded);

/* 0, or -EINVAL with reterr: there is no such robot, as --OPTION needs it. */
int sim_star_check(const struct sim_loaded *loaded, const char *option, struct dpl_diag *reterr);

/* Whether the world can be written as `file`: it has one such robot, and the name ends in .json.
 * 0, also of NULL, or -EINVAL with reterr. */
int sim_save_check(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr);

/* Writes it. NULL: nothing. 0, or -errno with reterr. */
int sim_save(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr);

#endif
