/* SPDX-License-Identifier: Apache-2.0 */
/* See urg_replies.h. */
#include "urg_replies.h"

#include <stdio.h>
#include <string.h>

/* The strings of the UST-10LX are from documents of its users; its serial number is invented. */
static const struct urg_identity identities[] = {
    {
        .name = "URG-04LX",
        .model = "URG-04LX(Hokuyo Automatic Co.,Ltd.)",
        .vendor = "Hokuyo Automatic Co.,Ltd.",
        .product = "SOKUIKI Sensor URG-04LX",
        .firmware = "3.4.03 (emulated by Doppel)",
        .protocol = "SCIP 2.0",
        .serial = "H0000042",
        .healthy = "Sensor works well.",
        .line = "USB",
    },
    {
        .name = "UTM-30LX",
        .model = "UTM-30LX(Hokuyo Automatic Co.,Ltd.)",
        .vendor = "Hokuyo Automatic Co.,Ltd.",
        .product = "SOKUIKI Sensor TOP-URG UTM-30LX",
        .firmware = "1.16.02 (emulated by Doppel)",
        .protocol = "SCIP 2.0",
        .serial = "H0000030",
        .healthy = "Sensor works well.",
        .line = "USB",
        .has_echoes = true,
    },
    {
        .name = "UST-10LX",
        .model = "UST-10LX",
        .vendor = "Hokuyo Automatic Co., Ltd.",
        .product = "UST-10LX",
        .firmware = "2.23.0000",
        .protocol = "SCIP 2.2",
        .serial = "H0000010",
        .healthy = "sensor is working normally",
        .line = "Ethernet 100[Mbps]",
        .has_echoes = true,
        .tells_state = true,
    },
};

const struct urg_identity *urg_identity_of(const char *name)
{
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        if (strcmp(identities[i].name, name) == 0) {
            return &identities[i];
        }
    }
    return NULL;
}

void urg_answer(struct urg_scanner *urg, const struct dpl_scip_request *request, const char *status,
                dpl_ns now)
{
    char out[DPL_SCIP_MAX_REQUEST + 16];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    dpl_scip_write_status(&writer, request->text, request->length, status);
    urg->refusals += strcmp(status, DPL_SCIP_OK) != 0;
    urg->config.send(urg->config.user, out, writer.length, now);
}

void urg_refuse_line(struct urg_scanner *urg, struct dpl_scip_line line, const char *status,
                     dpl_ns now)
{
    char out[DPL_SCIP_MAX_REQUEST + 16];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    if (urg->is_scip11) {
        dpl_scip_write_scip11(&writer, line.text, line.length, 'E');
    } else {
        dpl_scip_write_status(&writer, line.text, line.length, status);
    }
    urg->refusals++;
    urg->config.send(urg->config.user, out, writer.length, now);
}

static void answer_lines(struct urg_scanner *urg, const struct dpl_scip_request *request,
                         const char *const *lines, size_t n, dpl_ns now)
{
    char out[1024];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    dpl_scip_write_info(&writer, request, lines, n);
    urg->config.send(urg->config.user, out, writer.length, now);
}

void urg_answer_version(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    const struct urg_identity *is = urg->config.identity;
    char text[5][64];
    snprintf(text[0], sizeof text[0], "VEND:%s", is->vendor);
    snprintf(text[1], sizeof text[1], "PROD:%s", is->product);
    snprintf(text[2], sizeof text[2], "FIRM:%s", is->firmware);
    snprintf(text[3], sizeof text[3], "PROT:%s", is->protocol);
    snprintf(text[4], sizeof text[4], "SERI:%s", is->serial);
    const char *lines[] = {text[0], text[1], text[2], text[3], text[4]};
    answer_lines(urg, request, lines, sizeof lines / sizeof lines[0], now);
}

uint32_t urg_stamp_of(const struct urg_scanner *urg, dpl_ns time)
{
    return (uint32_t)((time - urg->clock_zero) / DPL_MS) & 0xffffffu;
}

void urg_answer_state(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now)
{
    const struct urg_identity *is = urg->config.identity;
    char model[DPL_SCIP_MAX_MODEL + 8], speed[48], baud[48], time[32], status[64];
    snprintf(model, sizeof model, "MODL:%s", urg->config.geometry.model);
    snprintf(speed, sizeof speed, "SCSP:%u", urg->config.geometry.rpm);
    bool is_serial = strcmp(is->line, "USB") == 0;
    snprintf(baud, sizeof baud, "SBPS:%s",
             is_serial && urg->config.is_ethernet ? "Ethernet" : is->line);
    snprintf(time, sizeof time, "TIME:%06X", urg_stamp_of(urg, now));
    snprintf(status, sizeof status, "STAT:%s", is->healthy);
    const char *lines[] = {
        model,  urg->is_laser_on ? "LASR:ON" : "LASR:OFF",
        speed,  urg->is_streaming ? "MESM:Measuring" : "MESM:Idle",
        baud,   time,
        status,
    };
    answer_lines(urg, request, lines, sizeof lines / sizeof lines[0], now);
}

/* The states that hosts of a UST-10LX use: 000 standby, 002 time adjustment, 003 single scan, 004
 * multi scan, 005 sleep. */
void urg_answer_condition(struct urg_scanner *urg, const struct dpl_scip_request *request,
                          dpl_ns now)
{
    if (!urg->config.identity->tells_state) {
        urg_answer(urg, request, DPL_SCIP_UNKNOWN, now);
        return;
    }
    char out[32];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    const char *condition = urg->is_asleep      ? "005"
                            : urg->is_time_mode ? "002"
                            : urg->is_streaming ? "004"
                            : urg->is_laser_on  ? "003"
                                                : "000";
    dpl_scip_write_condition(&writer, request, condition);
    urg->config.send(urg->config.user, out, writer.length, now);
}

void urg_answer_parameters(struct urg_scanner *urg, const struct dpl_scip_request *request,
                           dpl_ns now)
{
    char out[512];
    struct dpl_scip_writer writer = dpl_scip_writer_on(out, sizeof out);
    dpl_scip_write_parameters(&writer, request, &urg->config.geometry);
    urg->config.send(urg->config.user, out, writer.length, now);
}
