/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP requests from hostile bytes, as a device sees them. The first byte says where the rest is
 * cut. Aborts when: cutting the stream changes the lines, a request that was accepted formats to
 * another text, or the host's parser does not understand the status a device answers with. */
#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/scip_reply.h>
#include <doppel/protocol/scip_writer.h>

static bool is_echo(const struct dpl_scip_line *line)
{
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] < 0x20 || line->text[i] > 0x7e) {
            return false;
        }
    }
    return line->length > 0 && line->length <= DPL_SCIP_MAX_REQUEST;
}

/* The host reads the echo and the status that a device answers. */
static void check_answer(const struct dpl_scip_line *line, const char *status)
{
    static struct dpl_scip_reply_parser reader;
    char wire[DPL_SCIP_MAX_REQUEST + 8];
    struct dpl_scip_writer writer = dpl_scip_writer_on(wire, sizeof wire);
    dpl_scip_write_status(&writer, line->text, line->length, status);
    require(!writer.overflow);
    if (!is_echo(line)) {
        return;
    }
    struct dpl_byte_view input = {(const uint8_t *)wire, writer.length};
    dpl_scip_reply_parser_init(&reader);
    require(dpl_scip_reply_next(&reader, &input) == 1);
    require(dpl_scip_reply_is(&reader.reply, status));
    require(reader.reply.echo_length == line->length);
    require(memcmp(reader.reply.echo, line->text, line->length) == 0);
}

static void check_request(const struct dpl_scip_request *request, const struct dpl_scip_line *line)
{
    struct dpl_scip_request again;
    require(request->length == line->length);
    require(memcmp(request->text, line->text, line->length) == 0);
    if (request->command == DPL_SCIP_EMPTY) {
        require(line->length == 0);
        return;
    }
    int failed = request->command == DPL_SCIP_SCAN
                     ? dpl_scip_request_scan(request->scan, &again)
                     : dpl_scip_request_plain(request->command, request->parameter, &again);
    if (failed) {
        require(request->command == DPL_SCIP_SCAN && request->scan.start > request->scan.end);
        return;
    }
    require(again.length <= line->length && memcmp(again.text, line->text, again.length) == 0);
    require(line->length == again.length || line->text[again.length] == ';');
    require(dpl_scip_echo_matches(request, line->text, line->length));
    const char *status = NULL;
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    if (dpl_scip_request_check(request, urg, &status) != 0) {
        check_answer(line, status);
    }
}

static uint64_t parse(const uint8_t *data, size_t size, size_t chunk)
{
    struct dpl_scip_lines lines;
    uint64_t hash = DPL_HASH_NONE;
    dpl_scip_lines_init(&lines, true);
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        struct dpl_scip_line line;
        while (dpl_scip_lines_next(&lines, &input, &line)) {
            struct dpl_scip_request request;
            const char *status = NULL;
            if (dpl_scip_request_parse(line.text, line.length, &request, &status) == 0) {
                check_request(&request, &line);
            } else {
                require(status && strlen(status) == 2);
                check_answer(&line, status);
            }
            hash = dpl_hash_more(hash, &line.offset, sizeof line.offset);
            hash = dpl_hash_more(hash, &line.length, sizeof line.length);
            hash = dpl_hash_more(hash, line.text, line.length);
        }
        require(input.size == 0);
    }
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 2) {
        uint64_t whole = parse(data + 1, size - 1, size - 1);
        require(whole == parse(data + 1, size - 1, data[0] % 16u + 1u));
    }
    return 0;
}
