/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a folder that is viewed: which there are, their parameters, and new ones. Names in
 * requests are those of files in the folder. All block. */
#ifndef DOPPEL_CLI_VIEW_FOLDER_FILES_H
#define DOPPEL_CLI_VIEW_FOLDER_FILES_H

#include <jansson.h>

#include <doppel/diag.h>

#define PATH_BYTES        4096
#define FOLDER_PARAMS_MAX 32

/* [{file, kind, name}]: kind "bench", "plan" or "machine". */
json_t *folder_files_list(const char *folder);
/* [{name, value, unit, min, max, summary}] of {file}; NULL with reterr. */
json_t *folder_files_form(const char *folder, const json_t *request, struct dpl_diag *reterr);
/* {file, name, values: {PARAMETER: number}}: a new file, which `doppel check` accepts: {file}; NULL
 * with reterr, and no file. */
json_t *folder_files_make(const char *folder, const json_t *request, struct dpl_diag *reterr);

struct folder_run {
    char file[256], path[PATH_BYTES], out[PATH_BYTES], record[PATH_BYTES];
    char step[256];
    char world[PATH_BYTES], params[FOLDER_PARAMS_MAX][128];
    char *words[14 + 2 * FOLDER_PARAMS_MAX];
};
/* {file, step, machine}: the words with which this program runs it; a plan in the world of the
 * machine's file ("": its own), whose parameters are then the plan's, too. 0, or -errno with
 * reterr. */
int folder_files_run(const char *folder, const json_t *request, struct folder_run *ret_run,
                     struct dpl_diag *reterr);

#endif
