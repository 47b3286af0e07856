/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_series.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PATH_BYTES 1100

/* "folder/stem" and ".mcap" of a name. */
struct parts {
    char folder[PATH_BYTES];
    const char *stem, *end;
    size_t n_stem;
};

static void split(const char *file, struct parts *ret)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    snprintf(ret->folder, sizeof ret->folder, "%.*s", slash ? (int)(slash - file) + 1 : 2,
             slash ? file : "./");
    ret->stem = name;
    ret->end = dot && dot > name ? dot : name + strlen(name);
    ret->n_stem = (size_t)(ret->end - name);
}

/* The number of a file of the series; 0: it is none. */
static unsigned long number_of(const struct parts *parts, const char *name)
{
    const char *digits = name + parts->n_stem + 1;
    if (strncmp(name, parts->stem, parts->n_stem) != 0 || name[parts->n_stem] != '-') {
        return 0;
    }
    size_t n = strspn(digits, "0123456789");
    return n >= 4 && n <= 6 && strcmp(digits + n, parts->end) == 0 ? strtoul(digits, NULL, 10) : 0;
}

/* The lowest number above `above` and the highest, and how many there are. */
static size_t look(const struct parts *parts, unsigned long above, unsigned long *ret_lowest,
                   unsigned long *ret_highest)
{
    DIR *dir = opendir(parts->folder);
    size_t n = 0;
    *ret_lowest = *ret_highest = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        unsigned long number = number_of(parts, entry->d_name);
        n += number > 0;
        *ret_highest = number > *ret_highest ? number : *ret_highest;
        *ret_lowest =
            number > above && (*ret_lowest == 0 || number < *ret_lowest) ? number : *ret_lowest;
    }
    if (dir) {
        closedir(dir);
    }
    return n;
}

static int print(const struct parts *parts, const char *file, unsigned long number, char *ret_name,
                 size_t size)
{
    size_t n = (size_t)(parts->end - file);
    int printed = snprintf(ret_name, size, "%.*s-%04lu%s", (int)n, file, number, parts->end);
    return printed < 0 || (size_t)printed >= size ? -ENAMETOOLONG : 0;
}

int mcap_series_next(const char *file, char *ret_name, size_t size)
{
    struct parts parts;
    unsigned long lowest, highest;
    split(file, &parts);
    look(&parts, 0, &lowest, &highest);
    return highest + 1 < MCAP_SERIES_MAX ? print(&parts, file, highest + 1, ret_name, size)
                                         : -EMFILE;
}

static bool is_recorded(const char *name)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    if (fd >= 0) {
        close(fd);
    }
    return is;
}

void mcap_series_prune(const char *file, size_t most)
{
    struct parts parts;
    unsigned long lowest, highest, above = 0;
    char name[PATH_BYTES];
    split(file, &parts);
    while (look(&parts, above, &lowest, &highest) > most && lowest > 0) {
        above = lowest;
        if (print(&parts, file, lowest, name, sizeof name) == 0 && !is_recorded(name)) {
            unlink(name);
        }
    }
}
