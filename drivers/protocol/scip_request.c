/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP request parser and formatter. */
#include <doppel/protocol/scip_request.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_STRING = 16,
    SCAN_CHARS = 12,   /* GD ssss eeee cc */
    STREAM_CHARS = 15, /* MD ssss eeee cc i nn */
    COUNT_AT = 13,
};

struct command_row {
    const char *name;
    enum dpl_scip_command command;
    unsigned digits, most; /* of the parameter */
};

static const struct command_row commands[] = {
    {.name = "VV", .command = DPL_SCIP_VERSION},
    {.name = "PP", .command = DPL_SCIP_PARAMETERS},
    {.name = "II", .command = DPL_SCIP_STATE},
    {.name = "BM", .command = DPL_SCIP_LASER_ON},
    {.name = "QT", .command = DPL_SCIP_QUIT},
    {.name = "RS", .command = DPL_SCIP_RESET},
    {.name = "RT", .command = DPL_SCIP_RESET_PART},
    {.name = "RB", .command = DPL_SCIP_REBOOT},
    {.name = "TM", .command = DPL_SCIP_TIME, .digits = 1, .most = 2},
    {.name = "SS", .command = DPL_SCIP_BAUD, .digits = 6, .most = 999999},
    {.name = "CR", .command = DPL_SCIP_MOTOR, .digits = 2, .most = 99},
    {.name = "HS", .command = DPL_SCIP_SENSITIVE, .digits = 1, .most = 1},
    {.name = "%SL", .command = DPL_SCIP_SLEEP},
    {.name = "%ST", .command = DPL_SCIP_CONDITION},
    {.name = "SCIP2.0", .command = DPL_SCIP_SCIP20},
};

