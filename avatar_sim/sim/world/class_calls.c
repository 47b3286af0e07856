/* SPDX-License-Identifier: Apache-2.0 */
/* See class_calls.h. */
#include "class_calls.h"

#include <errno.h>
#include <stdio.h>

#include "classes.h"

enum { WHO_SIZE = 4 * DPL_SIM_NAME_SIZE };

static const struct dpl_place nowhere;

int dpl__class_answer(int given, const char *call, const char *who, const struct dpl_diag *why,
                      struct dpl_diag *reterr)
{
    if (given == 0) {
        return 0;
    }
    if (given == -ENOMEM) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "%s: out of memory", who);
    }
    if (given != -EINVAL) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "%s: %s gives %d, expected 0, -EINVAL (%d) or -ENOMEM (%d)", who, call,
                        given, -EINVAL, -ENOMEM);
    }
    if (why->text[0] == '\0') {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s refuses, and gives no reason", who);
    }
    return dpl_fail(reterr, -EINVAL, why->place, "%s", why->text);
}

/* ---- entries ---- */

/* "sensor 'needle' (compass) of robot 'arm'" */
static void name_entry(char ret_who[WHO_SIZE], const struct dpl_sim_entry *entry, const char *robot)
{
    snprintf(ret_who, WHO_SIZE, "%s%s%.63s%s (%.63s)%s%.63s%s",
             dpl__entry_kinds[entry->class_->phase], entry->name[0] ? " '" : "", entry->name,
             entry->name[0] ? "'" : "", entry->class_->name, robot ? " of robot '" : "",
             robot ? robot : "", robot ? "'" : "");
}

static void name_site(char ret_who[WHO_SIZE], const struct dpl_sim_site *site)
{
    name_entry(ret_who, site->entry, site->model->robots[site->robot].name);
}

int dpl__entry_check(const struct dpl_sim_entry *entry, const struct dpl_sim_mechanism *mechanism,
                     struct dpl_diag *reterr)
{
    const struct dpl_sim_entry_class *class = entry->class_;
    struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    name_entry(who, entry, NULL);
    int given = class->check ? class->check(entry->settings, &why) : 0;
    if (given == 0 && mechanism && class->attach) {
        given = class->attach(entry->settings, mechanism, &why);
        return dpl__class_answer(given, "attach", who, &why, reterr);
    }
    return dpl__class_answer(given, "check", who, &why, reterr);
}

int dpl__entry_build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct dpl_sim_entry_class *class = site->entry->class_;
    struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    name_site(who, site);
    int given = class->build ? class->build(state, site, &why) : 0;
    return dpl__class_answer(given, "build", who, &why, reterr);
}

int dpl__entry_connect(void *state, const struct dpl_sim_site *site,
                       const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    name_site(who, site);
    int given = site->entry->class_->connect(state, site, channels, &why);
    return dpl__class_answer(given, "connect", who, &why, reterr);
}

/* ---- subsystems ---- */

static void name_subsystem(char ret_who[WHO_SIZE], const struct dpl_subsystem_class *class)
{
    snprintf(ret_who, WHO_SIZE, "subsystem '%.63s'", class->name);
}

int dpl__subsystem_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    snprintf(who, sizeof who, "subsystem '%.63s' of robot '%.63s'", robot->subsystem->name,
             robot->name);
    int given = robot->subsystem->check(robot, &why);
    return dpl__class_answer(given, "check", who, &why, reterr);
}

int dpl__subsystem_build(const struct dpl_subsystem_class *class, void *data,
                         const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    name_subsystem(who, class);
    return dpl__class_answer(class->build(data, site, &why), "build", who, &why, reterr);
}

int dpl__subsystem_built(const struct dpl_subsystem_class *class, void *data,
                         struct dpl_diag *reterr)
{
    const struct dpl_diag why = {.text = ""};
    char who[WHO_SIZE];
    name_subsystem(who, class);
    return dpl__class_answer(class->built ? class->built(data) : 0, "built", who, &why, reterr);
}
