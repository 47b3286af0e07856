/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader share. They go over the document in the order of reader.c: bodies
 * and frames of all assemblies first, since joints name them by paths, then joints, then what names
 * joints. */
#ifndef DOPPEL_STAR_READER_H
#define DOPPEL_STAR_READER_H

#include <jansson.h>

#include <doppel/sim/star.h>

#include "arena.h"
#include "places.h"
#include "source.h"

/* A value of the document and its place. json NULL: it is not there. */
struct dpl__star_node {
    json_t *json;
    int value;
};

struct dpl__star_reader {
    const char *file;
    struct dpl__star_places places;
    struct dpl_diags diags;
    bool stops;         /* what more there is to say is left out */
    bool left_errors;   /* more than DPL_STAR_ERRORS_MAX */
    bool left_warnings; /* more than DPL_STAR_WARNINGS_MAX */
    struct dpl_star_world *world;
    struct dpl_mb_graph *graph; /* the world's */
    struct dpl__star_source *source;
    struct dpl_arena *arena; /* the source's */
    const struct dpl_star_units *units;
    struct dpl_star_geometry *geometries; /* the world's */
    size_t geometry_capacity;
    struct dpl_star_shape *shapes; /* the world's */
    size_t shape_capacity;
    const char *bad_joints[DPL_STAR_ERRORS_MAX]; /* names of those with errors: others may name them
                                                    without one of their own */
    size_t n_bad_joints;
};

/* ---- diagnostics (report.c) ---- */

/* At a value: "path: text". */
void dpl__star_error(struct dpl__star_reader *reader, struct dpl__star_node node,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));
void dpl__star_warn(struct dpl__star_reader *reader, struct dpl__star_node node, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
void dpl__star_note(struct dpl__star_reader *reader, struct dpl__star_node node, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
/* At the key of a value. */
void dpl__star_warn_key(struct dpl__star_reader *reader, int value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* At its name: its key or, in an array, what its "name" is. */
void dpl__star_error_name(struct dpl__star_reader *reader, struct dpl__star_node node,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));
/* What the graph refused with this code; that there is no memory is only remembered. Returns -1. */
int dpl__star_refused(struct dpl__star_reader *reader, struct dpl__star_node node, int code,
                      const struct dpl_diag *diag);
/* "; did you mean 'x'?" or "". Returns ret_text. */
const char *dpl__star_hint(const char *word, const char *const *candidates, size_t n,
                           char *ret_text, size_t size);

/* ---- values (node.c) ---- */

/* Of an object; of another value, or where it is null: not there. */
struct dpl__star_node dpl__star_get(const struct dpl__star_reader *reader,
                                    struct dpl__star_node object, const char *key);
/* The first that is there of keys that mean the same; an error if there are two. */
struct dpl__star_node dpl__star_get_any(struct dpl__star_reader *reader,
                                        struct dpl__star_node object, const char *const *keys);
/* Of an array; the index is one of it. */
struct dpl__star_node dpl__star_element(const struct dpl__star_reader *reader,
                                        struct dpl__star_node array, size_t index);
/* Warns of keys that are not in the list, which ends with NULL. */
void dpl__star_check_keys(struct dpl__star_reader *reader, struct dpl__star_node object,
                          const char *const *known);
/* Whether it is an object; an error if not. */
bool dpl__star_is_object(struct dpl__star_reader *reader, struct dpl__star_node node);

/* A number times `scale`, finite; false: an error was reported. */
bool dpl__star_number(struct dpl__star_reader *reader, struct dpl__star_node node, double scale,
                      double *ret_value);
/* The same of `n` numbers in an array. */
bool dpl__star_numbers(struct dpl__star_reader *reader, struct dpl__star_node node, size_t n,
                       double scale, double *ret_values);
/* NULL: an error was reported. */
const char *dpl__star_string(struct dpl__star_reader *reader, struct dpl__star_node node);
/* `value` where there is none. */
bool dpl__star_bool(struct dpl__star_reader *reader, struct dpl__star_node object, const char *key,
                    bool value);
/* Strings, in the source's arena: one, or an array of them. Their number; 0 after an error. */
size_t dpl__star_strings(struct dpl__star_reader *reader, struct dpl__star_node node,
                         const char *const **ret_strings);
/* The index of a word in a list; -1: an error was reported. */
int dpl__star_word(struct dpl__star_reader *reader, struct dpl__star_node node,
                   const char *const *words, size_t n);

/* Whether a name can be one; an error if not. */
bool dpl__star_is_name(struct dpl__star_reader *reader, struct dpl__star_node node,
                       const char *name);

/* "name_ending", cut where it is too long, with as many "_" behind it as make it a new name. */
void dpl__star_free_name(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                         const char *name, const char *ending, char ret_name[DPL_MB_NAME_MAX + 1]);

/* Calls `one` for all things with names in an object of them, or an array of objects with "name".
 * Names that no name can be are errors, and are left out. */
typedef void dpl__star_one(struct dpl__star_reader *reader, struct dpl__star_node node,
                           const char *name, void *user);
void dpl__star_each(struct dpl__star_reader *reader, struct dpl__star_node list, dpl__star_one *one,
                    void *user);

/* ---- parts ---- */

/* model_parameters: dialect, units, gravity, settings (settings.c). */
void dpl__star_read_parameters(struct dpl__star_reader *reader, struct dpl__star_node root);
/* T with R, axis_angle or quaternion (transform.c). False: an error was reported. */
bool dpl__star_read_place(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_place *ret_place);
bool dpl__star_is_place_key(const char *key);
/* Bodies with their frames and looks, and assemblies (bodies.c). */
void dpl__star_read_assemblies(struct dpl__star_reader *reader, struct dpl__star_node root);
void dpl__star_read_frames(struct dpl__star_reader *reader, struct dpl__star_node frames, int body);
void dpl__star_read_geometry(struct dpl__star_reader *reader, struct dpl__star_node node, int body);
/* How a body touches what stands still (shapes.c). */
void dpl__star_read_shapes(struct dpl__star_reader *reader, struct dpl__star_node node, int body);
/* What a joint, light or sensor is attached to (ends.c): the number of a frame, or -1. */
int dpl__star_read_end(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly);
bool dpl__star_read_pair(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly,
                         int ret_frames[2]);
/* A joint by its path, or -1. */
int dpl__star_find_joint(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly);

/* Lists of all assemblies: joints (joints.c), then gears, restraints (restraints.c) and devices
 * (devices.c), which name joints. */
void dpl__star_read_joints(struct dpl__star_reader *reader);
void dpl__star_read_gears(struct dpl__star_reader *reader);
void dpl__star_read_restraints(struct dpl__star_reader *reader);
void dpl__star_read_devices(struct dpl__star_reader *reader);
void dpl__star_read_lights(struct dpl__star_reader *reader, struct dpl__star_node root);

/* That of worlds without lights: it shines to where gravity pulls. */
const struct dpl_star_light *dpl__star_default_light(struct dpl_arena *arena,
                                                     const double gravity[3]);

/* A list of an assembly, by its key. */
struct dpl__star_node dpl__star_list_of(const struct dpl__star_reader *reader, int assembly,
                                        const char *key);

/* The axis of a joint (axis.c): 0 to 2 for x, y and z; for other directions (is_z_only: for all but
 * z) 2, and then *inout_frames become new ones whose z it is. False: an error was reported. */
bool dpl__star_read_axis(struct dpl__star_reader *reader, struct dpl__star_node node,
                         const char *joint, bool is_z_only, int *ret_axis, int inout_frames[2]);

#endif
