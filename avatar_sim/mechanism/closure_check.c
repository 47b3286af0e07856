/* SPDX-License-Identifier: Apache-2.0 */
/* Joints that cannot be met at once, couplings that let nothing move, constraints that repeat
 * others: see closure.h. */
#include <stdio.h>
#include <string.h>

#include <doppel/math/orthogonal.h>

#include "arena.h"
#include "closure.h"

/* Below these the rounding of numbers in files is enough to explain an error. */
static const double apart_m = 1e-6, apart_rad = 1e-5;
/* Share of a row that must be new; less of it is taken as none. */
static const double least_new = 1e-6;

enum { NAMES_MAX = 5 };

struct told {
    void (*report)(void *user, const struct dpl_mechanism_finding *finding);
    void *user;
    struct dpl_arena *arena;
};

static const struct dpl_sim_mechanism *mechanism_of(const struct dpl__closure *closure)
{
    return closure->assembly->mechanism;
}

/* The joint that an equation is about. */
static int joint_of(const struct dpl__closure *closure, const struct dpl__equation *equation)
{
    return equation->kind == DPL_EQUATION_MIMIC
               ? mechanism_of(closure)->mimics[equation->number].follower
               : equation->number;
}

static const char *name_of(const struct dpl__closure *closure, int joint)
{
    return mechanism_of(closure)->joints[joint].name;
}

/* ---- lists of names ---- */

struct names {
    char text[256];
    int n;
};

static void add_name(struct names *names, const char *name)
{
    size_t at = strlen(names->text);
    if (names->n < NAMES_MAX) {
        snprintf(names->text + at, sizeof names->text - at, "%s'%s'", names->n > 0 ? ", " : "",
                 name);
    } else if (names->n == NAMES_MAX) {
        snprintf(names->text + at, sizeof names->text - at, ", ...");
    }
    names->n++;
}

static bool moves_one_end(const struct dpl__assembly *assembly, const struct dpl_sim_joint *joint,
                          int link)
{
    int n = 0;
    for (int end = 0; end < 2; end++) {
        int body = end == 0 ? joint->parent : joint->child;
        int at = body < 0 ? -1 : assembly->link_of[body];
        for (; at >= 0; at = assembly->links[at].up) {
            n += at == link;
        }
    }
    return n == 1;
}

/* Those of the tree between both ends of a joint that closes a loop. */
static void add_loop_names(const struct dpl__closure *closure, const struct dpl_sim_joint *joint,
                           struct names *names)
{
    const struct dpl__assembly *assembly = closure->assembly;
    for (int i = 0; i < assembly->n_links; i++) {
        if (assembly->links[i].joint >= 0 && moves_one_end(assembly, joint, i)) {
            add_name(names, name_of(closure, assembly->links[i].joint));
        }
    }
}

/* ---- contradictions ---- */

struct error {
    double m, rad;
};

static struct error error_of(const struct dpl__closure *closure,
                             const struct dpl__equation *equation, const double *errors)
{
    const double *at = errors + equation->first;
    struct error error = {0};
    if (equation->kind == DPL_EQUATION_LOOP) {
        error.m = sqrt(dpl_dot(at, at, equation->n_travel));
        error.rad = sqrt(dpl_dot(at + equation->n_travel, at + equation->n_travel,
                                 equation->n - equation->n_travel));
    } else if (equation->kind == DPL_EQUATION_MIMIC &&
               mechanism_of(closure)->joints[joint_of(closure, equation)].type ==
                   DPL_JOINT_SLIDER) {
        error.m = fabs(at[0]);
    } else {
        error.rad = fabs(at[0]);
    }
    error.m *= closure->assembly->length;
    return error;
}

static bool is_apart(struct error error)
{
    return error.m > apart_m || error.rad > apart_rad;
}

