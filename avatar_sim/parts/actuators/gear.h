/* SPDX-License-Identifier: Apache-2.0 */
/* What is between the shaft of a motor and its joint: children <gear> and <rotor> of a <Motor>. */
#ifndef DOPPEL_SIM_GEAR_H
#define DOPPEL_SIM_GEAR_H

#include <doppel/sim/entry.h>

#include "element.h"

/* The first member of a motor's settings. */
struct dpl__gear {
    double ratio;      /* speed of the shaft per speed of the joint: 1; of a travel 1/m */
    double efficiency; /* above 0, at most 1 */
    double rotor;      /* kg m^2 */
    double friction;   /* N m at the shaft, against its motion */
};

extern const struct dpl_element_table dpl__gear_table, dpl__rotor_table;
void dpl__gear_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);
void dpl__rotor_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Rows of a list of children. */
#define DPL__GEAR_KINDS                                                                            \
    {"gear", dpl__gear_read, 1, &dpl__gear_table, "between the shaft and the joint"},              \
    {                                                                                              \
        "rotor", dpl__rotor_read, 1, &dpl__rotor_table, "what turns with the shaft"                \
    }

/* What a gear is that is not given: for `unset` of the settings. */
#define DPL__GEAR_UNSET                                                                            \
    {                                                                                              \
        .ratio = 1.0, .efficiency = 1.0                                                            \
    }

/* What is known at the beginning of a step, at the joint. */
struct dpl__gear_step {
    double effort;              /* ratio * (torque of the motor at its shaft) */
    double speed, speed_before; /* of the joint now, and one step ago */
    double dt;                  /* s */
    bool rotor_is_apart;        /* the effort is what the rotor passes on: it has a play */
};

/* A gear takes its share of the power that passes it, in the direction in which it passes. What
 * accelerates the rotor, and the friction at the shaft, do not pass it. Returns the share of
 * effort, inertia and friction that acts on the joint: the efficiency while the motor drives, 1 /
 * efficiency while it is driven. The acceleration is that of the step before. */
double dpl__gear_share(const struct dpl__gear *gear, const struct dpl__gear_step *step);

/* rotor * ratio^2, friction * |ratio|. `burden` of classes whose settings begin with a gear. */
struct dpl_sim_burden dpl__gear_burden(const void *settings);

#endif
