/* SPDX-License-Identifier: Apache-2.0 */
#include "holder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <doppel/text.h>

#define LINE_MAX_BYTES 512
#define NO_USER        (-1L)
#define LISTENS        0x0a /* the state of a socket in /proc/net/tcp */

/* ---- processes ---- */

/* False also if we may not know. `target`: as the links in /proc/PID/fd have it. */
static bool has_open(const char *pid, const char *target)
{
    char path[300], found[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    DIR *files = opendir(path);
    bool has = false;
    for (struct dirent *file; files && !has && (file = readdir(files));) {
        ssize_t n = readlinkat(dirfd(files), file->d_name, found, sizeof found - 1);
        found[n > 0 ? n : 0] = '\0';
        has = strcmp(found, target) == 0;
    }
    if (files) {
        closedir(files);
    }
    return has;
}

/* A process but `but` (0: any) that has the target open; 0: none that this user may look into. */
static long process_with(const char *target, pid_t but)
{
    DIR *processes = opendir("/proc");
    long pid = 0;
    for (struct dirent *process; processes && pid == 0 && (process = readdir(processes));) {
        long number = strtol(process->d_name, NULL, 10);
        if (number > 0 && number != but && has_open(process->d_name, target)) {
            pid = number;
        }
    }
    if (processes) {
        closedir(processes);
    }
    return pid;
}

static long process_with_socket(unsigned long inode)
{
    char target[64];
    snprintf(target, sizeof target, "socket:[%lu]", inode);
    return process_with(target, 0);
}

static const char *describe(long pid, long uid, char *ret_text)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = pid > 0 ? fopen(path, "r") : NULL;
    if (file) {
        if (fgets(name, sizeof name, file)) {
            name[strcspn(name, "\n")] = '\0';
        }
        fclose(file);
    }
    const struct passwd *user = pid <= 0 && uid != NO_USER ? getpwuid((uid_t)uid) : NULL;
    if (name[0]) {
        char clean[DPL_TEXT_CLEAN_SIZE(sizeof name)];
        dpl_text_clean(name, clean, sizeof clean);
        snprintf(ret_text, DPL_HOLDER_TEXT, "process %ld (%.60s)", pid, clean);
    } else if (user) {
        snprintf(ret_text, DPL_HOLDER_TEXT, "a process of user %s", user->pw_name);
    } else {
        snprintf(ret_text, DPL_HOLDER_TEXT, "another process");
    }
    return ret_text;
}

/* ---- tables of the kernel ---- */

struct holder {
    long pid, uid;
    unsigned long inode; /* of its socket; 0: none */
};

/* Whether a line of a table is that of the holder of `what`. */
typedef bool reader(const char *line, const void *what, struct holder *ret_holder);

static const char *look_up(const char *table, reader *is_it, const void *what,
                           char ret_text[DPL_HOLDER_TEXT])
{
    char line[LINE_MAX_BYTES];
    struct holder holder = {0}, nobody = {.uid = NO_USER};
    FILE *file = fopen(table, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        holder = nobody;
        found = is_it(line, what, &holder);
    }
    if (file) {
        fclose(file);
    }
    if (found && holder.inode != 0) {
        holder.pid = process_with_socket(holder.inode);
    }
    if (holder.pid > 0 && kill((pid_t)holder.pid, 0) < 0 && errno == ESRCH) {
        return NULL; /* it has handed the file on */
    }
    return found ? describe(holder.pid, holder.uid, ret_text) : NULL;
}

static bool is_listener(const char *line, const void *what, struct holder *ret_holder)
{
    unsigned port, state;
    return sscanf(line, " %*d: %*[^:]:%x %*s %x %*s %*s %*s %ld %*s %lu", &port, &state,
                  &ret_holder->uid, &ret_holder->inode) == 4 &&
           port == *(const uint16_t *)what && state == LISTENS;
}

static bool has_name(const char *line, const void *what, struct holder *ret_holder)
{
    char name[128];
    return sscanf(line, "%*s %*s %*s %*s %*s %*s %lu @%127s", &ret_holder->inode, name) == 2 &&
           strcmp(name, what) == 0;
}

static bool has_lock(const char *line, const void *what, struct holder *ret_holder)
{
    const struct stat *info = what;
    unsigned major_number, minor_number;
    unsigned long number;
    return sscanf(line, "%*s FLOCK %*s %*s %ld %x:%x:%lu", &ret_holder->pid, &major_number,
                  &minor_number, &number) == 4 &&
           number == info->st_ino && makedev(major_number, minor_number) == info->st_dev;
}

const char *dpl_holder_of_port(uint16_t port, char ret_text[DPL_HOLDER_TEXT])
{
    const char *who = look_up("/proc/net/tcp", is_listener, &port, ret_text);
    who = who ? who : look_up("/proc/net/tcp6", is_listener, &port, ret_text);
    return who ? who : describe(0, NO_USER, ret_text);
}

const char *dpl_holder_of_name(const char *name, char ret_text[DPL_HOLDER_TEXT])
{
    const char *who = look_up("/proc/net/unix", has_name, name, ret_text);
    return who ? who : describe(0, NO_USER, ret_text);
}

const char *dpl_holder_of_file(const char *path, char ret_text[DPL_HOLDER_TEXT])
{
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    const char *who = is_there ? look_up("/proc/locks", has_lock, &info, ret_text) : NULL;
    char *real = who ? NULL : realpath(path, NULL);
    who = who ? who : describe(real ? process_with(real, getpid()) : 0, NO_USER, ret_text);
    free(real);
    return who;
}
