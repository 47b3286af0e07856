/* SPDX-License-Identifier: Apache-2.0 */
/* SDO transfers over a table of objects. */
#include <doppel/protocol/canopen_server.h>

#include <errno.h>
#include <string.h>

/* ---- the table ---- */

void dpl_canopen_dictionary_reset(const struct dpl_canopen_dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->n; i++) {
        bool is_text = dictionary->entries[i].size == 0;
        dictionary->values[i] = is_text ? 0 : dictionary->entries[i].initial;
    }
}

int dpl_canopen_find(const struct dpl_canopen_dictionary *dictionary, uint16_t index, uint8_t sub)
{
    int err = -ENOENT;
    for (size_t i = 0; i < dictionary->n; i++) {
        if (dictionary->entries[i].index == index) {
            if (dictionary->entries[i].sub == sub) {
                return (int)i;
            }
            err = -ENXIO;
        }
    }
    return err;
}

/* 0, or the abort code. */
static uint32_t may_read(const struct dpl_canopen_entry *entry)
{
    return entry->access & DPL_CANOPEN_WO ? DPL_SDO_WRITE_ONLY : 0;
}

static uint32_t may_write(const struct dpl_canopen_entry *entry)
{
    return entry->access & (DPL_CANOPEN_RW | DPL_CANOPEN_WO) ? 0 : DPL_SDO_READ_ONLY;
}

/* Whether `length` bytes are a valid value of this object. */
static uint32_t check_length(const struct dpl_canopen_entry *entry, size_t length)
{
    size_t most = entry->size > 0 ? entry->size : DPL_CANOPEN_TEXT_MAX;
    if (length > most) {
        return DPL_SDO_TOO_LONG;
    }
    return entry->size > 0 && length < entry->size ? DPL_SDO_TOO_SHORT : 0;
}

static void report_changed(const struct dpl_canopen_dictionary *dictionary, size_t entry)
{
    if (dictionary->changed) {
        dictionary->changed(dictionary->user, entry);
    }
}

static uint32_t write_number(const struct dpl_canopen_dictionary *dictionary, size_t entry,
                             uint32_t value)
{
    unsigned size = dictionary->entries[entry].size;
    value = size == 4 ? value : value & ((1u << (8 * size)) - 1);
    uint32_t code = dictionary->check ? dictionary->check(dictionary->user, entry, value) : 0;
    if (code == 0) {
        dictionary->values[entry] = value;
        report_changed(dictionary, entry);
    }
    return code;
}

/* A visible string: printable characters only. */
static uint32_t write_text(const struct dpl_canopen_dictionary *dictionary, size_t entry,
                           const uint8_t *bytes, size_t n)
{
    char *text = dictionary->texts[dictionary->entries[entry].initial];
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') {
            return DPL_SDO_OUT_OF_RANGE;
        }
    }
    memcpy(text, bytes, n);
    text[n] = '\0';
    report_changed(dictionary, entry);
    return 0;
}

static uint32_t write_bytes(const struct dpl_canopen_dictionary *dictionary, size_t entry,
                            const uint8_t *bytes, size_t n)
{
    const struct dpl_canopen_entry *e = &dictionary->entries[entry];
    uint8_t number[4] = {0};
    uint32_t code = check_length(e, n);
    if (code != 0 || e->size == 0) {
        return code != 0 ? code : write_text(dictionary, entry, bytes, n);
    }
    memcpy(number, bytes, n);
    return write_number(dictionary, entry, dpl_get_u32le(number));
}

/* ---- transfers ---- */

/* Ends the current transfer, if any. */
static bool abort_with(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                       uint32_t code, struct dpl_canopen_sdo *ret_answer)
{
    *ret_answer = (struct dpl_canopen_sdo){
        .kind = DPL_SDO_ABORT, .index = request->index, .sub = request->sub, .value = code};
    if (server->transfer != DPL_CANOPEN_IDLE && request->index == 0) {
        const struct dpl_canopen_entry *entry = &server->dictionary->entries[server->entry];
        ret_answer->index = entry->index;
        ret_answer->sub = entry->sub;
    }
    server->transfer = DPL_CANOPEN_IDLE;
    return true;
}

static bool done_or_abort(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                          uint32_t code, struct dpl_canopen_sdo *ret_answer)
{
    *ret_answer = (struct dpl_canopen_sdo){
        .kind = DPL_SDO_WRITE_DONE, .index = request->index, .sub = request->sub};
    return code == 0 || abort_with(server, request, code, ret_answer);
}

static bool write_at_once(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                          size_t entry, struct dpl_canopen_sdo *ret_answer)
{
    const struct dpl_canopen_entry *e = &server->dictionary->entries[entry];
    uint8_t bytes[4];
    size_t untold = e->size > 0 ? e->size : sizeof bytes;
    uint32_t code = may_write(e);
    dpl_put_u32le(bytes, request->value);
    if (code == 0) {
        code = write_bytes(server->dictionary, entry, bytes,
                           request->size > 0 ? request->size : untold);
    }
    return done_or_abort(server, request, code, ret_answer);
}

static bool begin_writing(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                          size_t entry, struct dpl_canopen_sdo *ret_answer)
{
    const struct dpl_canopen_entry *e = &server->dictionary->entries[entry];
    uint32_t code = may_write(e);
    if (code == 0 && request->size > 0) {
        code = check_length(e, request->value);
    }
    server->transfer = DPL_CANOPEN_WRITING;
    server->has_length = request->size > 0;
    server->length = request->value;
    return done_or_abort(server, request, code, ret_answer);
}

