/* SPDX-License-Identifier: Apache-2.0 */
/* What a file said of everything in its graph, for the writer: other keys than those that the
 * reader knows, and numbers that cannot be computed back to the last bit. */
#ifndef DOPPEL_STAR_SOURCE_H
#define DOPPEL_STAR_SOURCE_H

#include <jansson.h>

#include <doppel/sim/star.h>

#include "arena.h"

enum { DPL_STAR_KINDS = DPL_MB_RESTRAINT + 1 };

/* Of one assembly, body, frame, joint, gear or restraint. */
struct dpl__star_said {
    json_t *json;              /* borrowed of the root; NULL: the file did not name it */
    int value;                 /* the place of json, while the file is read */
    const char *joint_key;     /* of a restraint: the key of a joint that it is, NULL: none */
    bool is_of_axis;           /* a frame that the axis of a joint needed, */
    int before_axis;           /* made of this one */
    bool has_axis;             /* a joint for which it did */
    struct dpl_mb_place place; /* of a frame or joint, as it was read */
    double displacement[3], velocity[6];
};

struct dpl__star_source {
    struct dpl_arena arena;
    json_t *root; /* NULL: there was no file */
    struct dpl__star_said *said[DPL_STAR_KINDS];
    size_t n_said[DPL_STAR_KINDS], capacity[DPL_STAR_KINDS];
    json_t **lights, **devices; /* [n_lights] [n_devices] of the world */
    struct dpl_star_settings settings;
    bool is_out_of_memory;
};

struct dpl__star_source *dpl__star_source_create(void);
void dpl__star_source_destroy(struct dpl__star_source *source);

/* The entry of a thing, made where there is none. NULL: there is no memory, which is remembered. */
struct dpl__star_said *dpl__star_say(struct dpl__star_source *source, enum dpl_mb_kind kind,
                                     int number);
/* NULL: nothing was said. */
const struct dpl__star_said *dpl__star_said(const struct dpl__star_source *source,
                                            enum dpl_mb_kind kind, int number);

/* Whether both say the same; memory is not compared. */
bool dpl__star_same_settings(const struct dpl_star_settings *a, const struct dpl_star_settings *b);

/* Keys that are read, by object; lists end with NULL. They are kept by the writer only in its own
 * way; all others as they are. */
extern const char *const dpl__star_root_keys[],
    *const dpl__star_parameter_keys[],
        *const dpl__star_fixed_keys[],
            *const dpl__star_assembly_keys[],
                *const dpl__star_body_keys[],
                    *const dpl__star_inertia_keys[],
                        *const dpl__star_frame_keys[],
                            *const dpl__star_joint_keys[],
                                *const dpl__star_gear_keys[],
                                    *const dpl__star_restraint_keys[],
                                        *const dpl__star_light_keys[],
                                            *const dpl__star_device_keys[],
                                                *const dpl__star_sensor_keys[];

#endif
