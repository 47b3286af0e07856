/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism as a robot of a world: see mechanism_robot.h. */
#include "mechanism_robot.h"

#include "arena.h"
#include "bullet_state.h"
#include "object_xml.h"

static void check_parts(const struct dpl_sim_mechanism *mechanism,
                        void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                        void *user)
{
    dpl__bullet_check_parts(mechanism, DPL_SEVERITY_ERROR, report, user);
}

bool dpl__mechanism_robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                               const char *file, struct dpl_sim_model *model,
                               struct dpl_sim_robot *ret_robot)
{
    struct dpl_sim_objects *objects = dpl_arena_alloc(model->memory, sizeof *objects);
    double step_s = dpl_ns_to_s(model->step);
    if (!dpl__objects_read(reader, root, file, step_s, check_parts, model->memory, objects)) {
        return false;
    }
    *ret_robot = (struct dpl_sim_robot){
        .subsystem = &dpl_bullet_subsystem,
        .part = &objects->mechanism,
    };
    return true;
}
