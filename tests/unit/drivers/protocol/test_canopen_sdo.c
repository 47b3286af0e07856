/* SPDX-License-Identifier: Apache-2.0 */
/* SDO: transfers byte by byte, the server over a table, and a client that reads from it. */
#include <doppel/protocol/canopen_server.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>

static void expect_frame(struct dpl_can_frame got, uint32_t id, const char *bytes)
{
    cr_assert_eq(got.id, id);
    cr_assert_eq(got.length, 8);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(got.data[i], (uint8_t)bytes[i], "byte %d is %02x", i, got.data[i]);
    }
}

static struct dpl_canopen_sdo sdo(enum dpl_canopen_sdo_kind kind, uint16_t index, uint8_t sub,
                                  uint8_t size, uint32_t value)
{
    return (struct dpl_canopen_sdo){kind, index, sub, size, value};
}

Test(canopen_sdo, says_requests)
{
    struct dpl_canopen_sdo s = sdo(DPL_SDO_WRITE, 0x6060, 0, 1, 8);
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x2f\x60\x60\x00\x08\x00\x00\x00");
    s = sdo(DPL_SDO_WRITE, 0x1017, 0, 2, 40);
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x2b\x17\x10\x00\x28\x00\x00\x00");
    s = sdo(DPL_SDO_WRITE, 0x1600, 2, 4, 0x607a0020);
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x23\x00\x16\x02\x20\x00\x7a\x60");
    s = sdo(DPL_SDO_READ, 0x6061, 0, 0, 0);
    expect_frame(dpl_canopen_sdo_request(127, &s), 0x67f, "\x40\x61\x60\x00\x00\x00\x00\x00");
    s = sdo(DPL_SDO_ABORT, 0x6061, 0, 0, DPL_SDO_TIMEOUT);
    expect_frame(dpl_canopen_sdo_request(1, &s), 0x601, "\x80\x61\x60\x00\x00\x00\x04\x05");
}

Test(canopen_sdo, says_answers)
{
    struct dpl_canopen_sdo s = sdo(DPL_SDO_READ_DONE, 0x6061, 0, 1, 8);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x4f\x61\x60\x00\x08\x00\x00\x00");
    s = sdo(DPL_SDO_READ_DONE, 0x6041, 0, 2, 0x1237);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x4b\x41\x60\x00\x37\x12\x00\x00");
    s = sdo(DPL_SDO_READ_DONE, 0x6064, 0, 4, 0xfffffffe);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x43\x64\x60\x00\xfe\xff\xff\xff");
    s = sdo(DPL_SDO_WRITE_DONE, 0x1600, 2, 0, 0);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x60\x00\x16\x02\x00\x00\x00\x00");
    s = sdo(DPL_SDO_ABORT, 0x6060, 0, 0, DPL_SDO_OUT_OF_RANGE);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x80\x60\x60\x00\x30\x00\x09\x06");
}

Test(canopen_sdo, writes_no_more_than_four_bytes_whatever_size_it_is_told)
{
    for (unsigned size = 5; size < 256; size++) {
        struct dpl_canopen_sdo s = sdo(DPL_SDO_WRITE, 0x6085, 1, (uint8_t)size, 0x01020304);
        expect_frame(dpl_canopen_sdo_request(1, &s), 0x601, "\x22\x85\x60\x01\x04\x03\x02\x01");
        s.kind = DPL_SDO_READ_DONE;
        expect_frame(dpl_canopen_sdo_answer(1, &s), 0x581, "\x42\x85\x60\x01\x04\x03\x02\x01");
    }
}

Test(canopen_sdo, hears_what_is_said)
{
    struct dpl_canopen_sdo s = sdo(DPL_SDO_WRITE, 0x6085, 0, 4, 10000000), back;
    struct dpl_can_frame frame = dpl_canopen_sdo_request(1, &s);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), 0);
    cr_assert(back.kind == s.kind && back.index == s.index && back.size == 4);
    cr_assert_eq(back.value, 10000000);
    s = sdo(DPL_SDO_READ_DONE, 0x6502, 0, 2, 0xabcd);
    frame = dpl_canopen_sdo_answer(1, &s);
    frame.data[6] = 0xee; /* behind the value: not of it */
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert_eq(back.size, 2);
    cr_assert_eq(back.value, 0xabcd);
}

