/* SPDX-License-Identifier: Apache-2.0 */
/* Files from a recording: a part of it, or what --out would have written. Block, allocate. */
#ifndef DOPPEL_RECORDED_BAG_WRITE_H
#define DOPPEL_RECORDED_BAG_WRITE_H

#include <stddef.h>

#include <doppel/diag.h>

#define BAG_TROUBLE_MAX 256 /* bytes of a text of bag_trouble (bag.h) */

struct bag_cut {
    const char *output;
    double from_s, to_s;       /* of the run, both included */
    const char *const *topics; /* patterns as of a shell; none: all */
    size_t n_topics;
    void (*tell)(double share); /* how much is done, 0 to 1, at each message; NULL: nobody asks */
};

/* Writes messages of a time and of some topics to another recording, with attachments and metadata,
 * as they are; a part of the time without summary.json, and with what holds at its beginning
 * (/scene). *ret_trouble: what is missing of it. -errno with reterr; -EINVAL: no topic fits, or no
 * message. */
int bag_cut(const char *file, const struct bag_cut *cut, char *ret_trouble,
            struct dpl_diag *reterr);

/* Adds the whole recording to *ret_bytes (bytes.h, the caller's) with chunks that are not
 * compressed: who reads it has less to do. `tell`, and what it returns: as bag_cut. */
struct dpl_bytes;
int bag_unpack(const char *file, void (*tell)(double share), struct dpl_bytes *ret_bytes,
               char *ret_trouble, struct dpl_diag *reterr);

/* Writes the files that bag_text makes into a folder, which is made. What the recording has
 * nothing for is left out; without trace and scans -ENOENT. */
int bag_convert(const char *file, const char *folder, char *ret_trouble, struct dpl_diag *reterr);

#endif
