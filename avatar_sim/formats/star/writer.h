/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the writer share. The document is made of the graph, with what the file said
 * where that is the same still. */
#ifndef DOPPEL_STAR_WRITER_H
#define DOPPEL_STAR_WRITER_H

#include <jansson.h>

#include "source.h"

/* Numbers of a kind by the number of what they are in. */
struct dpl__star_groups {
    size_t *starts; /* [containers + 1] */
    int *numbers;
};

struct dpl__star_writer {
    const struct dpl_star_world *world;
    const struct dpl_mb_graph *graph;
    const struct dpl__star_source *source;
    const struct dpl_star_units *units;
    bool is_c;             /* the dialect: C, else A */
    bool keeps_axes;       /* joints are written with the axes that they were read with */
    const char *root_name; /* of the assembly for what is in the root; NULL: nothing is */
    struct dpl__star_groups in_assembly[DPL_STAR_KINDS]; /* of frames: in bodies */
    struct dpl__star_groups devices;
    int *joint_restraints; /* [2 joints] those that dialect C has as keys of a joint, or -1 */
    bool is_out_of_memory;
};

/* ---- values (write_value.c); they notice when there is no memory ---- */

/* Takes over `value`; NULL: there was no memory for it. */
void dpl__star_put(struct dpl__star_writer *writer, json_t *object, const char *key, json_t *value);
void dpl__star_append(struct dpl__star_writer *writer, json_t *array, json_t *value);
/* Puts what is said under a key of the source, if it is. */
bool dpl__star_put_said(struct dpl__star_writer *writer, json_t *object, const char *key,
                        json_t *source);
/* Puts all keys of the source that the reader does not know. */
void dpl__star_put_kept(struct dpl__star_writer *writer, json_t *object, json_t *source,
                        const char *const *known);
/* "active", where it says something. */
void dpl__star_put_active(struct dpl__star_writer *writer, json_t *object, bool is_active,
                          json_t *source);

/* A number in SI units as one of the file. */
json_t *dpl__star_write_number(double si, double scale);
json_t *dpl__star_write_numbers(struct dpl__star_writer *writer, const double *si, size_t n,
                                double scale);

/* Containers of things with names, and one more in them; takes over `thing`. */
json_t *dpl__star_new_list(const struct dpl__star_writer *writer);
json_t *dpl__star_new_thing(struct dpl__star_writer *writer, const char *name);
void dpl__star_put_thing(struct dpl__star_writer *writer, json_t *list, const char *name,
                         json_t *thing);
/* Puts a list that is not empty. */
void dpl__star_put_list(struct dpl__star_writer *writer, json_t *object, const char *key,
                        json_t *list);

/* T and R. */
void dpl__star_put_place(struct dpl__star_writer *writer, json_t *object,
                         const struct dpl_mb_place *place);

/* The path to a body or joint from an assembly: a text, or in dialect C (is_list) its parts. */
json_t *dpl__star_write_path(struct dpl__star_writer *writer, enum dpl_mb_kind kind, int number,
                             int assembly, bool is_list);
/* [path, frame] */
json_t *dpl__star_write_end(struct dpl__star_writer *writer, int frame, int assembly, bool is_list);

/* ---- parts ---- */

json_t *dpl__star_write_frames(struct dpl__star_writer *writer, int body);
json_t *dpl__star_write_bodies(struct dpl__star_writer *writer, int assembly);
json_t *dpl__star_write_joints(struct dpl__star_writer *writer, int assembly);
json_t *dpl__star_write_gears(struct dpl__star_writer *writer, int assembly);
json_t *dpl__star_write_restraints(struct dpl__star_writer *writer, int assembly);
json_t *dpl__star_write_devices(struct dpl__star_writer *writer, int assembly);
json_t *dpl__star_write_lights(struct dpl__star_writer *writer);
json_t *dpl__star_write_parameters(struct dpl__star_writer *writer);

/* The coefficients of one piece; powers rise or fall. */
json_t *dpl__star_write_piece(struct dpl__star_writer *writer, const double *coefficients, size_t n,
                              bool turns, bool is_of_rate, bool rises);
/* What dialect C has as a key of a joint (restraint), or NULL. */
const char *dpl__star_joint_key(const struct dpl__star_writer *writer, int restraint);

#endif
