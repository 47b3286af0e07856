/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes are read by a process of its own: whatever happens to it is an error with the mesh's name.
 * Scripts stand in for doppel-mesh where it must do what it never would. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#include "mesh_process.h"
#include "mesh_wire.h"
#include "urdf_rig.h"

#define WEDGE UNIT "/avatar_sim/fixtures/urdf/meshes/wedge.dae"

static const struct dpl__mesh_limits usual = {20 * DPL_S, 2, 1024, 1000};

static struct dpl_arena arena;
static struct dpl_diag diag;
static struct dpl__mesh_file mesh;
static char folder[] = "/tmp/doppel-mesh-XXXXXX";
static char file[64];

static void begin(void)
{
    cr_assert(mkdtemp(folder));
}

static void end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    dpl_arena_finish(&arena);
}

TestSuite(mesh_process, .init = begin, .fini = end);

/* A file in the folder of the test; its path is in `file`. */
static void write_file(const char *name, const void *bytes, size_t n, mode_t mode)
{
    snprintf(file, sizeof file, "%s/%s", folder, name);
    int to = open(file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, mode);
    cr_assert_geq(to, 0);
    cr_assert_eq(write(to, bytes, n), (ssize_t)n);
    close(to);
}

/* doppel-mesh is this script. */
static void stand_in(const char *script)
{
    char text[512];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    write_file("stand_in", text, strlen(text), 0700);
    setenv(DPL__MESH_PROGRAM, file, 1);
}

/* doppel-mesh writes these bytes. */
static void answer(const void *bytes, size_t n)
{
    char script[128];
    write_file("answer", bytes, n, 0600);
    snprintf(script, sizeof script, "exec cat %s", file);
    stand_in(script);
}

/* wedge.dae with another text in place of one; its path is in `file`. */
static void write_mutant(const char *old, const char *other)
{
    char bytes[8192], mutant[8192];
    FILE *from = fopen(WEDGE, "rb");
    cr_assert(from);
    bytes[fread(bytes, 1, sizeof bytes - 1, from)] = '\0';
    fclose(from);
    char *at = strstr(bytes, old);
    cr_assert(at);
    *at = '\0';
    int n = snprintf(mutant, sizeof mutant, "%s%s%s", bytes, other, at + strlen(old));
    cr_assert(n > 0 && n < (int)sizeof mutant);
    write_file("mutant.dae", mutant, (size_t)n, 0600);
}

static int ask(const char *path, const struct dpl__mesh_limits *limits)
{
    diag.text[0] = '\0';
    return dpl__mesh_ask(&arena, path, limits, &mesh, &diag);
}

/* It is refused with the mesh's name and this text, and no child is left. */
static void expect(const char *path, const struct dpl__mesh_limits *limits, int err,
                   const char *said)
{
    char beginning[128];
    int found = ask(path, limits);
    snprintf(beginning, sizeof beginning, "mesh '%s'", path);
    cr_assert_eq(found, err, "%d: %s", found, diag.text);
    cr_assert_eq(strncmp(diag.text, beginning, strlen(beginning)), 0, "%s", diag.text);
    cr_assert(strstr(diag.text, said), "%s", diag.text);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1, "a child is left");
    cr_assert_null(mesh.points);
}

static const char *at_file(void)
{
    static char path[sizeof file];
    memcpy(path, file, sizeof path);
    return path;
}

/* ---- doppel-mesh itself ---- */

Test(mesh_process, good_mesh_is_read)
{
    cr_assert_eq(ask(WEDGE, &usual), 0, "%s", diag.text);
    cr_assert_eq(mesh.n_faces, 8);
    cr_assert_geq(mesh.n_points, 6);
    double most = 0.0;
    for (size_t i = 0; i < mesh.n_points; i++) {
        most = fmax(most, mesh.points[i].x);
    }
    cr_assert_float_eq(most, 0.03, 1e-7);
}

Test(mesh_process, mesh_that_crashes_its_reader_is_an_error)
{
    write_mutant("count=\"18\"", "counx=\"18\""); /* a null pointer in Assimp 5.2.5 */
    expect(at_file(), &usual, -EINVAL, "is damaged: its reader crashes on it (signal 11");
}

Test(mesh_process, mesh_that_is_read_for_ever_is_an_error)
{
    const struct dpl__mesh_limits short_time = {20 * DPL_S, 1, 16384, 1000};
    write_mutant("<p>", "<p>x"); /* it takes memory, too: about 1 GB in that time */
    expect(at_file(), &short_time, -ETIMEDOUT, "cannot be read within 1 s of processor time");
}

Test(mesh_process, mesh_that_takes_all_memory_is_an_error)
{
    write_mutant("count=\"18\"", "count=\"4294967295\"");
    expect(at_file(), &usual, -EINVAL, "it needs more than 1024 MB of memory");
}

Test(mesh_process, mesh_without_sense_says_why)
{
    write_file("no.stl", "nothing", 7, 0600);
    expect(at_file(), &usual, -EINVAL, "cannot be read: ");
}

Test(mesh_process, mesh_with_too_many_points_is_an_error)
{
    const struct dpl__mesh_limits few = {20 * DPL_S, 2, 1024, 7};
    expect(WEDGE, &few, -EINVAL, "it has more than 7 points or triangles");
}

/* ---- stand-ins ---- */

