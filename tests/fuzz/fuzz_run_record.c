/* SPDX-License-Identifier: Apache-2.0 */
/* Robots of a run from arbitrary records: the first line has the columns of the trace, the rest is
 * run.json. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "robots.h"

static volatile size_t seen;

static void find(char *columns, const char *json)
{
    struct table table;
    struct robot robots[4];
    json_t *record = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    if (table_parse(columns, &table) == 0) {
        size_t n = robots_find(&table, record, robots, 4);
        for (size_t i = 0; i < n; i++) {
            const json_t *device = robot_device(&robots[i], "simulation");
            seen += strlen(robots_property(device, "World")) + strlen(robots[i].sync);
            if (!memchr(robots[i].name, '\0', sizeof robots[i].name)) {
                abort();
            }
        }
        table_finish(&table);
    }
    json_decref(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    char *json = strchr(text, '\n');
    if (json) {
        *json++ = '\0';
    }
    find(text, json ? json : "");
    free(text);
    return 0;
}
