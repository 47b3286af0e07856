/* SPDX-License-Identifier: Apache-2.0 */
/* doppel ps: the runs of this user that viewers can look into (notes of observe.c). */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/user_folder.h>

#include "commands.h"
#include "common.h"
#include "fields.h"

struct values {
    bool json;
};

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

/* In the order of their pids; the caller owns the array. NULL: the folder cannot be used. */
static json_t *read_notes(void)
{
    enum { MOST = 256 };
    char folder[512];
    struct dpl_diag why = {0};
    json_t *notes[MOST], *all = json_array();
    size_t n = 0;
    if (dpl_user_path(DPL_USER_SCHEME "x", false, folder, sizeof folder, &why) < 0) {
        fprintf(stderr, "doppel ps: %s\n", why.text);
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

static void print_table(const json_t *notes)
{
    size_t i;
    json_t *note;
    json_array_foreach(notes, i, note)
    {
        long long port = (long long)json_integer_value(json_object_get(note, "port"));
        printf("%7lld  %-24s ws://127.0.0.1:%lld/%s\n",
               (long long)json_integer_value(json_object_get(note, "pid")),
               cli_clean(json_string_value(json_object_get(note, "name"))), port,
               json_string_value(json_object_get(note, "token")));
    }
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n = options_parse(&command_ps, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    json_t *notes = read_notes();
    if (!notes) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (values.json) {
        json_dumpf(notes, stdout, JSON_INDENT(1));
        putchar('\n');
    } else if (json_array_size(notes) == 0) {
        fprintf(stderr, "no run of this user can be viewed: `doppel run --view` starts one\n");
    } else {
        print_table(notes);
    }
    json_decref(notes);
    return DPL_EXIT_DONE;
}

static const struct option options[] = {
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_ps = {
    .name = "ps",
    .summary = "lists the runs that can be viewed",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more =
        "Those of this user that `doppel run --view` has started: process, application, and the\n"
        "address for a viewer.\n",
    .run = run,
};
