/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a world that is served, from the command line. */
#ifndef DOPPEL_WORLD_VALUES_H
#define DOPPEL_WORLD_VALUES_H

/* Prints the values of n channels of the world at an address, a line each. An exit code. */
int world_get(const char *address, char **paths, int n);

/* Prints them again when they change, ten times a second at most, for `seconds` of real time (0:
 * until SIGINT or SIGTERM). An exit code. */
int world_watch(const char *address, char **paths, int n, double seconds);

/* Puts n values (PATH=VALUE), keeps them for `hold_s` of real time, and lets them go. An exit
 * code. */
int world_put(const char *address, char **puts, int n, double hold_s);

#endif