/* What a joint cannot be met with: the loop that it closes, and other joints that are not met. */
static void add_rivals(const struct dpl__closure *closure, const struct dpl__equation *equation,
                       const double *errors, struct names *names)
{
    if (equation->kind == DPL_EQUATION_LOOP) {
        add_loop_names(closure, &mechanism_of(closure)->joints[equation->number], names);
    }
    for (int i = 0; i < closure->n_equations; i++) {
        const struct dpl__equation *other = &closure->equations[i];
        if (other != equation && is_apart(error_of(closure, other, errors))) {
            add_name(names, name_of(closure, joint_of(closure, other)));
        }
    }
}

static void warn(const struct told *told, int joint, const char *text)
{
    told->report(told->user,
                 &(struct dpl_mechanism_finding){DPL_SEVERITY_WARNING, -1, joint, text});
}

static void warn_apart(const struct told *told, const struct dpl__closure *closure,
                       const struct dpl__equation *equation, const double *errors)
{
    struct error error = error_of(closure, equation, errors);
    struct names names = {.text = ""};
    char text[DPL_DIAG_TEXT_MAX], m[40] = "", rad[40] = "";
    int joint = joint_of(closure, equation);
    add_rivals(closure, equation, errors, &names);
    if (error.m > apart_m) {
        snprintf(m, sizeof m, "%.3g mm", 1e3 * error.m);
    }
    if (error.rad > apart_rad) {
        snprintf(rad, sizeof rad, "%s%.3g deg", m[0] ? " and " : "", error.rad * 180.0 / DPL_PI);
    }
    snprintf(text, sizeof text,
             "joint '%s' contradicts %s: at best it stays %s%s from where it should be",
             name_of(closure, joint), names.n > 0 ? names.text : "what stands still", m, rad);
    warn(told, joint, text);
}

/* ---- couplings that let nothing move ---- */

struct rows {
    double *rows;           /* n_rows * n_unknowns */
    struct dpl_basis basis; /* of those that were added */
    double *spare;          /* n_unknowns */
};

static struct rows rows_of(const struct dpl__closure *closure, struct dpl_arena *arena)
{
    size_t m = (size_t)closure->n_rows, n = (size_t)closure->n_unknowns;
    double *errors = dpl_arena_alloc(arena, (m + 1) * sizeof *errors);
    struct rows rows = {
        .rows = dpl_arena_alloc(arena, (m * n + 1) * sizeof *rows.rows),
        .basis = {dpl_arena_alloc(arena, (m * n + 1) * sizeof *rows.rows), (int)n, 0},
        .spare = dpl_arena_alloc(arena, (n + 1) * sizeof *rows.spare),
    };
    dpl__closure_rows(closure, errors, rows.rows);
    return rows;
}

/* How many rows of an equation were not new. A row of almost nothing is not. */
static int add_rows(struct rows *rows, const struct dpl__equation *equation)
{
    int n = rows->basis.length, repeated = 0;
    const double nothing = 1e-9;
    for (int i = 0; i < equation->n; i++) {
        double *row = rows->rows + (long)(equation->first + i) * n;
        bool is_new =
            sqrt(dpl_dot(row, row, n)) > nothing && dpl_basis_add(&rows->basis, row, least_new);
        repeated += !is_new;
    }
    return repeated;
}

/* Whether the speed that an equation couples can be anything but 0. */
static bool moves(const struct dpl__closure *closure, struct rows *rows,
                  const struct dpl__equation *equation, bool of_child)
{
    int n = rows->basis.length;
    if (!dpl__equation_speed(closure, equation, of_child, rows->spare)) {
        return false;
    }
    double before = sqrt(dpl_dot(rows->spare, rows->spare, n));
    return before > 0.0 && dpl_basis_reduce(&rows->basis, rows->spare, NULL) > least_new * before;
}

/* Which ends of a coupling moved before it and those before it were there. */
static int moving_ends(const struct dpl__closure *closure, struct rows *rows,
                       const struct dpl__equation *equation)
{
    return moves(closure, rows, equation, false) + 2 * moves(closure, rows, equation, true);
}

