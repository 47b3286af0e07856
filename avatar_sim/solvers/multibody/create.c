/* SPDX-License-Identifier: Apache-2.0 */
/* From a graph to a system that can move, and its state back to a graph. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

static const double CRITICAL_STIFFNESS = 1e4;

static void *alloc_from_heap(void *user, size_t bytes)
{
    return calloc(1, bytes);
}

static void give_to_heap(void *user, void *block)
{
    free(block);
}

/* Gears keep what the displacements at the start make. */
static void start_gears(struct dpl__mb *m)
{
    for (int c = 0; c < m->n_chords; c++) {
        struct dpl__mb_chord *chord = &m->chords[c];
        if (chord->gear >= 0) {
            chord->constant = m->joints[chord->ends[0]].displacement[0] +
                              chord->ratio * m->joints[chord->ends[1]].displacement[0];
        }
    }
}

/* Stiffness and damping of limits that nobody gave: from the inertia along the joint now. */
static void choose_limits(struct dpl__mb *m)
{
    for (int j = 0; j < m->n_joints; j++) {
        struct dpl__mb_joint *joint = &m->joints[j];
        if (!joint->limit.is_there || joint->role < 0 || joint->limit.stiffness > 0.0) {
            continue;
        }
        double inertia = dpl__mb_inertia_along(m, joint);
        joint->limit.stiffness = CRITICAL_STIFFNESS * inertia;
        if (!(joint->limit.damping > 0.0)) {
            joint->limit.damping = 2.0 * sqrt(joint->limit.stiffness * inertia);
        }
    }
}

/* Rounding makes pivots of loops without any mass no less than this. */
static const double NO_INERTIA = 1e-100;

/* Whether something has a coordinate but no inertia along it. */
static int check_inertia(struct dpl__mb *m, const struct dpl__mb_making *making)
{
    dpl__mb_evaluate(m);
    for (int k = m->n_clusters - 1; k >= 0; k--) { /* what is outermost spoils all inside */
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        int link = cluster->first;
        bool light = false;
        double sum = 0.0;
        for (int i = 0; i < cluster->n; i++) {
            for (int d = 0; d < 6; d++) {
                sum = fmax(sum, fabs(m->articulated[link + i][8 * d + dpl__mb_lane(d)]));
            }
        }
        if (cluster->n_chords > 0) {
            int f = cluster->n - cluster->rank;
            for (int i = 0; i < f; i++) {
                light |= !(cluster->d[i * f + i] > fmax(1e-7 * sqrt(sum), NO_INERTIA));
            }
        } else if (m->kernel[link] != DPL__MB_FREE) {
            light = !(1.0 / m->d[link] > 1e-14 * sum) || !isfinite(m->a[link]);
        } else {
            light = !(m->mass[link] > 0.0) || !isfinite(m->a[m->floats[m->float_of[link]].v]);
        }
        if (light) {
            char path[DPL_DIAG_TEXT_MAX / 2];
            struct dpl_place place = {0};
            int joint = m->joint_of[link];
            if (joint >= 0) {
                place.line = making->graph->joints[joint].line;
                place.column = making->graph->joints[joint].column;
                dpl_mb_path(making->graph, DPL_MB_JOINT, joint, path, sizeof path);
            } else {
                dpl_mb_path(making->graph, DPL_MB_BODY, m->floats[m->float_of[link]].body, path,
                            sizeof path);
            }
            return dpl_fail(making->reterr, -EINVAL, place,
                            "what '%s' moves has no mass or no moment of inertia", path);
        }
    }
    return 0;
}

