/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to a machine over time and plans of faults of its axes from arbitrary text. What is
 * taken keeps its promises; what is refused says a place inside the text. */
#include <math.h>

#include "fuzz.h"
#include "mock_faults.h"
#include "requests.h"

static void take_requests(const char *text)
{
    static struct requests requests;
    struct requests_error bad = {0};
    if (requests_parse(&requests, text, &bad) < 0) {
        require(bad.what && bad.offset <= strlen(text));
        return;
    }
    require(requests.n <= REQUESTS_MAX);
    for (size_t i = 0; i < requests.n; i++) {
        const struct request_row *row = &requests.rows[i];
        require(row->t_s >= (i > 0 ? row[-1].t_s : 0.0) && isfinite(row->t_s));
        require(row->request > DPL_REQUEST_NONE && row->request < DPL_MACHINE_REQUEST_KIND_N);
        for (int k = 0; k < 6; k++) {
            require(isfinite(row->target[k]));
        }
    }
}

static void take_faults(const char *text)
{
    static struct mock_faults faults;
    struct mock_faults_error bad = {0};
    struct mock_faults_now now;
    if (mock_faults_parse(&faults, text, &bad) < 0) {
        require(bad.what && bad.offset <= strlen(text));
        return;
    }
    require(faults.n <= MOCK_FAULTS_MAX);
    for (size_t i = 0; i < faults.n; i++) {
        const struct mock_fault *row = &faults.rows[i];
        require(row->from_s >= 0.0 && row->to_s >= row->from_s);
        require(row->axis >= -1 && row->axis < DPL_AXES_N && isfinite(row->value));
        mock_faults_at(&faults, -1.0, row->from_s, &now);
        require(now.drive >= -1 && now.drive < DPL_AXES_N);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[1 << 14];
    if (size >= sizeof text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    take_requests(text);
    take_faults(text);
    return 0;
}
