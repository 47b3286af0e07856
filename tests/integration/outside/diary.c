/* SPDX-License-Identifier: Apache-2.0 */
/* A gate outside of the tree: a diary that commands a channel and writes a line every n-th
 * boundary. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/part.h>
#include <doppel/sim/gate.h>
#include <doppel/sim/world.h>

struct settings {
    char file[256], channel[128];
    double value;
    int64_t every;
};

static const struct dpl_field fields[] = {
    DPL_TEXT(struct settings, file, "file", NULL, "that it writes"),
    DPL_TEXT(struct settings, channel, "channel", NULL, "that it commands"),
    DPL_NUMBER(struct settings, value, "value", NULL, "0", -1e9, 1e9, "of the channel"),
    DPL_INT(struct settings, every, "every", "1", 1, 1000000, "boundaries a line"),
};

struct diary {
    struct dpl_gate_site site;
    FILE *file;
    size_t channel;
    int64_t n;
};

static int open_diary(const struct dpl_gate_site *site, void **ret_gate, struct dpl_diag *reterr)
{
    const struct settings *settings = site->settings;
    size_t n, i = 0;
    const struct dpl_channel_desc *all = dpl_world_channels_describe(site->channels, &n);
    while (i < n && !dpl_name_equal(all[i].path, settings->channel)) {
        i++;
    }
    if (i == n || !site->claim(site->claim_user, i)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "diary: cannot command '%s'",
                        settings->channel);
    }
    struct diary *diary = calloc(1, sizeof *diary);
    if (diary) {
        *diary = (struct diary){*site, fopen(settings->file, "w"), i, 0};
    }
    if (!diary || !diary->file) {
        free(diary);
        site->unclaim(site->claim_user, i);
        return dpl_fail(reterr, -EIO, (struct dpl_place){.file = settings->file},
                        "cannot be written");
    }
    *ret_gate = diary;
    return 0;
}

static void boundary(void *gate)
{
    struct diary *diary = gate;
    const struct settings *settings = diary->site.settings;
    (void)dpl_world_channels_put(diary->site.channels, diary->channel, &settings->value);
    if (diary->n++ % settings->every == 0) {
        fprintf(diary->file, "%" PRId64 "\n", dpl_world_now(diary->site.world));
    }
}

static void close_diary(void *gate)
{
    struct diary *diary = gate;
    diary->site.unclaim(diary->site.claim_user, diary->channel);
    fclose(diary->file);
    free(diary);
}

static const struct dpl_gate diary_gate = {
    .name = "diary",
    .summary = "writes when the world has moved",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .open = open_diary,
    .boundary = boundary,
    .close = close_diary,
};

const struct dpl_part dpl_part = DPL_PART(diary_gate);