/* Takes displacements, velocities and time over from a system of the same graph. */
static void copy_state(struct dpl__mb *m, const struct dpl_mb_system *from)
{
    for (int j = 0; j < m->n_joints && j < from->m->n_joints; j++) {
        struct dpl__mb_joint *joint = &m->joints[j];
        struct dpl_mb_joint_state state;
        if (joint->role < 0 || from->m->joints[j].type != joint->type ||
            dpl_mb_joint(from, j, &state) < 0) {
            continue;
        }
        memcpy(joint->displacement, state.displacement, sizeof joint->displacement);
        memcpy(joint->velocity, state.velocity, sizeof joint->velocity);
        if (joint->motor.mode != DPL_MB_MOTOR_NONE &&
            from->m->joints[j].motor.mode != DPL_MB_MOTOR_NONE) {
            joint->motor.mode = from->m->joints[j].motor.mode;
            joint->setpoint = from->m->joints[j].setpoint;
        }
        memcpy(joint->applied, from->m->joints[j].applied, sizeof joint->applied);
    }
    for (int b = 0; b < m->n_bodies && b < from->m->n_bodies; b++) {
        memcpy(m->push[b], from->m->push[b], sizeof m->push[b]);
        m->drags[b] = from->m->drags[b];
    }
    m->is_pushed = from->m->is_pushed;
    m->time = from->m->time;
}

static int start(struct dpl__mb *m, const struct dpl_mb_system *from,
                 const struct dpl__mb_making *making)
{
    size_t bytes = dpl__mb_assemble_numbers(m) * sizeof(double);
    double *scratch = m->memory.take(m->memory.user, bytes);
    if (!scratch) {
        return dpl_fail(making->reterr, -ENOMEM, (struct dpl_place){0}, "no memory is left");
    }
    start_gears(m);
    if (from) {
        copy_state(m, from);
    }
    dpl__mb_list_acting(m);
    dpl__mb_list_driven(m);
    dpl__mb_start(m);
    int result = dpl__mb_close_all(m, scratch, making);
    m->memory.give(m->memory.user, scratch);
    if (result < 0) {
        return result;
    }
    dpl__mb_start_floats(m, from);
    choose_limits(m);
    return check_inertia(m, making);
}

static bool makes_sense(double setting)
{
    return setting >= 0.0 && isfinite(setting);
}

int dpl_mb_system_create(const struct dpl_mb_graph *graph, const struct dpl_mb_settings *settings,
                         const struct dpl_mb_system *from,
                         void (*report)(void *user, const struct dpl_diag *diag), void *report_user,
                         struct dpl_mb_system **ret_system, struct dpl_diag *reterr)
{
    struct dpl_mb_settings chosen = settings ? *settings : (struct dpl_mb_settings){0};
    struct dpl_mb_memory memory = chosen.memory;
    if (!makes_sense(chosen.relative) || !makes_sense(chosen.absolute) ||
        !makes_sense(chosen.repartition)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "tolerances and the limit of repartition are 0 or more");
    }
    if (!memory.take) {
        memory = (struct dpl_mb_memory){alloc_from_heap, give_to_heap, NULL};
    }
    struct dpl__mb_sketch *sketch;
    int result = dpl__mb_sketch_create(graph, report, report_user, &memory, &sketch, reterr);
    if (result < 0) {
        return result;
    }
    struct dpl_mb_system *system;
    result = dpl__mb_build(sketch, &chosen, &memory, &system);
    memory.give(memory.user, sketch);
    if (result < 0) {
        return dpl_fail(reterr, result, (struct dpl_place){0}, "no memory is left");
    }
    const struct dpl__mb_making making = {graph, report, report_user, reterr};
    result = start(system->m, from, &making);
    if (result < 0) {
        dpl_mb_system_destroy(system);
        return result;
    }
    *ret_system = system;
    return 0;
}

void dpl_mb_system_destroy(struct dpl_mb_system *system)
{
    if (system) {
        struct dpl_mb_memory memory = system->m->memory;
        memory.give(memory.user, system->m->block);
    }
}

void dpl_mb_store(const struct dpl_mb_system *system, struct dpl_mb_graph *graph)
{
    for (size_t i = 0; i < graph->n_joints; i++) {
        struct dpl_mb_joint *joint = &graph->joints[i];
        struct dpl_mb_joint_state state;
        if (joint->is_removed || joint->type == DPL_MB_RIGID ||
            dpl_mb_joint(system, (int)i, &state) != 0) {
            continue;
        }
        if (joint->type == DPL_MB_FLOAT) {
            joint->place = state.place;
        } else {
            memcpy(joint->displacement, state.displacement, sizeof joint->displacement);
        }
        memcpy(joint->velocity, state.velocity, sizeof joint->velocity);
    }
}