Test(mesh_process, absent_reader_is_an_error)
{
    setenv(DPL__MESH_PROGRAM, "/no/such/doppel-mesh", 1);
    expect(WEDGE, &usual, -ENOENT,
           "its reader '/no/such/doppel-mesh' does not start: No such file or directory");
}

Test(mesh_process, reader_that_gives_up_is_an_error)
{
    stand_in("exit 7");
    expect(WEDGE, &usual, -EINVAL, "gives up (exit code 7)");
    stand_in("exit 0");
    expect(WEDGE, &usual, -EINVAL, "gives up (exit code 0)");
}

static const struct dpl__mesh_limits at_once = {200 * DPL_MS, 2, 1024, 1000};

Test(mesh_process, reader_that_hangs_is_ended)
{
    dpl_ns begun = dpl_monotonic_now();
    stand_in("exec sleep 100");
    expect(WEDGE, &at_once, -ETIMEDOUT, "cannot be read within 0.2 s");
    stand_in("exec sleep 100 >&-");
    expect(WEDGE, &at_once, -ETIMEDOUT, "cannot be read within 0.2 s");
    stand_in("sleep 2 & exit 3"); /* another one keeps the pipe open */
    expect(WEDGE, &at_once, -ETIMEDOUT, "cannot be read within 0.2 s");
    cr_assert_lt(dpl_monotonic_now() - begun, 50 * DPL_S);
}

Test(mesh_process, reader_that_trickles_is_ended)
{
    stand_in("printf DplMesh1; while :; do printf '\\0'; sleep 0.01; done");
    const struct dpl__mesh_limits limits = {100 * DPL_MS, 2, 1024, 1000};
    expect(WEDGE, &limits, -ETIMEDOUT, "cannot be read within 0.1 s");
}

Test(mesh_process, reader_that_floods_is_ended)
{
    stand_in("exec cat /dev/zero");
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
}

/* A mesh of one triangle, as doppel-mesh writes it. */
struct triangle {
    struct dpl__mesh_wire wire;
    double points[3][3];
    uint32_t face[3];
    char more[4];
};

static const struct triangle good = {
    .wire = {.magic = DPL__MESH_WIRE_MAGIC, .n_points = 3, .n_faces = 1},
    .points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    .face = {0, 1, 2},
};
enum { GOOD_SIZE = offsetof(struct triangle, more) };

Test(mesh_process, triangle_is_taken)
{
    answer(&good, GOOD_SIZE);
    cr_assert_eq(ask(WEDGE, &usual), 0, "%s", diag.text);
    cr_assert_eq(mesh.n_points, 3);
    cr_assert_eq(mesh.points[2].y, 1.0);
    cr_assert_eq(mesh.faces[0][2], 2);
}

Test(mesh_process, triangle_that_lies_is_refused)
{
    struct triangle bad = good;
    bad.wire.n_points = 1001;
    answer(&bad, GOOD_SIZE);
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
    bad = good;
    bad.wire.n_faces = UINT32_MAX;
    answer(&bad, GOOD_SIZE);
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
    bad = good;
    bad.wire.n_text = UINT32_MAX;
    answer(&bad, GOOD_SIZE);
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
    bad = good;
    bad.wire.magic[0] = 'X';
    answer(&bad, GOOD_SIZE);
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
    bad = good;
    bad.face[1] = 3; /* no such point */
    answer(&bad, GOOD_SIZE);
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
    answer(&good, GOOD_SIZE + 1); /* more than it said */
    expect(WEDGE, &usual, -EINVAL, "writes is no mesh");
}

Test(mesh_process, triangle_that_ends_early_is_refused)
{
    for (size_t n = 0; n < GOOD_SIZE; n += 11) {
        answer(&good, n);
        expect(WEDGE, &usual, -EINVAL, "gives up (exit code 0)");
    }
}

Test(mesh_process, complete_mesh_of_a_reader_that_crashes_is_refused)
{
    char script[128];
    write_file("answer", &good, GOOD_SIZE, 0600);
    snprintf(script, sizeof script, "cat %s; kill -SEGV $$", file);
    stand_in(script);
    expect(WEDGE, &usual, -EINVAL, "crashes on it (signal 11");
}

Test(mesh_process, text_of_the_reader_has_no_control_characters)
{
    struct {
        struct dpl__mesh_wire wire;
        char text[8];
    } said = {{.magic = DPL__MESH_WIRE_MAGIC, .n_text = 8}, "a\x1b[2J\nb"};
    answer(&said, sizeof said);
    expect(WEDGE, &usual, -EINVAL, "cannot be read: a [2J b");
}

/* ---- what a user sees ---- */

Test(mesh_process, robot_with_a_damaged_mesh_is_refused)
{
    static const char text[] =
        "<robot name='r'>\n<link name='world'><collision><geometry>"
        "<mesh filename='mutant.dae'/></geometry></collision></link></robot>";
    struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    char robot[sizeof folder + 16];
    write_mutant("count=\"18\"", "counx=\"18\"");
    snprintf(robot, sizeof robot, "%s/r.urdf", folder);
    cr_assert_neq(
        dpl_sim_read_import_text(&arena, robot, text, strlen(text), NULL, &objects, &diags), 0);
    cr_assert_eq(diags.n_errors, 1);
    cr_assert_eq(diags.items[0].place.line, 2);
    cr_assert(strstr(diags.items[0].text, "mutant.dae' is damaged"), "%s", diags.items[0].text);
    dpl_diags_finish(&diags);
}
