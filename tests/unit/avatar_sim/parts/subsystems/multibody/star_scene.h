/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format that a test writes into a folder of its own. A test
 * begins with scene_begin and ends with scene_end. */
#ifndef DOPPEL_TEST_STAR_SCENE_H
#define DOPPEL_TEST_STAR_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "star_text.h"
#include "world_reading.h"

static char scene_folder[32], scene_json[64], scene_xml[64], scene_still[64], scene_land[64];

static inline void scene_begin(void)
{
    snprintf(scene_folder, sizeof scene_folder, "/tmp/doppel_star_XXXXXX");
    cr_assert_not_null(mkdtemp(scene_folder));
    snprintf(scene_json, sizeof scene_json, "%s/world.json", scene_folder);
    snprintf(scene_xml, sizeof scene_xml, "%s/scene.xml", scene_folder);
    snprintf(scene_land, sizeof scene_land, "%s/land.pgm", scene_folder);
    snprintf(scene_still, sizeof scene_still, "%s/still.xml", scene_folder);
}

static inline void scene_end(void)
{
    reading_end();
    unlink(scene_json);
    unlink(scene_xml);
    unlink(scene_still);
    unlink(scene_land);
    rmdir(scene_folder);
}

/* What is in `parameters` and `assembly` of a world in SI units; the step in s. */
static inline void scene_open(const char *integrator, double step, const char *parameters,
                              const char *assembly)
{
    static char text[16384];
    int n = snprintf(text, sizeof text,
                     "{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', "
                     "'length': 'meters', 'mass': 'kilograms', 'time': 'seconds'}, %s, "
                     "'integrator': {'type': '%s', 'time_step': %g}}, "
                     "'assembly': {'a': {%s}}}",
                     parameters, integrator, step, assembly);
    cr_assert_lt((size_t)n, sizeof text);
    star_text_write(scene_json, text);
    int err = dpl_sim_read_world(&arena, scene_json, NULL, &model, &diags);
    cr_assert_eq(err, 0, "%s", reading_first());
    reading_make();
}

static inline void scene_run(double seconds)
{
    dpl_world_run_until(world, dpl_world_now(world) + dpl_ns_from_s(seconds));
}

/* Element i of a channel of numbers. */
static inline double scene_value(const char *path, int i)
{
    double values[8] = {0.0};
    cr_assert_eq(get(path, values, NULL), 0, "%s", path);
    return values[i];
}

static inline int64_t scene_count(const char *path)
{
    int64_t value = 0;
    cr_assert_eq(get(path, &value, NULL), 0, "%s", path);
    return value;
}

#endif
