/* SPDX-License-Identifier: Apache-2.0 */
/* Finds instances and scopes by their names. */
#include <string.h>

#include "build.h"

/* ---- instances ---- */

struct dpl__instance *dpl__build_find_instance(const struct dpl__builder *builder, const char *name)
{
    for (struct dpl__instance *i = builder->instances; i; i = i->next) {
        if (strcmp(i->name, name) == 0) {
            return i;
        }
    }
    return NULL;
}

const char *dpl__build_nearest_instance(const struct dpl__builder *builder, const char *name)
{
    const char *names[DPL__INSTANCES_MAX], *ends[DPL__INSTANCES_MAX];
    size_t n = 0;
    for (const struct dpl__instance *i = builder->instances; i; i = i->next) {
        const char *dot = strrchr(i->name, '.');
        names[n] = i->name;
        ends[n++] = dot ? dot + 1 : i->name;
    }
    const char *nearest = dpl_nearest(name, names, n);
    if (nearest) {
        return nearest;
    }
    nearest = dpl_nearest(name, ends, n);
    const struct dpl__instance *found = builder->instances;
    for (size_t i = 0; found && ends[i] != nearest; i++) {
        found = found->next;
    }
    return found ? found->name : NULL;
}

struct dpl__instance *dpl__build_instance_before_dot(const struct dpl__builder *builder,
                                                     const char *text, size_t *ret_n)
{
    struct dpl__instance *found = NULL;
    for (struct dpl__instance *i = builder->instances; i; i = i->next) {
        size_t n = strlen(i->name);
        if (strncmp(text, i->name, n) == 0 && text[n] == '.' && (!found || n > *ret_n)) {
            found = i;
            *ret_n = n;
        }
    }
    return found;
}

/* ---- scopes ---- */

/* The entry at the start of a dotted name; *ret_rest: the text after its dot, "" for none. */
static const struct dpl__entry *entry_before_dot(const struct dpl__scope *scope, const char *name,
                                                 const char **ret_rest)
{
    size_t n = strcspn(name, ".");
    *ret_rest = name[n] == '.' ? name + n + 1 : "";
    const struct dpl__entry *entry = scope ? scope->entries : NULL;
    while (entry && (strlen(entry->name) != n || strncmp(entry->name, name, n) != 0)) {
        entry = entry->next;
    }
    return entry;
}

bool dpl__build_may_be_absent(const struct dpl__scope *scope, const char *name)
{
    const struct dpl__entry *entry;
    while ((entry = entry_before_dot(scope, name, &name)) && entry->scope) {
        scope = entry->scope;
    }
    return entry && !entry->instance;
}

const struct dpl__scope *dpl__build_scope_before_dot(const struct dpl__scope *scope,
                                                     const char *name)
{
    const struct dpl__entry *entry;
    const struct dpl__scope *found = NULL;
    while ((entry = entry_before_dot(scope, name, &name)) && entry->scope) {
        found = scope = entry->scope;
    }
    return found;
}

const struct dpl__instance *dpl__build_instance_at(const struct dpl__builder *builder, size_t index)
{
    const struct dpl__instance *instance = builder->instances;
    while (instance && instance->index != index) {
        instance = instance->next;
    }
    return instance;
}
