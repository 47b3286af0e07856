/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that several sub-commands share. */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <doppel/host/real_time.h>

#include "fields.h"
#include "holder.h"

/* A folder of a search path that is not there is probably misspelt. */
static void warn_about_folders(const char *command, const char *variable)
{
    for (const char *list = getenv(variable); list && *list != '\0'; list += *list == ':') {
        char folder[PATH_MAX];
        struct stat status;
        size_t n = strcspn(list, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)n, list);
        int err = stat(folder, &status) < 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
        if (n > 0 && err != 0) {
            fprintf(stderr, "doppel %s: warning: %s names '%s': %s\n", command, variable, folder,
                    strerror(err));
        }
        list += n;
    }
}

struct dpl_catalog *cli_open_catalog(const char *command)
{
    warn_about_folders(command, "DOPPEL_PLUGIN_PATH");
    warn_about_folders(command, "DOPPEL_PROFILE_PATH");
    struct dpl_catalog *catalog;
    struct dpl_diag error;
    if (dpl_catalog_create(NULL, &catalog, &error) < 0) {
        fprintf(stderr, "doppel %s: ", command);
        dpl_diag_print(stderr, &error);
        return NULL;
    }
    return catalog;
}

void cli_print_diags(struct dpl_diags *diags)
{
    dpl_diags_sort(diags);
    for (size_t i = 0; i < diags->n; i++) {
        dpl_diag_print(stderr, &diags->items[i]);
    }
}

/* A profile of another kind that has the name: its kind in words, or NULL. */
static const char *other_kind(struct dpl_catalog *catalog, const char *name)
{
    static const char *const kinds[][2] = {
        {"apps", "an application"},    {"benches", "a bench"},   {"bindings", "a binding"},
        {"worlds", "a world"},         {"plans", "a test plan"}, {"studies", "a study"},
        {"robots", "a robot"},         {"types", "a data type"}, {"services", "a service"},
        {"components", "a component"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (dpl_catalog_find_profile(catalog, kinds[i][0], name, NULL)) {
            return kinds[i][1];
        }
    }
    return NULL;
}

/* The kinds among which a name is searched: a bench is an application too. */
static size_t kinds_of(const char *kind, const char *ret_kinds[2])
{
    ret_kinds[0] = kind ? kind : "apps";
    ret_kinds[1] = "benches";
    return strcmp(ret_kinds[0], "apps") == 0 ? 2 : 1;
}

void cli_hint(struct dpl_catalog *catalog, const char *kind, const char *name,
              char ret_hint[CLI_HINT_BYTES])
{
    const char *kinds[2];
    char near[CLI_HINT_BYTES / 2];
    size_t n_kinds = kinds_of(kind, kinds);
    ret_hint[0] = '\0';
    if (dpl_catalog_nearest_profile(catalog, kinds, n_kinds, name, near, sizeof near)) {
        snprintf(ret_hint, CLI_HINT_BYTES, ", did you mean '%s'?", near);
        return;
    }
    const char *other = other_kind(catalog, name);
    if (other) {
        snprintf(ret_hint, CLI_HINT_BYTES, "; '%.100s' is %s", name, other);
    }
}

const char *cli_find(struct dpl_catalog *catalog, const char *kind, const char *name,
                     struct dpl_diag *reterr)
{
    const char *kinds[2], *found = NULL;
    size_t n_kinds = kinds_of(kind, kinds);
    for (size_t i = 0; i < n_kinds && !found; i++) {
        found = dpl_catalog_find_profile(catalog, kinds[i], name, NULL);
    }
    if (!found && !kind) {
        found = dpl_catalog_find_profile(catalog, NULL, name, NULL);
    }
    if (found || access(name, F_OK) == 0 || errno != ENOENT) {
        return found ? found : name; /* the loader reports its errors */
    }
    char hint[CLI_HINT_BYTES];
    cli_hint(catalog, kind, name, hint);
    dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = name},
             "cannot be opened: neither a file nor a profile with this name%s; searched: %s", hint,
             dpl_catalog_profile_path(catalog));
    return NULL;
}

int cli_load_app(struct dpl_catalog *catalog, const char *kind, const char *name,
                 const struct dpl_app_options *options, struct dpl_app **ret_app,
                 struct dpl_diags *diags)
{
    struct dpl_diag error = {0};
    const char *file = cli_find(catalog, kind, name, &error);
    if (!file) {
        dpl_diags_add_diag(diags, &error);
        return -ENOENT;
    }
    return dpl_app_load(file, options, catalog, ret_app, diags);
}

int cli_choose(const char *what, const char *text, const char *const *choices, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, choices[i]) == 0) {
            return (int)i;
        }
    }
    const char *near = dpl_nearest(text, choices, n);
    fprintf(stderr, "doppel %s: found '%s', expected", what, cli_clean(text));
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "%s %s", i ? "," : "", choices[i]);
    }
    fprintf(stderr, near ? ", did you mean '%s'?\n" : "\n", near);
    return -1;
}

