/* SPDX-License-Identifier: Apache-2.0 */
/* See gear.h. */
#include "gear.h"

#include <math.h>

static const struct dpl_field gear_fields[] = {
    DPL_NUMBER(struct dpl__gear, ratio, "ratio", NULL, NULL, -1e6, 1e6,
               "turns of the shaft a turn of the joint; of a travel: rad a m"),
    DPL_NUMBER(struct dpl__gear, efficiency, "efficiency", NULL, "1", 0.01, 1.0,
               "share of the power that the gear passes on"),
};

static const struct dpl_field rotor_fields[] = {
    DPL_NUMBER(struct dpl__gear, rotor, "inertia", "kg m^2", "0", 0.0, 1e6,
               "about the shaft; the joint gets ratio^2 times it"),
    DPL_NUMBER(struct dpl__gear, friction, "friction", "N m", "0", 0.0, 1e6,
               "at the shaft, against its motion"),
};

void dpl__gear_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__gear *gear = reader->target;
    if (dpl_element_fields(reader, node, gear_fields, DPL_COUNT(gear_fields), gear) &&
        gear->ratio == 0.0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the ratio of a <gear> cannot be 0");
    }
}

void dpl__rotor_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl_element_fields(reader, node, rotor_fields, DPL_COUNT(rotor_fields), reader->target);
}

const struct dpl_element_table dpl__gear_table = DPL_ELEMENT_TABLE(gear_fields);
const struct dpl_element_table dpl__rotor_table = DPL_ELEMENT_TABLE(rotor_fields);

double dpl__gear_share(const struct dpl__gear *gear, const struct dpl__gear_step *step)
{
    struct dpl_sim_burden burden = dpl__gear_burden(gear);
    double passes = step->effort;
    if (!step->rotor_is_apart) {
        passes -= burden.inertia * (step->speed - step->speed_before) / step->dt;
        passes -= step->speed < 0.0 ? -burden.friction : burden.friction;
    }
    return passes * step->speed < 0.0 ? 1.0 / gear->efficiency : gear->efficiency;
}

struct dpl_sim_burden dpl__gear_burden(const void *settings)
{
    const struct dpl__gear *gear = settings;
    return (struct dpl_sim_burden){
        .inertia = gear->rotor * gear->ratio * gear->ratio,
        .friction = gear->friction * fabs(gear->ratio),
        .has_losses = gear->efficiency < 1.0,
    };
}
