/* SPDX-License-Identifier: Apache-2.0 */
/* What stands still in a world, as constants: solids and names. See obstacle_channels.h. */
#include "obstacle_channels.h"

#include <stdio.h>
#include <string.h>

#include <doppel/sim/outline.h>
#include <doppel/sim/subsystem.h>

/* A list of numbers, some of which are written. */
struct slice {
    double *to;           /* NULL: none is wanted */
    size_t first, end, n; /* wanted: first .. end - 1; n: there are so many so far */
};

static void add(struct slice *slice, double value)
{
    if (slice->to && slice->n >= slice->first && slice->n < slice->end) {
        slice->to[slice->n - slice->first] = value;
    }
    slice->n++;
}

/* ---- the lists ---- */

static void list_solids(const struct dpl_sim_model *model, struct slice *slice)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        const struct dpl_sim_shape *shape = &model->obstacles[i].shape;
        const double values[DPL_SIM_SOLID_NUMBERS] = {
            shape->kind,   shape->x,      shape->y,      shape->z,      shape->yaw,   shape->size_x,
            shape->size_y, shape->size_z, shape->radius, shape->height, shape->lying,
        };
        for (size_t k = 0; k < DPL_SIM_SOLID_NUMBERS; k++) {
            add(slice, values[k]);
        }
    }
}

/* Its name, or one made of its kind and number in `buffer`. */
static const char *name_of(const struct dpl_sim_model *model, size_t obstacle,
                           char buffer[DPL_SIM_NAME_SIZE])
{
    static const char *const kinds[] = {[DPL_SIM_BOX] = "box",
                                        [DPL_SIM_SPHERE] = "sphere",
                                        [DPL_SIM_CYLINDER] = "cylinder",
                                        [DPL_SIM_CAPSULE] = "capsule"};
    const struct dpl_sim_obstacle *o = &model->obstacles[obstacle];
    if (o->name[0] != '\0') {
        return o->name;
    }
    snprintf(buffer, DPL_SIM_NAME_SIZE, "%s %zu", kinds[o->shape.kind], obstacle + 1);
    return buffer;
}

/* Bytes of UTF-8; a control character would end the name too early. */
static void list_names(const struct dpl_sim_model *model, struct slice *slice)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        char buffer[DPL_SIM_NAME_SIZE];
        for (const char *c = name_of(model, i, buffer); *c != '\0'; c++) {
            unsigned char byte = (unsigned char)*c;
            add(slice, byte < ' ' ? ' ' : byte);
        }
        add(slice, DPL_SIM_NAME_END);
    }
}

static void list_transparent(const struct dpl_sim_model *model, struct slice *slice)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        if (model->obstacles[i].transparent) {
            add(slice, (double)i);
        }
    }
}

typedef void (*list_fn)(const struct dpl_sim_model *model, struct slice *slice);

static size_t length_of(const struct dpl_sim_model *model, list_fn list)
{
    struct slice slice = {0};
    list(model, &slice);
    return slice.n;
}

/* ---- channels: page 0 is the whole list ---- */

static struct slice slice_of(size_t n, int page)
{
    if (page == 0) {
        return (struct slice){.end = n};
    }
    size_t first = (size_t)(page - 1) * DPL_SIM_PAGE_NUMBERS, end = first + DPL_SIM_PAGE_NUMBERS;
    return (struct slice){.first = first, .end = end < n ? end : n};
}

static void describe(const struct dpl_world *world, list_fn list, int page,
                     struct dpl_channel_desc *inout)
{
    struct slice slice = slice_of(length_of(dpl_world_model(world), list), page);
    inout->size = (uint32_t)(slice.end - slice.first);
}

static int get(const struct dpl_world *world, list_fn list, int page, double *ret_value)
{
    const struct dpl_sim_model *model = dpl_world_model(world);
    struct slice slice = slice_of(length_of(model, list), page);
    slice.to = ret_value;
    list(model, &slice);
    return 0;
}

static void describe_solids(const struct dpl_world *world, int page, struct dpl_channel_desc *inout)
{
    describe(world, list_solids, page, inout);
}

static int get_solids(const struct dpl_world *world, int page, void *ret_value, dpl_ns *inout_stamp)
{
    *inout_stamp = 0;
    return get(world, list_solids, page, ret_value);
}

static void describe_names(const struct dpl_world *world, int page, struct dpl_channel_desc *inout)
{
    describe(world, list_names, page, inout);
}

static int get_names(const struct dpl_world *world, int page, void *ret_value, dpl_ns *inout_stamp)
{
    *inout_stamp = 0;
    return get(world, list_names, page, ret_value);
}

static void describe_transparent(const struct dpl_world *world, int page,
                                 struct dpl_channel_desc *inout)
{
    describe(world, list_transparent, page, inout);
}

static int get_transparent(const struct dpl_world *world, int page, void *ret_value,
                           dpl_ns *inout_stamp)
{
    *inout_stamp = 0;
    return get(world, list_transparent, page, ret_value);
}

#define LIST_ROWS(solids_, names_, what_)                                                          \
    {                                                                                              \
        DPL_CHANNEL_READ(solids_, &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 0,              \
                         "what stands still, each as doppel/sim/outline.h says" what_, get_solids, \
                         describe_solids),                                                         \
            DPL_CHANNEL_READ(names_, &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 0,           \
                             "their names: bytes, 10 ends each" what_, get_names, describe_names), \
    }

static const struct dpl_channel_row whole_rows[] =
    LIST_ROWS(DPL_SIM_OBSTACLES, DPL_SIM_OBSTACLE_NAMES, "");
static const struct dpl_channel_table whole_table = {whole_rows, 2};

static const struct dpl_channel_row transparent_rows[] = {
    DPL_CHANNEL_READ(DPL_SIM_TRANSPARENT, &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 0,
                     "numbers of those that sensors see through", get_transparent,
                     describe_transparent),
};
static const struct dpl_channel_table transparent_table = {transparent_rows, 1};

static const struct dpl_channel_row page_rows[] =
    LIST_ROWS("page", "page", "; one page of the list");

static void add_pages(struct dpl_world_channels *channels, const struct dpl_channel_row *row,
                      size_t n, const char *name)
{
    const struct dpl_channel_table table = {row, 1};
    size_t pages = (n + DPL_SIM_PAGE_NUMBERS - 1) / DPL_SIM_PAGE_NUMBERS;
    for (size_t page = 1; pages > 1 && page <= pages; page++) {
        dpl__channels_add(channels, &table, (int)page, "%s/%zu", name, page);
    }
}

void dpl__obstacle_channels_add(struct dpl_world_channels *channels,
                                const struct dpl_sim_model *model)
{
    dpl__channels_add(channels, &whole_table, 0, "%s", "");
    add_pages(channels, &page_rows[0], length_of(model, list_solids), DPL_SIM_OBSTACLES);
    add_pages(channels, &page_rows[1], length_of(model, list_names), DPL_SIM_OBSTACLE_NAMES);
    if (length_of(model, list_transparent) > 0) {
        dpl__channels_add(channels, &transparent_table, 0, "%s", "");
    }
}
