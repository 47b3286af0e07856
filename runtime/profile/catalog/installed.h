/* SPDX-License-Identifier: Apache-2.0 */
/* The folders that belong to this library: after the installation relative to the library's file,
 * so that an installation may be moved; in a build as the file doppel-build.txt beside the library
 * says (docs/design/profiles.md). */
#ifndef DOPPEL_PROFILE_INSTALLED_H
#define DOPPEL_PROFILE_INSTALLED_H

#include <stddef.h>

enum dpl__installed {
    DPL__PLUGINS,
    DPL__PROFILES,
    DPL__MODULES,
};

enum { DPL__INSTALLED_MAX = 16 };

/* Writes the folders of a kind, in the order of the search, as absolute paths that the caller
 * frees; also one that does not exist. Returns their number. Reads files. */
size_t dpl__installed_folders(enum dpl__installed kind, char *ret_paths[DPL__INSTALLED_MAX]);

#endif