int cli_policy(const char *what, const char *text, enum dpl_policy *ret_policy)
{
    static const char *const policies[] = {
        [DPL_POLICY_OTHER] = "other",
        [DPL_POLICY_FIFO] = "fifo",
        [DPL_POLICY_RR] = "rr",
    };
    int policy = text ? cli_choose(what, text, policies, DPL_COUNT(policies)) : DPL_POLICY_OTHER;
    if (policy < 0) {
        return -1;
    }
    *ret_policy = (enum dpl_policy)policy;
    return 0;
}

void cli_enter_real_time(const char *command, enum dpl_policy policy)
{
    struct dpl_diag why = {0};
    if (policy != DPL_POLICY_OTHER && dpl_real_time_enter(policy, &why) < 0) {
        fprintf(stderr, "doppel %s: %s\n", command, why.text);
    }
}

void cli_lock_memory(const char *command, enum dpl_policy policy)
{
    struct dpl_diag why = {0};
    if (policy != DPL_POLICY_OTHER && dpl_real_time_lock_memory(&why) < 0) {
        fprintf(stderr, "doppel %s: %s\n", command, why.text);
    }
}

/* Whether a file can be created in a folder: checking permissions is not enough. */
static int try_dir(const char *path)
{
    char name[32];
    snprintf(name, sizeof name, ".doppel-%ld", (long)getpid());
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = dir < 0 ? -1 : openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int err = errno;
    if (fd >= 0) {
        close(fd);
        unlinkat(dir, name, 0);
    }
    if (dir >= 0) {
        close(dir);
    }
    errno = err;
    return fd < 0 ? -1 : 0;
}

int cli_make_dir(const char *what, const char *path)
{
    char part[4096];
    int n = snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; n > 0 && (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(part, 0777);
    }
    struct stat info;
    bool is_folder = mkdir(path, 0777) == 0 ||
                     (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode));
    if (is_folder && try_dir(path) == 0) {
        return 0;
    }
    fprintf(stderr, "doppel %s %s: %s\n", what, cli_clean(path),
            errno == EEXIST ? "exists and is not a folder" : strerror(errno));
    return -1;
}

/* A report that looks whether a run goes on has the lock for an instant (tools/report/result.c). */
static int lock_alone(int file)
{
    int r = flock(file, LOCK_EX | LOCK_NB);
    for (int i = 0; i < 5 && r < 0 && errno == EWOULDBLOCK; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        r = flock(file, LOCK_EX | LOCK_NB);
    }
    return r;
}

int cli_lock_dir(const char *what, const char *path)
{
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) {
        fprintf(stderr, "doppel %s %s: %s\n", what, cli_clean(path), strerror(errno));
        return -1;
    }
    if (lock_alone(dir) == 0) {
        return 0; /* until the process ends, however it ends: `dir` stays open */
    }
    int err = errno;
    close(dir);
    if (err != EWOULDBLOCK) {
        return 0; /* a file system without locks */
    }
    char who[DPL_HOLDER_TEXT];
    fprintf(stderr,
            "doppel %s %s: another run writes its results there, %s: wait for its end, or give "
            "another folder\n",
            what, cli_clean(path), dpl_holder_of_file(path, who));
    return -1;
}

enum dpl_exit cli_code_without_run(int err)
{
    return err == -ENODEV      ? DPL_EXIT_DEVICE
           : err == -ECANCELED ? DPL_EXIT_DONE /* as any run that was interrupted */
                               : DPL_EXIT_BAD_INPUT;
}

enum dpl_exit cli_code_of_output(int err)
{
    bool is_full = err == -ENOSPC || err == -EDQUOT || err == -EFBIG || err == -EIO;
    return is_full ? DPL_EXIT_FAULT : DPL_EXIT_BAD_INPUT;
}

void cli_catch_requests(void (*handler)(int), bool once)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = once ? (int)SA_RESETHAND : 0};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

static struct dpl_runtime *running; /* for the signal handler */
static volatile sig_atomic_t n_stops, has_run;

/* Before a run exists, the process ends as by default, unless a component is being initialised: it
 * may have moved something. */
static void on_signal(int number)
{
    struct dpl_runtime *runtime = running ? running : dpl_runtime_calling();
    if (runtime) {
        n_stops = n_stops + 1;
        dpl_runtime_request_stop(runtime);
    } else if (!has_run) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (runtime && n_stops > 2) {
        dpl_runtime_give_up(runtime);
    }
}

void cli_stop_on_signals(struct dpl_runtime *runtime)
{
    running = runtime;
    has_run = has_run || runtime;
    cli_catch_requests(on_signal, false);
    signal(SIGPIPE, SIG_IGN);
}

bool cli_was_stopped(void)
{
    return n_stops > 0;
}

/* ---- the program ---- */

#define WORDS_MAX 1024

static const char *words[WORDS_MAX];
static size_t n_words;

void cli_keep_command(int argc, char **argv)
{
    n_words = 0;
    for (int i = 0; i < argc && n_words < WORDS_MAX; i++) {
        words[n_words++] = argv[i];
    }
}

struct dpl_program cli_program(void)
{
    return (struct dpl_program){.version = DOPPEL_VERSION, .words = words, .n_words = n_words};
}
