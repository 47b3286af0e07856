/* SPDX-License-Identifier: Apache-2.0 */
/* Finds two components that command the same one, e.g. one base: the last command of each cycle
 * would win. */
#include "build.h"

static const char *name_at(const struct dpl__builder *builder, size_t index)
{
    const struct dpl__instance *instance = dpl__build_instance_at(builder, index);
    return instance ? instance->name : "";
}

static bool commands(const struct dpl__builder *builder, const struct dpl_app_connection *c)
{
    const struct dpl__instance *source = dpl__build_instance_at(builder, c->source);
    return c->kind == DPL_PORT_SERVICE && source && source->class_ &&
           source->class_->ports[c->source_port].commands;
}

/* The first commander of the same component before `link`; NULL: none. */
static const struct dpl_app_connection *earlier(const struct dpl__builder *builder,
                                                const struct dpl__link *link)
{
    for (const struct dpl__link *l = builder->links; l != link; l = l->next) {
        const struct dpl_app_connection *c = &l->connection;
        if (c->target == link->connection.target && c->source != link->connection.source &&
            commands(builder, c)) {
            return c;
        }
    }
    return NULL;
}

void dpl__build_commanders(struct dpl__builder *builder)
{
    for (const struct dpl__link *l = builder->links; l; l = l->next) {
        const struct dpl_app_connection *c = &l->connection;
        const struct dpl_app_connection *first = commands(builder, c) ? earlier(builder, l) : NULL;
        if (first) {
            dpl__build_warn(builder, c->place,
                            "'%s' is commanded by '%s' here and by '%s' at %s:%d:%d: in each cycle "
                            "the last command takes effect",
                            name_at(builder, c->target), name_at(builder, c->source),
                            name_at(builder, first->source), first->place.file, first->place.line,
                            first->place.column);
        }
    }
}
