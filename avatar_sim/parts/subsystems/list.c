/* SPDX-License-Identifier: Apache-2.0 */
/* The subsystems that a world may be made of: one line for each folder beside this file. A robot's
 * model whose elements say nothing else is one of the first. */
#include "classes.h"

extern const struct dpl_subsystem_class dpl_mobile_subsystem, dpl_axes_subsystem,
    dpl_headless_subsystem, dpl_bullet_subsystem, dpl_planar_subsystem, dpl_multibody_subsystem;

const struct dpl_subsystem_class *const dpl__subsystems[] = {
    &dpl_mobile_subsystem,
    &dpl_axes_subsystem,
    &dpl_headless_subsystem,
    &dpl_bullet_subsystem,
    &dpl_planar_subsystem,
    &dpl_multibody_subsystem,
    NULL,
};
