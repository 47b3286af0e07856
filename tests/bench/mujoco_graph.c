/* SPDX-License-Identifier: Apache-2.0 */
#include "mujoco_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mujoco_text.h"

/* ---- the model ---- */

static mjModel *load(const char *text, size_t n)
{
    static const char *const name = "graph.xml";
    char why[1000] = "there is no memory";
    mjModel *model = NULL;
    mjVFS *files = calloc(1, sizeof *files);
    if (files) {
        mj_defaultVFS(files);
        if (mj_makeEmptyFileVFS(files, name, (int)n) == 0) {
            memcpy(files->filedata[mj_findFileVFS(files, name)], text, n);
            model = mj_loadXML(name, files, why, sizeof why);
        }
        mj_deleteVFS(files);
        free(files);
    }
    if (!model) {
        fprintf(stderr, "MuJoCo does not take the mechanism: %s\n", why);
    }
    return model;
}

static void set_velocities(struct mujoco_graph *u)
{
    for (size_t i = 1; i < u->graph->n_bodies; i++) {
        char name[32];
        struct dpl_mb_joint_state state;
        snprintf(name, sizeof name, "j%d", u->joint_to[i]);
        dpl_mb_joint(u->start, u->joint_to[i], &state);
        int joint = mj_name2id(u->model, mjOBJ_JOINT, name);
        u->data->qvel[u->model->jnt_dofadr[joint]] = state.velocity[0];
    }
}

struct mujoco_graph *mujoco_graph_create(const struct dpl_mb_graph *graph,
                                         const struct dpl_mb_system *start, bool is_rk4,
                                         enum mujoco_loops loops, double step)
{
    struct mujoco_graph *u = mujoco_graph_of(graph);
    char *text = NULL;
    size_t n = 0;
    FILE *out = u ? open_memstream(&text, &n) : NULL;
    if (!out) {
        mujoco_graph_destroy(u);
        return NULL;
    }
    u->start = start;
    mujoco_print(out, u, is_rk4, loops, step);
    u->model = fclose(out) == 0 ? load(text, n) : NULL;
    u->data = u->model ? mj_makeData(u->model) : NULL;
    free(text);
    if (!u->data) {
        mujoco_graph_destroy(u);
        return NULL;
    }
    set_velocities(u);
    return u;
}

void mujoco_graph_destroy(struct mujoco_graph *u)
{
    if (!u) {
        return;
    }
    mj_deleteData(u->data);
    mj_deleteModel(u->model);
    free(u->parent);
    free(u->joint_to);
    free(u->queue);
    free(u->roles);
    free(u->spring);
    free(u->damping);
    free(u);
}

/* ---- moved ---- */

void mujoco_graph_step(struct mujoco_graph *u)
{
    mj_step(u->model, u->data);
}

static int id_of(const struct mujoco_graph *u, int body)
{
    char name[32];
    snprintf(name, sizeof name, "b%d", body);
    return body == 0 ? 0 : mj_name2id(u->model, mjOBJ_BODY, name);
}

double mujoco_graph_residual(struct mujoco_graph *u)
{
    double most = 0.0;
    mj_kinematics(u->model, u->data);
    for (size_t i = 0; i < u->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &u->graph->joints[i];
        double ends[2][3];
        for (int end = 0; end < 2 && u->roles[i] == MUJOCO_CLOSES; end++) {
            int body = id_of(u, mujoco_body_at(u->graph, joint, end));
            double at[3], axis[3];
            mujoco_end(u->graph, joint, end, at, axis);
            mju_mulMatVec(ends[end], u->data->xmat + 9 * body, at, 3, 3);
            mju_addTo3(ends[end], u->data->xpos + 3 * body);
        }
        most = u->roles[i] == MUJOCO_CLOSES ? fmax(most, mju_dist3(ends[0], ends[1])) : most;
    }
    return most;
}

double mujoco_graph_apart(struct mujoco_graph *u, const struct dpl_mb_system *system)
{
    double most = 0.0;
    mj_kinematics(u->model, u->data);
    for (size_t i = 1; i < u->graph->n_bodies; i++) {
        struct dpl_mb_body_state body;
        dpl_mb_body(system, (int)i, &body);
        most = fmax(most, mju_dist3(body.place.position, u->data->xpos + 3 * id_of(u, (int)i)));
    }
    return most;
}
