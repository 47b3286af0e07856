/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP reply parser, host side: one handler per state, one line at a time. */
#include <doppel/protocol/scip_reply.h>

#include <errno.h>
#include <string.h>

/* Result of a handler: the reply continues, is complete, or has this fault. */
struct verdict {
    bool is_complete;
    enum dpl_scip_fault fault;
};

static const struct verdict go_on = {.fault = DPL_SCIP_FAULT_NONE};
static const struct verdict complete = {.is_complete = true};

static struct verdict fault(enum dpl_scip_fault what)
{
    return (struct verdict){.fault = what};
}

void dpl_scip_reply_parser_init(struct dpl_scip_reply_parser *parser)
{
    memset(parser, 0, sizeof *parser);
    dpl_scip_lines_init(&parser->lines, false);
}

static void start_reply(struct dpl_scip_reply *reply)
{
    reply->is_known = false;
    reply->kind = DPL_SCIP_REPLY_STATUS;
    reply->stamp_ms = 0;
    reply->count = 0;
    reply->extra_echoes = 0;
    reply->lines = 0;
}

static struct verdict at_echo(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    struct dpl_scip_reply *reply = &parser->reply;
    const char *status;
    if (line.length == 0) {
        return go_on;
    }
    if (line.length > DPL_SCIP_MAX_REQUEST) {
        return fault(DPL_SCIP_FAULT_ECHO);
    }
    for (size_t i = 0; i < line.length; i++) {
        if (line.text[i] < 0x20 || line.text[i] > 0x7e) {
            return fault(DPL_SCIP_FAULT_ECHO);
        }
    }
    start_reply(reply);
    reply->offset = line.offset;
    reply->echo_length = line.length;
    memcpy(reply->echo, line.text, line.length);
    reply->echo[line.length] = '\0';
    reply->is_known = dpl_scip_request_parse(line.text, line.length, &reply->request, &status) == 0;
    parser->state = DPL_SCIP_AT_STATUS;
    return go_on;
}

/* Whether the last character of the line is the correct sum of those before it. */
static bool sum_is_good(struct dpl_scip_line line)
{
    return line.length >= 2 &&
           dpl_scip_sum(line.text, line.length - 1) == line.text[line.length - 1];
}

static bool has_data(const struct dpl_scip_reply *reply)
{
    if (!reply->is_known || reply->request.command != DPL_SCIP_SCAN) {
        return false;
    }
    return dpl_scip_reply_is(reply,
                             dpl_scip_is_stream(&reply->request) ? DPL_SCIP_STREAM : DPL_SCIP_OK);
}

static struct verdict expect_scan(struct dpl_scip_reply_parser *parser)
{
    const struct dpl_scip_scan_fields *scan = &parser->reply.request.scan;
    if (dpl_scip_range_chars(scan->encoding) == 0 || scan->end < scan->start ||
        dpl_scip_scan_values(scan) > DPL_SCIP_MAX_STEPS) {
        return fault(DPL_SCIP_FAULT_ECHO);
    }
    parser->reply.kind = DPL_SCIP_REPLY_SCAN;
    parser->expected = dpl_scip_scan_values(scan);
    parser->digits = 0;
    parser->group = 0;
    parser->is_extra = false;
    parser->state = DPL_SCIP_AT_STAMP;
    return go_on;
}

/* The result for the line after a good status. */
static struct verdict after_status(struct dpl_scip_reply_parser *parser)
{
    struct dpl_scip_reply *reply = &parser->reply;
    bool is_ok = dpl_scip_reply_is(reply, DPL_SCIP_OK);
    enum dpl_scip_command command = reply->is_known ? reply->request.command : DPL_SCIP_EMPTY;
    parser->state = DPL_SCIP_AT_END;
    if (has_data(reply)) {
        return expect_scan(parser);
    }
    if (is_ok && command == DPL_SCIP_TIME && reply->request.parameter == 1) {
        reply->kind = DPL_SCIP_REPLY_TIME;
        parser->state = DPL_SCIP_AT_STAMP;
        return go_on;
    }
    if (is_ok &&
        (!reply->is_known || command == DPL_SCIP_VERSION || command == DPL_SCIP_PARAMETERS ||
         command == DPL_SCIP_STATE || command == DPL_SCIP_CONDITION)) {
        parser->state = DPL_SCIP_AT_TEXT;
    }
    return go_on;
}