Test(canopen_sdo, says_segments)
{
    struct dpl_canopen_sdo s = sdo(DPL_SDO_WRITE_BEGIN, 0x6404, 0, 4, 19);
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x21\x04\x64\x00\x13\x00\x00\x00");
    s = sdo(DPL_SDO_WRITE_BEGIN, 0x6404, 0, 0, 0);
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x20\x04\x64\x00\x00\x00\x00\x00");
    s = (struct dpl_canopen_sdo){.kind = DPL_SDO_WRITE_SEGMENT, .size = 7, .data = "abcdefg"};
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603,
                 "\x00"
                 "abcdefg");
    s.toggle = s.is_last = true;
    s.size = 2;
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603,
                 "\x1b"
                 "ab\0\0\0\0\0");
    s = (struct dpl_canopen_sdo){.kind = DPL_SDO_READ_SEGMENT, .toggle = true};
    expect_frame(dpl_canopen_sdo_request(3, &s), 0x603, "\x70\0\0\0\0\0\0\0");
    s = sdo(DPL_SDO_READ_BEGUN, 0x1008, 0, 4, 29);
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x41\x08\x10\x00\x1d\x00\x00\x00");
    s = (struct dpl_canopen_sdo){.kind = DPL_SDO_READ_SEGMENT_DONE, .toggle = true, .size = 7};
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x10\0\0\0\0\0\0\0");
    s.size = 0;
    s.is_last = true;
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x1f\0\0\0\0\0\0\0");
    s = (struct dpl_canopen_sdo){.kind = DPL_SDO_WRITE_SEGMENT_DONE, .toggle = true};
    expect_frame(dpl_canopen_sdo_answer(3, &s), 0x583, "\x30\0\0\0\0\0\0\0");
}

Test(canopen_sdo, hears_segments)
{
    struct dpl_canopen_sdo back;
    struct dpl_can_frame frame = {.id = 0x581, .length = 8, .data = {0x41, 0x08, 0x10, 0, 9}};
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_READ_BEGUN && back.size == 4 && back.value == 9);
    frame.data[0] = 0x40; /* without a length */
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_READ_BEGUN && back.size == 0 && back.value == 0);
    frame.data[0] = 0x42; /* without a size: four bytes */
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_READ_DONE && back.size == 0);
    frame.data[0] = 0x15; /* five bytes, the last ones, toggled */
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_READ_SEGMENT_DONE && back.toggle && back.is_last);
    cr_assert_eq(back.size, 5);
    cr_assert_eq(memcmp(back.data, "\x08\x10\0\x09\0", 5), 0);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_WRITE_SEGMENT && back.size == 5);
    frame.data[0] = 0x60;
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), 0);
    cr_assert(back.kind == DPL_SDO_READ_SEGMENT && !back.toggle);
}

Test(canopen_sdo, block_transfers_are_told_apart)
{
    struct dpl_canopen_sdo back;
    struct dpl_can_frame frame = {.id = 0x581, .length = 8, .data = {0xc6, 0x08, 0x10, 0, 9}};
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert_eq(back.kind, DPL_SDO_UNSUPPORTED);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), 0);
    cr_assert_eq(back.kind, DPL_SDO_UNSUPPORTED);
    frame.length = 7;
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), -EPROTO);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), -EPROTO);
}

/* ---- server ---- */

static const struct dpl_canopen_entry entries[] = {
    {0x1000, 0, 4, DPL_CANOPEN_CONST, 0x20192}, {0x1017, 0, 2, DPL_CANOPEN_RW, 0},
    {0x2000, 1, 1, DPL_CANOPEN_WO, 0},          {0x2000, 2, 1, DPL_CANOPEN_RO, 0x7f},
    {0x1008, 0, 0, DPL_CANOPEN_CONST, 0},       {0x2001, 0, 0, DPL_CANOPEN_RW, 1},
};
enum { N = sizeof entries / sizeof entries[0] };
static uint32_t values[N];
static char texts[2][DPL_CANOPEN_TEXT_MAX + 1];
static int n_changed;

