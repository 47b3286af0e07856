/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes by a process of its own: see mesh_process.h. Nothing that it writes is believed. */
#include <ctype.h>
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
#include "mesh_wire.h"

static const struct dpl_place nowhere;

_Static_assert(sizeof(struct dpl_vector3) == 3 * sizeof(double), "points are read as they come");
_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "so are faces");

struct process {
    const char *program, *path; /* doppel-mesh, the mesh */
    const struct dpl__mesh_limits *limits;
    dpl_ns end;
    pid_t pid;
    int output;
    char text[DPL__MESH_WIRE_TEXT_MAX + 1]; /* why there is no mesh, as it says; "": it does not */
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
    process->output = ends[0];
    if (err) {
        close(ends[0]);
        return dpl_fail(reterr, err, nowhere,
                        "mesh '%s': its reader '%.150s' does not start: %s (" DPL__MESH_PROGRAM
                        " can name another)",
                        process->path, process->program, strerror(-err));
    }
    return 0;
}

/* ---- what it writes ---- */

/* How many bytes came, at most n; 0 at the end. -ETIMEDOUT, or an errno of reading. */
static ssize_t read_some(const struct process *process, void *to, size_t n)
{
    for (;;) {
        dpl_ns left = process->end - dpl_monotonic_now();
        struct pollfd file = {.fd = process->output, .events = POLLIN};
        if (left <= 0) {
            return -ETIMEDOUT;
        }
        if (poll(&file, 1, (int)(left / DPL_MS) + 1) > 0) {
            ssize_t got = read(process->output, to, n);
            if (got >= 0 || errno != EINTR) {
                return got >= 0 ? got : -errno;
            }
        }
    }
}

/* 0; -EPIPE: it wrote less. */
static int read_all(const struct process *process, void *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read_some(process, (char *)to + at, n - at);
        if (got <= 0) {
            return got < 0 ? (int)got : -EPIPE;
        }
        at += (size_t)got;
    }
    return 0;
}

static int read_end(const struct process *process)
{
    char more;
    ssize_t got = read_some(process, &more, 1);
    return got > 0 ? -EBADMSG : (int)got;
}

/* A text for the user: one line without control characters. */
static int read_text(struct process *process, size_t n)
{
    int err = read_all(process, process->text, n);
    err = err ? err : read_end(process);
    process->text[err ? 0 : n] = '\0';
    for (size_t i = 0; i < n && process->text[i]; i++) {
        if (iscntrl((unsigned char)process->text[i])) {
            process->text[i] = ' ';
        }
    }
    return !err && process->text[0] == '\0' ? -EBADMSG : err;
}

static int read_mesh(struct dpl_arena *arena, const struct process *process,
                     const struct dpl__mesh_wire *wire, struct dpl__mesh_file *ret_mesh)
{
    struct dpl__mesh_file mesh = {
        .path = process->path,
        .points = dpl_arena_alloc(arena, (wire->n_points + 1) * sizeof *mesh.points),
        .n_points = wire->n_points,
        .faces = dpl_arena_alloc(arena, (wire->n_faces + 1) * sizeof *mesh.faces),
        .n_faces = wire->n_faces,
    };
    int err = read_all(process, mesh.points, mesh.n_points * sizeof *mesh.points);
    err = err ? err : read_all(process, mesh.faces, mesh.n_faces * sizeof *mesh.faces);
    err = err ? err : read_end(process);
    for (size_t i = 0; i < mesh.n_faces && err == 0; i++) {
        const unsigned *face = mesh.faces[i];
        if (face[0] >= mesh.n_points || face[1] >= mesh.n_points || face[2] >= mesh.n_points) {
            err = -EBADMSG;
        }
    }
    if (err == 0) {
        *ret_mesh = mesh;
    }
    return err;
}

/* 0: a mesh, or the text says why there is none. -EBADMSG: it is neither. */
static int receive(struct dpl_arena *arena, struct process *process,
                   struct dpl__mesh_file *ret_mesh)
{
    struct dpl__mesh_wire wire;
    int err = read_all(process, &wire, sizeof wire);
    if (err) {
        return err;
    }
    if (memcmp(wire.magic, DPL__MESH_WIRE_MAGIC, sizeof wire.magic) != 0 || wire.unused ||
        wire.n_text > DPL__MESH_WIRE_TEXT_MAX || wire.n_points > process->limits->points_max ||
        wire.n_faces > process->limits->points_max) {
        return -EBADMSG;
    }
    return wire.n_text > 0 ? read_text(process, wire.n_text)
                           : read_mesh(arena, process, &wire, ret_mesh);
}

/* ---- its end ---- */

/* Waits for its end, and ends it at the end of its time, at once when all is lost anyway. Returns
 * its status as waitpid does; 0 also when the host program collects its children itself. */
static int finish(const struct process *process, bool is_lost, int *inout_err)
{
    int status = 0;
    close(process->output);
    for (;;) {
        pid_t ended = waitpid(process->pid, &status, is_lost ? 0 : WNOHANG);
        if (ended == process->pid) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            return 0;
        }
        if (!is_lost && dpl_monotonic_now() >= process->end) {
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
static int judge(const struct process *process, int err, int status, struct dpl_diag *reterr)
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
    return process->text[0] ? dpl_fail(reterr, -EINVAL, nowhere, "mesh '%s' cannot be read: %s",
                                       path, process->text)
                            : 0;
}

int dpl__mesh_ask(struct dpl_arena *arena, const char *path, const struct dpl__mesh_limits *limits,
                  struct dpl__mesh_file *ret_mesh, struct dpl_diag *reterr)
{
    struct dpl__mesh_file mesh = {0};
    struct process process = {
        .program = find_program(arena),
        .path = path,
        .limits = limits,
        .end = dpl_monotonic_now() + limits->time,
    };
    int err = start(&process, reterr);
    if (err) {
        return err;
    }
    err = receive(arena, &process, &mesh);
    bool is_lost = err && err != -EPIPE; /* -EPIPE: its status says why */
    if (is_lost) {
        kill(process.pid, SIGKILL);
    }
    int status = finish(&process, is_lost, &err);
    err = judge(&process, err, status, reterr);
    if (err == 0) {
        *ret_mesh = mesh;
    }
    return err;
}
