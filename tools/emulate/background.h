/* SPDX-License-Identifier: Apache-2.0 */
/* An emulator that goes on after its command has returned (--background). */
#ifndef EMULATE_BACKGROUND_H
#define EMULATE_BACKGROUND_H

/* Forks. In the new process, in a session of its own: returns -1 with *ret_ready_fd, for
 * background_go_on; until then it ends if its parent does. In the parent: waits until the device is
 * ready, prints the process to standard output, and returns the exit code; if the device ends
 * before, its exit code. Call it before any thread exists. */
int background_start(const char *device, int *ret_ready_fd);

/* Tells the parent that the device is ready. From now on the process prints nothing. */
void background_go_on(int ready_fd);

#endif
