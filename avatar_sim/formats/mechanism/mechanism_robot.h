/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism as a robot of a world. */
#ifndef DOPPEL_SIM_MECHANISM_ROBOT_H
#define DOPPEL_SIM_MECHANISM_ROBOT_H

#include <doppel/sim/format.h>
#include <doppel/sim/import.h>
#include <doppel/sim/objects.h>
#include <doppel/sim/subsystem.h>

#include "classes.h"

/* Makes a robot of the expanded root of a file of objects, in the memory of the model, for steps of
 * the model. False after an error, which the reader has. */
bool dpl__mechanism_robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                               const char *file, const struct dpl__classes *classes,
                               struct dpl_sim_model *model, struct dpl_sim_robot *ret_robot);

/* Objects of a file of a format with `read`, in `memory`, for steps of `step_s`. False after an
 * error, which the reader has. */
bool dpl__format_read(struct dpl_element_reader *reader, const struct dpl_format *format,
                      const struct dpl_format_file *file, double step_s, struct dpl_arena *memory,
                      struct dpl_sim_objects *ret_objects);

/* The same as a robot, in the memory of the model. */
bool dpl__format_robot_read(struct dpl_element_reader *reader, const struct dpl_format *format,
                            const struct dpl_format_file *file, struct dpl_sim_model *model,
                            struct dpl_sim_robot *ret_robot);

/* The same of the root of a foreign format. */
bool dpl__import_robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                            const char *file, const struct dpl__classes *classes,
                            const struct dpl_sim_import_options *options,
                            struct dpl_sim_model *model, struct dpl_sim_robot *ret_robot);

#endif
