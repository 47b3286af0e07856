/* SPDX-License-Identifier: Apache-2.0 */
/* What a user can do about a device that cannot be opened. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>

#include <doppel/stream.h>

#include "holder.h"

static void name_group(const char *path, char *ret_text, size_t size)
{
    struct stat status;
    struct group entry, *found = NULL;
    char room[4096];
    if (stat(path, &status) < 0 || (status.st_mode & S_IRGRP) == 0 ||
        getgrgid_r(status.st_gid, &entry, room, sizeof room, &found) != 0 || !found ||
        status.st_gid == 0) {
        return;
    }
    snprintf(ret_text, size, "; its group '%s' may: `sudo usermod -aG %s $USER`, then log in again",
             found->gr_name, found->gr_name);
}

const char *dpl_open_remedy(const char *path, int err, char *ret_text, size_t size)
{
    ret_text[0] = '\0';
    switch (err) {
    case -EACCES:
    case -EPERM: name_group(path, ret_text, size); break;
    case -EBUSY: {
        char who[DPL_HOLDER_TEXT];
        snprintf(ret_text, size, ": %s", dpl_holder_of_file(path, who));
        break;
    }
    case -ENOENT:
    case -ENODEV:
    case -ENXIO:
        snprintf(ret_text, size,
                 "; is it plugged in? `--wait S` waits for it, `doppel emulate` stands in for it");
        break;
    default: break;
    }
    return ret_text;
}
