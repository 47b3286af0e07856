/* SPDX-License-Identifier: Apache-2.0 */
/* Reading lists of numbers from a world, whole or page by page: see world_plan.h. */
#include "world_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/outline.h>

/* A constant list that was read. */
struct list {
    double *numbers; /* [n], NULL: none */
    size_t n;
};

static int find(struct dpl_link *link, const char *path, struct dpl_channel *ret_channel,
                struct dpl_diag *reterr)
{
    struct dpl_channel_want want = {.path = path, .type = &dpl_channel_vector};
    return dpl_link_find(link, &want, ret_channel, reterr);
}

/* Appends a constant to the list. */
static int append(struct list *list, struct dpl_channel channel)
{
    size_t n = channel.desc->size;
    double *numbers = realloc(list->numbers, (list->n + n + 1) * sizeof *numbers);
    if (!numbers) {
        return -ENOMEM;
    }
    list->numbers = numbers;
    int err = n > 0 ? dpl_channel_get(channel, numbers + list->n, NULL) : 0;
    list->n += err < 0 ? 0 : n;
    return err;
}

static int append_pages(struct list *list, struct dpl_link *link, const char *name)
{
    for (int page = 1;; page++) {
        char path[DPL_CHANNEL_PATH_MAX];
        struct dpl_channel channel;
        snprintf(path, sizeof path, "/%s/%d/page", name, page);
        int err = find(link, path, &channel, NULL);
        if (err == -ENOENT && page > 1) {
            return 0;
        }
        err = err < 0 ? err : append(list, channel);
        if (err < 0) {
            return err;
        }
    }
}

/* To be freed also after an error. */
static int read_list(struct dpl_link *link, const char *name, struct list *list,
                     struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX];
    struct dpl_channel channel;
    struct dpl_diag why = {0};
    snprintf(path, sizeof path, "/%s", name);
    int err = find(link, path, &channel, &why);
    if (err == -EMSGSIZE && append_pages(list, link, name) == 0) {
        return 0;
    }
    err = err < 0 ? err : append(list, channel);
    return err < 0 ? dpl_fail(reterr, err, why.place, "the world does not publish its %s: %s", name,
                              why.text)
                   : 0;
}

static bool has(const struct list *list, int number)
{
    for (size_t i = 0; i < list->n; i++) {
        if (list->numbers[i] == (double)number) {
            return true;
        }
    }
    return false;
}

/* A laser does not see what is transparent. */
static int cut_outlines(struct world_plan *plan, const struct list *solids,
                        const struct list *transparent, double height_m)
{
    size_t most = plan->n_objects * DPL_SIM_OUTLINES_A_SOLID;
    struct dpl_sim_outline *cut = calloc(most + 1, sizeof *cut);
    plan->outlines = calloc(most + 1, sizeof *plan->outlines);
    int n = -ENOMEM;
    if (cut && plan->outlines) {
        n = dpl_sim_outlines((const double(*)[DPL_SIM_SOLID_NUMBERS])solids->numbers,
                             plan->n_objects, height_m, cut, most);
    }
    for (int i = 0; i < n; i++) {
        if (!has(transparent, cut[i].object)) {
            plan->outlines[plan->n_outlines++] = (struct dpl_floor_plan_outline){
                cut[i].x, cut[i].y, cut[i].dx, cut[i].dy, cut[i].radius, cut[i].object};
        }
    }
    free(cut);
    return n < 0 ? n : 0;
}

/* The names one after the other; where there are too few, the rest has none. */
static int split_names(struct world_plan *plan, const struct list *bytes)
{
    plan->text = calloc(bytes->n + 1, 1);
    plan->names = calloc(plan->n_objects + 1, sizeof *plan->names);
    if (!plan->text || !plan->names) {
        return -ENOMEM;
    }
    size_t object = 0, begin = 0;
    for (size_t i = 0; i < bytes->n; i++) {
        double byte = bytes->numbers[i];
        bool ends = byte == DPL_SIM_NAME_END;
        plan->text[i] = (char)(ends || !(byte >= 0.0 && byte < 256.0) ? 0 : (unsigned char)byte);
        if (ends && object < plan->n_objects) {
            plan->names[object++] = &plan->text[begin];
            begin = i + 1;
        }
    }
    while (object < plan->n_objects) {
        plan->names[object++] = "";
    }
    return 0;
}

/* A world of an older version has no names, most have nothing transparent. */
static int read_if_there(struct dpl_link *link, const char *name, struct list *list,
                         struct dpl_diag *reterr)
{
    int err = read_list(link, name, list, reterr);
    return err == -ENOENT ? 0 : err;
}

int world_plan_read(struct dpl_link *link, double height_m, struct world_plan *ret_plan,
                    struct dpl_diag *reterr)
{
    struct world_plan plan = {0};
    struct list solids = {0}, names = {0}, transparent = {0};
    int err = read_list(link, DPL_SIM_OBSTACLES, &solids, reterr);
    err = err < 0 ? err : read_if_there(link, DPL_SIM_OBSTACLE_NAMES, &names, reterr);
    err = err < 0 ? err : read_if_there(link, DPL_SIM_TRANSPARENT, &transparent, reterr);
    if (err == 0) {
        plan.n_objects = solids.n / DPL_SIM_SOLID_NUMBERS;
        err = cut_outlines(&plan, &solids, &transparent, height_m);
        err = err < 0 ? err : split_names(&plan, &names);
        err = err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0},
                                 "the world's obstacles cannot be read")
                      : 0;
    }
    free(solids.numbers);
    free(names.numbers);
    free(transparent.numbers);
    if (err < 0) {
        world_plan_finish(&plan);
        return err;
    }
    *ret_plan = plan;
    return 0;
}

void world_plan_finish(struct world_plan *plan)
{
    free(plan->outlines);
    free(plan->names);
    free(plan->text);
    *plan = (struct world_plan){0};
}
