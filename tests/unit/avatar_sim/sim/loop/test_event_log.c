/* SPDX-License-Identifier: Apache-2.0 */
/* A log of events, as text, replays: the world that gets it is the same to the last bit. */
#include <errno.h>

#include "events_rig.h"
#include "snapshot_scene.h"

TestSuite(event_log, .timeout = 60);

enum { N_STEPS = 600, N_LINES = 2000 };

/* A world that events act on. */
struct course {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_sim_events *events;
    char *lines[N_LINES];
    size_t n_lines;
};

struct push {
    int motor;
    double speed;
};

/* Sends itself again now and then, so that a log has what handlers sent. */
static int set_motor(void *context, const struct dpl_sim_event_run *run)
{
    struct course *course = context;
    struct push push;
    memcpy(&push, run->payload, sizeof push);
    dpl_world_set_motor(course->world, push.motor, push.speed);
    push.motor = (push.motor + 1) % (2 * SNAPSHOT_ROBOTS);
    push.speed = -0.9 * push.speed;
    struct dpl_sim_event again = {.class_ = DPL_SIM_EVENT_EVERY,
                                  .has_due = true,
                                  .due = run->step + 37,
                                  .payload = &push,
                                  .size = sizeof push};
    dpl_sim_events_send(run->events, &again, NULL);
    return 0;
}

static const struct dpl_sim_event_kind kinds[] = {{"motor", set_motor}};

static void log_line(void *user, const struct dpl_sim_event_record *record)
{
    struct course *course = user;
    char line[DPL_SIM_EVENT_LINE_MAX];
    dpl_sim_event_print(line, record);
    cr_assert_lt(course->n_lines, N_LINES);
    course->lines[course->n_lines++] = strdup(line);
}

static struct course *create(bool log)
{
    struct course *course = calloc(1, sizeof *course);
    course->model = snapshot_model(40);
    cr_assert_eq(dpl_world_create(course->model, &course->world, NULL), 0);
    struct dpl_sim_events_options options = {.kinds = kinds,
                                             .n_kinds = 1,
                                             .context = course,
                                             .log = log ? log_line : NULL,
                                             .log_user = course};
    cr_assert_eq(dpl_sim_events_create(&options, &course->events), 0);
    return course;
}

static void destroy(struct course *course)
{
    dpl_sim_events_destroy(course->events);
    dpl_world_destroy(course->world);
    dpl_sim_model_destroy(course->model);
    for (size_t i = 0; i < course->n_lines; i++) {
        free(course->lines[i]);
    }
    free(course);
}

static void send_some(struct course *course, uint64_t step)
{
    struct dpl_random rng = dpl_random_seeded(step, 3);
    if (step % 50 != 0) {
        return;
    }
    struct push push = {(int)dpl_random_uniform(&rng, 0.0, 2.0 * SNAPSHOT_ROBOTS),
                        dpl_random_uniform(&rng, -5.0, 20.0)};
    struct dpl_sim_event event = {.class_ = step % 100 ? DPL_SIM_EVENT_N : DPL_SIM_EVENT_EVERY,
                                  .number = (uint8_t)(step % 256),
                                  .n = 7,
                                  .phase = 3,
                                  .payload = &push,
                                  .size = sizeof push};
    dpl_sim_events_send(course->events, &event, NULL);
}

static void replay_boundary(struct course *course, uint64_t step, const struct course *from,
                            size_t *at)
{
    static struct dpl_sim_event_line line;
    while (*at < from->n_lines) {
        cr_assert_eq(dpl_sim_event_parse(from->lines[*at], &line), 0);
        if (line.record.step != step) {
            return;
        }
        cr_assert_eq(dpl_sim_events_run(course->events, &line.record), 0);
        ++*at;
    }
}

