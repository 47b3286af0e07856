/* SPDX-License-Identifier: Apache-2.0 */
#include "view_folder_files.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "file_bytes.h"
#include "params.h"
#include "view_folder.h"

#define FILES_MAX  500
#define FILE_BYTES ((size_t)8 << 20)

static const struct dpl_place nowhere;

static bool ends_in_xml(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".xml") == 0;
}

/* What can be done with a file of this root; NULL: nothing here. */
static const char *kind_of(const char *root)
{
    static const char *const kinds[][2] = {
        {"bench", "bench"},      {"package_profile", "bench"}, {"application_profile", "bench"},
        {"test_plan", "plan"},   {"world", "machine"},         {"robot_model", "machine"},
        {"mechanism", "machine"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i][0], root) == 0) {
            return kinds[i][1];
        }
    }
    return NULL;
}

static json_t *describe(const char *folder, const char *name)
{
    struct dpl_arena arena = {0};
    struct params params;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *one = NULL;
    const char *kind =
        params_read(&arena, path, &params, NULL) == 0 ? kind_of(params.root->name) : NULL;
    if (kind) {
        one = json_pack("{s:s, s:s, s:i}", "file", name, "kind", kind, "parameters", (int)params.n);
    }
    dpl_arena_finish(&arena);
    return one;
}

static int is_xml(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in_xml(entry->d_name);
}

json_t *folder_files_list(const char *folder)
{
    struct dirent **entries = NULL;
    json_t *list = json_array();
    int n = scandir(folder, &entries, is_xml, alphasort);
    for (int i = 0; i < n; i++) {
        json_t *one = i < FILES_MAX ? describe(folder, entries[i]->d_name) : NULL;
        if (one) {
            json_array_append_new(list, one);
        }
        free(entries[i]);
    }
    free(entries);
    return list;
}

bool view_folder_is(const char *path)
{
    char record[PATH_BYTES];
    struct stat about;
    snprintf(record, sizeof record, "%s/run.json", path);
    if (stat(path, &about) < 0 || !S_ISDIR(about.st_mode) || access(record, F_OK) == 0) {
        return false;
    }
    json_t *list = folder_files_list(path);
    bool has_some = json_array_size(list) > 0;
    json_decref(list);
    return has_some;
}

/* A name of a file in the folder, in letters that no path needs. */
static const char *name_in(const json_t *request, const char *key, struct dpl_diag *reterr)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const char *name = json_string_value(json_object_get(request, key));
    if (!name || strspn(name, letters) != strlen(name) || name[0] == '.' || name[0] == '-' ||
        !ends_in_xml(name) || strlen(name) > 100) {
        dpl_fail(reterr, -EINVAL, nowhere,
                 "%s: found '%.80s', expected letters, digits, '_', '-' and '.', ending in .xml",
                 key, name ? name : "");
        return NULL;
    }
    return name;
}

/* ---- parameters ---- */

/* A limit that follows from others is judged with them, by `doppel check`. */
static const char *min_of(const struct param *param)
{
    return param->min_follows ? "" : param->min;
}

static const char *max_of(const struct param *param)
{
    return param->max_follows ? "" : param->max;
}

static int read_params(const char *folder, const json_t *request, struct dpl_arena *arena,
                       char ret_path[PATH_BYTES], struct params *ret_params,
                       struct dpl_diag *reterr)
{
    const char *name = name_in(request, "file", reterr);
    if (!name) {
        return -EINVAL;
    }
    snprintf(ret_path, PATH_BYTES, "%s/%s", folder, name);
    return params_read(arena, ret_path, ret_params, reterr);
}

json_t *folder_files_form(const char *folder, const json_t *request, struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    struct params params;
    char path[PATH_BYTES];
    json_t *list = NULL;
    if (read_params(folder, request, &arena, path, &params, reterr) == 0) {
        list = json_array();
        for (size_t i = 0; i < params.n; i++) {
            const struct param *p = &params.items[i];
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", p->name,
                                            "value", p->value, "unit", p->unit, "min", min_of(p),
                                            "max", max_of(p), "summary", p->summary));
        }
    }
    dpl_arena_finish(&arena);
    return list;
}

