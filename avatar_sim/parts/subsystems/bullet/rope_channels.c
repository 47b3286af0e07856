/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of ropes and belts. */
#include <doppel/field.h>
#include <doppel/sim/channel_rows.h>

#include "bullet_state.h"

static struct dpl_solver_rope_state state_of(const struct dpl_world *world, int id)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    struct dpl_solver_rope_state state;
    dpl__solver_rope_state(bullet->solver, bullet->ropes[id].number, &state);
    return state;
}

#define VALUE(name, member)                                                                        \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        (void)inout_stamp;                                                                         \
        *(double *)ret_value = state_of(world, id).member;                                         \
        return 0;                                                                                  \
    }
VALUE(tension, tension[0])
VALUE(tension_child, tension[1])
VALUE(slip, slipped)

/* A rope that was cut does not grow together when nobody wants the fault any more. */
static int put_cut(struct dpl_world *world, int id, const void *value)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    if (*(const bool *)value) {
        dpl__solver_cut_rope(bullet->solver, bullet->ropes[id].number);
    }
    return 0;
}

#define ROW(name, unit, text)                                                                      \
    DPL_CHANNEL_READ(#name, &dpl_channel_number, DPL_CHANNEL_OUT, unit, 0, text, get_##name, NULL)
#define CUT                                                                                        \
    {                                                                                              \
        .name = "cut", .type = &dpl_channel_flag, .dir = DPL_CHANNEL_SHARED,                       \
        .summary = "a fault: it is cut through, for good", .put = put_cut,                         \
    }

static const struct dpl_channel_row straight_rows[] = {
    ROW(tension, "N", "at which it pulls"),
    CUT,
};

static const struct dpl_channel_row sheave_rows[] = {
    ROW(tension, "N", "of the leg to the parent"),
    ROW(tension_child, "N", "of the leg to the child"),
    ROW(slip, "m", "how far it has slipped on the sheave, towards the child"),
    CUT,
};

static const struct dpl_channel_table straight_table = {straight_rows, DPL_COUNT(straight_rows)};
static const struct dpl_channel_table sheave_table = {sheave_rows, DPL_COUNT(sheave_rows)};

void dpl__bullet_add_rope_channels(const struct dpl_world *world,
                                   struct dpl_world_channels *channels, int number,
                                   const struct dpl_sim_joint *joint)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    const struct dpl_sim_span *span = &dpl_world_state(world)->robots[number];
    for (size_t i = 0; i < bullet->n_ropes; i++) {
        if (bullet->ropes[i].of == joint && bullet->ropes[i].span == span) {
            dpl__channels_add(channels, joint->rope.radius != 0.0 ? &sheave_table : &straight_table,
                              (int)i, "%s/%s", dpl_world_model(world)->robots[number].name,
                              joint->name);
        }
    }
}

/* ---- belts ---- */

static int get_belt_tension(const struct dpl_world *world, int id, void *ret_value,
                            dpl_ns *inout_stamp)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    (void)inout_stamp;
    *(double *)ret_value = dpl__solver_belt_tension(bullet->solver, bullet->belts[id].number);
    return 0;
}

static const struct dpl_channel_row belt_rows[] = {
    DPL_CHANNEL_READ("tension", &dpl_channel_number, DPL_CHANNEL_OUT, "N", 0,
                     "that pulls its child; below 0: pushes", get_belt_tension, NULL),
};
static const struct dpl_channel_table belt_table = {belt_rows, DPL_COUNT(belt_rows)};

void dpl__bullet_add_belt_channels(const struct dpl_world *world,
                                   struct dpl_world_channels *channels, int number,
                                   const struct dpl_sim_joint *joint)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    const struct dpl_sim_span *span = &dpl_world_state(world)->robots[number];
    for (size_t i = 0; i < bullet->n_belts; i++) {
        if (bullet->belts[i].of == joint && bullet->belts[i].span == span) {
            dpl__channels_add(channels, &belt_table, (int)i, "%s/%s",
                              dpl_world_model(world)->robots[number].name, joint->name);
        }
    }
}
