/* SPDX-License-Identifier: Apache-2.0 */
/* _exit of this program, and of the plugins that it loads: no function of exit handlers is called,
 * so that a component that ends the process by it would look like a run that succeeded. The dynamic
 * linker finds the program's functions before those of libc. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

static _Noreturn void leave(int status)
{
    dpl_runtime_leaves();
    for (;;) {
        syscall(SYS_exit_group, status);
    }
}

void _exit(int status)
{
    leave(status);
}

void _Exit(int status)
{
    leave(status);
}
