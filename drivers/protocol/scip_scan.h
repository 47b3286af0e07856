/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of a SCIP scanner (what PP tells) and what follows from it: steps <-> angles.
 * Facts from shared/spec/devices.md; rows of the model table marked there as general knowledge
 * (UTM-30LX, UST) bear a note in scip_scan.c. */
#ifndef DPL_PROTOCOL_SCIP_SCAN_H
#define DPL_PROTOCOL_SCIP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scip_codec.h"

enum { DPL_SCIP_MAX_MODEL = 96 };

struct dpl_scip_geometry {
    char model[DPL_SCIP_MAX_MODEL];      /* MODL, NUL-terminated */
    uint32_t range_min_mm, range_max_mm; /* DMIN, DMAX: smaller values are error codes */
    uint32_t steps_per_turn;             /* ARES */
    uint32_t first_step, end_step;       /* AMIN, AMAX: both measured */
    uint32_t front_step;                 /* AFRT: the step that looks along +x */
    uint32_t rpm;                        /* SCAN */
    uint32_t last_step; /* last step a request may name; not on the wire, AMAX when read from PP */
};

/* Reads one line of a PP reply ("DMIN:20", without ';' and sum) into `geometry`. Returns 1 for a
 * known key, 0 for an unknown one, -EBADMSG for a known key with a bad value. */
int dpl_scip_geometry_read(struct dpl_scip_geometry *geometry, const char *line);

/* Checks a geometry that was read: limits in order, steps within DPL_SCIP_MAX_STEPS, nothing nought
 * that divides. Returns 0, or -ERANGE and the PP key at fault (static storage). */
int dpl_scip_geometry_check(const struct dpl_scip_geometry *geometry, const char **reterr_key);

/* Geometry of a model by its short name, such as "URG-04LX"; NULL when unknown. Static storage. */
const struct dpl_scip_geometry *dpl_scip_geometry_of(const char *model);

/* Angle of a step in rad, counter-clockwise from the front. */
double dpl_scip_step_to_rad(const struct dpl_scip_geometry *geometry, double step);

/* Nearest step of an angle; not limited to what can be measured. Angles beyond +-1000 turns, or not
 * finite, count as 0. */
int dpl_scip_rad_to_step(const struct dpl_scip_geometry *geometry, double rad);

/* Time of one turn in nanoseconds. */
int64_t dpl_scip_scan_period_ns(const struct dpl_scip_geometry *geometry);

/* Milliseconds from `before` to `now` across the wrap of the 24-bit stamp. */
uint32_t dpl_scip_stamp_delta_ms(uint32_t before, uint32_t now);

/* Is a value a distance, or an error code (below DMIN) or out of reach (above DMAX)? */
bool dpl_scip_is_range(const struct dpl_scip_geometry *geometry, uint32_t value);

#endif
