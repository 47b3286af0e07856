/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/system_clock.h>
#include <doppel/time.h>

#include "file_bytes.h"
#include "number.h"

enum { LINE_MAX_BYTES = 4096, PATH_BYTES = 4096 };
#define FILE_MOST  (1u << 30)
#define SYNC_EVERY (500 * DPL_MS)

static const struct dpl_place nowhere;

static int name_folder(const char *store, char ret_path[PATH_BYTES])
{
    int n = snprintf(ret_path, PATH_BYTES, "%s.runs", store);
    return n > 0 && n < PATH_BYTES - 64 ? 0 : -ENAMETOOLONG;
}

/* ---- lines ---- */

static void write_number(FILE *stream, double value)
{
    char text[64] = "-";
    if (isfinite(value)) {
        dpl__number_write(value, text, sizeof text);
    }
    fprintf(stream, "\t%s", text);
}

/* Texts have no control characters: they are clean. */
static size_t write_line(const struct sweep_row *row, size_t n_measures,
                         const struct sweep_outcome *outcome, char ret_line[LINE_MAX_BYTES])
{
    FILE *stream = fmemopen(ret_line, LINE_MAX_BYTES, "w");
    if (!stream) {
        return 0;
    }
    fprintf(stream, "%" PRIu64 "\t%016" PRIx64 "\t%d\t%s", row->id, row->identity,
            (int)outcome->status, outcome->verdict);
    write_number(stream, outcome->duration_s);
    write_number(stream, outcome->wall_s);
    for (size_t i = 0; i < n_measures; i++) {
        write_number(stream, outcome->measures[i]);
    }
    fprintf(stream, "\t%s\n", outcome->text);
    long n = ftell(stream);
    return fclose(stream) == 0 && n > 0 ? (size_t)n : 0;
}

/* The next field; NULL at the end of the line. */
static char *next_field(char **inout_at)
{
    char *field = *inout_at;
    if (field) {
        char *tab = strchr(field, '\t');
        *inout_at = tab ? tab + 1 : NULL;
        if (tab) {
            *tab = '\0';
        }
    }
    return field;
}

static bool read_number(char **inout_at, double *ret_value)
{
    const char *field = next_field(inout_at);
    *ret_value = (double)NAN;
    if (!field) {
        return false;
    }
    const char *end = dpl__number_read(field, ret_value);
    return strcmp(field, "-") == 0 || (end && *end == '\0');
}

/* 1: a result of this study; 0: of another identity; -EINVAL: no line of ours. */
static int read_line(struct sweep_table *table, char *line)
{
    char *at = line, *id_text = next_field(&at), *identity_text = next_field(&at);
    char *status_text = next_field(&at), *verdict = next_field(&at);
    if (!verdict) {
        return -EINVAL;
    }
    uint64_t id = strtoull(id_text, NULL, 10), identity = strtoull(identity_text, NULL, 16);
    if (id < 1 || id > table->n || table->rows[id - 1].identity != identity) {
        return 0;
    }
    struct sweep_result *result = dpl_arena_alloc(&table->arena, sizeof *result);
    double *measures =
        dpl_arena_alloc(&table->arena, (table->study.n_measures + 1) * sizeof *measures);
    result->status = (enum sweep_status)(atoi(status_text) & 3);
    result->measures = measures;
    bool is_good = read_number(&at, &result->duration_s) && read_number(&at, &result->wall_s);
    for (size_t i = 0; is_good && i < table->study.n_measures; i++) {
        is_good = read_number(&at, &measures[i]);
    }
    if (!is_good || !at) {
        return -EINVAL;
    }
    result->verdict = dpl_arena_strdup(&table->arena, verdict);
    result->text = dpl_arena_strdup(&table->arena, at);
    table->rows[id - 1].result = result;
    return 1;
}

/* ---- reading ---- */

static long read_file(struct sweep_table *table, const char *path, struct dpl_diag *reterr)
{
    char *bytes = NULL;
    size_t n;
    int opened, err = dpl_file_bytes(path, FILE_MOST, &bytes, &n, &opened);
    long n_stale = 0;
    if (err < 0) {
        return dpl_fail(reterr, err, nowhere, "%s: %s", path, strerror(-err));
    }
    for (size_t from = 0; from < n;) {
        char *end = memchr(bytes + from, '\n', n - from);
        if (!end) {
            break; /* torn */
        }
        *end = '\0';
        int read = read_line(table, bytes + from);
        n_stale += read == 0;
        from = (size_t)(end + 1 - bytes);
    }
    free(bytes);
    return n_stale;
}

static int is_chunk(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".lines") == 0;
}

long sweep_chunks_read(const char *store, struct sweep_table *table, struct dpl_diag *reterr)
{
    char folder[PATH_BYTES], path[PATH_BYTES + 300];
    struct dirent **entries = NULL;
    if (name_folder(store, folder) < 0) {
        return dpl_fail(reterr, -ENAMETOOLONG, nowhere, "%s: the name is too long", store);
    }
    int n = scandir(folder, &entries, is_chunk, alphasort);
    long n_stale = 0;
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        long stale = n_stale < 0 ? 0 : read_file(table, path, reterr);
        n_stale = stale < 0 ? stale : n_stale + stale;
        free(entries[i]);
    }
    free(entries);
    return n_stale;
}

/* ---- writing ---- */

/* A torn line of an earlier process is cut off, so that the next one begins a line. */
static int cut_torn(int file)
{
    char byte;
    off_t end = lseek(file, 0, SEEK_END), at = end;
    while (at > 0 && pread(file, &byte, 1, at - 1) == 1 && byte != '\n') {
        at--;
    }
    return at < end && ftruncate(file, at) < 0 ? -errno : 0;
}

int sweep_chunk_open(struct sweep_chunk *chunk, const char *store, size_t k, size_t n,
                     struct dpl_diag *reterr)
{
    char folder[PATH_BYTES], path[PATH_BYTES + 64];
    int err = name_folder(store, folder);
    snprintf(path, sizeof path, "%s/%zu-of-%zu.lines", folder, k, n);
    if (err == 0 && mkdir(folder, 0777) < 0 && errno != EEXIST) {
        err = -errno;
    }
    chunk->file = err < 0 ? -1 : open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    chunk->synced = dpl_monotonic_now();
    err = err == 0 && chunk->file < 0 ? -errno : err;
    if (err == 0 && flock(chunk->file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
        close(chunk->file);
        return dpl_fail(reterr, -EBUSY, nowhere, "%s: another process runs this chunk", path);
    }
    err = err < 0 ? err : cut_torn(chunk->file);
    return err < 0 ? dpl_fail(reterr, err, nowhere, "%s: %s", path, strerror(-err)) : 0;
}

int sweep_chunk_add(struct sweep_chunk *chunk, const struct sweep_row *row, size_t n_measures,
                    const struct sweep_outcome *outcome)
{
    char line[LINE_MAX_BYTES];
    size_t n = write_line(row, n_measures, outcome, line);
    ssize_t written = n > 0 ? write(chunk->file, line, n) : -1;
    if (written != (ssize_t)n || n == 0) {
        return written < 0 && errno != 0 ? -errno : -ENOSPC;
    }
    if (dpl_monotonic_now() - chunk->synced < SYNC_EVERY) {
        return 0;
    }
    chunk->synced = dpl_monotonic_now();
    return fdatasync(chunk->file) < 0 && errno != EINVAL ? -errno : 0;
}

int sweep_chunk_close(struct sweep_chunk *chunk)
{
    int err = fdatasync(chunk->file) < 0 && errno != EINVAL ? -errno : 0;
    close(chunk->file);
    return err;
}
