/* SPDX-License-Identifier: Apache-2.0 */
/* <rate_group>: checks the members, which share one thread and time base. */
#include <string.h>

#include "build.h"

static struct dpl_place first_known(struct dpl_place place, const struct dpl__instance *instance)
{
    return place.file ? place : instance->execution_places.rate_group;
}

static bool is_in(const struct dpl__instance *instance, const char *group)
{
    return instance->execution.rate_group && strcmp(instance->execution.rate_group, group) == 0;
}

/* The first component of the group of `member`. */
static const struct dpl__instance *first_with(const struct dpl__builder *builder,
                                              const struct dpl__instance *member)
{
    for (const struct dpl__instance *i = builder->instances; i; i = i->next) {
        if (is_in(i, member->execution.rate_group)) {
            return i;
        }
    }
    return member;
}

static void check_scheduling(struct dpl__builder *builder, const struct dpl__instance *first,
                             const struct dpl__instance *other)
{
    const struct dpl_app_execution *a = &first->execution, *b = &other->execution;
    const struct dpl__execution_places *places = &other->execution_places;
    const struct {
        bool differs;
        const char *what;
        struct dpl_place place;
    } checks[] = {
        {a->priority != b->priority, "priority", places->priority},
        {a->policy != b->policy, "policy", places->policy},
        {a->affinity != b->affinity, "affinity", places->affinity},
    };
    for (size_t i = 0; i < DPL_COUNT(checks); i++) {
        if (checks[i].differs) {
            dpl__build_error(builder, first_known(checks[i].place, other),
                             "<%s>: '%.60s' and '%.60s' are of the rate group '%.60s', one thread, "
                             "and differ",
                             checks[i].what, other->name, first->name, a->rate_group);
        }
    }
}

/* If a class is not on this machine, its period may be unknown. */
static void check_periods(struct dpl__builder *builder, const struct dpl__instance *first)
{
    const char *group = first->execution.rate_group;
    const struct dpl__instance *shortest = NULL;
    for (const struct dpl__instance *i = first; i; i = i->next) {
        if (is_in(i, group) && i->execution.period > 0 &&
            (!shortest || i->execution.period < shortest->execution.period)) {
            shortest = i;
        }
    }
    for (const struct dpl__instance *i = first; i && shortest; i = i->next) {
        if (is_in(i, group) && i->execution.period % shortest->execution.period != 0) {
            dpl__build_error(builder, first_known(i->execution_places.period, i),
                             "<period>: %.13g ms of '%.60s' is no whole multiple of %.13g ms of "
                             "'%.60s', the shortest of the rate group '%.60s'",
                             (double)i->execution.period / 1e6, i->name,
                             (double)shortest->execution.period / 1e6, shortest->name, group);
        }
    }
}

void dpl__build_rates(struct dpl__builder *builder)
{
    for (const struct dpl__instance *i = builder->instances; i; i = i->next) {
        if (!i->execution.rate_group) {
            continue;
        }
        if (i->execution.type != DPL_EXECUTION_PERIODIC_SHARED) {
            dpl__build_error(builder, i->execution_places.rate_group,
                             "<rate_group>: '%.60s' is not periodic-shared; only such components "
                             "run in a rate group",
                             i->name);
        }
        const struct dpl__instance *first = first_with(builder, i);
        if (first == i) {
            check_periods(builder, first);
        } else {
            check_scheduling(builder, first, i);
        }
    }
}
