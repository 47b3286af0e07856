/* SPDX-License-Identifier: Apache-2.0 */
/* The identity that each model of scanner reports. */
#ifndef EMULATE_URG_IDENTITY_H
#define EMULATE_URG_IDENTITY_H

#include <stdbool.h>

struct urg_identity {
    const char *name;    /* name for dpl_scip_geometry_of */
    const char *model;   /* of PP and II */
    const char *vendor;  /* of VV */
    const char *product; /* of VV */
    const char *firmware;
    const char *protocol;
    const char *serial;
    const char *healthy; /* of II: the text when there is no error */
    const char *line;    /* of II: name of its interface; over TCP always Ethernet */
    bool has_echoes;     /* supports the H and N families */
    bool tells_state;    /* supports %ST */
};

/* Static storage; NULL for an unknown model. */
const struct urg_identity *urg_identity_of(const char *name);

#endif
