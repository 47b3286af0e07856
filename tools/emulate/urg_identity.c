/* SPDX-License-Identifier: Apache-2.0 */
/* The identity of each model. The strings of the UST-10LX are from documents of its users; its
 * serial number is invented. */
#include "urg_identity.h"

#include <stddef.h>
#include <string.h>

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
