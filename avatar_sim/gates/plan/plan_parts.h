/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of test plans.
 *
 * - plan_xml.c     elements and their attributes
 * - plan_command.c the command of the unit
 * - plan_read.c    a file: placeholders, expansion, steps
 * - plan_bind.c    channels and names
 * - plan_expr.c    expressions over channels
 * - plan_run.c     the actions of a step, one after the other
 * - plan_watch.c   what is measured beside them
 * - plan_hold.c    what is put
 * - plan_world.c   the file of its world
 * - plan_check.c   a plan and its world */
#ifndef DOPPEL_SIM_PLAN_PARTS_H
#define DOPPEL_SIM_PLAN_PARTS_H

#include <doppel/math/random.h>
#include <doppel/sim/load.h>
#include <doppel/sim/plan.h>

#include "channel_element.h"
#include "element.h"
#include "expr.h"

enum { PLAN_HOLDS_MAX = 256, PLAN_SEQUENCE_MAX = 64 };

/* ---- what was read ---- */

enum plan_kind {
    PLAN_PUT,
    PLAN_PULSE,
    PLAN_FAULT,
    PLAN_RAMP,
    PLAN_WAIT,
    PLAN_LET,
    PLAN_EXPECT,
    /* beside the others: */
    PLAN_WATCH,
    PLAN_ALWAYS,
    PLAN_SEQUENCE,
    PLAN_END,
};

enum plan_take {
    PLAN_MAX,
    PLAN_MIN,
    PLAN_MEAN,
    PLAN_RMS,
    PLAN_FIRST,
    PLAN_LAST,
    PLAN_TIME,
};

/* What is in brackets in an expression. */
struct plan_ref {
    size_t offset; /* in its text */
    size_t channel, element;
};

struct plan_expr {
    const struct dpl_xml_attribute *attribute; /* NULL: it was not given */
    struct plan_ref *refs;                     /* [n_refs], in order */
    size_t n_refs;
};

/* One action; which members count depends on its kind. */
struct dpl_plan_action {
    enum plan_kind kind;
    const struct dpl_xml_node *node;
    char channel[DPL_CHANNEL_PATH_MAX];
    char name[DPL_PLAN_NAME_SIZE]; /* "": none */
    double for_s, jitter_s, within_s, rate, filter_s;
    int take;
    bool slope;
    char expected[1024]; /* sequence */
    double sequence[PLAN_SEQUENCE_MAX];
    size_t n_sequence;
    struct plan_expr value;    /* also: of, until, that */
    struct plan_expr min, max; /* ramp: from, to; sequence: when in `min` */
    /* bound */
    int slot;      /* of the name among the names of the step; -1: none */
    size_t target; /* the channel; end: the action */
    const struct dpl_channel_desc *desc;
    unsigned char *literal; /* a value of several elements; NULL: value is an expression */
    bool judges;            /* the unit or the machine could fail it: it rests on channels */
};

/* What may be in a <step>, <test_plan>; their handlers fill a struct plan_target. */
extern const struct dpl_element_root dpl__plan_root;
extern const struct dpl_format dpl__plan_format;

/* An error at its place if this is not the command of a unit. */
void plan_command_check(const struct dpl_sim_plan *plan, const struct dpl_xml_attribute *attribute,
                        struct dpl_arena *arena, struct dpl_diags *diags);

/* Of a plan without a <unit>. */
void plan_unit_clear(struct dpl_plan_unit *ret_unit);

struct plan_target {
    struct dpl_sim_plan *plan;
    struct dpl__list params;  /* of struct dpl_sim_set: of the world */
    struct dpl__list steps;   /* of struct dpl_plan_step */
    struct dpl__list actions; /* of struct dpl_plan_action: of the step that is read */
};

/* ---- a run ---- */

struct plan_hold {
    size_t channel;
    double value;
    const unsigned char *literal; /* in place of the value; NULL: none */
    dpl_ns end;                   /* world's time; INT64_MAX: none */
    bool of_step;                 /* ends with the step */
};

/* An action beside the others, while it is active. */
struct plan_watch {
    const struct dpl_plan_action *action;
    bool active;
    uint64_t n;   /* samples that count */
    double value; /* as it is taken */
    double filtered, before;
    bool has_filtered, has_before;
    bool was_on; /* sequence: `when` held; or there was a value */
};

struct dpl_plan_run {
    const struct dpl_sim_plan *plan;
    struct dpl_world_channels *channels;
    const struct dpl_channel_desc *descs;
    size_t n_channels;
    double step_s;
    uint64_t seed;
    dpl_ns now, began;
    const struct dpl_plan_step *step;
    size_t at;         /* the action that is being done */
    bool entered;      /* it has begun */
    dpl_ns since, due; /* since when; a wait: until when */
    double ramp;       /* the present value */
    struct dpl__expr_name names[DPL_PLAN_NAMES_MAX];
    size_t n_names;
    struct plan_hold holds[PLAN_HOLDS_MAX];
    size_t n_holds;
    struct plan_watch *watches; /* [DPL_PLAN_ACTIONS_MAX], by the number of the action */
    struct dpl_plan_result result;
    _Alignas(16) unsigned char value[DPL__ELEMENT_BYTES_MAX];
};

/* ---- expressions ---- */

/* Reads "path" or "path[2]" in brackets while an expression is checked, and notes it. */
int plan_expr_bind(struct dpl_arena *arena, struct plan_expr *expr,
                   const struct dpl_world_channels *channels, const struct dpl__expr_name *names,
                   size_t n_names, struct dpl_diags *diags);

/* 0; -EAGAIN: a channel has no value yet; -EINVAL with reterr: it has no value now. */
int plan_expr_value(struct dpl_plan_run *run, const struct plan_expr *expr, double *ret_value,
                    struct dpl__expr_error *reterr);

/* Appends " ([door/position] is 0.2)" for its channels. */
void plan_expr_describe(struct dpl_plan_run *run, const struct plan_expr *expr, char *text,
                        size_t size);

/* ---- holds ---- */

/* 0; -ERANGE: the channel does not take it; -ENOSPC: too many; -EBUSY, -EINVAL: the world refuses
 * it. */
int plan_hold_add(struct dpl_plan_run *run, const struct plan_hold *hold);
/* Ends those whose time has come; or all of the step. */
void plan_holds_expire(struct dpl_plan_run *run, bool step_ends);
/* Puts them again: no other user commands the channels that the plan holds. */
void plan_holds_put(struct dpl_plan_run *run);

/* ---- beside ---- */

void plan_watch_begin(struct dpl_plan_run *run, size_t action);
/* One sample of all that are active. False: the step has failed. */
bool plan_watches_take(struct dpl_plan_run *run);
/* At the end of the step, or of this one. */
void plan_watch_end(struct dpl_plan_run *run, struct plan_watch *watch);

/* ---- the result ---- */

void plan_fail(struct dpl_plan_run *run, const struct dpl_plan_action *action, const char *format,
               ...) __attribute__((format(printf, 3, 4)));
/* A value without limits, unless one of that name was judged. */
void plan_measure_once(struct dpl_plan_run *run, const char *name, double value);

#endif
