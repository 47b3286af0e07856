/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that a mechanism will have: see channel_names.h. */
#include "channel_names.h"

#include <doppel/sim/channel_rows.h>

static void add(struct dpl_arena *arena, struct dpl__list *list, const char *path,
                const struct dpl_channel_type *type, enum dpl_channel_dir dir)
{
    *(struct dpl__channel_name *)dpl__list_add(arena, list, sizeof(struct dpl__channel_name)) =
        (struct dpl__channel_name){path, type, dir};
}

static void add_numbers(struct dpl_arena *arena, struct dpl__list *list, const char *under,
                        const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(arena, list, dpl_arena_printf(arena, "%s/%s", under, names[i]), &dpl_channel_number,
            DPL_CHANNEL_OUT);
    }
}

/* Of joints that couple others: a straight rope has one tension, one over a sheave two. */
static void add_coupling(struct dpl_arena *arena, struct dpl__list *list,
                         const struct dpl_sim_joint *joint)
{
    static const char *const names[] = {"tension", "tension_child", "slip"};
    bool is_rope = joint->type == DPL_JOINT_ROPE;
    if (!is_rope && joint->type != DPL_JOINT_BELT) {
        return;
    }
    bool has_sheave = is_rope && joint->rope.radius != 0.0;
    add_numbers(arena, list, joint->name, names, has_sheave ? DPL_COUNT(names) : 1);
    if (is_rope) {
        add(arena, list, dpl_arena_printf(arena, "%s/cut", joint->name), &dpl_channel_flag,
            DPL_CHANNEL_SHARED);
    }
}

static void add_joint(struct dpl_arena *arena, struct dpl__list *list,
                      const struct dpl_sim_joint *joint)
{
    static const char *const names[] = {"position", "velocity", "effort"};
    add_coupling(arena, list, joint);
    for (int k = 0; k < dpl_sim_joint_freedoms(joint->type); k++) {
        const char *under = k == 0 ? joint->name : dpl_arena_printf(arena, "%s/2", joint->name);
        add_numbers(arena, list, under, names, DPL_COUNT(names));
    }
}

void dpl__channel_names(struct dpl_arena *arena, const struct dpl__mechanism_target *target,
                        struct dpl__list *list)
{
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const char *name = mechanism->bodies[i].name;
        add(arena, list, dpl_arena_printf(arena, "%s/pose", name), &dpl_channel_pose,
            DPL_CHANNEL_OUT);
        add(arena, list, dpl_arena_printf(arena, "%s/velocity", name), &dpl_channel_vector,
            DPL_CHANNEL_OUT);
        add(arena, list, dpl_arena_printf(arena, "%s/acceleration", name), &dpl_channel_vector,
            DPL_CHANNEL_OUT);
        add(arena, list, dpl_arena_printf(arena, "%s/kinetic_energy", name), &dpl_channel_number,
            DPL_CHANNEL_OUT);
        add(arena, list, dpl_arena_printf(arena, "%s/potential_energy", name), &dpl_channel_number,
            DPL_CHANNEL_OUT);
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        add_joint(arena, list, &mechanism->joints[i]);
    }
    const struct dpl_sim_entry *entries = target->made.items;
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_channel_table *table = entries[i].class_->channels;
        for (size_t k = 0; table && k < table->n; k++) {
            const struct dpl_channel_row *row = &table->rows[k];
            add(arena, list, dpl_arena_printf(arena, "%s/%s", entries[i].name, row->name),
                row->type, row->dir);
        }
    }
}

const struct dpl__channel_name *dpl__channel_name_find(const struct dpl__list *list,
                                                       const char *path)
{
    const struct dpl__channel_name *names = list->items;
    for (size_t i = 0; i < list->n; i++) {
        if (dpl_name_equal(names[i].path, path)) {
            return &names[i];
        }
    }
    return NULL;
}

const char *dpl__channel_name_nearest(struct dpl_arena *arena, const struct dpl__list *list,
                                      const char *path)
{
    const struct dpl__channel_name *names = list->items;
    const char **paths = dpl_arena_alloc(arena, (list->n + 1) * sizeof *paths);
    for (size_t i = 0; i < list->n; i++) {
        paths[i] = names[i].path;
    }
    return dpl_nearest(path, paths, list->n);
}
