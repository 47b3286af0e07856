/* SPDX-License-Identifier: Apache-2.0 */
/* The state that the joints' displacements and velocities at the start make. */
#include "build.h"
#include "rotation.h"

/* A spherical joint's three turns start at 0, from a seat that is turned already. */
static void start_spherical(struct dpl__mb *m, struct dpl__mb_joint *joint)
{
    struct dpl__mb_frame turned = dpl__frame_identity();
    double rates[4];
    dpl__mb_rotation(joint->displacement, &turned);
    bool flipped = joint->sign < 0.0;
    int base = flipped ? joint->link - 2 : joint->link;
    if (flipped) {
        for (int i = 0; i < 3; i++) {
            rates[i] = -joint->velocity[i];
        }
        dpl__invert(&turned, &turned);
    } else {
        dpl__turn_back(&turned, joint->velocity, rates);
    }
    dpl__mb_set_chart(m, joint, &turned);
    for (int i = 0; i < 3; i++) {
        m->x[base + i] = 0.0;
        m->v[base + i] = rates[m->axis[base + i]]; /* against the pair: z first */
    }
}

void dpl__mb_start(struct dpl__mb *m)
{
    for (int j = 0; j < m->n_joints; j++) {
        struct dpl__mb_joint *joint = &m->joints[j];
        if (joint->role != 0 || joint->type == DPL_MB_FLOAT) {
            continue;
        }
        if (joint->type == DPL_MB_SPHERICAL) {
            start_spherical(m, joint);
            continue;
        }
        for (int i = 0; i < dpl_mb_joint_freedoms(joint->type); i++) {
            int link = dpl__mb_chain_link(joint, i);
            m->x[link] = joint->sign * joint->displacement[i];
            m->v[link] = joint->sign * joint->velocity[i];
        }
    }
    for (int f = 0; f < m->n_floats; f++) {
        m->x[m->floats[f].x + 3] = 1.0;
    }
}

/* A place of the world (from its origin) and the velocity there, of a frame. */
struct moving {
    struct dpl__mb_frame place;
    double velocity[3], angular[3];
};

static struct moving moving_frame(const struct dpl__mb *m, int link,
                                  const struct dpl__mb_frame *frame)
{
    struct moving out;
    dpl__compose(&m->frame[link], frame, &out.place);
    dpl__cross3(m->velocity[link], out.place.at, out.velocity);
    for (int i = 0; i < 3; i++) {
        out.velocity[i] += m->velocity[link][4 + i];
        out.angular[i] = m->velocity[link][i];
        out.place.at[i] += m->points[m->branch[link]][i];
    }
    return out;
}

static void set_float(struct dpl__mb *m, const struct dpl__mb_float *body,
                      const struct moving *moving)
{
    double *x = &m->x[body->x], *v = &m->v[body->v];
    memcpy(x, moving->place.at, 3 * sizeof *x);
    dpl__mb_quaternion_of_axes(&moving->place, x + 3);
    memcpy(v, moving->angular, 3 * sizeof *v);
    memcpy(v + 3, moving->velocity, 3 * sizeof *v);
}

/* The moving end of a floating joint, from the end that has its place already. */
static void float_by_joint(struct dpl__mb *m, const struct dpl__mb_float *body)
{
    const struct dpl__mb_joint *joint = &m->joints[body->joint];
    bool flipped = joint->sign < 0.0;
    int known = flipped ? 1 : 0;
    struct moving base = moving_frame(m, joint->links[known], &joint->frames[known]), out;
    struct dpl__mb_frame place = dpl__frame_of(&joint->place), first;
    double w[4], v[4], arm[3], sign = flipped ? -1.0 : 1.0;
    if (flipped) {
        dpl__invert(&place, &place);
    }
    dpl__compose(&base.place, &place, &out.place);
    first = flipped ? out.place : base.place;
    dpl__turn(&first, joint->velocity, v);
    dpl__turn(&first, joint->velocity + 3, w);
    for (int i = 0; i < 3; i++) {
        arm[i] = out.place.at[i] - base.place.at[i];
        out.angular[i] = base.angular[i] + sign * w[i];
    }
    /* the given velocity is at the second frame's origin */
    dpl__cross3(flipped ? out.angular : base.angular, arm, out.velocity);
    for (int i = 0; i < 3; i++) {
        out.velocity[i] += base.velocity[i] + sign * v[i];
    }
    set_float(m, body, &out);
}

static void float_by_body(struct dpl__mb *m, const struct dpl__mb_float *body,
                          const struct dpl_mb_body_state *state)
{
    struct dpl__mb_frame place = dpl__frame_of(&state->place), back;
    struct moving out;
    double arm[3];
    dpl__invert(&m->parts[body->body].in_link, &back);
    dpl__compose(&place, &back, &out.place);
    for (int i = 0; i < 3; i++) {
        arm[i] = out.place.at[i] - place.at[i];
        out.angular[i] = state->angular[i];
    }
    dpl__cross3(out.angular, arm, out.velocity);
    for (int i = 0; i < 3; i++) {
        out.velocity[i] += state->velocity[i];
    }
    set_float(m, body, &out);
}

void dpl__mb_start_floats(struct dpl__mb *m, const struct dpl_mb_system *from)
{
    for (int f = 0; f < m->n_floats; f++) {
        const struct dpl__mb_float *body = &m->floats[f];
        struct dpl_mb_body_state state;
        if (from && dpl_mb_body(from, body->body, &state) == 0) {
            float_by_body(m, body, &state);
        } else if (body->joint >= 0) {
            const struct dpl__mb_joint *joint = &m->joints[body->joint];
            if (joint->links[joint->sign < 0.0 ? 1 : 0] != 0) {
                dpl__mb_touch(m);
                dpl__mb_refresh(m);
            }
            float_by_joint(m, body);
        }
    }
    dpl__mb_touch(m);
}