Test(event_log, replayed_gives_a_world_that_is_equal_in_every_bit)
{
    struct course *first = create(true), *second = create(false), *quiet = create(false);
    struct snapshot_view *views = calloc(N_STEPS, sizeof *views);
    for (uint64_t step = 0; step < N_STEPS; step++) {
        send_some(first, step);
        dpl_sim_events_drain(first->events, &(struct dpl_sim_events_drain){.step = step});
        dpl_world_step(first->world, 1);
        snapshot_see(first->world, &views[step]);
    }
    cr_assert_gt(first->n_lines, 50);
    dpl_sim_events_replay(second->events, true);
    size_t at = 0;
    struct snapshot_view view;
    for (uint64_t step = 0; step < N_STEPS; step++) {
        dpl_sim_events_drain(second->events, &(struct dpl_sim_events_drain){.step = step});
        replay_boundary(second, step, first, &at);
        dpl_world_step(second->world, 1);
        dpl_world_step(quiet->world, 1);
        snapshot_see(second->world, &view);
        cr_assert_arr_eq(&view, &views[step], sizeof view, "step %d", (int)step);
    }
    cr_assert_eq(at, first->n_lines, "all of the log was used");
    snapshot_see(quiet->world, &view);
    cr_assert_arr_neq(&view, &views[N_STEPS - 1], sizeof view, "the events did something");
    free(views);
    destroy(first);
    destroy(second);
    destroy(quiet);
}

Test(event_log, line_that_is_printed_is_read_back)
{
    static char line[DPL_SIM_EVENT_LINE_MAX];
    static struct dpl_sim_event_line read;
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX];
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = (unsigned char)(7 * i);
    }
    const size_t sizes[] = {0, 1, 16, sizeof payload};
    for (int i = 0; i < 4; i++) {
        struct dpl_sim_event_record record = {.step = UINT64_MAX,
                                              .sequence = 12,
                                              .kind = "set-motor_2",
                                              .class_ = DPL_SIM_EVENT_IDLE,
                                              .number = 255,
                                              .late = true,
                                              .payload = payload,
                                              .size = sizes[i]};
        cr_assert_eq(dpl_sim_event_print(line, &record), strlen(line));
        cr_assert_eq(dpl_sim_event_parse(line, &read), 0, "%s", line);
        cr_assert_eq(read.record.step, UINT64_MAX);
        cr_assert_eq(read.record.sequence, 12);
        cr_assert_str_eq(read.record.kind, "set-motor_2");
        cr_assert_eq(read.record.class_, DPL_SIM_EVENT_IDLE);
        cr_assert_eq(read.record.number, 255);
        cr_assert(read.record.late);
        cr_assert_eq(read.record.size, sizes[i]);
        cr_assert_arr_eq(read.record.payload, payload, sizes[i]);
    }
}

Test(event_log, line_with_anything_else_is_refused)
{
    static const char *const bad[] = {
        "",
        "\n",
        "1",
        "1 2 every 3 0 run",
        "1 2 every 3 0 run ",
        "1 2 every 3 0 run 0",
        "1 2 every 3 0 run 0g",
        "1 2 every 256 0 run -",
        "1 2 every 3 2 run -",
        "1 2 often 3 0 run -",
        "-1 2 every 3 0 run -",
        "18446744073709551616 2 every 3 0 run -",
        "1 2 every 3 0 run - ",
        "1 2 every 3 0 r/n -",
        "1  2 every 3 0 run -",
        "1 2 every 3 0 name-of-more-than-thirty-one-bytes -",
    };
    static struct dpl_sim_event_line line;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(dpl_sim_event_parse(bad[i], &line), -EINVAL, "%s", bad[i]);
    }
    static char longest[2 * DPL_SIM_EVENT_PAYLOAD_MAX + 64];
    size_t n = (size_t)sprintf(longest, "1 2 every 3 0 run ");
    memset(longest + n, 'a', 2 * DPL_SIM_EVENT_PAYLOAD_MAX + 2);
    cr_assert_eq(dpl_sim_event_parse(longest, &line), -EINVAL);
    cr_assert_eq(dpl_sim_event_parse("1 2 every 3 0 run ff", &line), 0);
}