static struct verdict at_status(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    char *status = parser->reply.status;
    if (line.length == 1 && (line.text[0] == '0' || line.text[0] == 'E')) {
        status[0] = line.text[0];
        status[1] = '\0';
        parser->state = DPL_SCIP_AT_END;
        return go_on;
    }
    if (line.length != 3 || !sum_is_good(line)) {
        return fault(DPL_SCIP_FAULT_STATUS);
    }
    memcpy(status, line.text, 2);
    status[2] = '\0';
    return after_status(parser);
}

static struct verdict at_stamp(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    struct dpl_scip_reply *reply = &parser->reply;
    if (line.length == 0) {
        return fault(DPL_SCIP_FAULT_TOO_LITTLE_DATA);
    }
    if (line.length != DPL_SCIP_STAMP_CHARS + 1 || !sum_is_good(line)) {
        return fault(DPL_SCIP_FAULT_SUM);
    }
    if (dpl_scip_decode(line.text, DPL_SCIP_STAMP_CHARS, &reply->stamp_ms) != 0) {
        return fault(DPL_SCIP_FAULT_CHARACTER);
    }
    parser->state = reply->kind == DPL_SCIP_REPLY_TIME ? DPL_SCIP_AT_END : DPL_SCIP_AT_DATA;
    return go_on;
}

static unsigned group_chars(const struct dpl_scip_reply *reply)
{
    char encoding = reply->request.scan.encoding;
    return dpl_scip_range_chars(encoding) + dpl_scip_intensity_chars(encoding);
}

/* The characters of a value, or of a value and its intensity, are one group of 6-bit digits. When
 * the digits of the range are complete, it is stored at once; the intensity follows later. */
static enum dpl_scip_fault take_digit(struct dpl_scip_reply_parser *parser, uint32_t digit)
{
    struct dpl_scip_reply *reply = &parser->reply;
    unsigned range_chars = dpl_scip_range_chars(reply->request.scan.encoding);
    if (!parser->is_extra && reply->count == parser->expected) {
        return DPL_SCIP_FAULT_TOO_MUCH_DATA;
    }
    parser->group = parser->group << 6 | digit;
    parser->digits++;
    if (parser->digits == range_chars) {
        if (!parser->is_extra) {
            reply->ranges_mm[reply->count] = parser->group;
            reply->intensities[reply->count] = 0;
        }
        parser->group = 0;
    }
    if (parser->digits < group_chars(reply)) {
        return DPL_SCIP_FAULT_NONE;
    }
    if (!parser->is_extra) {
        reply->intensities[reply->count++] = parser->group;
    }
    parser->is_extra = false;
    parser->digits = 0;
    parser->group = 0;
    return DPL_SCIP_FAULT_NONE;
}

static enum dpl_scip_fault take_separator(struct dpl_scip_reply_parser *parser)
{
    struct dpl_scip_reply *reply = &parser->reply;
    if (!dpl_scip_is_multi_echo(&reply->request) || parser->digits != 0 || parser->is_extra ||
        reply->count == 0) {
        return DPL_SCIP_FAULT_CHARACTER;
    }
    parser->is_extra = true;
    reply->extra_echoes++;
    return DPL_SCIP_FAULT_NONE;
}

static enum dpl_scip_fault take_data(struct dpl_scip_reply_parser *parser, char c)
{
    uint32_t digit;
    if (c == '&') {
        return take_separator(parser);
    }
    if (dpl_scip_decode(&c, 1, &digit) != 0) {
        return DPL_SCIP_FAULT_CHARACTER;
    }
    return take_digit(parser, digit);
}

static struct verdict at_data(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    if (line.length == 0) {
        bool is_whole =
            parser->reply.count == parser->expected && parser->digits == 0 && !parser->is_extra;
        return is_whole ? complete : fault(DPL_SCIP_FAULT_TOO_LITTLE_DATA);
    }
    if (line.length > DPL_SCIP_DATA_LINE + 1) {
        return fault(DPL_SCIP_FAULT_LINE_TOO_LONG);
    }
    if (!sum_is_good(line)) {
        return fault(DPL_SCIP_FAULT_SUM);
    }
    for (size_t i = 0; i + 1 < line.length; i++) {
        enum dpl_scip_fault what = take_data(parser, line.text[i]);
        if (what != DPL_SCIP_FAULT_NONE) {
            return fault(what);
        }
    }
    return go_on;
}

