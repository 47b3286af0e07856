/* SPDX-License-Identifier: Apache-2.0 */
/* What the log says of the bus of the driver `cia402` and of its drives. */
#include "cia402_bus.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define QUIET DPL_S /* codes that come and go faster are counted together */

void cia402_report(const struct cia402_bus *bus, enum dpl_log_level level, const char *format, ...)
{
    char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bus->config.log(bus->config.user, level, text);
}

/* Attempts continue without limit; each reason is logged once. */
void cia402_report_failure(struct cia402_bus *bus, int axis)
{
    const struct cia402_node *node = &bus->nodes[axis];
    bool is_new = strcmp(bus->failures[axis], node->problem) != 0;
    memcpy(bus->failures[axis], node->problem, sizeof bus->failures[axis]);
    cia402_report(bus, is_new ? DPL_LOG_WARN : DPL_LOG_DEBUG, "axis %d (node %u): %s", axis + 1,
                  node->id, node->problem);
}

/* A message has come, code 0: no error any more. True: it must be logged. */
static bool hear_emergency(struct cia402_emcy_log *log, uint16_t code, dpl_ns now)
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

static size_t add_count(char *text, size_t size, size_t used, const char *what, uint64_t count)
{
    int n = used < size ? snprintf(text + used, size - used, "%s%s %llu times", used ? ", " : "",
                                   what, (unsigned long long)count)
                        : 0;
    return used + (size_t)(n > 0 ? n : 0);
}

/* The codes that came more than once, as "8110 312 times, 7300 2 times", when the error has ended,
 * or `is_end`; then all counts are reset. False: there is nothing to log. */
static bool sum_up_emergencies(struct cia402_emcy_log *log, bool is_end, dpl_ns now, char *ret_text,
                               size_t size)
{
    size_t used = 0;
    if (log->n == 0 || !(is_end || (log->is_over && now - log->since > QUIET))) {
        return false;
    }
    for (size_t i = 0; i < log->n; i++) {
        char code[8];
        snprintf(code, sizeof code, "%04X", log->codes[i]);
        used = log->counts[i] > 1 ? add_count(ret_text, size, used, code, log->counts[i]) : used;
    }
    used = log->others > 0 ? add_count(ret_text, size, used, "others", log->others) : used;
    *log = (struct cia402_emcy_log){0};
    return used > 0;
}

void cia402_report_emergency(struct cia402_bus *bus, int axis, dpl_ns now)
{
    const struct cia402_node *node = &bus->nodes[axis];
    if (hear_emergency(&bus->emergencies[axis], node->error, now)) {
        cia402_report(bus, DPL_LOG_WARN, "axis %d (node %u): emergency %04X, %s", axis + 1,
                      node->id, node->error, dpl_canopen_emcy_name(node->error));
    }
}

void cia402_report_emergencies_again(struct cia402_bus *bus, int axis, bool is_end, dpl_ns now)
{
    char text[160];
    if (sum_up_emergencies(&bus->emergencies[axis], is_end, now, text, sizeof text)) {
        cia402_report(bus, DPL_LOG_WARN, "axis %d (node %u): emergencies came again: %s", axis + 1,
                      bus->nodes[axis].id, text);
    }
}

/* Logs the identity once, and again when it changes. */
void cia402_report_identity(struct cia402_bus *bus, int axis)
{
    const struct cia402_node *node = &bus->nodes[axis];
    const struct cia402_identity *identity = &node->identity;
    if (memcmp(identity, &bus->identities[axis], sizeof *identity) == 0) {
        return;
    }
    bus->identities[axis] = *identity;
    cia402_report(bus, DPL_LOG_INFO,
                  "axis %d (node %u): %s, vendor %Xh, product %Xh, revision %Xh, serial %u",
                  axis + 1, node->id,
                  identity->name[0] != '\0' ? identity->name : "a drive without a name",
                  identity->numbers[CIA402_VENDOR], identity->numbers[CIA402_PRODUCT],
                  identity->numbers[CIA402_REVISION], identity->numbers[CIA402_SERIAL]);
}
