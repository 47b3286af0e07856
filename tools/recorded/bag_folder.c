/* SPDX-License-Identifier: Apache-2.0 */
#include "bag_folder.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bag.h"
#include "bag_new.h"
#include "bytes.h"
#include "file_bytes.h"
#include "folder_poses.h"
#include "folder_values.h"
#include "recording.h"
#include "table.h"

#define PATH_BYTES 4096
#define FILE_MOST  ((size_t)64 << 20)

struct folder {
    const char *name;
    json_t *record;
    struct table trace; /* without columns: none */
    struct recording scans;
    size_t n_scans; /* that were put */
    struct folder_values values;
    struct folder_poses poses;
    struct bag_new bag;
};

static bool find(const struct folder *folder, const char *name, char ret_path[PATH_BYTES])
{
    int n = snprintf(ret_path, PATH_BYTES, "%s/%s", folder->name, name);
    return n < PATH_BYTES && access(ret_path, F_OK) == 0;
}

/* ---- reading ---- */

static int read_trace(struct folder *folder, struct dpl_diag *reterr)
{
    char path[PATH_BYTES], before[PATH_BYTES];
    bool is_whole = find(folder, "trace.csv", path);
    if (!is_whole && !find(folder, "trace.csv.part", path)) {
        return 0;
    }
    (void)find(folder, "trace_before.csv", before);
    return table_read_after(before, path, !is_whole, &folder->trace, reterr);
}

static int read_scans(struct folder *folder, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    if (!find(folder, "scans.csv", path) && !find(folder, "scans.csv.part", path)) {
        return 0;
    }
    struct dpl_diag why = {0};
    int r = recording_read(folder->name, path, sizeof path, &folder->scans, &why);
    why.place.file = folder->name; /* `path` ends here */
    if (r < 0 && reterr) {
        *reterr = why;
    }
    return r;
}

/* Runs before run.json was written have none. */
static int read_record(struct folder *folder, struct dpl_diag *reterr)
{
    char path[PATH_BYTES];
    json_error_t error;
    bool is_there = find(folder, "run.json", path);
    folder->record = is_there ? json_load_file(path, 0, &error) : json_object();
    return json_is_object(folder->record)
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = folder->name}, "run.json: %s",
                          folder->record ? "found no object" : error.text);
}

static int read_all(struct folder *folder, struct dpl_diag *reterr)
{
    int r = read_record(folder, reterr);
    r = r < 0 ? r : read_trace(folder, reterr);
    r = r < 0 ? r : read_scans(folder, reterr);
    if (r == 0 && folder->trace.n_rows == 0 && folder->scans.n == 0) {
        r = dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = folder->name},
                     "it has no trace.csv with rows and no scans.csv: no folder of a run's --out");
    }
    return r;
}

/* ---- writing ---- */

static void attach(struct folder *folder, const char *name)
{
    char path[PATH_BYTES], *bytes;
    size_t n;
    int opened;
    if (find(folder, name, path) && dpl_file_bytes(path, FILE_MOST, &bytes, &n, &opened) == 0) {
        bag_new_attach(&folder->bag, &(struct dpl_kept_file){name, "application/json", bytes, n});
        free(bytes);
    }
}

static void attach_record(struct folder *folder)
{
    char *text = json_dumps(folder->record, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (text) {
        bag_new_attach(&folder->bag,
                       &(struct dpl_kept_file){"run.json", "application/json", text, strlen(text)});
    }
    free(text);
}

static void put_scans(struct folder *folder, double until_s)
{
    const struct recording *scans = &folder->scans;
    for (; folder->n_scans < scans->n && scans->scans[folder->n_scans].time_s <= until_s;
         folder->n_scans++) {
        folder_poses_scan(&folder->poses, scans, folder->n_scans, &folder->bag);
    }
}

static void put_all(struct folder *folder)
{
    const struct table *trace = &folder->trace;
    for (size_t row = 0; row < trace->n_rows && folder->bag.err == 0; row++) {
        double time_s = table_at(trace, row, 0);
        if (time_s >= 0.0 && time_s < 9e9) {
            dpl_ns stamp = (dpl_ns)llround(time_s * 1e6) * 1000; /* of microseconds */
            put_scans(folder, time_s);
            folder_values_put(&folder->values, row, stamp, &folder->bag);
            folder_poses_put(&folder->poses, row, stamp, &folder->bag);
        }
    }
    put_scans(folder, (double)INFINITY);
}

static int write_bag(struct folder *folder, const char *file, struct dpl_diag *reterr)
{
    int r = folder_values_create(&folder->values, &folder->trace, folder->record);
    if (r < 0) {
        return dpl_fail(reterr, r, (struct dpl_place){.file = folder->name}, "no memory");
    }
    folder_poses_find(&folder->poses, &folder->trace, folder->record);
    r = bag_new_open(&folder->bag, file, reterr);
    if (r == 0) {
        attach_record(folder);
        put_all(folder);
        attach(folder, "timing.json");
        attach(folder, "summary.json");
    }
    return bag_new_close(&folder->bag, r, reterr);
}

int bag_from_folder(const char *folder, const char *file, struct dpl_diag *reterr)
{
    struct folder all = {.name = folder};
    int r = read_all(&all, reterr);
    r = r < 0 ? r : write_bag(&all, file, reterr);
    folder_values_finish(&all.values);
    table_finish(&all.trace);
    recording_finish(&all.scans);
    json_decref(all.record);
    return r;
}

/* ---- for a moment ---- */

/* The file has no name any more when it is open. */
static int open_made(const char *folder, struct bag *ret_bag, struct dpl_diag *reterr)
{
    char file[4096];
    const char *temporary = getenv("TMPDIR");
    struct dpl_place place = {.file = file};
    int n = snprintf(file, sizeof file, "%s/doppel-XXXXXX",
                     temporary && temporary[0] ? temporary : "/tmp");
    int fd = n < (int)sizeof file ? mkstemp(file) : -1;
    if (fd < 0) {
        return dpl_fail(reterr, n < (int)sizeof file ? -errno : -ENAMETOOLONG, place, "%s",
                        strerror(n < (int)sizeof file ? errno : ENAMETOOLONG));
    }
    close(fd);
    int r = bag_from_folder(folder, file, reterr);
    r = r < 0 ? r : bag_open(file, ret_bag, reterr);
    unlink(file);
    return r;
}

int bag_open_run(const char *path, char *ret_file, size_t size, struct bag *ret_bag,
                 struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    int r = bag_find(path, ret_file, size, reterr);
    if (r == 0) {
        return bag_open(ret_file, ret_bag, reterr);
    }
    int made = r == -ENOENT ? open_made(path, ret_bag, &why) : r;
    if (made == 0) {
        snprintf(ret_file, size, "%s", path);
        ret_bag->file = ret_file;
        return 1;
    }
    if (made != r) { /* else nothing there is of a run: as bag_find says */
        *reterr = why;
    }
    return made;
}
