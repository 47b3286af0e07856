/* SPDX-License-Identifier: Apache-2.0 */
#include "runs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <doppel/host/runtime.h>
#include <doppel/host/user_folder.h>

#include "fields.h"

static bool is_note(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".run") == 0;
}

/* The process that has locked a note: the run that has left it; 0: none. */
static pid_t holder_of(int file)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
}

static bool is_whole(const json_t *note, const char *name)
{
    char own[64];
    snprintf(own, sizeof own, "%lld.run",
             (long long)json_integer_value(json_object_get(note, "pid")));
    return strcmp(own, name) == 0 && json_is_string(json_object_get(note, "name")) &&
           json_is_integer(json_object_get(note, "port")) &&
           json_is_string(json_object_get(note, "token"));
}

/* The note of a process that lives; NULL: none, and one of a process that has died is removed. */
static json_t *read_note(int folder, const char *name)
{
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    json_t *note = file < 0 ? NULL : json_loadfd(file, JSON_REJECT_DUPLICATES, NULL);
    if (is_whole(note, name)) {
        pid_t holder = holder_of(file);
        if (holder == 0) {
            unlinkat(folder, name, 0);
        }
        if (holder != json_integer_value(json_object_get(note, "pid"))) {
            json_decref(note);
            note = NULL;
        }
    } else {
        json_decref(note);
        note = NULL;
    }
    if (file >= 0) {
        close(file);
    }
    return note;
}

static int by_pid(const void *a, const void *b)
{
    json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "pid"));
    json_int_t y = json_integer_value(json_object_get(*(json_t *const *)b, "pid"));
    return (x > y) - (x < y);
}

json_t *runs_read(const char *command)
{
    enum { MOST = 256 };
    char folder[512];
    struct dpl_diag why = {0};
    json_t *notes[MOST], *all = json_array();
    size_t n = 0;
    if (dpl_user_path(DPL_USER_SCHEME "x", false, folder, sizeof folder, &why) < 0) {
        fprintf(stderr, "doppel %s: %s\n", command, why.text);
        json_decref(all);
        return NULL;
    }
    *strrchr(folder, '/') = '\0';
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) && n < MOST;) {
        json_t *note = is_note(entry) ? read_note(dirfd(dir), entry->d_name) : NULL;
        if (note) {
            notes[n++] = note;
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(notes, n, sizeof *notes, by_pid);
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(all, notes[i]);
    }
    return all;
}

/* ---- one of them ---- */

/* "ws://127.0.0.1:PORT/TOKEN", as a run prints it. */
static bool read_address(const char *text, struct run_place *ret_place)
{
    char host[16];
    int n = 0;
    return sscanf(text, "ws://%15[a-z0-9.]:%5d/%63[0-9a-f]%n", host, &ret_place->port,
                  ret_place->token, &n) == 3 &&
           text[n] == '\0' && ret_place->port > 0 && ret_place->port < 65536 &&
           (strcmp(host, "127.0.0.1") == 0 || strcmp(host, "localhost") == 0);
}

static bool is_wanted(const json_t *note, const char *wanted)
{
    char pid[32];
    snprintf(pid, sizeof pid, "%lld", (long long)json_integer_value(json_object_get(note, "pid")));
    return !wanted || strcmp(wanted, pid) == 0 ||
           strcasecmp(wanted, json_string_value(json_object_get(note, "name"))) == 0;
}

static void complain(const char *command, const json_t *notes, const char *wanted, size_t n)
{
    size_t i;
    json_t *note;
    if (n == 0) {
        fprintf(stderr, "doppel %s: no run %s%s%s\n", command, wanted ? "'" : "can be viewed",
                wanted ? cli_clean(wanted) : "", wanted ? "' can be viewed" : "");
    } else {
        fprintf(stderr, "doppel %s: several runs can be viewed: name one by --run\n", command);
    }
    json_array_foreach(notes, i, note)
    {
        fprintf(stderr, "  %lld %s\n", (long long)json_integer_value(json_object_get(note, "pid")),
                cli_clean(json_string_value(json_object_get(note, "name"))));
    }
    if (json_array_size(notes) == 0) {
        fprintf(stderr, "  `doppel run APP --view` starts one\n");
    }
}

int runs_find(const char *command, const char *wanted, struct run_place *ret_place)
{
    *ret_place = (struct run_place){0};
    if (wanted && strncmp(wanted, "ws:", 3) == 0) {
        if (read_address(wanted, ret_place)) {
            return DPL_EXIT_DONE;
        }
        fprintf(stderr, "doppel %s: --run: expected ws://127.0.0.1:PORT/TOKEN, found '%s'\n",
                command, cli_clean(wanted));
        return DPL_EXIT_USAGE;
    }
    json_t *notes = runs_read(command), *note, *found = NULL;
    size_t i, n = 0;
    json_array_foreach(notes, i, note)
    {
        found = is_wanted(note, wanted) ? (n++, note) : found;
    }
    if (n == 1) {
        ret_place->port = (int)json_integer_value(json_object_get(found, "port"));
        ret_place->pid = (int)json_integer_value(json_object_get(found, "pid"));
        snprintf(ret_place->token, sizeof ret_place->token, "%s",
                 json_string_value(json_object_get(found, "token")));
    } else if (notes) {
        complain(command, notes, wanted, n);
    }
    json_decref(notes);
    return n == 1 ? DPL_EXIT_DONE : DPL_EXIT_BAD_INPUT;
}
