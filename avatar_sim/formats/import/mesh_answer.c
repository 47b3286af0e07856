/* SPDX-License-Identifier: Apache-2.0 */
/* What doppel-mesh writes: see mesh_process.h. Nothing of it is believed. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "arena.h"
#include "mesh_process.h"

_Static_assert(sizeof(struct dpl_vector3) == 3 * sizeof(double), "points are read as they come");
_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "so are faces");

/* How many bytes came, at most n; 0 at the end. -ETIMEDOUT, or an errno of reading. */
static ssize_t read_some(const struct dpl__mesh_input *from, void *to, size_t n)
{
    for (;;) {
        dpl_ns left = from->end - dpl_monotonic_now();
        struct pollfd file = {.fd = from->file, .events = POLLIN};
        if (left <= 0) {
            return -ETIMEDOUT;
        }
        if (poll(&file, 1, (int)(left / DPL_MS) + 1) > 0) {
            ssize_t got = read(from->file, to, n);
            if (got >= 0 || errno != EINTR) {
                return got >= 0 ? got : -errno;
            }
        }
    }
}

/* 0; -EPIPE: it wrote less. */
static int read_all(const struct dpl__mesh_input *from, void *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read_some(from, (char *)to + at, n - at);
        if (got <= 0) {
            return got < 0 ? (int)got : -EPIPE;
        }
        at += (size_t)got;
    }
    return 0;
}

static int read_end(const struct dpl__mesh_input *from)
{
    char more;
    ssize_t got = read_some(from, &more, 1);
    return got > 0 ? -EBADMSG : (int)got;
}

/* A text for the user: one line without control characters. */
static int read_text(const struct dpl__mesh_input *from, size_t n, char *ret_text)
{
    int err = read_all(from, ret_text, n);
    err = err ? err : read_end(from);
    ret_text[err ? 0 : n] = '\0';
    for (size_t i = 0; i < n && ret_text[i]; i++) {
        if (iscntrl((unsigned char)ret_text[i])) {
            ret_text[i] = ' ';
        }
    }
    return !err && ret_text[0] == '\0' ? -EBADMSG : err;
}

static int read_mesh(struct dpl_arena *arena, const struct dpl__mesh_input *from,
                     const struct dpl__mesh_wire *wire, struct dpl__mesh_file *ret_mesh)
{
    struct dpl__mesh_file mesh = {
        .points = dpl_arena_alloc(arena, (wire->n_points + 1) * sizeof *mesh.points),
        .n_points = wire->n_points,
        .faces = dpl_arena_alloc(arena, (wire->n_faces + 1) * sizeof *mesh.faces),
        .n_faces = wire->n_faces,
    };
    int err = read_all(from, mesh.points, mesh.n_points * sizeof *mesh.points);
    err = err ? err : read_all(from, mesh.faces, mesh.n_faces * sizeof *mesh.faces);
    err = err ? err : read_end(from);
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

int dpl__mesh_receive(struct dpl_arena *arena, const struct dpl__mesh_input *from,
                      unsigned points_max, struct dpl__mesh_answer *ret)
{
    struct dpl__mesh_wire wire;
    int err = read_all(from, &wire, sizeof wire);
    if (err) {
        return err;
    }
    if (memcmp(wire.magic, DPL__MESH_WIRE_MAGIC, sizeof wire.magic) != 0 || wire.unused ||
        wire.n_text > DPL__MESH_WIRE_TEXT_MAX || wire.n_points > points_max ||
        wire.n_faces > points_max) {
        return -EBADMSG;
    }
    return wire.n_text > 0 ? read_text(from, wire.n_text, ret->text)
                           : read_mesh(arena, from, &wire, &ret->mesh);
}
