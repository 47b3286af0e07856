/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the module `pictures`. */
#include "picture_module.h"

extern const struct picture_module dpl_module;

const struct picture_module dpl_module = {sizeof dpl_module, picture_draw, picture_draw_image};
