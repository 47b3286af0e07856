/* SPDX-License-Identifier: Apache-2.0 */
/* What the log says of the bus of the driver `cia402` and of its drives. */
#include "cia402_bus.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void cia402_report_emergency(struct cia402_bus *bus, int axis, dpl_ns now)
{
    const struct cia402_node *node = &bus->nodes[axis];
    if (cia402_emcy_hear(&bus->emergencies[axis], node->error, now)) {
        cia402_report(bus, DPL_LOG_WARN, "axis %d (node %u): emergency %04X, %s", axis + 1,
                      node->id, node->error, dpl_canopen_emcy_name(node->error));
    }
}

void cia402_report_emergencies_again(struct cia402_bus *bus, int axis, bool is_end, dpl_ns now)
{
    char text[160];
    if (cia402_emcy_sum_up(&bus->emergencies[axis], is_end, now, text, sizeof text)) {
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
