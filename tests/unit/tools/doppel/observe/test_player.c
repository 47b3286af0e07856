/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/doppel/observe/player.h: what is due at which time of the computer. */
#include "player.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MS   (DPL_S / 1000)
#define WALL (77 * DPL_S) /* of the computer, when it begins */

static char file[] = "/tmp/player-XXXXXX";
static struct player player;

/* What was given. */
static struct {
    size_t n, n_scenes;
    uint64_t last, scene;
} given;

static void give(void *user, const struct dpl_mcap_message *message)
{
    (void)user;
    if (player_is_latched(message->channel)) {
        given.n_scenes++;
        given.scene = message->log_time;
    } else {
        given.n++;
        given.last = message->log_time;
    }
}

static const struct player_sink sink = {give, NULL};

static int write_bytes(void *user, const void *data, size_t n)
{
    return fwrite(data, 1, n, user) == n ? 0 : -EIO;
}

static void put(const struct mcap_file_module *module, struct dpl_mcap_writer *writer,
                uint16_t channel, dpl_ns time)
{
    struct dpl_mcap_new_message message = {channel, 0, (uint64_t)time, (uint64_t)time, "x", 1};
    cr_assert_eq(module->add_message(writer, &message), 0);
}

/* 100 messages from 1 s on, one each 10 ms, and two of a scene, at 1 s and 1.5 s. */
static void write_file(bool has_messages)
{
    const struct mcap_file_module *module;
    cr_assert_eq(bag_load(&module, NULL), 0);
    FILE *out = fdopen(mkstemp(file), "w");
    struct dpl_mcap_sink to = {write_bytes, out};
    struct dpl_mcap_settings settings = {"", "test", 300, 3};
    struct dpl_mcap_writer *writer = module->create(&to, &settings);
    struct dpl_mcap_pair latched[] = {{"unit", "latched"}, {"latched", "true"}};
    uint16_t values = 0, scene = 0;
    module->add_channel(writer, &(struct dpl_mcap_new_channel){"/a", "json", 0, latched, 1},
                        &values);
    module->add_channel(writer, &(struct dpl_mcap_new_channel){"/scene", "json", 0, latched, 2},
                        &scene);
    for (int i = 0; has_messages && i < 100; i++) {
        if (i % 50 == 0) {
            put(module, writer, scene, DPL_S + 10 * MS * i);
        }
        put(module, writer, values, DPL_S + 10 * MS * i);
    }
    cr_assert_eq(module->end(writer), 0);
    fclose(out);
}

static void open_file(void)
{
    struct dpl_diag why = {0};
    write_file(true);
    player.rate = 1.0;
    player.paused = true;
    cr_assert_eq(player_open(&player, file, &why), 0, "%s", why.text);
    player_resume(&player, WALL, &sink);
}

static void finish(void)
{
    player_close(&player);
    unlink(file);
}

TestSuite(player, .fini = finish);

Test(player, gives_what_is_due_at_its_rate)
{
    open_file();
    player_turn(&player, WALL + 99 * MS, &sink);
    cr_assert_eq(given.n, 10); /* 1.00 to 1.09 s */
    player_set_rate(&player, 2.0, WALL + 99 * MS);
    player_turn(&player, WALL + 199 * MS, &sink);
    cr_assert_eq(given.n, 30);
    cr_assert_eq(given.last, 1290 * MS);
    cr_assert_eq(player_position(&player, WALL + 199 * MS), 1299 * MS);
}

Test(player, gives_nothing_early)
{
    open_file();
    player_turn(&player, WALL - MS, &sink);
    cr_assert_eq(given.n, 1); /* the first, which is due at once */
    cr_assert_eq(player_position(&player, WALL - MS), DPL_S);
}

Test(player, stands_still_while_it_is_paused)
{
    open_file();
    player_pause(&player, WALL + 55 * MS);
    player_turn(&player, WALL + DPL_S, &sink);
    cr_assert_eq(given.n, 0);
    player_resume(&player, WALL + 2 * DPL_S, &sink);
    player_turn(&player, WALL + 2 * DPL_S, &sink);
    cr_assert_eq(given.n, 6); /* to 1.05 s */
}

Test(player, gives_what_holds_where_it_goes)
{
    open_file();
    player_seek(&player, 1750 * MS, WALL, &sink);
    cr_assert_eq(given.n_scenes, 1);
    cr_assert_eq(given.scene, 1500 * MS);
    cr_assert_eq(given.n, 0);
    player_turn(&player, WALL + 9 * MS, &sink);
    cr_assert_eq(given.n, 1);
    cr_assert_eq(given.last, 1750 * MS);
    player_seek(&player, 1200 * MS, WALL, &sink);
    cr_assert_eq(given.scene, 1000 * MS);
    player_seek(&player, 0, WALL, &sink);
    cr_assert_eq(player_position(&player, WALL), DPL_S, "not before its start");
    player_seek(&player, 100 * DPL_S, WALL, &sink);
    cr_assert_eq(player_position(&player, WALL), 1990 * MS, "not behind its end");
}

Test(player, stays_at_its_end_and_begins_again_when_it_is_to_go_on)
{
    open_file();
    player_turn(&player, WALL + 5 * DPL_S, &sink);
    cr_assert_eq(given.n, 100);
    cr_assert(player.paused && player_has_ended(&player));
    cr_assert_eq(player_position(&player, WALL + 9 * DPL_S), 1990 * MS);
    player_resume(&player, WALL + 9 * DPL_S, &sink);
    player_turn(&player, WALL + 9 * DPL_S, &sink);
    cr_assert_eq(given.n, 101);
    cr_assert_eq(given.last, DPL_S);
}

Test(player, begins_again_when_it_loops)
{
    open_file();
    player.loops = true;
    player_turn(&player, WALL + 5 * DPL_S, &sink);
    cr_assert_eq(given.n, 100);
    cr_assert(!player.paused && !player_has_ended(&player));
    player_turn(&player, WALL + 5 * DPL_S, &sink);
    cr_assert_eq(given.n, 101);
    cr_assert_eq(given.n_scenes, 3);
}

Test(player, refuses_a_recording_without_messages)
{
    struct dpl_diag why = {0};
    write_file(false);
    cr_assert_eq(player_open(&player, file, &why), -ENODATA);
    cr_assert(strstr(why.text, "no message"), "%s", why.text);
}
