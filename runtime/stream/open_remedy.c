/* SPDX-License-Identifier: Apache-2.0 */
/* What a user can do about a device that cannot be opened. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/stream.h>
#include <doppel/text.h>

/* A program has at most so many files that are looked at. */
enum { FILES_MAX = 4096, COMM_BYTES = 64 };

/* Whether one of a process's files is this one. False also if we may not know. */
static bool has_open(const char *process, const char *real)
{
    char folder[PATH_MAX], target[PATH_MAX];
    snprintf(folder, sizeof folder, "/proc/%.20s/fd", process);
    DIR *files = opendir(folder);
    bool has = false;
    struct dirent *file;
    for (int i = 0; files && !has && i < FILES_MAX && (file = readdir(files)); i++) {
        ssize_t n = readlinkat(dirfd(files), file->d_name, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        has = strcmp(target, real) == 0;
    }
    if (files) {
        closedir(files);
    }
    return has;
}

static void read_name(const char *process, char ret_name[COMM_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/comm", process);
    FILE *file = fopen(path, "re");
    ret_name[0] = '\0';
    if (file) {
        if (!fgets(ret_name, COMM_BYTES, file)) {
            ret_name[0] = '\0';
        }
        fclose(file);
    }
    ret_name[strcspn(ret_name, "\n")] = '\0';
}

/* As far as this user may know. */
static void name_holder(const char *path, char *ret_text, size_t size)
{
    char *real = realpath(path, NULL);
    DIR *processes = real ? opendir("/proc") : NULL;
    struct dirent *process;
    while (processes && ret_text[0] == '\0' && (process = readdir(processes))) {
        char name[COMM_BYTES], clean[DPL_TEXT_CLEAN_SIZE(COMM_BYTES)];
        if (isdigit((unsigned char)process->d_name[0]) && atol(process->d_name) != getpid() &&
            has_open(process->d_name, real)) {
            read_name(process->d_name, name);
            dpl_text_clean(name, clean, sizeof clean);
            snprintf(ret_text, size, ": %s, process %.20s", clean, process->d_name);
        }
    }
    if (processes) {
        closedir(processes);
    }
    free(real);
}

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
    case -EBUSY: name_holder(path, ret_text, size); break;
    case -ENOENT:
    case -ENODEV:
    case -ENXIO:
        snprintf(ret_text, size, "; is it plugged in? `doppel emulate` stands in for a device");
        break;
    default: break;
    }
    return ret_text;
}
