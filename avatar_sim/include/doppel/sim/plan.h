/* SPDX-License-Identifier: Apache-2.0 */
/* Test plans of worlds (docs/test-plans.md, decision 0068): reading them from XML, and doing and
 * judging their steps after each step of a world. A plan speaks of channels only. Who hosts the
 * world, starts programs and writes files is not here: see doppel/sim/hosted.h and `doppel test`.
 */
#ifndef DOPPEL_SIM_PLAN_H
#define DOPPEL_SIM_PLAN_H

#include <doppel/diag.h>
#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;
struct dpl_sim_set;
struct dpl_sim_load_options;
struct dpl_plan_action;

#define DPL_PLAN_NAME_SIZE   96
#define DPL_PLAN_STEPS_MAX   1000
#define DPL_PLAN_ACTIONS_MAX 1000 /* of a step */
#define DPL_PLAN_NAMES_MAX   64   /* of values in a step */

/* A name in braces in the unit's command, and what is put there: controllers_port, modbus_port,
 * seed, out, and the parameters of the plan. */
struct dpl_plan_place {
    const char *name, *value;
};

/* The program that is tested. */
struct dpl_plan_unit {
    struct dpl_place place;
    char command[1024];  /* with {placeholders}; "": there is none */
    int64_t controllers; /* so many controllers join (docs/controllers.md); -1: one if the command
                            has their port */
    int64_t masters;     /* so many connect by Modbus (docs/modbus.md); -1: the same */
    double pace_s;  /* the world moves so far after a write of the master; 0: it does not wait */
    double ready_s; /* of real time, within which it has to have joined */
    bool may_end;   /* with exit code 0, before its steps are over */
};

struct dpl_plan_step {
    struct dpl_place place;
    char name[DPL_PLAN_NAME_SIZE];
    double timeout_s; /* of the world's time */
    bool reset;       /* it begins with a new world and a new unit; the first one always does */
    const struct dpl_plan_action *actions; /* [n_actions] */
    size_t n_actions;
};

/* What was read. It and all it points to live in the arena. */
struct dpl_sim_plan {
    const char *file;
    char name[DPL_PLAN_NAME_SIZE];
    char world[256]; /* as it is named */
    struct dpl_place world_place;
    const struct dpl_sim_set
        *world_params; /* [n_world_params] NAME=VALUE: parameters of its file */
    size_t n_world_params;
    const struct dpl_plan_place *values; /* [n_values] its own parameters, the seed too */
    size_t n_values;
    char trace[1024]; /* patterns of channels, separated by blanks */
    double trace_window_s;
    double rate; /* of the clock; 0: as fast as possible */
    struct dpl_plan_unit unit;
    const struct dpl_plan_step *steps; /* [n_steps], at least one */
    size_t n_steps;
    unsigned char *channels; /* [n_channels of the world] once it is bound: private */
};

struct dpl_plan_options {
    uint64_t seed;                    /* the value of {seed} */
    const struct dpl_sim_set *params; /* [n_params] NAME=VALUE: parameters of the file */
    size_t n_params;
};

/* Reads a plan. Findings go to `diags` with file, line and column. 0 with *ret_plan, or -EINVAL
 * with an error in diags. Allocates in the arena; the first one opens the file. */
int dpl_sim_read_plan(struct dpl_arena *arena, const char *file,
                      const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                      struct dpl_diags *diags);
int dpl_sim_read_plan_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                           const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                           struct dpl_diags *diags);

/* The file of the plan's world: beside the plan, or a name in the catalogue; in the arena. NULL
 * with reterr (place, and the name that was probably meant): there is none. Blocks (looks for
 * files). */
struct dpl_catalog;
const char *dpl_sim_plan_world(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_catalog *catalog, struct dpl_diag *reterr);

/* Fills in the parameters with which the plan loads its world. They and the arena's text have to
 * live as long as the options. */
void dpl_sim_plan_load_options(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_sim_load_options *inout_options);

#define DPL_PLAN_WORDS_MAX 64
#define DPL_PLAN_WORD_SIZE 1024

