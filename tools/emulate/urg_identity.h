/* SPDX-License-Identifier: Apache-2.0 */
/* What each model of scanner says of itself. */
#ifndef EMULATE_URG_IDENTITY_H
#define EMULATE_URG_IDENTITY_H

#include <stdbool.h>

struct urg_identity {
    const char *name;    /* as dpl_scip_geometry_of knows it */
    const char *model;   /* of PP and II */
    const char *vendor;  /* of VV */
    const char *product; /* of VV */
    const char *firmware;
    const char *protocol;
    const char *serial;
    const char *healthy; /* of II: what it says when all is well */
    const char *line;    /* of II: of its own interface; over TCP always Ethernet */
    bool has_echoes;     /* knows the H and N families */
    bool tells_state;    /* knows %ST */
};

/* Static storage; NULL for a name that is not a model's. */
const struct urg_identity *urg_identity_of(const char *name);

#endif
