/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes by a process of its own: see mesh_process.h. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "arena.h"
#include "mesh_process.h"

static const struct dpl_place nowhere;

struct process {
    const char *program, *path; /* doppel-mesh, the mesh */
    const struct dpl__mesh_limits *limits;
    pid_t pid;
    struct dpl__mesh_input output; /* of it */
};

/* ---- its start ---- */

/* Where doppel-mesh is: as the environment says, else relative to this library, in the build tree
 * or after the installation. */
static const char *find_program(struct dpl_arena *arena)
{
    static const char *const places[] = {"../tools/mesh", DPL__MESH_FOLDER};
    const char *named = getenv(DPL__MESH_PROGRAM);
    char library[PATH_MAX];
    Dl_info info;
    if (named && *named) {
        return named;
    }
    if (!dladdr(&nowhere, &info) || !realpath(info.dli_fname, library)) {
        return "doppel-mesh";
    }
    *strrchr(library, '/') = '\0';
    const char *program = NULL;
    for (size_t i = 0; i < DPL_COUNT(places); i++) {
        program = places[i][0] == '/'
                      ? dpl_arena_printf(arena, "%s/doppel-mesh", places[i])
                      : dpl_arena_printf(arena, "%s/%s/doppel-mesh", library, places[i]);
        if (access(program, X_OK) == 0) {
            break;
        }
    }
    return program;
}

/* It gets the pipe as its output and no other file of ours, and signals as usual. */
static int spawn(struct process *process, int to_us, char *const *words)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXCPU);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to_us, STDOUT_FILENO); /* first: it may be 0 or 2 */
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int err = posix_spawn(&process->pid, process->program, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return -err;
}

static int start(struct process *process, struct dpl_diag *reterr)
{
    const struct dpl__mesh_limits *limits = process->limits;
    char path[PATH_MAX + 2], megabytes[16], cpu_s[16], points_max[16];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return dpl_fail(reterr, -errno, nowhere, "mesh '%s': no pipe: %s", process->path,
                        strerror(errno));
    }
    snprintf(path, sizeof path, "%s", process->path);
    snprintf(megabytes, sizeof megabytes, "%u", limits->megabytes);
    snprintf(cpu_s, sizeof cpu_s, "%u", limits->cpu_s);
    snprintf(points_max, sizeof points_max, "%u", limits->points_max);
    char name[] = "doppel-mesh";
    char *const words[] = {name, path, megabytes, cpu_s, points_max, NULL};
    int err = spawn(process, ends[1], words);
    close(ends[1]);
    process->output.file = ends[0];
    if (err) {
        close(ends[0]);
        return dpl_fail(reterr, err, nowhere,
                        "mesh '%s': its reader '%.150s' does not start: %s (" DPL__MESH_PROGRAM
                        " can name another)",
                        process->path, process->program, strerror(-err));
    }
    return 0;
}

/* ---- its end ---- */

/* Waits for its end, and ends it at the end of its time, at once when all is lost anyway. Returns
 * its status as waitpid does; 0 also when the host program collects its children itself. */
static int finish(const struct process *process, bool is_lost, int *inout_err)
{
    int status = 0;
    close(process->output.file);
    for (;;) {
        pid_t ended = waitpid(process->pid, &status, is_lost ? 0 : WNOHANG);
        if (ended == process->pid) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            return 0;
        }
        if (!is_lost && dpl_monotonic_now() >= process->output.end) {
            *inout_err = -ETIMEDOUT;
            is_lost = true;
            kill(process->pid, SIGKILL);
        }
        if (!is_lost) {
            poll(NULL, 0, 1);
        }
    }
}

/* What its end and its output mean together; 0: there is a mesh. */
static int judge(const struct process *process, int err, int status, const char *text,
                 struct dpl_diag *reterr)
{
    const char *path = process->path;
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (err == -ETIMEDOUT) {
        return dpl_fail(reterr, err, nowhere, "mesh '%s' cannot be read within %g s", path,
                        dpl_ns_to_s(process->limits->time));
    }
    if (err == -EBADMSG) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "mesh '%s': what its reader '%.150s' writes is no mesh", path,
                        process->program);
    }
    if (signal == SIGXCPU) {
        return dpl_fail(reterr, -ETIMEDOUT, nowhere,
                        "mesh '%s' cannot be read within %u s of processor time", path,
                        process->limits->cpu_s);
    }
    if (signal) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "mesh '%s' is damaged: its reader crashes on it (signal %d, %s)", path,
                        signal, strsignal(signal));
    }
    if (status || err) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "mesh '%s': its reader '%.150s' gives up (exit code %d)", path,
                        process->program, WEXITSTATUS(status));
    }
    return *text ? dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' cannot be read: %s", path, text)
                 : 0;
}

int dpl__mesh_ask(struct dpl_arena *arena, const char *path, const struct dpl__mesh_limits *limits,
                  struct dpl__mesh_file *ret_mesh, struct dpl_diag *reterr)
{
    struct dpl__mesh_answer answer = {0};
    struct process process = {
        .program = find_program(arena),
        .path = path,
        .limits = limits,
        .output.end = dpl_monotonic_now() + limits->time,
    };
    int err = start(&process, reterr);
    if (err) {
        return err;
    }
    err = dpl__mesh_receive(arena, &process.output, limits->points_max, &answer);
    bool is_lost = err && err != -EPIPE; /* -EPIPE: its status says why */
    if (is_lost) {
        kill(process.pid, SIGKILL);
    }
    int status = finish(&process, is_lost, &err);
    err = judge(&process, err, status, answer.text, reterr);
    if (err == 0) {
        *ret_mesh = answer.mesh;
        ret_mesh->path = path;
    }
    return err;
}
