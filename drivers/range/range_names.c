/* SPDX-License-Identifier: Apache-2.0 */
/* See range_names.h. */
#include "range_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/text_check.h>

/* The next name from *text on, which moves behind it: its length; 0: the end. */
static size_t next_name(const char **text, const char **ret_name)
{
    *ret_name = *text + strspn(*text, " \t\r\n");
    size_t n = strcspn(*ret_name, " \t\r\n");
    *text = *ret_name + n;
    return n;
}

static size_t split(const char *text, char names[DPL_RANGE_MAX][DPL_RANGE_ID_SIZE])
{
    const char *name;
    size_t n = 0, length;
    while (n < DPL_RANGE_MAX && (length = next_name(&text, &name)) > 0) {
        snprintf(names[n++], DPL_RANGE_ID_SIZE, "%.*s", (int)length, name);
    }
    return n;
}

static bool is_there(const char *name, const char (*names)[DPL_RANGE_ID_SIZE], size_t n,
                     size_t *ret)
{
    for (*ret = 0; *ret < n; ++*ret) {
        if (strcmp(names[*ret], name) == 0) {
            return true;
        }
    }
    return false;
}

int range_names_check(const char *text, struct dpl_diag *reterr)
{
    char names[DPL_RANGE_MAX][DPL_RANGE_ID_SIZE];
    const char *at = text, *name;
    size_t n = 0, length, same;
    while ((length = next_name(&at, &name)) > 0) {
        if (n == DPL_RANGE_MAX) {
            return dpl_check_fail(text, name, "more than 8 names", reterr);
        }
        if (!dpl_range_line_is_id(name, length)) {
            return dpl_check_fail(text, name,
                                  "a name has letters, digits and _, at most 15 of them", reterr);
        }
        snprintf(names[n], sizeof names[n], "%.*s", (int)length, name);
        if (is_there(names[n], (const char(*)[DPL_RANGE_ID_SIZE])names, n, &same)) {
            return dpl_check_fail(text, name, "the name is there twice", reterr);
        }
        n++;
    }
    return 0;
}

struct range_names range_names_of(const char *ranges, const char *contacts)
{
    struct range_names names = {0};
    names.n_ranges = split(ranges, names.ranges);
    names.n_contacts = split(contacts, names.contacts);
    return names;
}

size_t range_names_wants(const struct range_names *names, struct dpl_channel *distance,
                         struct dpl_channel *seen, struct dpl_channel *on,
                         struct avatar_want ret_wants[RANGE_WANTS_MAX])
{
    const struct dpl_channel_type *number = &dpl_channel_number, *flag = &dpl_channel_flag;
    size_t n = 0;
    for (size_t i = 0; i < names->n_ranges; i++) {
        const char *name = names->ranges[i];
        ret_wants[n++] = (struct avatar_want){name, "distance", number, "m", false, &distance[i]};
        ret_wants[n++] = (struct avatar_want){name, "seen", flag, NULL, false, &seen[i]};
    }
    for (size_t i = 0; i < names->n_contacts; i++) {
        ret_wants[n++] = (struct avatar_want){names->contacts[i], "on", flag, NULL, false, &on[i]};
    }
    return n;
}

struct dpl_range_sample range_names_no_sample(const struct range_names *names)
{
    struct dpl_range_sample sample = {.n_ranges = names->n_ranges, .n_contacts = names->n_contacts};
    for (size_t i = 0; i < DPL_RANGE_MAX; i++) {
        sample.ranges_m[i] = (double)INFINITY;
        sample.range_stamps[i] = sample.contact_stamps[i] = -1;
    }
    return sample;
}

bool range_names_apply(const struct range_names *names, const struct dpl_range_line *line,
                       dpl_ns stamp, struct dpl_range_sample *inout)
{
    size_t i;
    if (line->is_contact) {
        if (!is_there(line->id, names->contacts, names->n_contacts, &i)) {
            return false;
        }
        inout->contacts[i] = line->value;
        inout->contact_stamps[i] = stamp;
        return true;
    }
    if (!is_there(line->id, names->ranges, names->n_ranges, &i)) {
        return false;
    }
    inout->ranges_m[i] = line->value;
    inout->range_stamps[i] = stamp;
    return true;
}
