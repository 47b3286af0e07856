/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints and names of joints from arbitrary text. What is taken keeps its promises, and can be
 * followed; what is refused says a place inside the text. */
#include <math.h>

#include "fuzz.h"
#include "joint_names.h"
#include "joint_path.h"

static void follow(const struct waypoints *list)
{
    const double from[JOINT_PATH_MAX] = {0};
    struct joint_follower follower;
    double q[JOINT_PATH_MAX], v[JOINT_PATH_MAX], before_s = 0.0;
    joint_follower_begin(&follower, list, false, from, 0);
    for (size_t i = 0; i < list->n; i++) {
        double middle_s = 0.5 * (before_s + list->t_s[i]);
        bool moves = joint_follower_step(&follower, dpl_ns_from_s(middle_s), q, v);
        require(moves || list->t_s[list->n - 1] - middle_s < 1e-6);
        for (size_t k = 0; k < list->n_joints; k++) {
            require(isfinite(q[k]) && isfinite(v[k]));
        }
        before_s = list->t_s[i];
    }
    require(!joint_follower_step(&follower, dpl_ns_from_s(before_s) + (dpl_ns)list->n, q, v));
    for (size_t k = 0; k < list->n_joints; k++) {
        require(q[k] == list->position[list->n - 1][k] && v[k] == 0.0);
    }
}

static void take_waypoints(const char *text)
{
    static struct waypoints list;
    struct waypoints_error bad = {0};
    if (waypoints_parse(&list, text, &bad) < 0) {
        require(bad.what && bad.offset <= strlen(text));
        return;
    }
    require(list.n <= WAYPOINTS_MAX && list.n_joints <= JOINT_PATH_MAX);
    for (size_t i = 0; i < list.n; i++) {
        require(list.t_s[i] > (i > 0 ? list.t_s[i - 1] : 0.0));
    }
    if (list.n > 0) {
        follow(&list);
    }
}

static void take_names(const char *text)
{
    struct joint_names names;
    struct dpl_diag error = {.text = ""};
    bool is_good = joint_names_check(text, &error) == 0;
    joint_names_parse(text, &names);
    require(is_good || error.text[0]);
    require(names.n <= DPL_JOINTS_MAX && (names.n > 0 || !is_good));
    for (size_t i = 0; i < names.n; i++) {
        require(names.name[i][0] && strlen(names.name[i]) < JOINT_NAME_SIZE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take_waypoints(text);
    take_names(text);
    free(text);
    return 0;
}
