/* SPDX-License-Identifier: Apache-2.0 */
/* What a sensor says besides its type and its place: see doppel/sim/star.h. */
#include <stdlib.h>

#include <doppel/sim/star.h>
#include <jansson.h>

void dpl_star_sensor_each(const struct dpl_star_sensor *sensor,
                          void (*take)(void *user, const char *key, const char *text), void *user)
{
    json_t *all = json_loads(sensor->other, 0, NULL);
    const char *key;
    json_t *value;
    json_object_foreach(all, key, value)
    {
        char *dumped = json_is_number(value) || json_is_boolean(value)
                           ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))
                           : NULL;
        take(user, key, json_is_string(value) ? json_string_value(value) : dumped);
        free(dumped);
    }
    json_decref(all);
}
