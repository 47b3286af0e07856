/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway that records topics to MCAP files. Both times of a message are its stamp on the run's
 * clock. A chunk is at most a second long: what a crash loses is not more. A disk that is full ends
 * the file, not the run, which is told at once.
 *
 * One file has the whole run; or the run is split into a series (mcap_series.h); or each trigger
 * has a file of a series, with the time before it and after it. Files of a series have all that
 * explains the run, and begin with what holds. Or there is no file until one is asked for (save),
 * of the last time. */
#ifndef DPL_GATEWAYS_MCAP_GATEWAY_H
#define DPL_GATEWAYS_MCAP_GATEWAY_H

#include <doppel/host/gateway.h>

/* Who tells what is worth a file. Both are called on the observer's thread. */
struct dpl_mcap_trigger {
    /* A topic is there: whether `holds` is to get its messages, recorded or not. */
    bool (*wants)(void *user, const struct dpl_topic *topic);
    /* Called for each message that comes. Why it is one, for people; NULL: it is none. */
    const char *(*holds)(void *user, const struct dpl_topic *topic,
                         const struct dpl_sample *sample);
    void *user;
};

struct dpl_mcap_options {
    char file[1024];
    char topics[512]; /* patterns of names (fnmatch), separated by blanks; "": all */
    int64_t chunk_kib, level;
    int64_t split_mb;                       /* a file of a series has about that much; 0: any */
    int64_t files;                          /* of a series, at most: the oldest go; 0: all stay */
    int64_t ring_mib;                       /* memory for the time before a trigger */
    double split_s, before_s, after_s;      /* of the run's time; split_s 0: any */
    double keep_s;                          /* no file but those that are asked for; 0: not so */
    const struct dpl_mcap_trigger *trigger; /* no field of the table. NULL: the whole run */
};

extern const struct dpl_gateway dpl_mcap_gateway;

#endif
