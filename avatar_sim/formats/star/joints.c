/* SPDX-License-Identifier: Apache-2.0 */
/* Joints: their type, ends and axis. What they do at the start is read in joint_start.c, what
 * drives them in joint_drive.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "joints.h"
#include "reader.h"

struct dpl__star_node dpl__star_list_of(const struct dpl__star_reader *reader, int assembly,
                                        const char *key)
{
    const struct dpl__star_said *said = dpl__star_said(reader->source, DPL_MB_ASSEMBLY, assembly);
    if (!said || !said->json) {
        return (struct dpl__star_node){.json = NULL};
    }
    return dpl__star_get(reader, (struct dpl__star_node){said->json, said->value}, key);
}

/* ---- type and ends ---- */

enum { REVOLUTE = DPL_MB_JOINT_TYPES, PRISMATIC, WORDS };

static int read_type(struct dpl__star_reader *reader, struct dpl__star_node joint)
{
    const char *words[WORDS];
    memcpy(words, dpl_mb_joint_words, sizeof dpl_mb_joint_words);
    words[REVOLUTE] = "revolute";
    words[PRISMATIC] = "prismatic";
    struct dpl__star_node node = dpl__star_get(reader, joint, "type");
    if (!node.json) {
        dpl__star_error(reader, joint, "this has no \"type\"");
        return -1;
    }
    return dpl__star_word(reader, node, words, WORDS);
}

/* As a pair, or as parent and child. *ret_node: where they are. */
static bool read_ends(struct dpl__star_reader *reader, struct dpl__star_node joint, int assembly,
                      int ret_frames[2], struct dpl__star_node *ret_node)
{
    struct dpl__star_node pair = dpl__star_get(reader, joint, "body_frame_pairs");
    struct dpl__star_node ends[2] = {dpl__star_get(reader, joint, "parent"),
                                     dpl__star_get(reader, joint, "child")};
    if (pair.json) {
        *ret_node = pair;
        if (ends[0].json || ends[1].json) {
            dpl__star_error(reader, ends[0].json ? ends[0] : ends[1],
                            "the same as 'body_frame_pairs', which is there too");
            return false;
        }
        return dpl__star_read_pair(reader, pair, assembly, ret_frames);
    }
    if (!ends[0].json || !ends[1].json) {
        dpl__star_error(reader, joint,
                        "this has no ends: \"body_frame_pairs\", or \"parent\" and \"child\"");
        return false;
    }
    *ret_node = ends[1];
    for (int i = 0; i < 2; i++) {
        ret_frames[i] = dpl__star_read_end(reader, ends[i], assembly);
    }
    return ret_frames[0] >= 0 && ret_frames[1] >= 0;
}

/* Makes a type of the graph of what the file said, with its axis. */
static bool read_axis(struct dpl__star_reader *reader, struct dpl__star_node node, int type,
                      struct dpl_mb_joint *joint)
{
    bool is_general = type == REVOLUTE || type == PRISMATIC;
    bool is_z_only = type == DPL_MB_CYLINDRICAL || type == DPL_MB_SCREW;
    struct dpl__star_node axis = dpl__star_get(reader, node, "axis");
    if (!is_general) {
        joint->type = (enum dpl_mb_joint_type)type;
    }
    if (!axis.json) {
        if (is_general) {
            dpl__star_error(reader, node, "this has no \"axis\"");
        }
        return !is_general;
    }
    if (!is_general && !is_z_only) {
        dpl__star_error(reader, axis, "a joint of type '%s' has no axis to choose",
                        dpl_mb_joint_words[type]);
        return false;
    }
    int of = 2;
    if (!dpl__star_read_axis(reader, axis, joint->name, is_z_only, &of, joint->frames)) {
        return false;
    }
    if (is_general) {
        joint->type = (enum dpl_mb_joint_type)((type == REVOLUTE ? DPL_MB_RX : DPL_MB_TX) + of);
    }
    return true;
}

static bool read_geometry(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint)
{
    struct dpl__star_node ends;
    int type = read_type(reader, node);
    if (!read_ends(reader, node, joint->assembly, joint->frames, &ends) || type < 0) {
        return false;
    }
    const struct dpl_mb_graph *graph = reader->graph;
    int body = graph->frames[joint->frames[0]].body;
    if (body == graph->frames[joint->frames[1]].body) {
        dpl__star_error(reader, ends, "both ends are on the body '%s'", graph->bodies[body].name);
        return false;
    }
    return read_axis(reader, node, type, joint);
}

