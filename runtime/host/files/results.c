/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of results has the files of one run: results of an earlier run are removed, and a run
 * that did not start writes the reason. The runtime knows the names of its own files; the names of
 * additional files are in a list in the folder, to which each opened file is added. */
#include <doppel/host/runtime.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/output.h>

#include "component.h"
#include "json_text.h"
#include "results.h"
#include "runtime.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 256 };

/* one name per line, in any order, possibly repeated */
static const char list_name[] = ".doppel-results";
static const char room_name[] = ".doppel-room";
static const char *const own_names[] = {"timing.json", "trace_before.csv", "trace.csv", "run.json",
                                        "summary.json"};

static int path_in(const char *folder, const char *name, char ret_path[PATH_SIZE],
                   struct dpl_diag *reterr)
{
    int n = snprintf(ret_path, PATH_SIZE, "%s/%s", folder, name);
    return n < PATH_SIZE ? 0
                         : dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){0},
                                    "the name of the folder for results is too long");
}

/* ---- additional files ---- */

/* A valid file name without folders that is not a file of the runtime. */
static bool is_result_name(const char *name)
{
    size_t n = strlen(name);
    bool own = n == 0 || n + sizeof ".part" > NAME_SIZE || strchr(name, '/') ||
               strchr(name, '\n') || name[0] == '.';
    for (size_t i = 0; i < DPL_COUNT(own_names); i++) {
        own = own || strcmp(name, own_names[i]) == 0;
    }
    return !own;
}

static int add_to_list(const char *folder, const char *name, struct dpl_diag *reterr)
{
    char path[PATH_SIZE], line[NAME_SIZE + 1];
    int err = path_in(folder, list_name, path, reterr);
    if (err < 0) {
        return err;
    }
    int n = snprintf(line, sizeof line, "%s\n", name);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line, (size_t)n) != n) {
        err = dpl_fail(reterr, -errno, (struct dpl_place){0}, "cannot write '%s': %s", path,
                       strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    return err;
}

int dpl_results_open(const char *folder, const char *name, struct dpl_output *output,
                     struct dpl_diag *reterr)
{
    char path[PATH_SIZE];
    if (!is_result_name(name)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "no name for a result: '%s'", name);
    }
    int err = path_in(folder, name, path, reterr);
    err = err < 0 ? err : add_to_list(folder, name, reterr);
    return err < 0 ? err : dpl_output_open(output, path, reterr);
}

bool dpl_component_keeps_results(const struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    return self->runtime->options.out_dir != NULL;
}

int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr)
{
    const struct dpl__component *self = component->runtime;
    return dpl_results_open(self->runtime->options.out_dir, name, output, reterr);
}

/* ---- before a run ---- */

static int remove_file(const char *folder, const char *name, struct dpl_diag *reterr)
{
    char path[PATH_SIZE];
    struct stat info;
    int err = path_in(folder, name, path, reterr);
    return err == 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode) && unlink(path) < 0
               ? dpl_fail(reterr, -errno, (struct dpl_place){0},
                          "cannot remove '%s' of an earlier run: %s", path, strerror(errno))
               : err;
}

/* Removes the file, and its incomplete version (.part). */
static int remove_result(const char *folder, const char *name, struct dpl_diag *reterr)
{
    char part[NAME_SIZE + sizeof ".part"];
    snprintf(part, sizeof part, "%s.part", name);
    int err = remove_file(folder, name, reterr);
    return err < 0 ? err : remove_file(folder, part, reterr);
}

static int remove_listed(FILE *list, const char *folder, struct dpl_diag *reterr)
{
    char name[NAME_SIZE];
    int err = 0;
    while (err == 0 && fgets(name, sizeof name, list)) {
        name[strcspn(name, "\n")] = '\0';
        err = is_result_name(name) ? remove_result(folder, name, reterr) : 0;
    }
    return err;
}

int dpl_results_clear(const char *folder, struct dpl_diag *reterr)
{
    char path[PATH_SIZE];
    int err = path_in(folder, list_name, path, reterr);
    for (size_t i = 0; err == 0 && i < DPL_COUNT(own_names); i++) {
        err = remove_result(folder, own_names[i], reterr);
    }
    err = err < 0 ? err : remove_file(folder, room_name, reterr);
    FILE *list = err == 0 ? fopen(path, "re") : NULL;
    if (list) {
        err = remove_listed(list, folder, reterr);
        fclose(list);
    }
    /* last: without the list the other files would not be found */
    return err < 0 ? err : remove_file(folder, list_name, reterr);
}

/* ---- room for the summary ---- */

/* Bytes of a summary with some hundred components and devices. */
#define ROOM_BYTES (256 * 1024)

void dpl__results_keep_room(const char *folder)
{
    char path[PATH_SIZE];
    if (path_in(folder, room_name, path, NULL) < 0) {
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0) {
        (void)!posix_fallocate(fd, 0, ROOM_BYTES); /* a full disk is told by the files themselves */
        close(fd);
    }
}

void dpl__results_use_room(const char *folder)
{
    char path[PATH_SIZE];
    if (path_in(folder, room_name, path, NULL) == 0) {
        unlink(path);
    }
}

/* ---- summary of a failed run ----- */

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, dpl__json_text(text));
}

static json_t *describe(const struct dpl_failure *failure)
{
    char cause[DPL_DIAG_TEXT_MAX + PATH_SIZE];
    dpl_diag_format_cause(failure->why, cause, sizeof cause);
    bool is_fault = failure->code != DPL_EXIT_DONE; /* a run that was interrupted is none */
    uint64_t faults = failure->faults > 0 ? failure->faults : is_fault;
    json_t *root = json_object();
    set_text(root, "application", failure->application);
    json_object_set_new(root, "duration_s", json_real(dpl_ns_to_s(failure->duration)));
    json_object_set_new(root, "faults", json_integer((json_int_t)faults));
    json_object_set_new(root, "exit", json_integer(failure->code));
    set_text(root, is_fault ? "error" : "note", cause);
    return root;
}

int dpl_results_write_failure(const char *folder, const struct dpl_failure *failure,
                              struct dpl_diag *reterr)
{
    char path[PATH_SIZE];
    int err = path_in(folder, "summary.json", path, reterr);
    if (err < 0) {
        return err;
    }
    json_t *root = describe(failure);
    struct dpl_output output;
    dpl__results_use_room(folder);
    err = dpl_output_open(&output, path, reterr);
    if (err == 0) {
        json_dumpf(root, output.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        err = dpl_output_close(&output, reterr);
    }
    json_decref(root);
    return err;
}
