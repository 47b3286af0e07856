/* SPDX-License-Identifier: Apache-2.0 */
/* Knowing a xacro file, which makes a robot but is none yet: see import.h. */
#include "import.h"

#include <string.h>

/* What is for other programs may have `$(...)` of its own. */
static bool is_foreign(const struct dpl_xml_node *node)
{
    return strcmp(node->name, "gazebo") == 0 || strcmp(node->name, "transmission") == 0 ||
           strcmp(node->name, "plugin") == 0;
}

static bool is_expression(const char *text)
{
    return strstr(text, "${") || strstr(text, "$(");
}

static bool tell(struct dpl__import *import, struct dpl_place place, const char *format,
                 const char *found)
{
    return dpl__import_fail(import, place, format, found,
                            ": this is a xacro file, expand it first: xacro FILE > robot.urdf");
}

bool dpl__import_is_expanded(struct dpl__import *import, const struct dpl_xml_node *node)
{
    if (strncmp(node->name, "xacro:", 6) == 0) {
        return tell(import, node->place, "<%.60s>%s", node->name);
    }
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (is_expression(node->attributes[i].value)) {
            return tell(import, node->attributes[i].value_place, "'%.60s'%s",
                        node->attributes[i].value);
        }
    }
    if (is_expression(node->text)) {
        return tell(import, node->text_place, "'%.60s'%s", node->text);
    }
    bool good = true;
    for (const struct dpl_xml_node *child = node->children; child && good; child = child->next) {
        good = is_foreign(child) || dpl__import_is_expanded(import, child);
    }
    return good;
}
