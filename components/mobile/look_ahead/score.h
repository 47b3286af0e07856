/* SPDX-License-Identifier: Apache-2.0 */
/* How often predictions are right. A prediction holds while the base is commanded as it assumed;
 * one whose command is changed before it could come true is not judged. What happens 10 times a
 * second because of one thing counts once: a bumper that is pressed again within half a second is
 * still pressed, and while it is nothing is predicted. */
#ifndef LOOK_AHEAD_SCORE_H
#define LOOK_AHEAD_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#define SCORE_PENDING_MAX 64

struct score_prediction {
    double made_s, contact_s; /* on the run's clock; contact NAN: none until `until_s` */
    double until_s;
    struct dpl_twist2 twist;
};

struct score {
    struct score_prediction pending[SCORE_PENDING_MAX]; /* the oldest first */
    size_t n;
    bool pressed, expects;
    double pressed_s; /* when the bumper was last felt */
    /* Results. Contacts that were predicted; that began: predicted (right) or not (missed);
     * predicted and did not come; contacts, and predictions of contacts, without a judgement */
    int64_t predicted, right, missed, false_alarms, unjudged;
};

void score_init(struct score *score);

/* A new prediction, `contact_s` after now; NAN: no contact within `horizon_s`. */
void score_predict(struct score *score, double now_s, struct dpl_twist2 twist, double contact_s,
                   double horizon_s);

/* What is: the command of now, and whether something touches the base. Once a cycle. */
void score_see(struct score *score, double now_s, struct dpl_twist2 command, bool pressed);

/* Whether the robot drives in the world that is looked into. */

/* Zeroed: nothing was seen. */
struct astray {
    bool seen, moves;              /* moves: the avatar has left its first place */
    struct dpl_pose2 base, avatar; /* at first */
};

/* The base by its odometry, and the avatar in the world that is looked into. True: the base has
 * driven, and that avatar has never moved. */
bool astray_see(struct astray *astray, struct dpl_pose2 base, struct dpl_pose2 avatar);

#endif
