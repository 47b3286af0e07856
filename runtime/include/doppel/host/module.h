/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: parts of Doppel that need large libraries. They are files of their own, so that a
 * program that does not use them starts without those libraries (docs/design/runtime.md). */
#ifndef DOPPEL_HOST_MODULE_H
#define DOPPEL_HOST_MODULE_H

#include <stddef.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the module NAME.so from the folder of modules that belongs to this library, and writes its
 * table of functions: its object `dpl_module`, which has `size` bytes, begins with this number
 * (a size_t) and stays loaded until the end of the process. 0; -ENOENT or -ENOEXEC with the file
 * and the reason in reterr: it is not there, a library that it needs is not, or it is of another
 * version. Blocks and allocates; may be called by several threads. */
int dpl_module_load(const char *name, size_t size, const void **ret_table, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