static uint32_t check(void *user, size_t entry, uint32_t value)
{
    return entry == 1 && value > 1000 ? DPL_SDO_OUT_OF_RANGE : 0;
}

static void changed(void *user, size_t entry)
{
    n_changed++;
}

static const struct dpl_canopen_dictionary dictionary = {.entries = entries,
                                                         .n = N,
                                                         .values = values,
                                                         .texts = texts,
                                                         .check = check,
                                                         .changed = changed};
static struct dpl_canopen_server server = {.dictionary = &dictionary};

static struct dpl_canopen_sdo serve(struct dpl_canopen_sdo request)
{
    struct dpl_canopen_sdo answer;
    cr_assert(dpl_canopen_serve(&server, &request, &answer));
    return answer;
}

static void expect_abort(struct dpl_canopen_sdo request, uint32_t code)
{
    struct dpl_canopen_sdo answer = serve(request);
    cr_assert_eq(answer.kind, DPL_SDO_ABORT);
    cr_assert_eq(answer.value, code, "%08x", answer.value);
    cr_assert(answer.index == request.index && answer.sub == request.sub);
}

Test(canopen_sdo, a_server_reads_and_writes_its_table)
{
    dpl_canopen_dictionary_reset(&dictionary);
    struct dpl_canopen_sdo answer = serve(sdo(DPL_SDO_READ, 0x1000, 0, 0, 0));
    cr_assert_eq(answer.kind, DPL_SDO_READ_DONE);
    cr_assert_eq(answer.size, 4);
    cr_assert_eq(answer.value, 0x20192);
    cr_assert_eq(serve(sdo(DPL_SDO_WRITE, 0x1017, 0, 2, 40)).kind, DPL_SDO_WRITE_DONE);
    cr_assert_eq(serve(sdo(DPL_SDO_READ, 0x1017, 0, 0, 0)).value, 40);
    cr_assert_eq(n_changed, 1);
    cr_assert_eq(serve(sdo(DPL_SDO_WRITE, 0x1017, 0, 0, 0xffff0029)).kind, DPL_SDO_WRITE_DONE);
    cr_assert_eq(values[1], 0x29, "without a size the low bytes count");
}

Test(canopen_sdo, a_server_refuses_with_the_reason)
{
    dpl_canopen_dictionary_reset(&dictionary);
    expect_abort(sdo(DPL_SDO_READ, 0x1001, 0, 0, 0), DPL_SDO_NO_OBJECT);
    expect_abort(sdo(DPL_SDO_READ, 0x2000, 3, 0, 0), DPL_SDO_NO_SUB_INDEX);
    expect_abort(sdo(DPL_SDO_READ, 0x2000, 1, 0, 0), DPL_SDO_WRITE_ONLY);
    expect_abort(sdo(DPL_SDO_WRITE, 0x2000, 2, 1, 0), DPL_SDO_READ_ONLY);
    expect_abort(sdo(DPL_SDO_WRITE, 0x1000, 0, 4, 0), DPL_SDO_READ_ONLY);
    expect_abort(sdo(DPL_SDO_WRITE, 0x1017, 0, 4, 1), DPL_SDO_TOO_LONG);
    expect_abort(sdo(DPL_SDO_WRITE, 0x1017, 0, 1, 1), DPL_SDO_TOO_SHORT);
    expect_abort(sdo(DPL_SDO_WRITE, 0x1017, 0, 2, 1001), DPL_SDO_OUT_OF_RANGE);
    expect_abort(sdo(DPL_SDO_UNSUPPORTED, 0x1017, 0, 0, 0), DPL_SDO_UNKNOWN_COMMAND);
    cr_assert_eq(values[1], 0);
    cr_assert_str_eq(dpl_canopen_abort_name(DPL_SDO_NO_OBJECT), "no such object");
    cr_assert_str_eq(dpl_canopen_abort_name(1), "a reason of its own");
}

/* ---- segments ---- */

/* As a client that is not ours would: by the bytes of CiA 301. */
static struct dpl_canopen_sdo ask(const char *bytes)
{
    struct dpl_can_frame frame = {.id = 0x601, .length = 8}, back;
    struct dpl_canopen_sdo request, answer;
    memcpy(frame.data, bytes, 8);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &request), 0);
    cr_assert(dpl_canopen_serve(&server, &request, &answer));
    back = dpl_canopen_sdo_answer(1, &answer);
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&back, &answer), 0);
    return answer;
}

