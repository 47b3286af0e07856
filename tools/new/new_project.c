/* SPDX-License-Identifier: Apache-2.0 */
/* Files of new projects: written into a folder beside the final one, which is then renamed. */
#include "new_project.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "new_templates.h"

#define PATH_BYTES 4096

static int fail_at(const char *path, struct dpl_diag *reterr)
{
    int err = -errno;
    return dpl_fail(reterr, err, (struct dpl_place){.file = path}, "%s", strerror(-err));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int make_folders(char *path, size_t from)
{
    for (char *slash = path + from; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        int err = mkdir(path, 0777) < 0 && errno != EEXIST ? -errno : 0;
        *slash = '/';
        if (err < 0) {
            errno = -err;
            return err;
        }
    }
    return 0;
}

static int write_text(const char *path, const char *text, bool executable, struct dpl_diag *reterr)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, executable ? 0777 : 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) {
        return fail_at(path, reterr);
    }
    bool failed = fputs(text, file) < 0;
    failed |= fclose(file) != 0;
    return failed ? fail_at(path, reterr) : 0;
}

static int write_file(const struct new_template *template, const struct new_words *words,
                      const char *folder, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    char *name = new_words_replace(words, template->path);
    char *text = new_words_replace(words, template->text);
    int err = -ENOMEM;
    if (name && text) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, name);
        errno = n >= (int)sizeof path ? ENAMETOOLONG : 0;
        err = errno || make_folders(path, strlen(folder) + 1) < 0
                  ? fail_at(folder, reterr)
                  : write_text(path, text, template->executable, reterr);
    } else {
        dpl_fail(reterr, err, (struct dpl_place){.file = folder}, "out of memory");
    }
    free(name);
    free(text);
    return err;
}

/* The mode of a folder that a plain mkdir would make: mkdtemp's are for the owner only. */
static void open_folder(const char *path)
{
    mode_t mask = umask(0);
    umask(mask);
    chmod(path, 0777 & ~mask);
}

bool new_project_has(const char *kind)
{
    for (size_t i = 0; i < n_new_templates; i++) {
        if (strcmp(new_templates[i].kind, kind) == 0) {
            return true;
        }
    }
    return false;
}

int new_project_write(const char *kind, const struct new_words *words, const char *folder,
                      struct dpl_diag *reterr)
{
    char part[PATH_BYTES];
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    if (length + 16 > sizeof part) {
        errno = ENAMETOOLONG;
        return fail_at(folder, reterr);
    }
    snprintf(part, sizeof part, "%.*s.XXXXXX", (int)length, folder);
    if (!mkdtemp(part)) {
        return fail_at(folder, reterr);
    }
    open_folder(part);
    int err = 0;
    for (size_t i = 0; i < n_new_templates && err == 0; i++) {
        if (strcmp(new_templates[i].kind, kind) == 0) {
            err = write_file(&new_templates[i], words, part, reterr);
        }
    }
    if (err == 0 && rename(part, folder) < 0) {
        err = -errno;
        bool exists = err == -EEXIST || err == -ENOTEMPTY || err == -ENOTDIR;
        dpl_fail(reterr, err, (struct dpl_place){.file = folder}, "%s",
                 exists ? "exists and is not an empty folder" : strerror(-err));
    }
    if (err < 0) {
        remove_tree(part);
    }
    return err;
}
