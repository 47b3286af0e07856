/* SPDX-License-Identifier: Apache-2.0 */
/* SDO: transfers byte by byte, and the server over a table. */
#include "protocol/canopen_sdo.h"

#include <criterion/criterion.h>
#include <errno.h>

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

Test(canopen_sdo, transfers_longer_than_four_bytes_are_told_apart)
{
    struct dpl_canopen_sdo back;
    struct dpl_can_frame frame = {.id = 0x581, .length = 8, .data = {0x41, 0x08, 0x10, 0, 9}};
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert_eq(back.kind, DPL_SDO_UNSUPPORTED);
    frame.data[0] = 0x42; /* without a size: four bytes */
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert_eq(back.kind, DPL_SDO_READ_DONE);
    cr_assert_eq(back.size, 0);
    frame.data[0] = 0xc6;
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), 0);
    cr_assert_eq(back.kind, DPL_SDO_UNSUPPORTED);
    frame.length = 7;
    cr_assert_eq(dpl_canopen_sdo_answer_decode(&frame, &back), -EPROTO);
    cr_assert_eq(dpl_canopen_sdo_request_decode(&frame, &back), -EPROTO);
}

/* ---- server ---- */

static const struct dpl_canopen_entry entries[] = {
    {0x1000, 0, 4, DPL_CANOPEN_CONST, 0x20192},
    {0x1017, 0, 2, DPL_CANOPEN_RW, 0},
    {0x2000, 1, 1, DPL_CANOPEN_WO, 0},
    {0x2000, 2, 1, DPL_CANOPEN_RO, 0x7f},
};
static uint32_t values[4];
static int n_changed;

static uint32_t check(void *user, size_t entry, uint32_t value)
{
    return entry == 1 && value > 1000 ? DPL_SDO_OUT_OF_RANGE : 0;
}

static void changed(void *user, size_t entry)
{
    n_changed++;
}

static const struct dpl_canopen_dictionary dictionary = {
    .entries = entries, .n = 4, .values = values, .check = check, .changed = changed};

static struct dpl_canopen_sdo serve(struct dpl_canopen_sdo request)
{
    return dpl_canopen_serve(&dictionary, &request);
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
