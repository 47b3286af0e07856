/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format: JSON files with a tree of assemblies, their bodies, joints in loops, and
 * restraints (docs/reference/star.md). The reader makes a graph for the solver in minimal
 * coordinates (doppel/sim/multibody_graph.h). The writer makes a file from a graph, also from one
 * that a program has made or changed. Numbers in files have the files' units; here all numbers are
 * in SI units.
 *
 * The calls allocate and block on files; a world belongs to one thread at a time. */
#ifndef DOPPEL_SIM_STAR_H
#define DOPPEL_SIM_STAR_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/sim/star_world.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_STAR_BYTES_MAX    (64u << 20) /* of a file */
#define DPL_STAR_VALUES_MAX   8000000u    /* in a file */
#define DPL_STAR_DEPTH_MAX    256         /* arrays and objects in each other */
#define DPL_STAR_ERRORS_MAX   50          /* that are listed */
#define DPL_STAR_WARNINGS_MAX 200         /* the same, and notes */

extern const char *const dpl_star_sensor_words[DPL_STAR_SENSOR_TYPES];

/* Calls `take` for each key in `other`, with its value as a text; NULL: an array or an object. The
 * text is valid during the call. Allocates. */
void dpl_star_sensor_each(const struct dpl_star_sensor *sensor,
                          void (*take)(void *user, const char *key, const char *text), void *user);

struct dpl_star_options {
    bool allow_comments;                /* from two slashes to the end of a line, and as in C */
    const struct dpl_mb_memory *memory; /* of the graph; NULL: malloc */
};

/* Reads a file. Diagnostics ("file:line:column: error: JSON-path: text") are added in the order of
 * their places: at most DPL_STAR_ERRORS_MAX errors and DPL_STAR_WARNINGS_MAX warnings. An error of
 * syntax ends the reading: beside it, only keys that are there twice before it are told. `options`
 * NULL: all 0. 0; -EINVAL: there were errors; -ENOMEM, without diagnostics; -errno of the file,
 * with one. */
int dpl_star_read(const char *path, const struct dpl_star_options *options,
                  struct dpl_star_world **ret_world, struct dpl_diags *diags);

/* The same for `n` bytes; `name` is the name of the file, and must outlive the diagnostics. */
int dpl_star_read_text(const char *name, const char *bytes, size_t n,
                       const struct dpl_star_options *options, struct dpl_star_world **ret_world,
                       struct dpl_diags *diags);

/* Makes a world from a graph, in SI units, without devices. The world owns the graph from now on.
 * 0, or -ENOMEM: the caller still owns the graph. */
int dpl_star_create(struct dpl_mb_graph *graph, struct dpl_star_world **ret_world);

void dpl_star_destroy(struct dpl_star_world *world); /* NULL: does nothing */

/* Whether a device is in use: it, the assemblies around it, its joints and the bodies of its frames
 * are active. */
bool dpl_star_device_is_active(const struct dpl_star_world *world, size_t device);

/* Writes a world with the present state of its graph, in its units, in dialect A or C. Values that
 * have not changed since reading are written as they were. Other numbers are written so that
 * reading them gives the same value. Keys that the reader does not know are kept. Parts in the root
 * of a graph get an assembly of their own, because files have no parts in the root. For a snapshot,
 * call dpl_mb_store first. The text ends with 0; free() it. 0; -EINVAL: dialect B; -ENOMEM. */
int dpl_star_write_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                        char **ret_text, size_t *ret_n);

/* The same into a file, which is replaced when it is complete; also -errno of the file. */
int dpl_star_write(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                   const char *path, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
