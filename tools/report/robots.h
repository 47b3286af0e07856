/* SPDX-License-Identifier: Apache-2.0 */
/* Which components of a run move a robot in the plane. They are found by what they are (device
 * class, types of ports, recorded values), not by their names. */
#ifndef DOPPEL_REPORT_ROBOTS_H
#define DOPPEL_REPORT_ROBOTS_H

#include <stdbool.h>

#include <jansson.h>

#include "table.h"

enum { ROBOTS_MAX = 16, ROBOT_NAME_SIZE = 96 };

struct robot {
    char name[ROBOT_NAME_SIZE];  /* of its component */
    char tag[ROBOT_NAME_SIZE];   /* its columns are TAG.x, TAG.y and more */
    char sync[ROBOT_NAME_SIZE];  /* the tag of the component that keeps its avatar; "": none */
    char truth[ROBOT_NAME_SIZE]; /* of the component that tells its true pose; "": none */
    const json_t *component;     /* of the record; NULL: there is none */
};

/* The robots of a trace and of the run's record (run.json; NULL: a run without, then columns alone
 * tell). Returns how many there are, at most `most`. Borrows the record. */
size_t robots_find(const struct table *trace, const json_t *record, struct robot *ret_robots,
                   size_t most);

/* The column TAG.LEAF, or -1. */
int robots_column(const struct table *trace, const char *tag, const char *leaf);

/* A device of a robot, from the record: its device's side ("hardware", "simulation"), or the device
 * itself where it has no sides. NULL: unknown. Borrowed. */
const json_t *robot_device(const struct robot *robot, const char *side);

/* A property of a component or device of the record, as text; "": it has no such one. */
const char *robots_property(const json_t *owner, const char *name);

/* A text of an object; "": none. */
const char *robots_text(const json_t *object, const char *key);

#endif