struct dpl_plan_command {
    char words[DPL_PLAN_WORDS_MAX][DPL_PLAN_WORD_SIZE];
    char *argv[DPL_PLAN_WORDS_MAX + 1]; /* in words; ends with NULL */
    size_t bad_at;                      /* after a failure: the byte of the text that is wrong */
};

/* Splits a command at blanks, but not within '...' or "...", and fills in {names}: those that are
 * given, then those of the plan's values (NULL: none); {{ and }} are braces. There is no shell. 0,
 * or -EINVAL with reterr (no place). */
struct dpl_plan_places {
    const struct dpl_plan_place *given; /* [n] */
    size_t n;
    const struct dpl_sim_plan *plan;
};
int dpl_plan_command_parse(const char *text, const struct dpl_plan_places *places,
                           struct dpl_plan_command *ret_command, struct dpl_diag *reterr);

/* Whether the command has this name in braces. */
bool dpl_plan_command_has(const char *text, const char *name);

/* Finds all channels and checks all expressions, which needs a world: before a run. 0 or -EINVAL
 * with errors in diags. Allocates in the arena. */
int dpl_sim_plan_bind(struct dpl_arena *arena, struct dpl_sim_plan *plan,
                      const struct dpl_world_channels *channels, struct dpl_diags *diags);

/* Reads a plan and its world, and binds them, for `doppel check`. */
int dpl_sim_check_plan(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_diags *diags);

/* Whether the steps of the plan read or put this channel. */
bool dpl_sim_plan_uses(const struct dpl_sim_plan *plan, size_t channel);

/* ---- doing and judging; on the thread that owns the world, between its steps ---- */

enum dpl_plan_state {
    DPL_PLAN_RUNNING,
    DPL_PLAN_PASSED,
    DPL_PLAN_FAILED,
};

#define DPL_PLAN_FAILURES_MAX 8
#define DPL_PLAN_MEASURES_MAX 64

struct dpl_plan_measure {
    const char *name;
    double value;    /* NAN: there was no value */
    double min, max; /* -INFINITY, INFINITY: no limit */
    bool good;
};

struct dpl_plan_result {
    enum dpl_plan_state state;
    double duration_s; /* of the world's time */
    char failures[DPL_PLAN_FAILURES_MAX][256];
    size_t n_failures; /* may be more than there is room for */
    struct dpl_plan_measure measures[DPL_PLAN_MEASURES_MAX];
    size_t n_measures;
};

struct dpl_plan_run;

/* A run of a bound plan in a world with steps of `step`; all are borrowed. The seed is that of
 * random delays, and the value of the name `seed`. 0 or -ENOMEM. */
int dpl_plan_run_create(const struct dpl_sim_plan *plan, struct dpl_world_channels *channels,
                        dpl_ns step, uint64_t seed, struct dpl_plan_run **ret_run);
void dpl_plan_run_destroy(struct dpl_plan_run *run); /* NULL: nothing */

/* Begins a step of the plan at the world's time `now`, and does what is to be done at once. What
 * earlier steps have put holds on. Neither allocates nor blocks, as all that follow. */
enum dpl_plan_state dpl_plan_run_begin(struct dpl_plan_run *run, size_t step, dpl_ns now);

/* After each step of the world until it is not RUNNING any more. */
enum dpl_plan_state dpl_plan_run_look(struct dpl_plan_run *run, dpl_ns now);

/* Puts again what the plan holds: after others have put their commands, before the world's next
 * step. dpl_plan_run_look does so, too. */
void dpl_plan_run_put(struct dpl_plan_run *run);

/* The step has failed for a reason from outside; if it is running it ends. */
void dpl_plan_run_fail(struct dpl_plan_run *run, const char *why);

/* Of the newest step. */
const struct dpl_plan_result *dpl_plan_run_result(const struct dpl_plan_run *run);

/* The first element of what the plan puts into a channel now; NAN: nothing. */
double dpl_plan_run_held(const struct dpl_plan_run *run, size_t channel);

#ifdef __cplusplus
}
#endif

#endif