/* ---- joints ---- */

static void is_bad(struct dpl__star_reader *reader, const char *name)
{
    if (reader->n_bad_joints < sizeof reader->bad_joints / sizeof *reader->bad_joints) {
        reader->bad_joints[reader->n_bad_joints++] = name;
    }
}

static void remember(struct dpl__star_reader *reader, struct dpl__star_node node, int number)
{
    const struct dpl_mb_joint *joint = &reader->graph->joints[number];
    struct dpl__star_said *said = dpl__star_say(reader->source, DPL_MB_JOINT, number);
    if (!said) {
        return;
    }
    said->json = node.json;
    said->value = node.value;
    said->place = joint->place;
    memcpy(said->displacement, joint->displacement, sizeof said->displacement);
    memcpy(said->velocity, joint->velocity, sizeof said->velocity);
    const struct dpl__star_said *frame =
        dpl__star_said(reader->source, DPL_MB_FRAME, joint->frames[0]);
    said->has_axis = frame && frame->is_of_axis;
}

static void read_joint(struct dpl__star_reader *reader, struct dpl__star_node node,
                       const char *name, void *user)
{
    struct dpl_mb_joint joint = {.name = name,
                                 .assembly = *(const int *)user,
                                 .is_active = dpl__star_bool(reader, node, "active", true),
                                 .is_held = dpl__star_bool(reader, node, "hold", false),
                                 .place = dpl_mb_place_identity,
                                 .line = reader->places.values[node.value].line,
                                 .column = reader->places.values[node.value].column};
    dpl__star_check_keys(reader, node, dpl__star_joint_keys);
    if (dpl_mb_find(reader->graph, DPL_MB_JOINT, joint.assembly, name) >= 0) {
        dpl__star_error_name(reader, node, "there is already a joint '%s' in this assembly", name);
        return;
    }
    if (!read_geometry(reader, node, &joint) || !dpl__star_read_start(reader, node, &joint) ||
        !dpl__star_read_drive(reader, node, &joint)) {
        is_bad(reader, name);
        return;
    }
    struct dpl_diag diag;
    int number = dpl_mb_add_joint(reader->graph, &joint, &diag);
    if (number < 0) {
        dpl__star_refused(reader, node, number, &diag);
        is_bad(reader, name);
        return;
    }
    remember(reader, node, number);
}

/* ---- joints without effect ---- */

static int find_root(int *roots, int body)
{
    while (roots[body] != body) {
        roots[body] = roots[roots[body]];
        body = roots[body];
    }
    return body;
}

/* A floating joint constrains nothing; between bodies that others connect it is not even needed. */
static void warn_of_floats(struct dpl__star_reader *reader)
{
    const struct dpl_mb_graph *graph = reader->graph;
    int *roots = malloc(graph->n_bodies * sizeof *roots);
    if (!roots) {
        reader->source->is_out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < graph->n_bodies; i++) {
        roots[i] = (int)i;
    }
    for (int floats = 0; floats < 2; floats++) {
        for (size_t i = 0; i < graph->n_joints; i++) {
            const struct dpl_mb_joint *joint = &graph->joints[i];
            if ((joint->type == DPL_MB_FLOAT) != (floats == 1) ||
                !dpl_mb_is_active(graph, DPL_MB_JOINT, (int)i)) {
                continue;
            }
            int a = find_root(roots, graph->frames[joint->frames[0]].body);
            int b = find_root(roots, graph->frames[joint->frames[1]].body);
            const struct dpl__star_said *said =
                dpl__star_said(reader->source, DPL_MB_JOINT, (int)i);
            if (floats == 1 && a == b && said) {
                dpl__star_warn(reader, (struct dpl__star_node){said->json, said->value},
                               "this floating joint is in a loop, where it constrains nothing");
            }
            roots[a < b ? b : a] = a < b ? a : b;
        }
    }
    free(roots);
}

void dpl__star_read_joints(struct dpl__star_reader *reader)
{
    for (size_t i = 0; i < reader->graph->n_assemblies; i++) {
        int assembly = (int)i;
        dpl__star_each(reader, dpl__star_list_of(reader, assembly, "joints"), read_joint,
                       &assembly);
    }
    warn_of_floats(reader);
}
