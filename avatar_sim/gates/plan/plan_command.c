/* SPDX-License-Identifier: Apache-2.0 */
/* The command of a plan's unit: words, quotes, and names in braces. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "plan_parts.h"
#include "xml_value.h"

static const struct dpl_place nowhere;

struct splitter {
    const char *at;
    const char *item; /* what is looked at: a word, a quote, a name in braces */
    const struct dpl_plan_places *places;
    char *word; /* [DPL_PLAN_WORD_SIZE] */
    size_t n;
};

static int append(struct splitter *splitter, const char *text, size_t n, struct dpl_diag *reterr)
{
    if (splitter->n + n >= DPL_PLAN_WORD_SIZE) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a word of the command has more than %d bytes",
                        DPL_PLAN_WORD_SIZE - 1);
    }
    memcpy(splitter->word + splitter->n, text, n);
    splitter->n += n;
    splitter->word[splitter->n] = '\0';
    return 0;
}

/* Name and value number `i`; NULL: there are no more. */
static const struct dpl_plan_place *place_at(const struct dpl_plan_places *places, size_t i)
{
    const struct dpl_sim_plan *plan = places->plan;
    if (i < places->n) {
        return &places->given[i];
    }
    return plan && i - places->n < plan->n_values ? &plan->values[i - places->n] : NULL;
}

static int fail_unknown(const struct splitter *splitter, const char *name, struct dpl_diag *reterr)
{
    char known[300] = "";
    const char *names[32];
    size_t at = 0, n = 0;
    const struct dpl_plan_place *place;
    while (n < 32 && (place = place_at(splitter->places, n)) != NULL) {
        names[n++] = place->name;
        bool is_new =
            at < sizeof known && (n <= splitter->places->n || strcmp(place->name, "seed"));
        int length = is_new ? snprintf(known + at, sizeof known - at, " {%s}", place->name) : 0;
        at += length > 0 ? (size_t)length : 0;
    }
    const char *near = dpl_nearest(name, names, n);
    return dpl_fail(reterr, -EINVAL, nowhere,
                    "the command has {%s}%s%s%s; what can be filled in:%s", name,
                    near ? ", did you mean {" : "", near ? near : "", near ? "}?" : "", known);
}

/* At a brace. */
static int fill_in(struct splitter *splitter, struct dpl_diag *reterr)
{
    char name[64];
    splitter->item = splitter->at;
    char brace = *splitter->at++;
    if (*splitter->at == brace) {
        splitter->at++;
        return append(splitter, &brace, 1, reterr);
    }
    size_t n = strcspn(splitter->at, "{}");
    if (brace == '}' || splitter->at[n] != '}' || n >= sizeof name) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the command has a single '%c': write %c%c for a brace", brace, brace,
                        brace);
    }
    memcpy(name, splitter->at, n);
    name[n] = '\0';
    splitter->at += n + 1;
    const struct dpl_plan_place *place;
    for (size_t i = 0; (place = place_at(splitter->places, i)) != NULL; i++) {
        if (strcmp(place->name, name) == 0) {
            return append(splitter, place->value, strlen(place->value), reterr);
        }
    }
    return fail_unknown(splitter, name, reterr);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int read_word(struct splitter *splitter, struct dpl_diag *reterr)
{
    char quote = '\0';
    const char *quoted = NULL;
    int err = 0;
    while (err == 0 && *splitter->at != '\0' && (quote || !is_blank(*splitter->at))) {
        char c = *splitter->at;
        if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? '\0' : c;
            quoted = splitter->at++;
        } else if (c == '{' || c == '}') {
            err = fill_in(splitter, reterr);
        } else {
            err = append(splitter, &c, 1, reterr);
            splitter->at++;
        }
    }
    if (err == 0 && quote) {
        splitter->item = quoted;
        return dpl_fail(reterr, -EINVAL, nowhere, "the command has a %c without its end", quote);
    }
    return err;
}

static int split(struct splitter *splitter, struct dpl_plan_command *command,
                 struct dpl_diag *reterr)
{
    size_t n = 0;
    for (;;) {
        splitter->at += strspn(splitter->at, " \t\r\n");
        splitter->item = splitter->at;
        if (*splitter->at == '\0') {
            break;
        }
        if (n == DPL_PLAN_WORDS_MAX) {
            return dpl_fail(reterr, -EINVAL, nowhere, "the command has more than %d words",
                            DPL_PLAN_WORDS_MAX);
        }
        splitter->word = command->words[n];
        splitter->word[0] = '\0';
        splitter->n = 0;
        int err = read_word(splitter, reterr);
        if (err < 0) {
            return err;
        }
        command->argv[n++] = splitter->word;
    }
    command->argv[n] = NULL;
    return n > 0 ? 0 : dpl_fail(reterr, -EINVAL, nowhere, "the command is empty");
}

int dpl_plan_command_parse(const char *text, const struct dpl_plan_places *places,
                           struct dpl_plan_command *ret_command, struct dpl_diag *reterr)
{
    struct splitter splitter = {.at = text, .places = places};
    int err = split(&splitter, ret_command, reterr);
    ret_command->bad_at = err < 0 ? (size_t)(splitter.item - text) : 0;
    return err;
}

bool dpl_plan_command_has(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{')) {
        if (at[1] == '{') {
            at++; /* a brace of its own */
        } else if (strncmp(at + 1, name, n) == 0 && at[n + 1] == '}') {
            return true;
        }
    }
    return false;
}

void plan_command_check(const struct dpl_sim_plan *plan, const struct dpl_xml_attribute *attribute,
                        struct dpl_arena *arena, struct dpl_diags *diags)
{
    static const struct dpl_plan_place given[] = {
        {"controllers_port", ""}, {"modbus_port", ""}, {"seed", ""}, {"out", ""}};
    const struct dpl_plan_places places = {given, DPL_COUNT(given), plan};
    struct dpl_plan_command *command = dpl_arena_alloc(arena, sizeof *command);
    struct dpl_diag error = {0};
    if (dpl_plan_command_parse(attribute->value, &places, command, &error) < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, dpl__xml_value_place(attribute, command->bad_at),
                      "%s", error.text);
    }
}