static void expect_refusal(const char *bytes, uint32_t code)
{
    struct dpl_canopen_sdo answer = ask(bytes);
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == code, "%08x", answer.value);
    cr_assert_eq(answer.index, 0x2001, "the object of the transfer, not %04x", answer.index);
    cr_assert_eq(server.transfer, DPL_CANOPEN_IDLE);
}

/* Reads 1008h with the client of the codec. */
static const char *read_name(void)
{
    static char name[65];
    struct dpl_canopen_reader reader = {0};
    struct dpl_canopen_sdo request = sdo(DPL_SDO_READ, 0x1008, 0, 0, 0), next;
    for (int i = 0; i < 20; i++) {
        struct dpl_canopen_sdo answer = serve(request);
        int more = dpl_canopen_read_on(&reader, &answer, &next);
        cr_assert_geq(more, 0);
        if (more == 0) {
            snprintf(name, sizeof name, "%.*s", (int)reader.n, (const char *)reader.bytes);
            return name;
        }
        request = next;
    }
    cr_assert_fail("no end");
    return NULL;
}

Test(canopen_sdo, a_text_of_any_length_is_read_whole)
{
    for (size_t n = 0; n <= DPL_CANOPEN_TEXT_MAX; n++) {
        memset(texts[0], 0, sizeof texts[0]);
        for (size_t i = 0; i < n; i++) {
            texts[0][i] = (char)('!' + i);
        }
        cr_assert_str_eq(read_name(), texts[0]);
    }
}

Test(canopen_sdo, a_text_of_four_characters_comes_in_one_message)
{
    strcpy(texts[0], "abcd");
    struct dpl_canopen_sdo answer = serve(sdo(DPL_SDO_READ, 0x1008, 0, 0, 0));
    cr_assert(answer.kind == DPL_SDO_READ_DONE && answer.size == 4 && answer.value == 0x64636261);
}

Test(canopen_sdo, a_text_is_written_in_segments_and_at_once)
{
    cr_assert_eq(ask("\x21\x01\x20\x00\x0a\0\0\0").kind, DPL_SDO_WRITE_DONE);
    struct dpl_canopen_sdo answer = ask("\x00"
                                        "linear ");
    cr_assert(answer.kind == DPL_SDO_WRITE_SEGMENT_DONE && !answer.toggle);
    cr_assert_str_eq(texts[1], "", "not before the last of them");
    answer = ask("\x19"
                 "ax1\0\0\0\0");
    cr_assert(answer.kind == DPL_SDO_WRITE_SEGMENT_DONE && answer.toggle);
    cr_assert_str_eq(texts[1], "linear ax1");
    cr_assert_eq(n_changed, 1);
    cr_assert_eq(ask("\x20\x01\x20\x00\0\0\0\0").kind, DPL_SDO_WRITE_DONE, "without a length");
    cr_assert_eq(ask("\x0f\0\0\0\0\0\0\0").kind, DPL_SDO_WRITE_SEGMENT_DONE, "without a byte");
    cr_assert_str_eq(texts[1], "");
    cr_assert_eq(ask("\x27\x01\x20\x00QRS\0").kind, DPL_SDO_WRITE_DONE);
    cr_assert_str_eq(texts[1], "QRS");
}

Test(canopen_sdo, a_number_may_come_in_segments_too)
{
    cr_assert_eq(ask("\x21\x17\x10\x00\x02\0\0\0").kind, DPL_SDO_WRITE_DONE);
    cr_assert_eq(ask("\x0b\x28\x01\0\0\0\0\0").kind, DPL_SDO_WRITE_SEGMENT_DONE);
    cr_assert_eq(values[1], 0x128);
    cr_assert_eq(ask("\x20\x17\x10\x00\0\0\0\0").kind, DPL_SDO_WRITE_DONE);
    struct dpl_canopen_sdo answer = ask("\x0b\xff\xff\0\0\0\0\0");
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == DPL_SDO_OUT_OF_RANGE);
    cr_assert_eq(values[1], 0x128);
}

