/* SPDX-License-Identifier: Apache-2.0 */
/* C code and tables of a driver, from the calls of its class. */
#include "new_driver.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 100 /* of a line of C code */

static const char *const kind_names[] = {
    [DPL_CALL_COMMAND] = "command", [DPL_CALL_STOP] = "stop",   [DPL_CALL_SETTING] = "setting",
    [DPL_CALL_READING] = "reading", [DPL_CALL_CYCLE] = "cycle",
};

/* Calls that a driver may leave out and that then answer -ENOTSUP are left to the author. */
static bool is_written(const struct dpl_call *call)
{
    return !call->optional || call->missing == 0;
}

static bool has_result(const struct dpl_call *call)
{
    return call->out_type && is_written(call);
}

/* Only calls with arguments of their own keep them. */
static bool keeps_argument(const struct dpl_call *call)
{
    return call->in_type && call->n_in > 0 && is_written(call);
}

/* ---- comments ---- */

/* Words, broken into lines that begin with `prefix`. The line has `column` characters so far. */
static void write_wrapped(FILE *out, const char *text, const char *prefix, size_t column)
{
    bool is_first = true;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column + 1 + n > COLUMNS - 3) {
            fprintf(out, "\n%s", prefix);
            column = strlen(prefix);
        } else if (!is_first) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)n, text);
        column += n;
        text += n + strspn(text + n, " ");
        is_first = false;
    }
}

static void write_rows(FILE *out, const char *title, const struct dpl_field *rows, size_t n)
{
    if (n > 0) {
        fprintf(out, "\n * %s:", title);
    }
    for (size_t i = 0; i < n; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s%s%s: %s", rows[i].name, rows[i].unit ? " [" : "",
                 rows[i].unit ? rows[i].unit : "", rows[i].unit ? "]" : "",
                 rows[i].summary ? rows[i].summary : "");
        fprintf(out, "\n *   ");
        write_wrapped(out, text, " *     ", strlen(" *   "));
    }
}

static void write_comment(FILE *out, const struct dpl_call *call)
{
    char text[512];
    snprintf(text, sizeof text, "%s (%s%s): %s%s%s", call->name, call->optional ? "optional " : "",
             kind_names[call->kind], call->summary, call->beyond ? "; " : "",
             call->beyond ? call->beyond : "");
    fprintf(out, "/* ");
    write_wrapped(out, text, " * ", 3);
    write_rows(out, "Argument", call->in, call->n_in);
    write_rows(out, "Result", call->out, call->n_out);
    fprintf(out, " */\n");
}

/* ---- code ---- */

static void write_state(FILE *out, const struct dpl_device_class *class_)
{
    for (size_t i = 0; i < class_->n_calls; i++) {
        const struct dpl_call *call = &class_->calls[i];
        if (keeps_argument(call)) {
            fprintf(out, "    /* the newest argument of %s */\n    %s %s_in;\n", call->name,
                    call->in_type, call->name);
        }
        if (has_result(call)) {
            fprintf(out, "    /* what %s answers */\n    %s %s_out;\n", call->name, call->out_type,
                    call->name);
        }
    }
}

static bool has_row(const struct dpl_call *call, const char *name, enum dpl_field_type type)
{
    for (size_t i = 0; i < call->n_out; i++) {
        if (strcmp(call->out[i].name, name) == 0 && call->out[i].type == type) {
            return true;
        }
    }
    return false;
}

/* A device that measures in each cycle. These rows have the names of their members. */
static void write_measuring(FILE *out, const struct dpl_device_class *class_)
{
    for (size_t i = 0; i < class_->n_calls; i++) {
        const struct dpl_call *call = &class_->calls[i];
        if (!has_result(call)) {
            continue;
        }
        if (has_row(call, "valid", DPL_FIELD_BOOL)) {
            fprintf(out, "    state->%s_out.valid = true;\n", call->name);
        }
        if (has_row(call, "stamp", DPL_FIELD_INT)) {
            fprintf(out, "    state->%s_out.stamp = state->now;\n", call->name);
        }
        if (has_row(call, "sequence", DPL_FIELD_INT)) {
            fprintf(out, "    state->%s_out.sequence++;\n", call->name);
        }
    }
}

