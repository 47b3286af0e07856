/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/host/user_folder.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct dpl_place nowhere = {0};

static bool is_file_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && !strchr(name, '/');
}

static void name_folder(char ret_folder[PATH_MAX])
{
    const char *own = getenv("XDG_RUNTIME_DIR");
    if (own && own[0] == '/') {
        snprintf(ret_folder, PATH_MAX, "%s/doppel", own);
    } else {
        snprintf(ret_folder, PATH_MAX, "/tmp/doppel-%lu", (unsigned long)geteuid());
    }
}

/* Everybody may write into /tmp: a folder of that name may be another user's. One that does not
 * exist is no error: then the file in it does not exist either. */
static int check_owner(const char *folder, struct dpl_diag *reterr)
{
    struct stat info;
    if (lstat(folder, &info) < 0) {
        int err = errno == ENOENT ? 0 : -errno;
        return err < 0
                   ? dpl_fail(reterr, err, nowhere, "cannot use '%s': %s", folder, strerror(-err))
                   : 0;
    }
    if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 022) != 0) {
        return dpl_fail(reterr, -EPERM, nowhere,
                        "'%s' is not a folder that only this user can write; remove it, or give "
                        "the device a path",
                        folder);
    }
    return 0;
}

int dpl_user_path(const char *name, bool create, char *ret_path, size_t size,
                  struct dpl_diag *reterr)
{
    bool is_user = strncmp(name, DPL_USER_SCHEME, strlen(DPL_USER_SCHEME)) == 0;
    const char *rest = is_user ? name + strlen(DPL_USER_SCHEME) : name;
    char folder[PATH_MAX] = "";
    if (is_user) {
        if (!is_file_name(rest)) {
            return dpl_fail(
                reterr, -EINVAL, nowhere,
                "'%.200s' is not an address; expected user:NAME with the name of a file", name);
        }
        name_folder(folder);
        if (create && mkdir(folder, 0700) < 0 && errno != EEXIST) {
            int err = -errno;
            return dpl_fail(reterr, err, nowhere, "cannot make '%s': %s", folder, strerror(-err));
        }
        int err = check_owner(folder, reterr);
        if (err < 0) {
            return err;
        }
    }
    int n = snprintf(ret_path, size, "%s%s%s", folder, is_user ? "/" : "", rest);
    return (size_t)n < size ? 0
                            : dpl_fail(reterr, -ENAMETOOLONG, nowhere,
                                       "'%.200s' is too long: at most %zu bytes", name, size - 1);
}