Test(canopen_sdo, segments_that_do_not_fit_are_refused_and_end_the_transfer)
{
    struct dpl_canopen_sdo answer = ask("\x21\x17\x10\x00\x05\0\0\0");
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == DPL_SDO_TOO_LONG);
    answer = ask("\x21\x08\x10\x00\x05\0\0\0");
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == DPL_SDO_READ_ONLY);
    answer = ask("\x00"
                 "abcdefg");
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == DPL_SDO_UNKNOWN_COMMAND);
    answer = ask("\x60\0\0\0\0\0\0\0");
    cr_assert(answer.kind == DPL_SDO_ABORT && answer.value == DPL_SDO_UNKNOWN_COMMAND);
    ask("\x21\x01\x20\x00\x0a\0\0\0");
    expect_refusal("\x10"
                   "abcdefg",
                   DPL_SDO_TOGGLE);
    ask("\x21\x01\x20\x00\x0a\0\0\0");
    expect_refusal("\x01"
                   "abcdefg",
                   DPL_SDO_WRONG_LENGTH);
    ask("\x20\x01\x20\x00\0\0\0\0");
    expect_refusal("\x01"
                   "abc\tefg",
                   DPL_SDO_OUT_OF_RANGE);
    ask("\x20\x01\x20\x00\0\0\0\0");
    for (int i = 0; i < 9; i++) {
        ask(i % 2 == 0 ? "\x00"
                         "abcdefg"
                       : "\x10"
                         "abcdefg");
    }
    expect_refusal("\x11"
                   "hijklmn",
                   DPL_SDO_TOO_LONG);
    ask("\x20\x01\x20\x00\0\0\0\0");
    expect_refusal("\x60\0\0\0\0\0\0\0", DPL_SDO_UNKNOWN_COMMAND);
    cr_assert_str_eq(texts[1], "");
}

Test(canopen_sdo, a_client_may_begin_anew_or_give_up_in_the_middle)
{
    struct dpl_canopen_sdo answer, give_up = sdo(DPL_SDO_ABORT, 0x2001, 0, 0, DPL_SDO_GENERAL);
    strcpy(texts[0], "a long name");
    ask("\x20\x01\x20\x00\0\0\0\0");
    ask("\x00"
        "abcdefg");
    cr_assert_str_eq(read_name(), "a long name");
    ask("\x20\x01\x20\x00\0\0\0\0");
    cr_assert_not(dpl_canopen_serve(&server, &give_up, &answer), "no answer");
    cr_assert_eq(ask("\x00"
                     "abcdefg")
                     .kind,
                 DPL_SDO_ABORT);
    cr_assert_str_eq(texts[1], "");
}

Test(canopen_sdo, a_reader_takes_only_what_answers_it)
{
    struct dpl_canopen_reader reader = {0};
    struct dpl_canopen_sdo next;
    struct dpl_canopen_sdo segment = {.kind = DPL_SDO_READ_SEGMENT_DONE, .size = 7};
    cr_assert_eq(dpl_canopen_read_on(&reader, &segment, &next), -EPROTO);
    struct dpl_canopen_sdo begun = sdo(DPL_SDO_READ_BEGUN, 0x1008, 0, 4, 1000);
    cr_assert_eq(dpl_canopen_read_on(&reader, &begun, &next), 1);
    cr_assert(next.kind == DPL_SDO_READ_SEGMENT && !next.toggle);
    cr_assert_eq(dpl_canopen_read_on(&reader, &begun, &next), -EPROTO);
    for (int i = 0; i < 9; i++) {
        cr_assert_eq(dpl_canopen_read_on(&reader, &segment, &next), 1);
        cr_assert_eq(dpl_canopen_read_on(&reader, &segment, &next), -EPROTO, "the same again");
        segment.toggle = !segment.toggle;
        cr_assert_eq(next.toggle, segment.toggle);
    }
    cr_assert_eq(dpl_canopen_read_on(&reader, &segment, &next), -EMSGSIZE);
    cr_assert(next.kind == DPL_SDO_ABORT && next.value == DPL_SDO_TOO_LONG);
}