static struct verdict at_text(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    struct dpl_scip_reply *reply = &parser->reply;
    if (line.length == 0) {
        return complete;
    }
    bool has_mark = line.length >= 2 && line.text[line.length - 2] == ';';
    size_t kept = line.length - (has_mark ? 2 : 1);
    bool needs_mark = reply->is_known && reply->request.command != DPL_SCIP_CONDITION;
    if (dpl_scip_sum(line.text, kept) != line.text[line.length - 1] || (!has_mark && needs_mark)) {
        return fault(DPL_SCIP_FAULT_SUM);
    }
    if (reply->lines == DPL_SCIP_MAX_TEXT_LINES) {
        return fault(DPL_SCIP_FAULT_TOO_MUCH_DATA);
    }
    char *text = reply->text[reply->lines++];
    memcpy(text, line.text, kept);
    text[kept] = '\0';
    reply->kind = DPL_SCIP_REPLY_TEXT;
    return go_on;
}

static struct verdict at_end(struct dpl_scip_line line)
{
    return line.length == 0 ? complete : fault(DPL_SCIP_FAULT_UNEXPECTED_LINE);
}

static struct verdict take_line(struct dpl_scip_reply_parser *parser, struct dpl_scip_line line)
{
    if (line.too_long && parser->state != DPL_SCIP_SKIPPING) {
        return fault(DPL_SCIP_FAULT_LINE_TOO_LONG);
    }
    switch (parser->state) {
    case DPL_SCIP_AT_ECHO: return at_echo(parser, line);
    case DPL_SCIP_AT_STATUS: return at_status(parser, line);
    case DPL_SCIP_AT_STAMP: return at_stamp(parser, line);
    case DPL_SCIP_AT_DATA: return at_data(parser, line);
    case DPL_SCIP_AT_TEXT: return at_text(parser, line);
    case DPL_SCIP_AT_END: return at_end(line);
    case DPL_SCIP_SKIPPING: break;
    }
    if (line.length == 0) {
        parser->state = DPL_SCIP_AT_ECHO;
    }
    return go_on;
}

int dpl_scip_reply_next(struct dpl_scip_reply_parser *parser, struct dpl_byte_view *input)
{
    struct dpl_scip_line line;
    while (dpl_scip_lines_next(&parser->lines, input, &line)) {
        struct verdict verdict = take_line(parser, line);
        if (verdict.fault != DPL_SCIP_FAULT_NONE) {
            parser->fault = verdict.fault;
            parser->fault_offset = line.offset;
            parser->faults++;
            parser->state = line.length == 0 ? DPL_SCIP_AT_ECHO : DPL_SCIP_SKIPPING;
            return -EBADMSG;
        }
        if (verdict.is_complete) {
            parser->replies++;
            parser->state = DPL_SCIP_AT_ECHO;
            return 1;
        }
    }
    return 0;
}

bool dpl_scip_reply_is(const struct dpl_scip_reply *reply, const char *code)
{
    return strcmp(reply->status, code) == 0;
}

int dpl_scip_reply_geometry(const struct dpl_scip_reply *reply,
                            struct dpl_scip_geometry *ret_geometry, const char **reterr_key)
{
    /* Invalid values stand for keys that have not come; the check rejects them. */
    struct dpl_scip_geometry geometry = {
        .range_min_mm = UINT32_MAX,
        .first_step = UINT32_MAX,
        .end_step = UINT32_MAX,
        .front_step = UINT32_MAX,
    };
    for (size_t i = 0; i < reply->lines; i++) {
        if (dpl_scip_geometry_read(&geometry, reply->text[i]) < 0) {
            *reterr_key = reply->text[i];
            return -EBADMSG;
        }
    }
    if (dpl_scip_geometry_check(&geometry, reterr_key) != 0) {
        return -EBADMSG;
    }
    *ret_geometry = geometry;
    return 0;
}

const char *dpl_scip_fault_text(enum dpl_scip_fault what)
{
    static const char *const texts[] = {
        [DPL_SCIP_FAULT_NONE] = "no fault",
        [DPL_SCIP_FAULT_LINE_TOO_LONG] = "a line is too long",
        [DPL_SCIP_FAULT_ECHO] = "the echo is not that of a request",
        [DPL_SCIP_FAULT_STATUS] = "the status line is malformed or its sum is wrong",
        [DPL_SCIP_FAULT_SUM] = "a line's sum is wrong",
        [DPL_SCIP_FAULT_CHARACTER] = "the data contain an invalid character",
        [DPL_SCIP_FAULT_TOO_MUCH_DATA] = "more data than the echo asked for",
        [DPL_SCIP_FAULT_TOO_LITTLE_DATA] = "fewer data than the echo asked for",
        [DPL_SCIP_FAULT_UNEXPECTED_LINE] = "a line where an empty one should be",
    };
    return texts[what];
}
