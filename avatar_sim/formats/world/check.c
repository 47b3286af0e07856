/* SPDX-License-Identifier: Apache-2.0 */
/* Checking files by reading them. */
#include <doppel/sim/check.h>

#include <errno.h>
#include <string.h>

#include <doppel/sim/import.h>
#include <doppel/sim/load.h>
#include <doppel/sim/multibody_world.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/plan.h>

#include "multibody_part.h"
#include "world_xml.h"
#include "xml_reader.h"

struct step_notes {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
};

/* The name of its file is the model's. */
static void note_step(void *user, const struct dpl_diag *diag)
{
    const struct step_notes *notes = user;
    struct dpl_place place = diag->place;
    place.file = dpl_arena_printf(notes->arena, "%s", diag->place.file);
    dpl_diags_add(notes->diags, diag->severity, place, "%s", diag->text);
}

/* Files that are near to what is read here, and what makes one of them; NULL: none of these. */
static const char *what_it_is(const struct dpl_xml_node *root)
{
    static const struct {
        const char *root, *text;
    } known[] = {
        {"gazebo", "this is SDF before version 1.3, convert it: gz sdf -p FILE > new.sdf"},
        {"gazebo:world",
         "this is a world of Gazebo before SDF: no program converts it, write it as SDF"},
        {"launch", "this is a launch file of ROS; the robot's file is named in it"},
        {"mujoco", "this is MuJoCo's MJCF, which is not read; URDF and SDF are"},
        {"model", "a <model> of SDF has to be in <sdf version=\"...\">"},
        {"COLLADA", "this is a mesh; a URDF or SDF names it in <mesh>"},
    };
    bool is_xacro = strncmp(root->name, "xacro:", 6) == 0;
    for (size_t i = 0; i < root->n_attributes; i++) {
        is_xacro |= strcmp(root->attributes[i].name, "xmlns:xacro") == 0;
    }
    if (is_xacro) {
        return "this is a xacro file, expand it first: xacro FILE > robot.urdf";
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(root->name, known[i].root) == 0) {
            return known[i].text;
        }
    }
    return NULL;
}

int dpl_sim_check(struct dpl_arena *diags_arena, const char *file, const char *root,
                  const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                  const char **ret_about)
{
    *ret_about = NULL;
    if (strcmp(root, "world") == 0 || dpl__world_is_star(file)) {
        struct dpl_sim_model *model = NULL;
        int err = dpl_sim_read_world(diags_arena, file, options, &model, diags);
        if (err == 0) {
            struct step_notes notes = {diags_arena, diags};
            err = dpl__multibody_check(diags_arena, model, diags, ret_about);
            if (err == 0) {
                dpl_sim_check_steps(model, note_step, &notes);
            }
            dpl_sim_model_destroy(model);
        }
        return err;
    }
    if (strcmp(root, "robot_model") == 0) {
        static struct dpl_sim_robot robot; /* large; only looked at */
        return dpl_sim_read_robot_with(diags_arena, file, options, &robot, diags);
    }
    if (strcmp(root, "test_plan") == 0) {
        return dpl_sim_check_plan(diags_arena, file, options, diags);
    }
    static const char *const roots[] = {
        "component_profile",
        "composite_component_profile",
        "package_profile",
        "application_profile",
        "service_port_type_profile",
        "data_type",
        "binding_profile",
        "world",
        "robot_model",
        "mechanism",
        "RigidObject",
        "test_plan",
        "robot",
    };
    const char *near = dpl_nearest(root, roots, sizeof roots / sizeof roots[0]);
    const struct dpl_xml_node *node = NULL;
    struct dpl_place place = {file, 1, 1};
    if (dpl_xml_read_file(diags_arena, file, &node, NULL) == 0) {
        place = node->place;
    }
    if (node && (dpl_sim_is_objects(node) || dpl_sim_is_import(node))) {
        struct dpl_sim_objects objects;
        int err = dpl_sim_is_import(node)
                      ? dpl_sim_read_import(diags_arena, file, NULL, &objects, diags)
                      : dpl_sim_read_objects(diags_arena, file, options, &objects, diags);
        *ret_about = err ? NULL : dpl_sim_describe_objects(diags_arena, &objects);
        return err;
    }
    const char *cause = node ? what_it_is(node) : NULL;
    if (cause) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, place, "found root element <%.60s>: %s", root,
                      cause);
        return -EINVAL;
    }
    dpl_diags_add(diags, DPL_SEVERITY_ERROR, place,
                  "found root element <%s>, expected that of a profile, a world, a robot, a "
                  "mechanism or a test plan%s%s%s",
                  root, near ? ", did you mean <" : "", near ? near : "", near ? ">?" : "");
    return -EINVAL;
}