/* The bytes of the file before the value; NULL: it is not where it was. */
static const char *find_value(const char *bytes, const struct param *param)
{
    const char *at = bytes;
    for (int line = 1; at && line < param->value_place.line; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    size_t column = (size_t)param->value_place.column - 1;
    bool is_there =
        at && strlen(at) > column && strncmp(at + column, param->value, strlen(param->value)) == 0;
    return is_there ? at + column : NULL;
}

static bool is_within(const struct param *param, double value)
{
    char *end;
    double min = strtod(min_of(param), &end), max = strtod(max_of(param), &end);
    return isfinite(value) && (!*min_of(param) || value >= min) &&
           (!*max_of(param) || value <= max);
}

static const json_t *value_of(const json_t *values, const struct param *param,
                              struct dpl_diag *reterr)
{
    const json_t *value = json_object_get(values, param->name);
    if (value && (!json_is_number(value) || !is_within(param, json_number_value(value)))) {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
        dpl_fail(reterr, -ERANGE, nowhere,
                 "%.60s: found %.40s, expected a number from %s to %s%s%s", param->name,
                 text ? text : "", *param->min ? param->min : "any",
                 *param->max ? param->max : "any", *param->unit ? " " : "", param->unit);
        free(text);
    }
    return value;
}

static int write_values(FILE *file, const char *bytes, const struct params *params,
                        const json_t *values, struct dpl_diag *reterr)
{
    const char *from = bytes;
    reterr->text[0] = '\0';
    for (size_t i = 0; i < params->n && !reterr->text[0]; i++) {
        const struct param *param = &params->items[i];
        const json_t *value = value_of(values, param, reterr);
        const char *at = value ? find_value(bytes, param) : NULL;
        if (value && !reterr->text[0] && !at) {
            dpl_fail(reterr, -EINVAL, nowhere, "%.60s: its value is not found", param->name);
        } else if (value && !reterr->text[0]) {
            fprintf(file, "%.*s%.12g", (int)(at - from), from, json_number_value(value));
            from = at + strlen(param->value);
        }
    }
    fputs(from, file);
    return reterr->text[0] ? -EINVAL : 0;
}

/* What `doppel check` says of it is the reason. */
static int check(const char *path, struct dpl_diag *reterr)
{
    char said[sizeof reterr->text] = "", program[] = "/proc/self/exe", name[] = "doppel";
    char word[] = "check", quiet[] = "--quiet", *copy = strdup(path);
    char *words[] = {name, word, quiet, copy, NULL};
    extern char **environ;
    posix_spawn_file_actions_t actions;
    int ends[2], status = -1;
    pid_t pid;
    if (!copy || pipe(ends) < 0) {
        free(copy);
        return dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    int r = posix_spawn(&pid, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char more[256];
    size_t has = 0;
    for (ssize_t n; r == 0 && (n = read(ends[0], more, sizeof more)) > 0;) {
        size_t room = sizeof said - 1 - has, taken = (size_t)n < room ? (size_t)n : room;
        memcpy(said + has, more, taken);
        has += taken;
        said[has] = '\0';
    }
    close(ends[0]);
    if (r == 0) {
        waitpid(pid, &status, 0);
    }
    free(copy);
    return status == 0 ? 0 : dpl_fail(reterr, -EINVAL, nowhere, "it is not saved: %s", said);
}

static int check_names(const struct params *params, json_t *values, struct dpl_diag *reterr)
{
    const char *name;
    json_t *value;
    json_object_foreach(values, name, value)
    {
        bool is_one = false;
        for (size_t i = 0; i < params->n; i++) {
            is_one = is_one || strcmp(params->items[i].name, name) == 0;
        }
        if (!is_one) {
            return dpl_fail(reterr, -EINVAL, nowhere, "it has no parameter '%.60s'", name);
        }
    }
    return 0;
}

static int make_file(const char *folder, const json_t *request, struct dpl_arena *arena,
                     const char *name, struct dpl_diag *reterr)
{
    struct params params;
    char from[PATH_BYTES], to[PATH_BYTES], *bytes = NULL;
    size_t n = 0;
    int opened;
    json_t *values = json_object_get(request, "values");
    int r = read_params(folder, request, arena, from, &params, reterr);
    r = r < 0 ? r : check_names(&params, values, reterr);
    r = r < 0 ? r : dpl_file_bytes(from, FILE_BYTES, &bytes, &n, &opened);
    char *text = r < 0 ? NULL : realloc(bytes, n + 1);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    FILE *file = text ? fopen(to, "wxe") : NULL;
    if (r == 0 && !file) {
        r = dpl_fail(reterr, -errno, nowhere,
                     errno == EEXIST ? "%s: there is such a file: take another name"
                                     : "%s cannot be written",
                     name);
    }
    if (file) {
        text[n] = '\0';
        r = write_values(file, text, &params, values, reterr);
        bool is_whole = fclose(file) == 0;
        r = r < 0 || is_whole ? r : dpl_fail(reterr, -EIO, nowhere, "%s is not whole", name);
        r = r < 0 ? r : check(to, reterr);
        if (r < 0) {
            unlink(to);
        }
    }
    free(text ? text : bytes);
    return r;
}

json_t *folder_files_make(const char *folder, const json_t *request, struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    const char *name = name_in(request, "name", reterr);
    int r = name ? make_file(folder, request, &arena, name, reterr) : -EINVAL;
    dpl_arena_finish(&arena);
    return r < 0 ? NULL : json_pack("{s:s}", "file", name);
}

/* ---- runs ---- */

static const struct param *find_param(const struct params *params, const char *name)
{
    for (size_t i = 0; i < params->n; i++) {
        if (strcmp(params->items[i].name, name) == 0) {
            return &params->items[i];
        }
    }
    return NULL;
}

/* The world of a plan, and what both have parameters for: limits follow from these. */
static int choose_machine(const char *folder, const json_t *request, struct folder_run *run,
                          size_t n_words, struct dpl_diag *reterr)
{
    static char world[] = "--world", param[] = "--param";
    struct dpl_arena arena = {0};
    struct params of_plan, of_machine;
    const char *name = name_in(request, "machine", reterr);
    snprintf(run->world, sizeof run->world, "%s/%s", folder, name ? name : "");
    int r = name ? params_read(&arena, run->path, &of_plan, reterr) : -EINVAL;
    r = r < 0 ? r : params_read(&arena, run->world, &of_machine, reterr);
    if (r == 0) {
        run->words[n_words++] = world;
        run->words[n_words++] = run->world;
    }
    for (size_t i = 0, n = 0; r == 0 && i < of_plan.n && n < FOLDER_PARAMS_MAX; i++) {
        const struct param *value = find_param(&of_machine, of_plan.items[i].name);
        if (value) {
            snprintf(run->params[n], sizeof run->params[n], "%s=%s", value->name, value->value);
            run->words[n_words++] = param;
            run->words[n_words++] = run->params[n++];
        }
    }
    dpl_arena_finish(&arena);
    return r;
}

int folder_files_run(const char *folder, const json_t *request, struct folder_run *ret_run,
                     struct dpl_diag *reterr)
{
    static char doppel[] = "doppel", bench[] = "bench", test[] = "test", out[] = "--out",
                record[] = "--record", step[] = "--step";
    const char *name = name_in(request, "file", reterr);
    const char *wanted = json_string_value(json_object_get(request, "step"));
    json_t *one = name ? describe(folder, name) : NULL;
    const char *kind = json_string_value(json_object_get(one, "kind"));
    bool is_plan = kind && strcmp(kind, "plan") == 0;
    if (!kind || strcmp(kind, "machine") == 0) {
        json_decref(one);
        return name ? dpl_fail(reterr, -EINVAL, nowhere, "%s is neither a bench nor a plan", name)
                    : -EINVAL;
    }
    json_decref(one);
    *ret_run = (struct folder_run){.words = {doppel, is_plan ? test : bench, ret_run->path, out,
                                             ret_run->out, record, ret_run->record}};
    snprintf(ret_run->file, sizeof ret_run->file, "%s", name);
    snprintf(ret_run->path, sizeof ret_run->path, "%s/%s", folder, name);
    snprintf(ret_run->out, sizeof ret_run->out, "%s/results-%.*s", folder, (int)strlen(name) - 4,
             name);
    snprintf(ret_run->record, sizeof ret_run->record, "%s/results-%.*s/run.mcap", folder,
             (int)strlen(name) - 4, name);
    if (is_plan && wanted && *wanted) {
        snprintf(ret_run->step, sizeof ret_run->step, "%s", wanted);
        ret_run->words[7] = step;
        ret_run->words[8] = ret_run->step;
    }
    const char *machine = json_string_value(json_object_get(request, "machine"));
    if (is_plan && machine && *machine) {
        return choose_machine(folder, request, ret_run, ret_run->words[7] ? 9 : 7, reterr);
    }
    return 0;
}
