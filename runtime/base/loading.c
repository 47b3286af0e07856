/* SPDX-License-Identifier: Apache-2.0 */
#include "loading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doppel/diag.h>

enum { END_CODE = 1 }; /* same value as DPL_EXIT_BAD_INPUT */

static const char *loading; /* the file; NULL: none */
static pid_t process;       /* that loads; not a child that a constructor forks */

void dpl__loading_leaves(void)
{
    if (!loading || getpid() != process) {
        return;
    }
    struct dpl_diag diag = {.severity = DPL_SEVERITY_ERROR, .place.file = loading};
    loading = NULL;
    snprintf(diag.text, sizeof diag.text, "the plugin has ended the process while it was loaded");
    dpl_diag_print(stderr, &diag);
    _exit(END_CODE);
}

void *dpl__loading_open(const char *path)
{
    static bool registered;
    if (!registered) {
        registered = atexit(dpl__loading_leaves) == 0 && at_quick_exit(dpl__loading_leaves) == 0;
    }
    process = getpid();
    loading = path;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    loading = NULL;
    return handle;
}