static bool read_digits(const char *text, size_t count, unsigned *ret_value)
{
    unsigned value = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    *ret_value = value;
    return true;
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* H and N have no S: HS is another command. */
static bool is_scan_name(char family, char encoding)
{
    return (is_one_of(family, "GM") && is_one_of(encoding, "DSEFG")) ||
           (is_one_of(family, "HN") && is_one_of(encoding, "DEFG"));
}

static const struct command_row *find_row(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        size_t name = strlen(commands[i].name);
        if (length >= name && memcmp(text, commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* The error in the length of `rest`, the text after the command's name, of which `fields`
 * characters are fields and a user string may follow; NULL: no error. */
static const char *tail_fault(const char *rest, size_t length, size_t fields)
{
    if (length < fields) {
        return DPL_SCIP_TOO_SHORT;
    }
    if (length == fields) {
        return NULL;
    }
    if (rest[fields] != ';') {
        return DPL_SCIP_TOO_LONG;
    }
    return length - fields - 1 > MAX_STRING ? DPL_SCIP_STRING_TOO_LONG : NULL;
}

static const char *parse_plain(const struct command_row *row, const char *text, size_t length,
                               struct dpl_scip_request *request)
{
    size_t name = strlen(row->name);
    const char *fault = tail_fault(text + name, length - name, row->digits);
    if (fault) {
        /* Letters after a command without fields make another, unknown command. */
        bool is_longer_name = row->digits == 0 && strcmp(fault, DPL_SCIP_TOO_LONG) == 0;
        return is_longer_name ? DPL_SCIP_UNKNOWN : fault;
    }
    if (!read_digits(text + name, row->digits, &request->parameter) ||
        request->parameter > row->most) {
        return DPL_SCIP_BAD_START;
    }
    request->command = row->command;
    return NULL;
}

static const char *parse_scan(const char *text, size_t length, struct dpl_scip_request *request)
{
    bool streams = is_one_of(text[0], "MN");
    unsigned start, end, cluster, interval = 0, count = 0;
    const char *fault = tail_fault(text + 2, length - 2, (streams ? STREAM_CHARS : SCAN_CHARS) - 2);
    if (fault) {
        return fault;
    }
    if (!read_digits(text + 2, 4, &start)) {
        return DPL_SCIP_BAD_START;
    }
    if (!read_digits(text + 6, 4, &end)) {
        return DPL_SCIP_BAD_END;
    }
    if (!read_digits(text + 10, 2, &cluster)) {
        return DPL_SCIP_BAD_CLUSTER;
    }
    if (streams && !read_digits(text + 12, 1, &interval)) {
        return DPL_SCIP_BAD_INTERVAL;
    }
    if (streams && !read_digits(text + COUNT_AT, 2, &count)) {
        return DPL_SCIP_BAD_COUNT;
    }
    request->command = DPL_SCIP_SCAN;
    request->scan = (struct dpl_scip_scan_fields){
        .family = text[0],
        .encoding = text[1],
        .start = (uint16_t)start,
        .end = (uint16_t)end,
        .cluster = (uint8_t)cluster,
        .interval = (uint8_t)interval,
        .count = (uint8_t)count,
    };
    return NULL;
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e) {
            return false;
        }
    }
    return true;
}

static const char *parse(const char *text, size_t length, struct dpl_scip_request *request)
{
    if (length == 0) {
        request->command = DPL_SCIP_EMPTY;
        return NULL;
    }
    const struct command_row *row = find_row(text, length);
    bool is_scan = length >= 2 && is_scan_name(text[0], text[1]);
    if (!row && !is_scan) {
        return DPL_SCIP_UNKNOWN;
    }
    if (!is_printable(text, length)) {
        return DPL_SCIP_BAD_STRING;
    }
    return row ? parse_plain(row, text, length, request) : parse_scan(text, length, request);
}

int dpl_scip_request_parse(const char *text, size_t length, struct dpl_scip_request *ret_request,
                           const char **reterr_status)
{
    struct dpl_scip_request request = {.length = length};
    const char *fault =
        length > DPL_SCIP_MAX_REQUEST ? DPL_SCIP_UNKNOWN : parse(text, length, &request);
    if (fault) {
        *reterr_status = fault;
        return -EBADMSG;
    }
    if (length > 0) {
        memcpy(request.text, text, length);
    }
    *ret_request = request;
    return 0;
}

int dpl_scip_request_check(const struct dpl_scip_request *request,
                           const struct dpl_scip_geometry *geometry, const char **reterr_status)
{
    if (request->command != DPL_SCIP_SCAN) {
        return 0;
    }
    if (request->scan.end > geometry->last_step) {
        *reterr_status = DPL_SCIP_OUT_OF_RANGE;
        return -ERANGE;
    }
    if (request->scan.end < request->scan.start) {
        *reterr_status = DPL_SCIP_END_BEFORE_START;
        return -ERANGE;
    }
    return 0;
}

int dpl_scip_request_scan(struct dpl_scip_scan_fields fields, struct dpl_scip_request *ret_request)
{
    char text[64];
    const char *status;
    if (fields.start > 9999 || fields.end > 9999 || fields.start > fields.end ||
        fields.cluster > 99 || fields.interval > 9 || fields.count > 99 ||
        !is_scan_name(fields.family, fields.encoding)) {
        return -EINVAL;
    }
    int length =
        snprintf(text, sizeof text, "%c%c%04u%04u%02u%u%02u", fields.family, fields.encoding,
                 fields.start, fields.end, fields.cluster, fields.interval, fields.count);
    bool streams = is_one_of(fields.family, "MN");
    size_t used = streams ? (size_t)length : SCAN_CHARS;
    return dpl_scip_request_parse(text, used, ret_request, &status) ? -EINVAL : 0;
}

int dpl_scip_request_plain(enum dpl_scip_command command, unsigned parameter,
                           struct dpl_scip_request *ret_request)
{
    char text[32];
    const char *status;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const struct command_row *row = &commands[i];
        if (row->command != command || parameter > row->most) {
            continue;
        }
        int length = row->digits == 0 ? snprintf(text, sizeof text, "%s", row->name)
                                      : snprintf(text, sizeof text, "%s%0*u", row->name,
                                                 (int)row->digits, parameter);
        return dpl_scip_request_parse(text, (size_t)length, ret_request, &status) ? -EINVAL : 0;
    }
    return -EINVAL;
}

bool dpl_scip_is_stream(const struct dpl_scip_request *request)
{
    return request->command == DPL_SCIP_SCAN && is_one_of(request->scan.family, "MN");
}

bool dpl_scip_is_multi_echo(const struct dpl_scip_request *request)
{
    return request->command == DPL_SCIP_SCAN && is_one_of(request->scan.family, "HN");
}

size_t dpl_scip_scan_values(const struct dpl_scip_scan_fields *fields)
{
    unsigned cluster = fields->cluster > 0 ? fields->cluster : 1;
    return (size_t)(fields->end - fields->start) / cluster + 1;
}

unsigned dpl_scip_range_chars(char encoding)
{
    return encoding == 'S' ? 2 : encoding == 'D' || encoding == 'E' ? 3 : 0;
}

unsigned dpl_scip_intensity_chars(char encoding)
{
    return encoding == 'E' ? 3 : 0;
}

bool dpl_scip_echo_matches(const struct dpl_scip_request *request, const char *echo, size_t length)
{
    if (length != request->length) {
        return false;
    }
    if (!dpl_scip_is_stream(request)) {
        return memcmp(request->text, echo, length) == 0;
    }
    return memcmp(request->text, echo, COUNT_AT) == 0 &&
           memcmp(request->text + STREAM_CHARS, echo + STREAM_CHARS, length - STREAM_CHARS) == 0;
}

void dpl_scip_request_set_remaining(struct dpl_scip_request *request, unsigned remaining)
{
    request->scan.count = (uint8_t)(remaining % 100);
    request->text[COUNT_AT] = (char)('0' + request->scan.count / 10);
    request->text[COUNT_AT + 1] = (char)('0' + request->scan.count % 10);
}