/* Numbers and short texts are sent in one message. */
static bool begin_reading(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                          size_t entry, struct dpl_canopen_sdo *ret_answer)
{
    const struct dpl_canopen_dictionary *dictionary = server->dictionary;
    const struct dpl_canopen_entry *e = &dictionary->entries[entry];
    uint32_t code = may_read(e);
    if (code != 0) {
        return abort_with(server, request, code, ret_answer);
    }
    struct dpl_canopen_sdo answer = {
        .kind = DPL_SDO_READ_DONE, .index = e->index, .sub = e->sub, .size = e->size};
    answer.value = dictionary->values[entry];
    if (e->size == 0) {
        const char *text = dictionary->texts[e->initial];
        server->length = strnlen(text, DPL_CANOPEN_TEXT_MAX);
        memcpy(server->bytes, text, server->length);
        memset(server->bytes + server->length, 0, sizeof server->bytes - server->length);
        answer.value = dpl_get_u32le(server->bytes);
        answer.size = (uint8_t)server->length;
    }
    if (answer.size == 0 || answer.size > 4) {
        server->transfer = DPL_CANOPEN_READING;
        answer.kind = DPL_SDO_READ_BEGUN;
        answer.size = 4;
        answer.value = (uint32_t)server->length;
    }
    *ret_answer = answer;
    return true;
}

static bool begin(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                  struct dpl_canopen_sdo *ret_answer)
{
    int entry = dpl_canopen_find(server->dictionary, request->index, request->sub);
    server->transfer = DPL_CANOPEN_IDLE;
    server->toggle = false;
    server->at = 0;
    if (entry < 0) {
        return abort_with(server, request,
                          entry == -ENXIO ? DPL_SDO_NO_SUB_INDEX : DPL_SDO_NO_OBJECT, ret_answer);
    }
    server->entry = (size_t)entry;
    switch (request->kind) {
    case DPL_SDO_WRITE: return write_at_once(server, request, server->entry, ret_answer);
    case DPL_SDO_WRITE_BEGIN: return begin_writing(server, request, server->entry, ret_answer);
    default: return begin_reading(server, request, server->entry, ret_answer);
    }
}

static bool read_segment(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                         struct dpl_canopen_sdo *ret_answer)
{
    size_t left = server->length - server->at;
    if (request->toggle != server->toggle) {
        return abort_with(server, request, DPL_SDO_TOGGLE, ret_answer);
    }
    struct dpl_canopen_sdo answer = {
        .kind = DPL_SDO_READ_SEGMENT_DONE,
        .size = (uint8_t)(left < DPL_SDO_SEGMENT_MAX ? left : DPL_SDO_SEGMENT_MAX),
        .toggle = request->toggle,
        .is_last = left <= DPL_SDO_SEGMENT_MAX,
    };
    memcpy(answer.data, server->bytes + server->at, answer.size);
    server->at += answer.size;
    server->toggle = !server->toggle;
    server->transfer = answer.is_last ? DPL_CANOPEN_IDLE : DPL_CANOPEN_READING;
    *ret_answer = answer;
    return true;
}

/* Takes the bytes of a segment: 0, or the abort code. */
static uint32_t store_segment(struct dpl_canopen_server *server,
                              const struct dpl_canopen_sdo *request)
{
    if (request->toggle != server->toggle) {
        return DPL_SDO_TOGGLE;
    }
    if (request->size > sizeof server->bytes - server->at) {
        return DPL_SDO_TOO_LONG;
    }
    memcpy(server->bytes + server->at, request->data, request->size);
    server->at += request->size;
    server->toggle = !server->toggle;
    if (!request->is_last) {
        return 0;
    }
    if (server->has_length && server->at != server->length) {
        return DPL_SDO_WRONG_LENGTH;
    }
    return write_bytes(server->dictionary, server->entry, server->bytes, server->at);
}

static bool write_segment(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                          struct dpl_canopen_sdo *ret_answer)
{
    uint32_t code = store_segment(server, request);
    if (code != 0) {
        return abort_with(server, request, code, ret_answer);
    }
    server->transfer = request->is_last ? DPL_CANOPEN_IDLE : DPL_CANOPEN_WRITING;
    *ret_answer =
        (struct dpl_canopen_sdo){.kind = DPL_SDO_WRITE_SEGMENT_DONE, .toggle = request->toggle};
    return true;
}

bool dpl_canopen_serve(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                       struct dpl_canopen_sdo *ret_answer)
{
    switch (request->kind) {
    case DPL_SDO_READ:
    case DPL_SDO_WRITE:
    case DPL_SDO_WRITE_BEGIN: return begin(server, request, ret_answer);
    case DPL_SDO_ABORT: server->transfer = DPL_CANOPEN_IDLE; return false;
    case DPL_SDO_READ_SEGMENT:
        if (server->transfer == DPL_CANOPEN_READING) {
            return read_segment(server, request, ret_answer);
        }
        break;
    case DPL_SDO_WRITE_SEGMENT:
        if (server->transfer == DPL_CANOPEN_WRITING) {
            return write_segment(server, request, ret_answer);
        }
        break;
    default: break;
    }
    return abort_with(server, request, DPL_SDO_UNKNOWN_COMMAND, ret_answer);
}
