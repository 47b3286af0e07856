/* SPDX-License-Identifier: Apache-2.0 */
/* Logging of emergency messages with a limited number of lines. */
#include "cia402_emcy.h"

#include <stdio.h>

#define QUIET DPL_S /* codes that come and go faster are counted together */

bool cia402_emcy_hear(struct cia402_emcy_log *log, uint16_t code, dpl_ns now)
{
    if (code == 0) {
        log->is_over = true;
        return false;
    }
    if (log->n == 0) {
        log->since = now;
    }
    log->is_over = false;
    for (size_t i = 0; i < log->n; i++) {
        if (log->codes[i] == code) {
            log->counts[i]++;
            return false;
        }
    }
    if (log->n == CIA402_EMCY_CODES) {
        log->others++;
        return false;
    }
    log->codes[log->n] = code;
    log->counts[log->n++] = 1;
    return true;
}

static size_t add(char *text, size_t size, size_t used, const char *what, uint64_t count)
{
    int n = used < size ? snprintf(text + used, size - used, "%s%s %llu times", used ? ", " : "",
                                   what, (unsigned long long)count)
                        : 0;
    return used + (size_t)(n > 0 ? n : 0);
}

bool cia402_emcy_sum_up(struct cia402_emcy_log *log, bool is_end, dpl_ns now, char *ret_text,
                        size_t size)
{
    size_t used = 0;
    if (log->n == 0 || !(is_end || (log->is_over && now - log->since > QUIET))) {
        return false;
    }
    for (size_t i = 0; i < log->n; i++) {
        char code[8];
        snprintf(code, sizeof code, "%04X", log->codes[i]);
        used = log->counts[i] > 1 ? add(ret_text, size, used, code, log->counts[i]) : used;
    }
    used = log->others > 0 ? add(ret_text, size, used, "others", log->others) : used;
    *log = (struct cia402_emcy_log){0};
    return used > 0;
}
