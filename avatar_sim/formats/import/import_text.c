/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, and numbers in texts: see import.h. */
#include "import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena.h"
#include "number.h"

/* ---- messages ---- */

enum { NOTES_MAX = 200, LINES_MAX = 8, LEFT_MAX = 100 };

static const double FRICTION_MAX = 10.0; /* of a material */

/* Elements of one name that were not read. */
struct dpl__import_left {
    const char *name, *file;
    int lines[LINES_MAX];
    size_t n;
};

void dpl__import_note(struct dpl__import *import, struct dpl_place place, const char *format, ...)
{
    char text[DPL_DIAG_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *note = dpl_arena_printf(import->reader->arena, "%s:%d:%d: note: %s", place.file,
                                        place.line, place.column, text);
    const char *const *notes = import->notes.items;
    for (size_t i = 0; i < import->notes.n; i++) {
        if (strcmp(notes[i], note) == 0) { /* of an element that is read twice */
            return;
        }
    }
    if (import->notes.n < NOTES_MAX) {
        *(const char **)dpl__list_add(import->reader->arena, &import->notes, sizeof(char *)) = note;
    }
}

void dpl__import_leave_out(struct dpl__import *import, const struct dpl_xml_node *node)
{
    struct dpl__import_left *left = import->left_out.items;
    size_t i = 0;
    while (i < import->left_out.n &&
           (strcmp(left[i].name, node->name) != 0 || strcmp(left[i].file, node->place.file) != 0)) {
        i++;
    }
    if (i == import->left_out.n) {
        if (i == LEFT_MAX) {
            return;
        }
        left = (struct dpl__import_left *)dpl__list_add(import->reader->arena, &import->left_out,
                                                        sizeof *left) -
               i;
        left[i].name = node->name;
        left[i].file = node->place.file;
    }
    if (left[i].n < LINES_MAX) {
        left[i].lines[left[i].n] = node->place.line;
    }
    left[i].n++;
}

static void tell_left(FILE *stream, const struct dpl__import_left *left)
{
    fprintf(stream, "  %s:%d: note: <%.100s> is left out", left->file, left->lines[0], left->name);
    for (size_t i = 1; i < left->n && i < LINES_MAX; i++) {
        fprintf(stream, "%s%d", i == 1 ? ", also in line " : ", ", left->lines[i]);
    }
    if (left->n > LINES_MAX) {
        fprintf(stream, " and %zu more", left->n - LINES_MAX);
    }
    fputc('\n', stream);
}

void dpl__import_tell(struct dpl__import *import)
{
    const struct dpl__import_left *left = import->left_out.items;
    const char *const *notes = import->notes.items;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = import->notes.n + import->left_out.n > 0 ? open_memstream(&text, &size) : NULL;
    if (!stream) {
        return;
    }
    for (size_t i = 0; i < import->notes.n; i++) {
        fprintf(stream, "  %s\n", notes[i]);
    }
    for (size_t i = 0; i < import->left_out.n; i++) {
        tell_left(stream, &left[i]);
    }
    if (fclose(stream) == 0) {
        import->objects->notes = dpl_arena_strdup(import->reader->arena, text);
    }
    free(text);
}

bool dpl__import_fail(struct dpl__import *import, struct dpl_place place, const char *format, ...)
{
    char text[DPL_DIAG_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dpl_diags_add(import->reader->diags, DPL_SEVERITY_ERROR, place, "%s", text);
    return false;
}

/* ---- texts ---- */

static const char *skip(const char *at, struct dpl_place *inout_place)
{
    while (dpl__is_blank(*at)) {
        inout_place->column = *at == '\n' ? 1 : inout_place->column + 1;
        inout_place->line += *at == '\n';
        at++;
    }
    return at;
}

bool dpl__import_numbers(struct dpl__import *import, const char *text, struct dpl_place place,
                         const char *what, size_t n, double *ret_numbers)
{
    double numbers[9] = {0};
    const char *at = skip(text, &place);
    for (size_t i = 0; i < n; i++) {
        const char *end = dpl__number_read(at, &numbers[i]);
        if (!end || (*end != '\0' && !dpl__is_blank(*end)) || !(fabs(numbers[i]) <= 1e12)) {
            int length = (int)strcspn(at, " \t\r\n");
            if (length == 0) {
                return dpl__import_fail(import, place, "%s: found %zu number%s, expected %zu", what,
                                        i, i == 1 ? "" : "s", n);
            }
            return dpl__import_fail(import, place, "%s: '%.*s' is no number within 1e12", what,
                                    length < 40 ? length : 40, at);
        }
        place.column += (int)(end - at);
        at = skip(end, &place);
    }
    if (*at != '\0') {
        return dpl__import_fail(import, place, "%s: found more than %zu number%s", what, n,
                                n == 1 ? "" : "s");
    }
    memcpy(ret_numbers, numbers, n * sizeof *numbers);
    return true;
}

/* What is behind "inf" or "infinity" in any case; NULL: it is neither. */
static const char *read_infinity(const char *at)
{
    static const char *const words[] = {"infinity", "inf"};
    at += *at == '+' || *at == '-';
    for (size_t i = 0; i < DPL_COUNT(words); i++) {
        if (strncasecmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    return NULL;
}

bool dpl__import_wide(struct dpl__import *import, const char *text, struct dpl_place place,
                      const char *what, double *ret_number)
{
    double wide = 0.0;
    struct dpl_place at_place = place;
    const char *at = skip(text, &at_place), *end = read_infinity(at);
    if (end) {
        wide = *at == '-' ? -DPL__IMPORT_NO_LIMIT : DPL__IMPORT_NO_LIMIT;
    } else {
        end = dpl__number_read(at, &wide);
    }
    if (end && *skip(end, &at_place) == '\0' && fabs(wide) > 1e12) {
        *ret_number = wide > 0.0 ? DPL__IMPORT_NO_LIMIT : -DPL__IMPORT_NO_LIMIT;
        return true;
    }
    return dpl__import_numbers(import, text, place, what, 1, ret_number);
}

bool dpl__import_bool(struct dpl__import *import, const char *text, struct dpl_place place,
                      const char *what, bool *ret_bool)
{
    bool is_true = strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!is_true && strcasecmp(text, "false") != 0 && strcmp(text, "0") != 0) {
        return dpl__import_fail(import, place, "%s: '%.40s' is none of true|false|1|0", what, text);
    }
    *ret_bool = is_true;
    return true;
}

static size_t count_words(const char *at)
{
    size_t n = 0;
    while (*at) {
        n += !dpl__is_blank(*at) && (at[1] == '\0' || dpl__is_blank(at[1]));
        at++;
    }
    return n;
}

bool dpl__import_scale(struct dpl__import *import, const char *text, struct dpl_place place,
                       double ret_scale[3])
{
    if (count_words(text) != 1) {
        return dpl__import_numbers(import, text, place, "scale", 3, ret_scale);
    }
    if (!dpl__import_numbers(import, text, place, "scale", 1, ret_scale)) {
        return false;
    }
    ret_scale[1] = ret_scale[2] = ret_scale[0];
    dpl__import_note(import, place, "scale: one number, it is taken for all three axes");
    return true;
}

bool dpl__import_color(struct dpl__import *import, const char *text, struct dpl_place place,
                       const char *what, double ret_rgba[4])
{
    double rgba[4] = {0.0, 0.0, 0.0, 1.0};
    size_t n = count_words(text);
    const char *at = skip(text, &place);
    bool good = n == 3 || n == 4;
    for (size_t i = 0; i < n && good; i++) {
        struct dpl_place ignored = place;
        const char *end = dpl__number_read(at, &rgba[i]);
        good = end && (*end == '\0' || dpl__is_blank(*end));
        at = good ? skip(end, &ignored) : at;
    }
    if (!good) {
        dpl_diags_add(
            import->reader->diags, DPL_SEVERITY_WARNING, place,
            "%s: '%.60s' is no colour, expected red, green, blue and opacity from 0 to 1; "
            "it is left out",
            what, text);
        return false;
    }
    if (n == 3) {
        dpl__import_note(import, place, "%s: three numbers, the fourth (opacity) is taken as 1",
                         what);
    }
    for (int i = 0; i < 4; i++) {
        ret_rgba[i] = fmin(fmax(rgba[i], 0.0), 1.0);
    }
    return true;
}

double dpl__import_friction(struct dpl__import *import, struct dpl_place place, double friction)
{
    double kept = fmin(fmax(friction, 0.0), FRICTION_MAX);
    if (kept != friction) {
        dpl__import_note(import, place, "the friction %g counts as %g", friction, kept);
    }
    return kept;
}

bool dpl__import_attribute(struct dpl__import *import, const struct dpl_xml_node *node,
                           const char *name, size_t n, double *inout_numbers)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(node, name);
    return !given ||
           dpl__import_numbers(import, given->value, given->value_place, name, n, inout_numbers);
}

const struct dpl_xml_attribute *
dpl__import_required(struct dpl__import *import, const struct dpl_xml_node *node, const char *name)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(node, name);
    if (!given) {
        dpl__import_fail(import, node->place, "<%.60s> needs the attribute '%s'", node->name, name);
    }
    return given;
}

int dpl__import_find_link(const struct dpl__import *import, const char *name)
{
    for (size_t i = 0; i < import->links.n; i++) {
        if (strcmp(dpl__import_link(import, (int)i)->own_name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int dpl__import_find_joint(const struct dpl__import *import, const char *name)
{
    for (size_t i = 0; i < import->joints.n; i++) {
        if (strcmp(dpl__import_joint(import, (int)i)->own_name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}
