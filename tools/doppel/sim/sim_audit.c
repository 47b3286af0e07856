/* SPDX-License-Identifier: Apache-2.0 */
/* Prints balances: see sim_audit.h. */
#include "sim_audit.h"

#include <math.h>
#include <stdio.h>

static void print_row(const char *name, double first, double now)
{
    printf("  %-26s %14.6g %14.6g %14.6g\n", name, first, now, now - first);
}

static void print_term(const char *name, double value)
{
    printf("  %-26s %44.6g\n", name, value);
}

static void print_joints(const struct dpl_audit *audit, size_t mechanism)
{
    struct dpl_audit_joint joint;
    for (size_t i = 0; dpl_audit_joint(audit, mechanism, i, &joint); i++) {
        char name[96];
        snprintf(name, sizeof name, "  at %s%s", joint.joint, joint.freedom ? "/2" : "");
        print_term(name, joint.work);
    }
}

static void print_momentum(const struct dpl_audit_momentum *momentum)
{
    if (momentum->is_told) {
        printf("  nothing outside acted until %g s; until then changed, but for its weight:\n"
               "  momentum by at most %.3g N s, angular momentum by at most %.3g N m s\n",
               dpl_ns_to_s(momentum->until), momentum->linear, momentum->about);
    }
}

static void print_balance(const struct dpl_audit *audit, size_t i)
{
    struct dpl_audit_balance b;
    dpl_audit_balance(audit, i, &b);
    printf("%-28s %14s %14s %14s\n", b.robot ? b.robot : "all of them", "start, J", "end, J",
           "change, J");
    print_row("kinetic energy", b.first.kinetic, b.now.kinetic);
    print_row("potential energy", b.first.potential, b.now.potential);
    print_row("springs and soft stops", b.first.springs, b.now.springs);
    print_row("ropes and belts", b.first.ropes, b.now.ropes);
    print_term("work of drives", b.work);
    print_joints(audit, i);
    print_term("loads", b.loaded);
    print_term("lost", b.lost);
    if (b.is_minimal) {
        print_term("  by dampers and friction", b.damped);
    }
    printf("  from nowhere: %.3g J at most, until %g s (%.3g %% of %.3g J that moved)\n", b.rise,
           dpl_ns_to_s(b.rise_at), b.scale > 0.0 ? 100.0 * b.rise / b.scale : 0.0, b.scale);
    if (b.is_minimal) {
        printf("  loops open by at most %.3g m or rad\n", b.open);
    }
    if (b.is_touched && b.is_minimal) {
        printf("assemblies were switched: the energy of that is not counted\n");
    } else if (b.is_touched) {
        printf("  a robot without a balance touched it: what that gave or took is not counted\n");
    }
    print_momentum(&b.momentum);
}

void sim_audit_print(const struct dpl_audit *audit)
{
    size_t n = dpl_audit_count(audit);
    for (size_t i = 0; i < n; i++) {
        print_balance(audit, i);
    }
    fflush(stdout);
    if (n == 0) {
        fprintf(
            stderr,
            "doppel sim: warning: --audit: no mechanism that the subsystems bullet and multibody "
            "move is in this world\n");
    } else if (dpl_audit_fails(audit)) {
        fprintf(stderr,
                "doppel sim: warning: --audit: energy comes from nowhere, more than %g %% of what "
                "moved: try a shorter --step, and look at springs, belts and contacts\n",
                100.0 * DPL_AUDIT_SHARE);
    }
}

/* ---- summary.json ---- */

/* JSON has no number for what is not finite. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *pair(double first, double now)
{
    return json_pack("[o, o]", number(first), number(now));
}

static json_t *joints(const struct dpl_audit *audit, size_t mechanism)
{
    json_t *list = json_array();
    struct dpl_audit_joint joint;
    for (size_t i = 0; dpl_audit_joint(audit, mechanism, i, &joint); i++) {
        json_array_append_new(list, json_pack("{s:s, s:i, s:o}", "joint", joint.joint, "freedom",
                                              joint.freedom + 1, "work_J", number(joint.work)));
    }
    return list;
}

static json_t *balance(const struct dpl_audit *audit, size_t i)
{
    struct dpl_audit_balance b;
    dpl_audit_balance(audit, i, &b);
    json_t *made = json_pack(
        "{s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:b}", "robot", b.robot,
        "kinetic_J", pair(b.first.kinetic, b.now.kinetic), "potential_J",
        pair(b.first.potential, b.now.potential), "springs_J", pair(b.first.springs, b.now.springs),
        "ropes_J", pair(b.first.ropes, b.now.ropes), "work_J", number(b.work), "joints",
        joints(audit, i), "loads_J", number(b.loaded), "lost_J", number(b.lost), "from_nowhere_J",
        number(b.rise), "moved_J", number(b.scale), "worst_at_s", dpl_ns_to_s(b.rise_at), "touched",
        (int)b.is_touched);
    if (b.is_minimal) {
        json_object_set_new(made, "damped_J", number(b.damped));
        json_object_set_new(made, "loops_open", number(b.open));
    }
    if (b.momentum.is_told) {
        json_object_set_new(made, "momentum",
                            json_pack("{s:f, s:o, s:o}", "until_s", dpl_ns_to_s(b.momentum.until),
                                      "change_Ns", number(b.momentum.linear), "angular_change_Nms",
                                      number(b.momentum.about)));
    }
    return made;
}

void sim_audit_describe(const struct dpl_audit *audit, json_t *inout_summary)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dpl_audit_count(audit); i++) {
        json_array_append_new(list, balance(audit, i));
    }
    json_object_set_new(
        inout_summary, "audit",
        json_pack("{s:b, s:o}", "fails", (int)dpl_audit_fails(audit), "balances", list));
}