static void warn_locked(const struct told *told, const struct dpl__closure *closure,
                        const struct dpl__equation *equation)
{
    struct names names = {.text = ""};
    char text[DPL_DIAG_TEXT_MAX];
    int joint = joint_of(closure, equation);
    for (const struct dpl__equation *at = closure->equations; at < equation; at++) {
        if (at->kind != DPL_EQUATION_LOOP) {
            add_name(&names, name_of(closure, joint_of(closure, at)));
        }
    }
    snprintf(text, sizeof text, "joint '%s' %s that nothing which it couples can move%s%s",
             name_of(closure, joint),
             equation->kind == DPL_EQUATION_GEAR ? "has a ratio so" : "follows in such a way",
             names.n > 0 ? ", together with " : "", names.text);
    warn(told, joint, text);
}

static void find_locked(const struct told *told, const struct dpl__closure *closure)
{
    struct rows rows = rows_of(closure, told->arena);
    int n = closure->n_equations;
    int *ends = dpl_arena_alloc(told->arena, ((size_t)n + 1) * sizeof *ends);
    for (int i = 0; i < n && closure->equations[i].kind == DPL_EQUATION_LOOP; i++) {
        add_rows(&rows, &closure->equations[i]);
    }
    for (int i = 0; i < n; i++) {
        if (closure->equations[i].kind != DPL_EQUATION_LOOP) {
            ends[i] = moving_ends(closure, &rows, &closure->equations[i]);
        }
    }
    for (int i = 0; i < n; i++) {
        const struct dpl__equation *equation = &closure->equations[i];
        if (equation->kind != DPL_EQUATION_LOOP) {
            add_rows(&rows, equation);
            if (ends[i] != 0 && moving_ends(closure, &rows, equation) == 0) {
                warn_locked(told, closure, equation);
                return; /* one a system: others follow from it */
            }
        }
    }
}

static void report_skipped(const struct told *told, const struct dpl__closure *closure)
{
    int joint = joint_of(closure, &closure->equations[0]);
    bool is_rows = closure->n_rows > DPL_CLOSURE_MAX;
    char text[DPL_DIAG_TEXT_MAX];
    snprintf(text, sizeof text,
             "whether joint '%s' and all that it is connected with contradict each other is not "
             "checked: %d %s in its loops and couplings, at most %d are looked at",
             name_of(closure, joint), is_rows ? closure->n_rows : closure->n_unknowns,
             is_rows ? "constraints" : "freedoms", DPL_CLOSURE_MAX);
    told->report(told->user, &(struct dpl_mechanism_finding){DPL_SEVERITY_NOTE, -1, joint, text});
}

static void check(void *user, const struct dpl__closure *closure, const double *errors)
{
    const struct told *told = user;
    bool found = false;
    if (!errors) {
        report_skipped(told, closure);
        return;
    }
    for (int i = 0; i < closure->n_equations; i++) {
        if (is_apart(error_of(closure, &closure->equations[i], errors))) {
            warn_apart(told, closure, &closure->equations[i], errors);
            found = true;
        }
    }
    if (!found) {
        find_locked(told, closure);
    }
}

void dpl__closure_check(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                        void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                        void *user)
{
    struct told told = {report, user, arena};
    dpl__closures(mechanism, arena, check, &told);
}

/* ---- constraints that repeat others ---- */

struct repeated {
    struct dpl_arena *arena;
    int *n; /* [n_joints] */
};

static void count_repeated(void *user, const struct dpl__closure *closure, const double *errors)
{
    const struct repeated *repeated = user;
    if (!errors) {
        return;
    }
    struct rows rows = rows_of(closure, repeated->arena);
    for (int i = 0; i < closure->n_equations; i++) {
        int joint = joint_of(closure, &closure->equations[i]);
        repeated->n[joint] += add_rows(&rows, &closure->equations[i]);
    }
}

void dpl__closure_repeated(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                           int *ret_repeated)
{
    struct repeated repeated = {arena, ret_repeated};
    memset(ret_repeated, 0, mechanism->n_joints * sizeof *ret_repeated);
    dpl__closures(mechanism, arena, count_repeated, &repeated);
}
