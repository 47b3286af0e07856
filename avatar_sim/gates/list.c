/* SPDX-License-Identifier: Apache-2.0 */
/* What is read, the formats of worlds and their parts, and those of gates; and the gates. */
#include "formats.h"
#include "hosted_alone.h"
#include "plan_parts.h"

const struct dpl_format *const dpl__formats[] = {
    &dpl__world_format,  &dpl__robot_format, &dpl__mechanism_format,
    &dpl__object_format, &dpl__plan_format,  &dpl__urdf_format,
    &dpl__sdf_format,    &dpl__star_format,  NULL,
};

const struct dpl_gate *const dpl__gates[] = {&dpl__controllers_gate, &dpl__modbus_gate, NULL};
