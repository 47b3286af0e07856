/* SPDX-License-Identifier: Apache-2.0 */
/* Arbitrary bytes in place of what doppel-mesh writes: what is taken as a mesh has faces between
 * its points, and is no longer than the bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "arena.h"
#include "mesh_process.h"

enum { POINTS_MAX = 1000 };

static void check(const struct dpl__mesh_answer *answer, size_t size)
{
    const struct dpl__mesh_file *mesh = &answer->mesh;
    if ((mesh->points == NULL) == (answer->text[0] == '\0') || mesh->n_points > POINTS_MAX ||
        mesh->n_points * sizeof *mesh->points + mesh->n_faces * sizeof *mesh->faces > size) {
        abort();
    }
    for (size_t i = 0; i < mesh->n_faces; i++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->faces[i][k] >= mesh->n_points) {
                abort();
            }
        }
    }
    for (const char *c = answer->text; *c; c++) {
        if (*c > 0 && *c < ' ') {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl__mesh_answer answer = {0};
    struct dpl__mesh_input from = {
        .file = memfd_create("mesh", MFD_CLOEXEC),
        .end = dpl_monotonic_now() + 10 * DPL_S,
    };
    if (from.file < 0 || write(from.file, data, size) != (ssize_t)size ||
        lseek(from.file, 0, SEEK_SET) != 0) {
        abort();
    }
    if (dpl__mesh_receive(&arena, &from, POINTS_MAX, &answer) == 0) {
        check(&answer, size);
    }
    close(from.file);
    dpl_arena_finish(&arena);
    return 0;
}
