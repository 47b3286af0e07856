/* SPDX-License-Identifier: Apache-2.0 */
/* What a command says. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/field.h>

#include "loop_parts.h"
#include "number.h"

static const struct dpl_place nowhere;
static const char blanks[] = " \t";

#define STEPS_MAX   1000000000000.0
#define SECONDS_MAX 1e9

/* ---- what follows the word ---- */

/* One number within a range. */
static int read_number(const char *text, double min, double max, const char *what,
                       double *ret_number, struct dpl_diag *reterr)
{
    double number;
    const char *end = dpl__number_read(text, &number);
    if (!end || *end != '\0' || !(number >= min && number <= max)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "expected %s from %g to %g, found '%.80s'", what,
                        min, max, text);
    }
    *ret_number = number;
    return 0;
}

static int read_nothing(const struct dpl_sim_loop *loop, const char *text,
                        struct loop_command *command, struct dpl_diag *reterr)
{
    (void)loop;
    (void)command;
    return *text == '\0'
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere, "expected nothing more, found '%.80s'", text);
}

static int read_steps(const struct dpl_sim_loop *loop, const char *text,
                      struct loop_command *command, struct dpl_diag *reterr)
{
    double number = 1.0;
    int err = *text ? read_number(text, 1.0, STEPS_MAX, "a number of steps", &number, reterr) : 0;
    if (err == 0 && number != floor(number)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "expected whole steps, found '%.80s'", text);
    }
    /* within 2^62 ns even so */
    double most = 4e18 / (double)loop->step;
    command->time = (dpl_ns)(number < most ? number : most) * loop->step;
    return err;
}

static int read_seconds(const struct dpl_sim_loop *loop, const char *text,
                        struct loop_command *command, struct dpl_diag *reterr)
{
    double number = 0.0;
    int err = read_number(text, 0.0, SECONDS_MAX, "seconds", &number, reterr);
    (void)loop;
    command->time = dpl_ns_from_s(number);
    return err;
}

static int read_condition(const struct dpl_sim_loop *loop, const char *text,
                          struct loop_command *command, struct dpl_diag *reterr)
{
    return loop_condition_parse(loop, text, &command->condition, reterr);
}

static int read_rate(const struct dpl_sim_loop *loop, const char *text,
                     struct loop_command *command, struct dpl_diag *reterr)
{
    (void)loop;
    command->rate = (double)INFINITY;
    if (strcmp(text, "max") == 0) {
        return 0;
    }
    return read_number(text, DPL_SIM_RATE_MIN, DPL_SIM_RATE_MAX, "'max' or a rate", &command->rate,
                       reterr);
}

static int read_name(const struct dpl_sim_loop *loop, const char *text,
                     struct loop_command *command, struct dpl_diag *reterr)
{
    (void)loop;
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    if (n == 0 || n > DPL_SIM_NAME_MAX || text[n] != '\0') {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "expected a name of 1 to %d letters, digits, '_', '.' and '-', found "
                        "'%.80s'",
                        DPL_SIM_NAME_MAX, text);
    }
    memcpy(command->name, text, n + 1);
    return 0;
}

/* ---- the word ---- */

static const struct verb {
    const char *word;
    enum loop_verb verb;
    int (*read)(const struct dpl_sim_loop *loop, const char *text, struct loop_command *command,
                struct dpl_diag *reterr);
} verbs[] = {
    {"run", LOOP_RUN, read_nothing},       {"pause", LOOP_PAUSE, read_nothing},
    {"step", LOOP_STEP, read_steps},       {"for", LOOP_FOR, read_seconds},
    {"until", LOOP_UNTIL, read_condition}, {"rate", LOOP_RATE, read_rate},
    {"reset", LOOP_RESET, read_nothing},   {"snapshot", LOOP_SNAPSHOT, read_name},
    {"restore", LOOP_RESTORE, read_name},
};

static int fail_unknown(const char *word, struct dpl_diag *reterr)
{
    const char *words[DPL_COUNT(verbs)];
    for (size_t i = 0; i < DPL_COUNT(verbs); i++) {
        words[i] = verbs[i].word;
    }
    const char *near = dpl_nearest(word, words, DPL_COUNT(verbs));
    return dpl_fail(reterr, -EINVAL, nowhere,
                    "unknown command '%s'%s%s%s; there are: run, pause, step, for, until, rate, "
                    "reset, snapshot, restore",
                    word, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int loop_command_parse(const struct dpl_sim_loop *loop, const char *text,
                       struct loop_command *ret_command, struct dpl_diag *reterr)
{
    char word[16];
    struct loop_command command = {0};
    text += strspn(text, blanks);
    size_t n = strcspn(text, blanks), kept = n < sizeof word ? n : sizeof word - 1;
    memcpy(word, text, kept);
    word[kept] = '\0';
    const char *rest = text + n + strspn(text + n, blanks);
    for (size_t i = 0; i < DPL_COUNT(verbs); i++) {
        if (strcmp(verbs[i].word, word) == 0 && n == kept) {
            command.verb = verbs[i].verb;
            int err = verbs[i].read(loop, rest, &command, reterr);
            if (err == 0) {
                *ret_command = command;
            }
            return err;
        }
    }
    return fail_unknown(word, reterr);
}

int dpl_sim_loop_check(const struct dpl_sim_loop *loop, const char *command,
                       struct dpl_diag *reterr)
{
    struct loop_command parsed;
    return loop_command_parse(loop, command, &parsed, reterr);
}
