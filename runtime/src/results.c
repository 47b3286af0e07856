/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of results holds those of one run: what an earlier run left goes, and a run that never
 * began says why. */
#include <doppel/host/runtime.h>

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/output.h>

enum { PATH_SIZE = 4096 };

static int path_in(const char *folder, const char *name, char ret_path[PATH_SIZE],
                   struct dpl_diag *reterr)
{
    int n = snprintf(ret_path, PATH_SIZE, "%s/%s", folder, name);
    return n < PATH_SIZE ? 0
                         : dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){0},
                                    "the name of the folder for results is too long");
}

static int remove_result(const char *path, struct dpl_diag *reterr)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && unlink(path) < 0
               ? dpl_fail(reterr, -errno, (struct dpl_place){0},
                          "cannot remove '%s' of an earlier run: %s", path, strerror(errno))
               : 0;
}

int dpl_results_clear(const char *folder, struct dpl_diag *reterr)
{
    /* Of the runtime; then of ScanRecorder, Referee and Car, the picture of a bench, and the
     * channels of a world that ran alone. */
    static const char *const names[] = {"timing.json", "trace.csv", "scans.csv",    "log.csv",
                                        "scene.json",  "track.svg", "channels.csv", "summary.json"};
    enum { RUNTIMES = 2 };
    char path[PATH_SIZE];
    int err = path_in(folder, "summary.json", path, reterr);
    if (err < 0) {
        return err;
    }
    /* Where no run has ended a file of the others' names is somebody else's. */
    bool has_run = access(path, F_OK) == 0;
    size_t n = has_run ? sizeof names / sizeof names[0] : RUNTIMES;
    for (size_t i = 0; i < 2 * n && err == 0; i++) {
        char name[32]; /* each, and what is left of one that was not finished */
        snprintf(name, sizeof name, "%s%s", names[i / 2], i % 2 == 0 ? "" : ".part");
        err = path_in(folder, name, path, reterr);
        err = err < 0 ? err : remove_result(path, reterr);
    }
    return err;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = text ? json_string(text) : NULL; /* NULL too when it is not UTF-8 */
    json_object_set_new(object, key, value ? value : json_null());
}

static json_t *describe(const struct dpl_failure *failure)
{
    char cause[DPL_DIAG_TEXT_MAX + PATH_SIZE];
    dpl_diag_format_cause(failure->why, cause, sizeof cause);
    uint64_t faults = failure->faults > 0 ? failure->faults : 1;
    json_t *root = json_object();
    set_text(root, "application", failure->application);
    json_object_set_new(root, "duration_s", json_real(dpl_ns_to_s(failure->duration)));
    json_object_set_new(root, "faults", json_integer((json_int_t)faults));
    json_object_set_new(root, "exit", json_integer(failure->code));
    set_text(root, "error", cause);
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
    err = dpl_output_open(&output, path, reterr);
    if (err == 0) {
        json_dumpf(root, output.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        err = dpl_output_close(&output, reterr);
    }
    json_decref(root);
    return err;
}
