/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the trace of a run is whole: rows that are broken, and a file that was cut, are not found
 * out by who reads what it has. */
#ifndef DOPPEL_CALIBRATE_TRACE_CHECK_H
#define DOPPEL_CALIBRATE_TRACE_CHECK_H

#include <doppel/diag.h>

/* `duration_s`: of the run; NaN: not known. `file` is read; 0, also if it is not there; -EINVAL
 * with reterr: a row has not as many values as the first, or its time is no number; the last line
 * has no end, or is more than a second before the end of the run. */
int trace_check(const char *file, double duration_s, struct dpl_diag *reterr);

#endif
