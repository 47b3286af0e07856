/* SPDX-License-Identifier: Apache-2.0 */
/* Things that are named elsewhere: frames of bodies, joints. A path is "arm" or "cell:robot:arm",
 * or an array of its parts. */
#include <stdio.h>
#include <string.h>

#include "reader.h"

enum { PATH_MAX_BYTES = 4096 };

/* The text of a path; false: an error was reported. */
static bool read_path(struct dpl__star_reader *reader, struct dpl__star_node node, char *ret_path)
{
    ret_path[0] = '\0';
    if (!json_is_array(node.json)) {
        const char *text = dpl__star_string(reader, node);
        if (text && strlen(text) >= PATH_MAX_BYTES) {
            dpl__star_error(reader, node, "this path is too long");
            return false;
        }
        snprintf(ret_path, PATH_MAX_BYTES, "%s", text ? text : "");
        return text != NULL;
    }
    size_t length = 0;
    for (size_t i = 0; i < json_array_size(node.json); i++) {
        const char *part = dpl__star_string(reader, dpl__star_element(reader, node, i));
        if (!part) {
            return false;
        }
        if (length + strlen(part) + 2 > PATH_MAX_BYTES) {
            dpl__star_error(reader, node, "this path is too long");
            return false;
        }
        length += (size_t)snprintf(ret_path + length, PATH_MAX_BYTES - length, "%s%s",
                                   i > 0 ? ":" : "", part);
    }
    if (length == 0) {
        dpl__star_error(reader, node, "this path is empty");
    }
    return length > 0;
}

/* ---- what was probably meant ---- */

struct names {
    const char **names;
    size_t n;
};

static const char *name_of(struct dpl__star_reader *reader, enum dpl_mb_kind kind, int number,
                           bool is_path)
{
    const struct dpl_mb_graph *graph = reader->graph;
    if (!is_path) {
        return kind == DPL_MB_JOINT ? graph->joints[number].name : graph->bodies[number].name;
    }
    char path[PATH_MAX_BYTES];
    dpl_mb_path(graph, kind, number, path, sizeof path);
    return dpl_arena_strdup(reader->arena, path);
}

/* Bodies or joints of the assembly, with paths all. */
static struct names candidates(struct dpl__star_reader *reader, enum dpl_mb_kind kind, int assembly,
                               bool is_path)
{
    const struct dpl_mb_graph *graph = reader->graph;
    size_t n = kind == DPL_MB_JOINT ? graph->n_joints : graph->n_bodies;
    struct names list = {.names = dpl_arena_alloc(reader->arena, n * sizeof(char *) + 1)};
    for (size_t i = 0; i < n; i++) {
        int of = kind == DPL_MB_JOINT ? graph->joints[i].assembly : graph->bodies[i].assembly;
        bool is_fixed = kind == DPL_MB_BODY && i == 0;
        if (is_path ? !is_fixed : of == assembly || is_fixed) {
            list.names[list.n++] = name_of(reader, kind, (int)i, is_path);
        }
    }
    return list;
}

static void unknown(struct dpl__star_reader *reader, struct dpl__star_node node,
                    enum dpl_mb_kind kind, int assembly, const char *path)
{
    if (reader->stops) {
        return;
    }
    struct names list = candidates(reader, kind, assembly, strchr(path, ':') != NULL);
    char quoted[160], hint[200];
    dpl_diag_quote(path, strlen(path), quoted, sizeof quoted);
    dpl__star_hint(path, list.names, list.n, hint, sizeof hint);
    dpl__star_error(reader, node, "there is no %s '%s'%s%s",
                    kind == DPL_MB_JOINT ? "joint" : "body", quoted,
                    strchr(path, ':') ? "" : " in this assembly", hint);
}

static void unknown_frame(struct dpl__star_reader *reader, struct dpl__star_node node, int body,
                          const char *name)
{
    const struct dpl_mb_graph *graph = reader->graph;
    const char **names = dpl_arena_alloc(reader->arena, graph->n_frames * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < graph->n_frames && !reader->stops; i++) {
        if (graph->frames[i].body == body) {
            names[n++] = graph->frames[i].name;
        }
    }
    char quoted[160], hint[200];
    dpl__star_error(reader, node, "the body '%s' has no frame '%s'%s", graph->bodies[body].name,
                    dpl_diag_quote(name, strlen(name), quoted, sizeof quoted),
                    dpl__star_hint(name, names, n, hint, sizeof hint));
}

/* ---- frames ---- */

static int find_frame(struct dpl__star_reader *reader, struct dpl__star_node body_node,
                      const char *path, struct dpl__star_node frame_node, const char *frame,
                      int assembly)
{
    int body = dpl_mb_find_path(reader->graph, DPL_MB_BODY, assembly, path);
    if (body < 0) {
        unknown(reader, body_node, DPL_MB_BODY, assembly, path);
        return -1;
    }
    int number = dpl_mb_find(reader->graph, DPL_MB_FRAME, body, frame);
    if (number < 0) {
        unknown_frame(reader, frame_node, body, frame);
    }
    return number;
}

int dpl__star_read_end(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly)
{
    char path[PATH_MAX_BYTES];
    if (json_is_string(node.json)) { /* "cell:robot:arm:tip" */
        if (!read_path(reader, node, path)) {
            return -1;
        }
        char *colon = strrchr(path, ':');
        if (!colon) {
            dpl__star_error(reader, node, "this names no frame: [body, frame] is expected");
            return -1;
        }
        *colon = '\0';
        return find_frame(reader, node, path, node, colon + 1, assembly);
    }
    if (!json_is_array(node.json) || json_array_size(node.json) != 2) {
        dpl__star_error(reader, node, "[body, frame] is expected");
        return -1;
    }
    struct dpl__star_node body = dpl__star_element(reader, node, 0);
    struct dpl__star_node frame = dpl__star_element(reader, node, 1);
    if (!read_path(reader, body, path)) {
        return -1;
    }
    const char *name = dpl__star_string(reader, frame);
    return name ? find_frame(reader, body, path, frame, name, assembly) : -1;
}

bool dpl__star_read_pair(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly,
                         int ret_frames[2])
{
    if (!json_is_array(node.json) || json_array_size(node.json) != 2) {
        dpl__star_error(reader, node, "[[body, frame], [body, frame]] is expected");
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        ret_frames[i] = dpl__star_read_end(reader, dpl__star_element(reader, node, i), assembly);
    }
    return ret_frames[0] >= 0 && ret_frames[1] >= 0;
}

/* ---- joints ---- */

int dpl__star_find_joint(struct dpl__star_reader *reader, struct dpl__star_node node, int assembly)
{
    char path[PATH_MAX_BYTES];
    if (!read_path(reader, node, path)) {
        return -1;
    }
    int joint = dpl_mb_find_path(reader->graph, DPL_MB_JOINT, assembly, path);
    if (joint >= 0) {
        return joint;
    }
    const char *colon = strrchr(path, ':');
    const char *name = colon ? colon + 1 : path;
    for (size_t i = 0; i < reader->n_bad_joints; i++) {
        if (strcmp(reader->bad_joints[i], name) == 0) {
            return -1; /* its own error says enough */
        }
    }
    unknown(reader, node, DPL_MB_JOINT, assembly, path);
    return -1;
}
