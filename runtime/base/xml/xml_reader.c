/* SPDX-License-Identifier: Apache-2.0 */
/* The XML tree with positions. Expat parses UTF-8 text that is completely in memory; its byte index
 * gives every line and column, and the attributes inside the raw tag. */
#include "xml_reader.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/text.h>

#include "number.h"
#include "xml_cause.h"
#include "xml_encoding.h"

struct frame {
    struct dpl_xml_node *node, *last_child;
    char *text;
    size_t n_text, capacity;
    bool has_text_place;
};

struct builder {
    struct dpl_arena *arena;
    XML_Parser parser;
    struct dpl__text_cursor cursor;
    struct dpl_xml_node *root;
    struct frame frames[DPL_XML_DEPTH_MAX];
    size_t depth, n_nodes;
    bool failed;
    struct dpl_diag diag;
};

static struct dpl_place here(struct builder *builder)
{
    XML_Index index = XML_GetCurrentByteIndex(builder->parser);
    return dpl__text_place(&builder->cursor, index < 0 ? 0 : (size_t)index);
}

static void stop(struct builder *builder, const char *text)
{
    if (!builder->failed) {
        builder->failed = true;
        dpl_fail(&builder->diag, -EINVAL, here(builder), "%s", text);
        XML_StopParser(builder->parser, XML_FALSE);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool is_blank_code(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r';
}

/* The bytes before the first character that controls a terminal; XML has U+007F to U+009F. */
static size_t plain_length(const char *text)
{
    size_t at = 0, n;
    uint32_t code;
    while (text[at] != '\0' && (n = dpl_text_next(text + at, &code)) > 0 &&
           (!dpl_text_is_control(code) || is_blank_code(code))) {
        at += n;
    }
    return at;
}

/* A copy without such characters: names and descriptions are shown in many places. */
static const char *copy_shown(struct dpl_arena *arena, const char *text, size_t length)
{
    char *copy = dpl_arena_strndup(arena, text, length);
    size_t n = plain_length(copy);
    if (copy[n] == '\0') {
        return copy;
    }
    char *shown = dpl_arena_alloc(arena, DPL_TEXT_CLEAN_SIZE(length));
    size_t at = 0;
    for (const char *rest = copy; *rest != '\0'; n = plain_length(rest)) {
        char one[8] = "";
        memcpy(shown + at, rest, n);
        at += n;
        rest += n;
        uint32_t code;
        size_t next = *rest == '\0' ? 0 : dpl_text_next(rest, &code);
        memcpy(one, rest, next);
        at += dpl_text_clean(one, shown + at, sizeof one);
        rest += next;
    }
    return shown;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static size_t skip_blanks(const char *bytes, size_t i)
{
    while (dpl__is_blank(bytes[i])) {
        i++;
    }
    return i;
}

static size_t skip_name(const char *bytes, size_t i)
{
    while (!dpl__is_blank(bytes[i]) && !strchr("=/>", bytes[i])) {
        i++;
    }
    return i;
}

/* Expat has checked the tag: name, blanks, '=', blanks, quote, value, quote. */
static size_t place_attribute(struct builder *builder, size_t offset,
                              struct dpl_xml_attribute *attribute)
{
    const char *bytes = builder->cursor.text.bytes;
    offset = skip_blanks(bytes, offset);
    attribute->place = dpl__text_place(&builder->cursor, offset);
    offset = skip_blanks(bytes, skip_name(bytes, offset));
    offset = skip_blanks(bytes, offset + 1);
    char quote = bytes[offset];
    offset++;
    attribute->value_place = dpl__text_place(&builder->cursor, offset);
    size_t start = offset;
    while (bytes[offset] != quote) {
        offset++;
    }
    if (strpbrk(attribute->value, "{}")) {
        attribute->written = dpl_arena_strndup(builder->arena, bytes + start, offset - start);
    } else if (strlen(attribute->value) != offset - start ||
               memcmp(attribute->value, bytes + start, offset - start) != 0) {
        attribute->raw = dpl_arena_strndup(builder->arena, bytes + start, offset - start);
    }
    return offset + 1;
}

static void read_attributes(struct builder *builder, struct dpl_xml_node *node, const char **pairs)
{
    size_t n = (size_t)XML_GetSpecifiedAttributeCount(builder->parser) / 2;
    if (n == 0) {
        return;
    }
    struct dpl_xml_attribute *attributes = dpl_arena_alloc(builder->arena, n * sizeof(*attributes));
    size_t start = (size_t)XML_GetCurrentByteIndex(builder->parser);
    size_t offset = skip_name(builder->cursor.text.bytes, start + 1);
    for (size_t i = 0; i < n; i++) {
        attributes[i].name = dpl_arena_strdup(builder->arena, pairs[2 * i]);
        attributes[i].value = pairs[2 * i + 1];
        offset = place_attribute(builder, offset, &attributes[i]);
        attributes[i].value =
            copy_shown(builder->arena, attributes[i].value, strlen(attributes[i].value));
    }
    node->attributes = attributes;
    node->n_attributes = n;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void append_node(struct builder *builder, struct dpl_xml_node *node)
{
    if (builder->depth == 0) {
        builder->root = node;
        return;
    }
    struct frame *parent = &builder->frames[builder->depth - 1];
    if (!parent->last_child) {
        parent->node->children = node;
    } else {
        parent->last_child->next = node;
    }
    parent->last_child = node;
}

static void on_start(void *user, const char *name, const char **pairs)
{
    struct builder *builder = user;
    if (builder->failed) {
        return;
    }
    if (builder->depth == DPL_XML_DEPTH_MAX) {
        stop(builder, "elements are nested too deeply");
        return;
    }
    if (builder->n_nodes++ == DPL_XML_NODES_MAX) {
        stop(builder, "the file has too many elements");
        return;
    }
    struct dpl_xml_node *node = dpl_arena_alloc(builder->arena, sizeof(*node));
    node->name = dpl_arena_strdup(builder->arena, name);
    node->text = "";
    node->place = here(builder);
    node->text_place = node->place;
    read_attributes(builder, node, pairs);
    append_node(builder, node);
    struct frame *frame = &builder->frames[builder->depth++];
    *frame = (struct frame){.node = node, .text = frame->text, .capacity = frame->capacity};
}

static void on_end(void *user, const char *name)
{
    struct builder *builder = user;
    if (builder->failed) {
        return;
    }
    struct frame *frame = &builder->frames[--builder->depth];
    size_t n = frame->n_text;
    while (n > 0 && dpl__is_blank(frame->text[n - 1])) {
        n--;
    }
    if (n > 0) {
        frame->node->text = copy_shown(builder->arena, frame->text, n);
    }
}

static bool reserve(struct frame *frame, size_t n)
{
    if (frame->capacity - frame->n_text >= n) {
        return true;
    }
    size_t capacity = (frame->n_text + n) * 2;
    char *text = realloc(frame->text, capacity);
    if (!text) {
        return false;
    }
    frame->text = text;
    frame->capacity = capacity;
    return true;
}

static void on_text(void *user, const char *text, int length)
{
    struct builder *builder = user;
    if (builder->failed || builder->depth == 0) {
        return;
    }
    struct frame *frame = &builder->frames[builder->depth - 1];
    size_t n = (size_t)length, skipped = 0;
    if (!frame->has_text_place) {
        while (skipped < n && dpl__is_blank(text[skipped])) {
            skipped++;
        }
        if (skipped == n) {
            return;
        }
        size_t index = (size_t)XML_GetCurrentByteIndex(builder->parser);
        frame->node->text_place = dpl__text_place(&builder->cursor, index + skipped);
        frame->has_text_place = true;
    }
    if (!reserve(frame, n - skipped)) {
        stop(builder, "out of memory");
        return;
    }
    memcpy(frame->text + frame->n_text, text + skipped, n - skipped);
    frame->n_text += n - skipped;
}

/* Profiles need no entities; without them nothing can expand. */
static void on_entity(void *user, const char *name, int is_parameter, const char *value,
                      int value_length, const char *base, const char *system_id,
                      const char *public_id, const char *notation)
{
    stop(user, "entity declarations are not accepted in a profile");
}

static void on_skipped_entity(void *user, const char *name, int is_parameter)
{
    stop(user, "an entity that is not declared");
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const struct dpl_xml_node *open_element(const struct builder *builder)
{
    return builder->depth > 0 ? builder->frames[builder->depth - 1].node : NULL;
}

static int fail_not_utf8(struct builder *builder, unsigned char byte, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EINVAL, here(builder),
                    "byte 0x%02x is not UTF-8: if the file is in another encoding, declare it "
                    "(<?xml version=\"1.0\" encoding=\"EUC-KR\"?>)",
                    byte);
}

static int fail_from_expat(struct builder *builder, struct dpl_diag *reterr)
{
    if (builder->failed) {
        if (reterr) {
            *reterr = builder->diag;
        }
        return -EINVAL;
    }
    enum XML_Error code = XML_GetErrorCode(builder->parser);
    const struct dpl_xml_node *open = open_element(builder);
    XML_Index index = XML_GetCurrentByteIndex(builder->parser);
    const struct dpl__text *text = &builder->cursor.text;
    if (code == XML_ERROR_TAG_MISMATCH && open) {
        return dpl_fail(reterr, -EINVAL, here(builder),
                        "this end tag does not close <%s>, which was opened at %d:%d", open->name,
                        open->place.line, open->place.column);
    }
    if ((code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN) && open) {
        return dpl_fail(reterr, -EINVAL, here(builder),
                        "the file ends inside <%s>, which was opened at %d:%d", open->name,
                        open->place.line, open->place.column);
    }
    if (code == XML_ERROR_INVALID_TOKEN && index >= 0 && (size_t)index < text->n &&
        (unsigned char)text->bytes[index] >= 0x80) {
        return fail_not_utf8(builder, (unsigned char)text->bytes[index], reterr);
    }
    size_t at = index < 0 ? 0 : (size_t)index;
    const char *cause = dpl__xml_cause((int)code, *text, at, &at);
    return dpl_fail(reterr, -EINVAL, dpl__text_place(&builder->cursor, at),
                    "not well-formed XML: %s", cause ? cause : XML_ErrorString(code));
}

/* ---- reading --------------------------------------------------------------------------------- */

static void set_handlers(struct builder *builder)
{
    XML_SetUserData(builder->parser, builder);
    XML_SetElementHandler(builder->parser, on_start, on_end);
    XML_SetCharacterDataHandler(builder->parser, on_text);
    XML_SetEntityDeclHandler(builder->parser, on_entity);
    XML_SetSkippedEntityHandler(builder->parser, on_skipped_entity);
    XML_SetParamEntityParsing(builder->parser, XML_PARAM_ENTITY_PARSING_NEVER);
}

static int parse(struct dpl_arena *arena, const char *file, struct dpl__text text,
                 struct dpl_xml_node **ret_root, struct dpl_diag *reterr)
{
    struct builder *builder = calloc(1, sizeof(*builder));
    XML_Parser parser = XML_ParserCreate("UTF-8");
    int error = -ENOMEM;
    if (builder && parser) {
        builder->arena = arena;
        builder->parser = parser;
        dpl__text_cursor_start(&builder->cursor, file, text);
        set_handlers(builder);
        error = 0;
        if (XML_Parse(parser, text.bytes, (int)text.n, XML_TRUE) != XML_STATUS_OK) {
            error = fail_from_expat(builder, reterr);
        } else {
            *ret_root = builder->root;
        }
        for (size_t i = 0; i < DPL_XML_DEPTH_MAX; i++) {
            free(builder->frames[i].text);
        }
    } else {
        error = dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = file}, "out of memory");
    }
    if (parser) {
        XML_ParserFree(parser);
    }
    free(builder);
    return error;
}

int dpl_xml_read_memory(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                        const struct dpl_xml_node **ret_root, struct dpl_diag *reterr)
{
    const char *file = dpl_arena_strdup(arena, name);
    if (n > DPL_XML_BYTES_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                        "the file has %zu bytes, at most %u are accepted", n, DPL_XML_BYTES_MAX);
    }
    struct dpl__text text;
    struct dpl__text input = {bytes, n};
    int error = dpl__xml_to_utf8(arena, file, input, &text, reterr);
    if (error != 0) {
        return error;
    }
    struct dpl_xml_node *root = NULL;
    error = parse(arena, file, text, &root, reterr);
    if (error == 0) {
        *ret_root = root;
    }
    return error;
}

/* ---- iteration ------------------------------------------------------------------------------- */

static const struct dpl_xml_node *from(const struct dpl_xml_node *node, const char *name)
{
    while (node && strcmp(node->name, name) != 0) {
        node = node->next;
    }
    return node;
}

const struct dpl_xml_node *dpl_xml_child(const struct dpl_xml_node *node, const char *name)
{
    return from(node->children, name);
}

const struct dpl_xml_node *dpl_xml_next(const struct dpl_xml_node *node, const char *name)
{
    return from(node->next, name);
}

const struct dpl_xml_attribute *dpl_xml_attribute(const struct dpl_xml_node *node, const char *name)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

const struct dpl_xml_attribute *dpl_xml_attribute_like(const struct dpl_xml_node *node,
                                                       const char *name)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (dpl_name_equal(node->attributes[i].name, name)) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

bool dpl_xml_is_for_editors(const char *attribute_name)
{
    return strcmp(attribute_name, "xmlns") == 0 || strncmp(attribute_name, "xmlns:", 6) == 0 ||
           strncmp(attribute_name, "xsi:", 4) == 0 || strncmp(attribute_name, "xml:", 4) == 0;
}
