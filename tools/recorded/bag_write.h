/* SPDX-License-Identifier: Apache-2.0 */
/* Files from a recording: a part of it, or what --out would have written. Block, allocate. */
#ifndef DOPPEL_RECORDED_BAG_WRITE_H
#define DOPPEL_RECORDED_BAG_WRITE_H

#include <stddef.h>

#include <doppel/diag.h>

struct bag_cut {
    const char *output;
    double from_s, to_s;       /* of the run, both included */
    const char *const *topics; /* patterns as of a shell; none: all */
    size_t n_topics;
};

/* Writes messages of a time and of some topics to another recording, with all attachments and
 * metadata, as they are. -errno with reterr; -EINVAL: no topic fits. */
int bag_cut(const char *file, const struct bag_cut *cut, struct dpl_diag *reterr);

/* Writes the files that bag_text makes into a folder, which is made. What the recording has
 * nothing for is left out; without trace and scans -ENOENT. */
int bag_convert(const char *file, const char *folder, struct dpl_diag *reterr);

#endif
