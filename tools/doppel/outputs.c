/* SPDX-License-Identifier: Apache-2.0 */
#include "outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/diag.h>
#include <doppel/output.h>

#define PATH_BYTES DPL_OUTPUT_PATH_MAX

/* What commands read of the folder of a run. */
static const char *const results[] = {"summary.json",     "trace.csv", "trace.csv.part",
                                      "trace_before.csv", "scans.csv", "timing.json",
                                      "scans.csv.part"};

/* The name behind the last '/', and the folder before it; false: the path is too long. */
static bool split(const char *path, char ret_folder[PATH_BYTES], const char **ret_name)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length + 2 > PATH_BYTES) {
        return false;
    }
    memcpy(ret_folder, path, length);
    ret_folder[length] = '\0';
    if (length == 0) {
        strcpy(ret_folder, slash ? "/" : ".");
    }
    *ret_name = slash ? slash + 1 : path;
    return true;
}

static bool same_place(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of files of which one does not exist yet. */
static bool same_name(const char *a, const char *b)
{
    char folder_a[PATH_BYTES], folder_b[PATH_BYTES];
    const char *name_a, *name_b;
    struct stat info_a, info_b;
    return split(a, folder_a, &name_a) && split(b, folder_b, &name_b) &&
           strcmp(name_a, name_b) == 0 && stat(folder_a, &info_a) == 0 &&
           stat(folder_b, &info_b) == 0 && same_place(&info_a, &info_b);
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat info_a, info_b;
    bool has_a = stat(a, &info_a) == 0, has_b = stat(b, &info_b) == 0;
    if ((has_a && !S_ISREG(info_a.st_mode)) || (has_b && !S_ISREG(info_b.st_mode))) {
        return false;
    }
    return (has_a && has_b && same_place(&info_a, &info_b)) || strcmp(a, b) == 0 || same_name(a, b);
}

/* Whether writing `output` changes `file`, itself or by its part. */
static bool overwrites(const char *output, const char *file)
{
    char part[PATH_BYTES + 8];
    struct stat info;
    bool is_direct = stat(output, &info) == 0 && !S_ISREG(info.st_mode);
    snprintf(part, sizeof part, "%s.part", output);
    return cli_same_file(output, file) || (!is_direct && cli_same_file(part, file));
}

static bool overwrites_input(const char *output, const char *input)
{
    char file[PATH_BYTES + 32];
    struct stat info;
    if (stat(input, &info) < 0 || !S_ISDIR(info.st_mode)) {
        return overwrites(output, input);
    }
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        snprintf(file, sizeof file, "%s/%s", input, results[i]);
        if (overwrites(output, file)) {
            return true;
        }
    }
    return false;
}

static int complain(const char *command, const struct cli_path *output,
                    const struct cli_path *other, const char *why)
{
    struct dpl_diag error;
    (void)dpl_fail(&error, -1, (struct dpl_place){0},
                   "%s %s would overwrite %s %s, %s: give it another name", output->what,
                   output->path, other->what, other->path, why);
    fprintf(stderr, "doppel %s: %s\n", command, error.text);
    return -1;
}

int cli_check_outputs(const char *command, const struct cli_path *outputs, size_t n_outputs,
                      const struct cli_path *inputs, size_t n_inputs)
{
    for (size_t i = 0; i < n_outputs; i++) {
        const char *path = outputs[i].path;
        for (size_t k = 0; path && k < n_inputs; k++) {
            if (inputs[k].path && overwrites_input(path, inputs[k].path)) {
                return complain(command, &outputs[i], &inputs[k], "which is needed");
            }
        }
        for (size_t k = 0; path && k < n_outputs; k++) {
            if (k != i && outputs[k].path && overwrites(path, outputs[k].path)) {
                return complain(command, &outputs[i], &outputs[k], "which is written too");
            }
        }
    }
    return 0;
}
