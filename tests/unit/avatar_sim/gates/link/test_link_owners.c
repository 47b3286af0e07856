/* SPDX-License-Identifier: Apache-2.0 */
/* Several clients that want the same part of a served world, and what is told of them. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/host.h>

#include "link_stranger.h"

static const char *const part = "avatar";

static struct dpl_link *open_taking_over(struct remote_world **list, const char *address)
{
    struct dpl_link_config config = {.world = address, .part = part, .take_over = true};
    return open_config(list, &config);
}

struct controller {
    struct remote_world *list;
    struct dpl_link *link;
    struct dpl_channel speed, velocity;
};

static void begin_control(struct controller *c, struct dpl_link *link, double speed)
{
    c->link = link;
    remote_worlds_start(c->list, monotonic(), NULL);
    c->speed = find_in(link, "LeftWheel/speed");
    c->velocity = find_out(link, "enc_left/velocity");
    dpl_channel_put_number(c->speed, speed);
}

Test(link_owners, lets_one_client_own_a_part_and_the_next_one_when_it_has_left, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_remote(&first.list, served.address, part), 3.0);
    EVENTUALLY(number_of(first.velocity) > 2.5);
    struct dpl_link *watcher = open_remote(&second.list, served.address, part);
    cr_assert(dpl_link_alive(watcher), "to watch is allowed");
    begin_control(&second, watcher, -3.0);
    EVENTUALLY(!dpl_link_alive(watcher));
    char why[200];
    cr_assert_eq(dpl_sim_link_loss(watcher, why, sizeof why), -EBUSY);
    cr_assert_not_null(strstr(why, "is controlled by client"), "%s", why);
    cr_assert_eq(dpl_sim_link_loss(first.link, why, sizeof why), 0);
    cr_assert_str_empty(why);
    for (int i = 0; i < 300; i++) {
        dpl_channel_put_number(second.speed, -3.0);
        cr_assert_gt(number_of(first.velocity), 2.0, "it obeys the first one only");
        cr_assert(dpl_link_alive(first.link));
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    EVENTUALLY(dpl_link_alive(watcher));
    EVENTUALLY(fabs(number_of(second.velocity)) < 0.1);
    dpl_channel_put_number(second.speed, -2.0);
    EVENTUALLY(number_of(second.velocity) < -1.5);
    remote_worlds_destroy(second.list);
    unserve(&served);
}

Test(link_owners, lets_a_client_take_a_part_over_that_asks_for_it, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_taking_over(&first.list, served.address), 3.0);
    EVENTUALLY(number_of(first.velocity) > 2.5);
    begin_control(&second, open_taking_over(&second.list, served.address), -3.0);
    EVENTUALLY(number_of(second.velocity) < -2.5);
    EVENTUALLY(!dpl_link_alive(first.link));
    for (int i = 0; i < 300; i++) {
        dpl_channel_put_number(first.speed, 3.0);
        cr_assert_lt(number_of(second.velocity), -2.0, "it is not taken back");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    for (int i = 0; i < 100; i++) {
        cr_assert_lt(number_of(second.velocity), -2.0,
                     "who has no control stops nothing when it leaves");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(second.list);
    unserve(&served);
}

Test(link_owners, tells_both_when_a_second_client_is_refused, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    join(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    join(&second);
    say_speed(&second, 1.0);
    const Doppel__Link__Control *control = next_control(&second);
    cr_assert_not(control->granted);
    cr_assert_not_null(strstr(control->text, "controlled by client"), "%s", control->text);
    control = next_control(&first);
    cr_assert(control->granted);
    cr_assert_not_null(strstr(control->text, "was refused"), "%s", control->text);
    leave(&first);
    leave(&second);
    unserve(&served);
}

static void keep_notice(void *user, const char *text)
{
    char *kept = user;
    if (strstr(text, "took over")) {
        snprintf(kept, 200, "%s", text);
    }
}

Test(link_owners, tells_who_took_a_part_from_whom, .timeout = 20)
{
    static char notice[200];
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.notice = keep_notice, .notice_user = notice});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    join(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    join(&second);
    uint32_t speed = channel_number(&second, "avatar/LeftWheel/speed");
    say_subscribe(&second, 2, &speed, 1, true);
    double one = 1.0;
    say_put(&second, 2, 0, &one, sizeof one, 0);
    const Doppel__Link__Control *control = next_control(&second);
    cr_assert(control->granted);
    cr_assert_not_null(strstr(control->text, "took over part"), "%s", control->text);
    cr_assert_not_null(strstr(control->text, "from client 'stranger'"), "%s", control->text);
    control = next_control(&first);
    cr_assert_not(control->granted);
    cr_assert_not_null(strstr(notice, "client 'stranger' took over part"), "%s", notice);
    cr_assert_not_null(strstr(notice, "from client 'stranger'"), "%s", notice);
    leave(&first);
    leave(&second);
    unserve(&served);
}

/* Two clients may want scans of one laser. */
Test(link_owners, lets_everybody_put_shared_flags, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger owner = connect_stranger(served.address);
    join(&owner);
    say_speed(&owner, 1.0);
    cr_assert(next_control(&owner)->granted);
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel on = find_in(link, "laser/on"), scans = find_out(link, "laser/scans");
    dpl_channel_put_flag(on, true);
    EVENTUALLY(whole_of(scans) > 1);
    cr_assert(dpl_link_alive(link));
    remote_worlds_destroy(list);
    leave(&owner);
    unserve(&served);
}

