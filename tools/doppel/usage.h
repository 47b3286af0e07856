/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOPPEL_CLI_USAGE_H
#define DOPPEL_CLI_USAGE_H

/* Exit codes and environment: the end of `doppel --help`, and a part of the manual page. */
extern const char usage_notes[];

#endif
