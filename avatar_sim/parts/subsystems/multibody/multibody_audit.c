/* SPDX-License-Identifier: Apache-2.0 */
/* Energies, works and momentum of a mechanism: see multibody_audit.h. */
#include "multibody_audit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody_state.h"

struct motor {
    int joint;
    double before, work; /* W, J */
    char name[DPL_DIAG_TEXT_MAX / 4];
};

struct dpl_multibody_audit {
    const struct dpl_multibody_robot *robot;
    const struct dpl_mb_system *system; /* another one after an assembly was switched */
    struct motor *motors;               /* [n_motors] */
    size_t n_motors;
    double applied, damped;               /* W before the step */
    struct dpl_multibody_pressed pressed; /* of contacts, before the step */
};

static struct dpl_multibody_robot *find(const struct dpl_world *world, int number)
{
    const struct dpl_multibody_world *data = dpl_world_subsystem(world, &dpl_multibody_subsystem);
    for (size_t i = 0; data && i < data->n_robots; i++) {
        if (data->robots[i].robot == number) {
            return &data->robots[i];
        }
    }
    return NULL;
}

static void note_before(struct dpl_multibody_audit *audit)
{
    audit->system = audit->robot->system;
    audit->applied = dpl_mb_applied_power(audit->system);
    audit->damped = dpl_mb_damped_power(audit->system);
    dpl__multibody_contacts_measure(audit->robot->contacts, audit->robot->system, &audit->pressed);
    for (size_t i = 0; i < audit->n_motors; i++) {
        audit->motors[i].before = dpl_mb_motor_power(audit->system, audit->motors[i].joint);
    }
}

int dpl__multibody_audit_create(const struct dpl_world *world, int number,
                                struct dpl_multibody_audit **ret_audit)
{
    const struct dpl_multibody_robot *robot = find(world, number);
    if (!robot) {
        return -ENOENT;
    }
    const struct dpl_mb_graph *graph = robot->graph;
    struct dpl_multibody_audit *audit = calloc(1, sizeof *audit);
    struct motor *motors = audit ? calloc(graph->n_joints + 1, sizeof *motors) : NULL;
    if (!motors) {
        free(audit);
        return -ENOMEM;
    }
    audit->robot = robot;
    audit->motors = motors;
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (!graph->joints[i].is_removed && graph->joints[i].motor.mode != DPL_MB_MOTOR_NONE) {
            struct motor *motor = &motors[audit->n_motors++];
            motor->joint = (int)i;
            dpl_mb_path(graph, DPL_MB_JOINT, (int)i, motor->name, sizeof motor->name);
        }
    }
    note_before(audit);
    *ret_audit = audit;
    return 0;
}

void dpl__multibody_audit_destroy(struct dpl_multibody_audit *audit)
{
    if (audit) {
        free(audit->motors);
        free(audit);
    }
}

void dpl__multibody_audit_take(struct dpl_multibody_audit *audit, double dt,
                               struct dpl_audit_balance *inout_balance, bool *inout_alone)
{
    const struct dpl_mb_system *system = audit->robot->system;
    if (system != audit->system) {
        inout_balance->is_touched = true;
        *inout_alone = false;
        note_before(audit);
    }
    double half = 0.5 * dt;
    for (size_t i = 0; i < audit->n_motors; i++) {
        struct motor *motor = &audit->motors[i];
        double work = half * (motor->before + dpl_mb_motor_power(system, motor->joint));
        motor->work += work;
        inout_balance->work += work;
    }
    inout_balance->work += half * (audit->applied + dpl_mb_applied_power(system));
    inout_balance->damped += half * (audit->damped + dpl_mb_damped_power(system));
    inout_balance->open = fmax(inout_balance->open, dpl_mb_residual(system));
    double taken = audit->pressed.taken;
    *inout_alone &= !dpl_mb_is_pushed(system) && audit->pressed.points == 0;
    note_before(audit);
    *inout_alone &= audit->pressed.points == 0;
    inout_balance->damped += half * (taken + audit->pressed.taken);
}

/* ---- sums ---- */

/* The mass of what moves, and its product with the places of its centres. */
static double centres(const struct dpl_multibody_robot *robot, struct dpl_vector3 *ret_first)
{
    double mass = 0.0, first[3] = {0.0, 0.0, 0.0};
    for (size_t b = 1; b < robot->graph->n_bodies; b++) {
        const struct dpl_mb_body *body = &robot->graph->bodies[b];
        struct dpl_mb_body_state state;
        if (body->is_removed || dpl_mb_body(robot->system, (int)b, &state) != 0) {
            continue;
        }
        mass += body->mass;
        for (int i = 0; i < 3; i++) {
            const double *row = &state.place.rotation[3 * i];
            first[i] += body->mass * (state.place.position[i] + row[0] * body->centre[0] +
                                      row[1] * body->centre[1] + row[2] * body->centre[2]);
        }
    }
    *ret_first = (struct dpl_vector3){first[0], first[1], first[2]};
    return mass;
}

void dpl__multibody_audit_sum(const struct dpl_multibody_audit *audit,
                              struct dpl_multibody_sums *ret_sums)
{
    const struct dpl_multibody_robot *robot = audit->robot;
    const double *gravity = robot->graph->gravity;
    double linear[3], angular[3], springs = dpl_mb_springs(robot->system);
    struct dpl_vector3 first;
    struct dpl_multibody_pressed pressed;
    dpl__multibody_contacts_measure(robot->contacts, robot->system, &pressed);
    *ret_sums = (struct dpl_multibody_sums){
        .energy = {.kinetic = dpl_mb_kinetic(robot->system),
                   .potential = dpl_mb_potential(robot->system) - springs,
                   .springs = springs + pressed.energy},
        .mass = centres(robot, &first),
    };
    dpl_mb_momentum(robot->system, linear, angular);
    double mass = ret_sums->mass;
    ret_sums->momentum = (struct dpl_vector3){linear[0], linear[1], linear[2]};
    ret_sums->angular = (struct dpl_vector3){angular[0], angular[1], angular[2]};
    ret_sums->weight =
        (struct dpl_vector3){mass * gravity[0], mass * gravity[1], mass * gravity[2]};
    if (mass > 0.0) {
        struct dpl_vector3 centre = dpl_vector3_times(first, 1.0 / mass);
        ret_sums->angular =
            dpl_vector3_minus(ret_sums->angular, dpl_vector3_cross(centre, ret_sums->momentum));
    }
}

static bool is_fixed(const struct dpl_mb_graph *graph, const int frames[2])
{
    return graph->frames[frames[0]].body == 0 || graph->frames[frames[1]].body == 0;
}

bool dpl__multibody_audit_is_held(const struct dpl_multibody_audit *audit)
{
    const struct dpl_mb_graph *graph = audit->robot->graph;
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (!graph->joints[i].is_removed && graph->joints[i].type != DPL_MB_FLOAT &&
            is_fixed(graph, graph->joints[i].frames)) {
            return true;
        }
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        const struct dpl_mb_restraint *restraint = &graph->restraints[i];
        if (!restraint->is_removed && restraint->joint < 0 && is_fixed(graph, restraint->frames)) {
            return true;
        }
    }
    return false;
}

bool dpl__multibody_audit_joint(const struct dpl_multibody_audit *audit, size_t i,
                                struct dpl_audit_joint *ret_joint)
{
    for (size_t k = 0; k < audit->n_motors; k++) {
        if (audit->motors[k].work != 0.0 && i-- == 0) {
            *ret_joint = (struct dpl_audit_joint){audit->motors[k].name, 0, audit->motors[k].work};
            return true;
        }
    }
    return false;
}
