/* SPDX-License-Identifier: Apache-2.0 */
/* Checking worlds, robots and mechanisms without running them, for `doppel check`. */
#ifndef DOPPEL_SIM_CHECK_H
#define DOPPEL_SIM_CHECK_H

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Checks the file whose root element is `root` ("world", "robot_model", a root of a mechanism as in
 * objects.h; any other root is an error that lists the valid roots). `options`: see load.h. 0, or
 * -EINVAL with errors in diags. The diagnostics' places borrow from `diags_arena`, which outlives
 * them. *ret_about: lines that describe the content of the file, in the arena; NULL: none. */
struct dpl_arena;
struct dpl_sim_load_options;
int dpl_sim_check(struct dpl_arena *diags_arena, const char *file, const char *root,
                  const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                  const char **ret_about);

/* Whether a format of the library or of the catalogue (NULL: none) knows the file by its name: it
 * is checked without a look at its root. */
struct dpl_catalog;
bool dpl_sim_knows_file(const char *file, struct dpl_catalog *catalog);

#ifdef __cplusplus
}
#endif

#endif