static void write_body(FILE *out, const struct dpl_device_class *class_,
                       const struct dpl_call *call)
{
    bool reads = call->kind == DPL_CALL_READING;
    fprintf(out, "    struct state *state = device->state;\n");
    if (keeps_argument(call)) {
        fprintf(out, "    state->%s_in = *(const %s *)in;\n", call->name, call->in_type);
    }
    if (has_result(call)) {
        fprintf(out, "    *(%s%s *%s)out = %sstate->%s_out;\n", call->borrowed ? "const " : "",
                call->out_type, call->borrowed ? "*" : "", call->borrowed ? "&" : "", call->name);
    } else if (call->kind == DPL_CALL_CYCLE && call->in_size > 0) {
        fprintf(out, "    state->now = ((const struct dpl_tick *)in)->now;\n");
        write_measuring(out, class_);
    } else {
        fprintf(out, "    state->%s++;\n", reads ? "n_readings" : "n_commands");
    }
    fprintf(out, "    return 0;\n");
}

static void write_functions(FILE *out, const struct dpl_device_class *class_)
{
    for (size_t i = 0; i < class_->n_calls; i++) {
        const struct dpl_call *call = &class_->calls[i];
        if (!is_written(call)) {
            continue;
        }
        write_comment(out, call);
        fprintf(out, "static int on_%s(struct dpl_device *device, const void *in, void *out)\n{\n",
                call->name);
        write_body(out, class_, call);
        fprintf(out, "}\n\n");
    }
}

static void write_number(FILE *out, const char *class_, const char *call)
{
    fprintf(out, "DPL_DRV_");
    for (const char *c = class_; *c; c++) {
        fputc(toupper((unsigned char)*c), out);
    }
    fputc('_', out);
    for (const char *c = call; *c; c++) {
        fputc(toupper((unsigned char)*c), out);
    }
}

static void write_api(FILE *out, const struct dpl_device_class *class_)
{
    for (size_t i = 0; i < class_->n_calls; i++) {
        const struct dpl_call *call = &class_->calls[i];
        if (is_written(call)) {
            fprintf(out, "    [");
            write_number(out, class_->name, call->name);
            fprintf(out, "] = on_%s,\n", call->name);
        } else {
            fprintf(out, "    /* %s is optional: %s */\n", call->name, call->summary);
        }
    }
}

static void write_table(FILE *out, const struct dpl_device_class *class_)
{
    fprintf(out, "| call | kind | what it does | in `template_name.c` |\n|---|---|---|---|\n");
    for (size_t i = 0; i < class_->n_calls; i++) {
        const struct dpl_call *call = &class_->calls[i];
        fprintf(out, "| `%s` | %s | %s | %s |\n", call->name, kind_names[call->kind], call->summary,
                is_written(call) ? "yes" : "no: optional");
    }
}

/* ---- all parts ---- */

static char *write_part(void (*write)(FILE *, const struct dpl_device_class *),
                        const struct dpl_device_class *class_, const struct new_words *words)
{
    char *text = NULL, *replaced;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    write(out, class_);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    while (size > 0 && text[size - 1] == '\n') {
        text[--size] = '\0';
    }
    replaced = new_words_replace(words, text);
    free(text);
    return replaced;
}

int new_driver_parts(struct new_words *words, const struct dpl_device_class *class_,
                     const char *users)
{
    void (*const writers[])(FILE *, const struct dpl_device_class *) = {
        [NEW_PART_STATE] = write_state,
        [NEW_PART_FUNCTIONS] = write_functions,
        [NEW_PART_API] = write_api,
        [NEW_PART_TABLE] = write_table,
    };
    for (size_t i = 0; i < DPL_COUNT(writers); i++) {
        words->parts[i] = write_part(writers[i], class_, words);
    }
    words->parts[NEW_PART_USERS] = strdup(users);
    for (size_t i = 0; i < NEW_N_PARTS; i++) {
        if (!words->parts[i]) {
            return -ENOMEM;
        }
    }
    return 0;
}

#define NEW_CLASS(name_) extern const struct dpl_device_class dpl_##name_##_class;
NEW_CLASSES
#undef NEW_CLASS

#define NEW_CLASS(name_) &dpl_##name_##_class,
const struct dpl_device_class *const new_classes[] = {NEW_CLASSES};
const size_t n_new_classes = DPL_COUNT(new_classes);

const char new_class_names[] = NEW_CLASS_NAMES;

const struct dpl_device_class *new_class_find(const char *name)
{
    for (size_t i = 0; i < n_new_classes; i++) {
        if (strcmp(new_classes[i]->name, name) == 0) {
            return new_classes[i];
        }
    }
    return NULL;
}
