/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of scans from arbitrary text. What is taken keeps its promises (finite poses,
 * increasing times, ranges inside); what is refused says a line. */
#include <math.h>

#include "fuzz.h"
#include "recording.h"

static void check_scan(const struct recording *recording, size_t i)
{
    const struct recorded_scan *scan = &recording->scans[i];
    require(isfinite(scan->time_s) && (i == 0 || scan->time_s > scan[-1].time_s));
    require(dpl_pose2_is_finite(scan->odometry) && dpl_pose2_is_finite(scan->mount));
    require(scan->first + scan->n <= recording->n_ranges && scan->n <= RECORDING_BEAMS_MAX);
    for (size_t k = 0; k < scan->n; k++) {
        float range = recording->ranges[scan->first + k];
        require(isfinite(range) && range >= 0.0f && range <= 1000.0f);
    }
}

static int read_as(int format, const char *text, size_t size, struct recording *ret_recording,
                   struct dpl_diag *reterr)
{
    return format < 2
               ? recording_parse_csv("scans.csv", text, size, format == 1, ret_recording, reterr)
               : recording_parse_carmen("a.log", text, size, ret_recording, reterr);
}

/* As a scans.csv, a part of one, and a log of CARMEN, whose lack of scans has no line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)recording_is_carmen((const char *)data, size);
    for (int format = 0; format < 3; format++) {
        struct recording recording = {0};
        struct dpl_diag error = {0};
        if (read_as(format, (const char *)data, size, &recording, &error) < 0) {
            require(error.text[0] != '\0' && (error.place.line >= 1 || format == 2));
            continue;
        }
        require(recording.n > 0);
        for (size_t i = 0; i < recording.n; i++) {
            check_scan(&recording, i);
        }
        recording_finish(&recording);
    }
    return 0;
}