static void *grant_three_seconds(void *argument)
{
    remote_worlds_advance(argument, 3 * DPL_S, NULL);
    return NULL;
}

/* What another one has put into the other wheel does not go on without anybody. */
Test(link_owners, releases_what_the_owner_before_has_put_when_it_is_taken_over, .timeout = 30)
{
    struct served served;
    struct remote_world *first = NULL, *second = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true, .clients = 2});
    struct dpl_link *loser = open_remote(&first, served.address, part);
    struct dpl_channel left = find_in(loser, "LeftWheel/speed");
    struct dpl_channel right = find_in(loser, "RightWheel/speed");
    struct dpl_link *winner = open_taking_over(&second, served.address);
    struct dpl_channel mine = find_in(winner, "LeftWheel/speed");
    struct dpl_channel turns_left = find_out(winner, "enc_left/velocity");
    struct dpl_channel turns_right = find_out(winner, "enc_right/velocity");
    cr_assert_eq(remote_worlds_start(first, 0, NULL), 0);
    cr_assert_eq(remote_worlds_start(second, 0, NULL), 0);
    dpl_channel_put_number(left, 3.0);
    dpl_channel_put_number(right, 3.0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, grant_three_seconds, first), 0);
    cr_assert_eq(remote_worlds_advance(second, DPL_S, NULL), 0);
    cr_assert(number_of(turns_left) > 2.5 && number_of(turns_right) > 2.5);
    dpl_channel_put_number(mine, 2.0); /* once: in lock-step it is not repeated */
    cr_assert_eq(remote_worlds_advance(second, 3 * DPL_S, NULL), 0);
    pthread_join(thread, NULL);
    cr_assert_float_eq(number_of(turns_left), 2.0, 0.3);
    cr_assert_lt(fabs(number_of(turns_right)), 0.1);
    remote_worlds_destroy(first);
    remote_worlds_destroy(second);
    unserve(&served);
}

/* ---- notices ---- */

struct notices {
    size_t bytes;
    bool controls; /* a character that drives a terminal */
};

static void take_notice(void *user, const char *text)
{
    struct notices *notices = user;
    notices->bytes += strlen(text) + 1;
    for (const char *c = text; *c != '\0'; c++) {
        notices->controls = notices->controls || *c < ' ' || *c > '~';
    }
}

Test(link_owners, writes_few_lines_about_a_peer_that_comes_and_goes_and_escapes_its_name,
     .timeout = 20)
{
    struct notices notices = {0};
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.notice = take_notice, .notice_user = &notices});
    struct stranger stranger = connect_stranger(served.address);
    char name[] = "\x1b[2Jbell\a\n";
    Doppel__Link__Hello hello;
    Doppel__Link__Bye bye = DOPPEL__LINK__BYE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__hello__init(&hello);
    hello.period = DPL_S;
    hello.name = name;
    for (int i = 0; i < 2000; i++) {
        message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
        message.hello = &hello;
        say(&stranger, &message);
        message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BYE;
        message.bye = &bye;
        say(&stranger, &message);
    }
    EVENTUALLY(dpl_sim_server_stats(served.server).welcomed == 2000);
    leave(&stranger);
    unserve(&served);
    cr_assert_not(notices.controls);
    cr_assert(notices.bytes > 0 && notices.bytes < 4000, "%zu bytes", notices.bytes);
}
