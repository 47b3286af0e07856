/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of a SCIP scanner (from PP), and conversion between steps and angles. Source: the
 * published SCIP protocol; rows of the model table from general knowledge (UTM-30LX, UST) are
 * marked in scip_scan.c. */
#ifndef DPL_PROTOCOL_SCIP_SCAN_H
#define DPL_PROTOCOL_SCIP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/protocol/scip_codec.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_SCIP_MAX_MODEL = 96 };

struct dpl_scip_geometry {
    char model[DPL_SCIP_MAX_MODEL];      /* MODL, NUL-terminated */
    uint32_t range_min_mm, range_max_mm; /* DMIN, DMAX: smaller values are error codes */
    uint32_t steps_per_turn;             /* ARES */
    uint32_t first_step, end_step;       /* AMIN, AMAX: both measured */
    uint32_t front_step;                 /* AFRT: the step in the direction +x */
    uint32_t rpm;                        /* SCAN */
    uint32_t last_step; /* last step in a request; not on the wire, AMAX when read from PP */
};

/* Reads one line of a PP reply ("DMIN:20", without ';' and sum) into `geometry`. Returns 1 for a
 * known key, 0 for an unknown one, -EBADMSG for a known key with a bad value. */
int dpl_scip_geometry_read(struct dpl_scip_geometry *geometry, const char *line);

/* Checks a geometry: limits in order, steps within DPL_SCIP_MAX_STEPS, no divisor zero. Returns 0,
 * or -ERANGE and the wrong PP key (static storage). */
int dpl_scip_geometry_check(const struct dpl_scip_geometry *geometry, const char **reterr_key);

/* Geometry of a model by its short name, such as "URG-04LX"; NULL when unknown. Static storage. */
const struct dpl_scip_geometry *dpl_scip_geometry_of(const char *model);

/* Angle of a step in rad, counter-clockwise from the front. */
double dpl_scip_step_to_rad(const struct dpl_scip_geometry *geometry, double step);

/* Nearest step of an angle; not limited to the measured range. Angles beyond +-1000 turns, or not
 * finite, count as 0. */
int dpl_scip_rad_to_step(const struct dpl_scip_geometry *geometry, double rad);

/* Time of one turn in nanoseconds. */
int64_t dpl_scip_scan_period_ns(const struct dpl_scip_geometry *geometry);

/* Milliseconds from one 24-bit stamp to another across the wrap, at most 2.3 hours; negative when
 * `to` is the earlier one. */
int32_t dpl_scip_stamp_delta_ms(uint32_t from, uint32_t to);

/* Whether a value is a distance, not an error code (below DMIN) or out of range (above DMAX). */
bool dpl_scip_is_range(const struct dpl_scip_geometry *geometry, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
