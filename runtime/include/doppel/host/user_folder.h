/* SPDX-License-Identifier: Apache-2.0 */
/* Names of emulated devices that belong to one user: "user:kobuki" is the file "kobuki" in a folder
 * that only this user can write, so that two users of a machine never meet. */
#ifndef DOPPEL_HOST_USER_FOLDER_H
#define DOPPEL_HOST_USER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_USER_SCHEME "user:"

/* Writes the path that `name` stands for: $XDG_RUNTIME_DIR/doppel/REST for "user:REST" (without
 * that variable /tmp/doppel-UID/REST), otherwise `name` itself. `create`: the folder is created if
 * it does not exist. 0, or with reterr: -EINVAL if REST is no file name, -ENAMETOOLONG, -EPERM if
 * the folder is another user's or others can write it, or the error of the system. */
int dpl_user_path(const char *name, bool create, char *ret_path, size_t size,
                  struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
