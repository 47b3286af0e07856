/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen: identifiers, network management, emergencies and process data, byte by byte. */
#include <doppel/protocol/canopen.h>

#include <criterion/criterion.h>
#include <errno.h>

static void expect_frame(struct dpl_can_frame got, uint32_t id, const char *bytes, size_t n)
{
    cr_assert_eq(got.id, id, "%x, not %x", got.id, id);
    cr_assert_eq(got.length, n);
    cr_assert(!got.extended && !got.remote);
    cr_assert_eq(memcmp(got.data, bytes, n), 0);
}

#define EXPECT(frame, id, bytes) expect_frame(frame, id, bytes, sizeof(bytes) - 1)

static void expect_cob(uint32_t id, enum dpl_canopen_service service, uint8_t node, uint8_t pdo)
{
    struct dpl_canopen_cob cob = dpl_canopen_classify(&(struct dpl_can_frame){.id = id});
    cr_assert_eq(cob.service, service, "%x", id);
    cr_assert_eq(cob.node, node, "%x", id);
    cr_assert_eq(cob.pdo, pdo, "%x", id);
    if (service != DPL_CANOPEN_OTHER) {
        cr_assert_eq(dpl_canopen_cob_id(service, node, pdo), id);
    }
}

Test(canopen, identifiers_tell_service_and_node)
{
    expect_cob(0x000, DPL_CANOPEN_NMT, 0, 0);
    expect_cob(0x080, DPL_CANOPEN_SYNC, 0, 0);
    expect_cob(0x081, DPL_CANOPEN_EMCY, 1, 0);
    expect_cob(0x0ff, DPL_CANOPEN_EMCY, 127, 0);
    expect_cob(0x183, DPL_CANOPEN_TPDO, 3, 1);
    expect_cob(0x203, DPL_CANOPEN_RPDO, 3, 1);
    expect_cob(0x283, DPL_CANOPEN_TPDO, 3, 2);
    expect_cob(0x303, DPL_CANOPEN_RPDO, 3, 2);
    expect_cob(0x383, DPL_CANOPEN_TPDO, 3, 3);
    expect_cob(0x503, DPL_CANOPEN_RPDO, 3, 4);
    expect_cob(0x586, DPL_CANOPEN_SDO_ANSWER, 6, 0);
    expect_cob(0x606, DPL_CANOPEN_SDO_REQUEST, 6, 0);
    expect_cob(0x706, DPL_CANOPEN_HEARTBEAT, 6, 0);
    expect_cob(0x100, DPL_CANOPEN_OTHER, 0, 0);
    expect_cob(0x101, DPL_CANOPEN_OTHER, 0, 0);
    expect_cob(0x180, DPL_CANOPEN_OTHER, 0, 0);
    expect_cob(0x7ff, DPL_CANOPEN_OTHER, 0, 0);
    struct dpl_can_frame remote = {.id = 0x701, .remote = true},
                         long_id = {.id = 1, .extended = true};
    cr_assert_eq(dpl_canopen_classify(&remote).service, DPL_CANOPEN_OTHER);
    cr_assert_eq(dpl_canopen_classify(&long_id).service, DPL_CANOPEN_OTHER);
}

Test(canopen, says_the_frames_of_network_management)
{
    EXPECT(dpl_canopen_nmt(DPL_CANOPEN_START, 3), 0x000, "\x01\x03");
    EXPECT(dpl_canopen_nmt(DPL_CANOPEN_RESET_NODE, 0), 0x000, "\x81\x00");
    EXPECT(dpl_canopen_nmt(DPL_CANOPEN_ENTER_PRE_OPERATIONAL, 127), 0x000, "\x80\x7f");
    EXPECT(dpl_canopen_sync(), 0x080, "");
    EXPECT(dpl_canopen_heartbeat(5, DPL_CANOPEN_OPERATIONAL), 0x705, "\x05");
    EXPECT(dpl_canopen_heartbeat(5, DPL_CANOPEN_BOOT_UP), 0x705, "\x00");
}

Test(canopen, hears_the_frames_of_network_management)
{
    enum dpl_canopen_nmt_command command;
    uint8_t node;
    struct dpl_can_frame frame = dpl_canopen_nmt(DPL_CANOPEN_RESET_COMMUNICATION, 9);
    cr_assert_eq(dpl_canopen_nmt_decode(&frame, &command, &node), 0);
    cr_assert_eq(command, DPL_CANOPEN_RESET_COMMUNICATION);
    cr_assert_eq(node, 9);
    frame.data[0] = 3;
    cr_assert_eq(dpl_canopen_nmt_decode(&frame, &command, &node), -EPROTO);
    frame = dpl_canopen_nmt(DPL_CANOPEN_START, 128);
    cr_assert_eq(dpl_canopen_nmt_decode(&frame, &command, &node), -EPROTO);
    frame = dpl_canopen_nmt(DPL_CANOPEN_START, 1);
    frame.length = 1;
    cr_assert_eq(dpl_canopen_nmt_decode(&frame, &command, &node), -EPROTO);
    enum dpl_canopen_state state;
    frame = dpl_canopen_heartbeat(1, DPL_CANOPEN_PRE_OPERATIONAL);
    cr_assert_eq(dpl_canopen_heartbeat_decode(&frame, &state), 0);
    cr_assert_eq(state, DPL_CANOPEN_PRE_OPERATIONAL);
    frame.data[0] = 0x85; /* the top bit is the toggle of node guarding */
    cr_assert_eq(dpl_canopen_heartbeat_decode(&frame, &state), 0);
    cr_assert_eq(state, DPL_CANOPEN_OPERATIONAL);
    frame.data[0] = 6;
    cr_assert_eq(dpl_canopen_heartbeat_decode(&frame, &state), -EPROTO);
    frame.length = 0;
    cr_assert_eq(dpl_canopen_heartbeat_decode(&frame, &state), -EPROTO);
}

Test(canopen, an_emergency_is_code_register_and_five_bytes_of_the_maker)
{
    struct dpl_canopen_emcy emcy = {0x8611, 0x21, {1, 2, 3, 4, 5}}, back;
    struct dpl_can_frame frame = dpl_canopen_emcy(2, &emcy);
    EXPECT(frame, 0x082, "\x11\x86\x21\x01\x02\x03\x04\x05");
    cr_assert_eq(dpl_canopen_emcy_decode(&frame, &back), 0);
    cr_assert_eq(back.code, 0x8611);
    cr_assert_eq(back.registers, 0x21);
    cr_assert_eq(back.data[4], 5);
    frame.length = 7;
    cr_assert_eq(dpl_canopen_emcy_decode(&frame, &back), -EPROTO);
    cr_assert_str_eq(dpl_canopen_emcy_name(0x8611), "following error");
    cr_assert_str_eq(dpl_canopen_emcy_name(0x2312), "too much current");
    cr_assert_str_eq(dpl_canopen_emcy_name(0x2412), "current");
    cr_assert_str_eq(dpl_canopen_emcy_name(0x1000), "generic error");
    cr_assert_str_eq(dpl_canopen_emcy_name(0), "no error");
}

Test(canopen, process_data_are_packed_low_byte_first_in_the_order_of_the_map)
{
    const struct dpl_canopen_map map = {2, {{0x6040, 0, 16}, {0x607a, 0, 32}}};
    struct dpl_can_frame frame = {.id = 0x201};
    dpl_canopen_pack(&map, (const int32_t[]){0x0f, -2}, &frame);
    EXPECT(frame, 0x201, "\x0f\x00\xfe\xff\xff\xff");
    cr_assert_eq(dpl_canopen_map_word(&map.objects[1]), 0x607a0020);
    struct dpl_canopen_object object = dpl_canopen_map_object(0x60c20108);
    cr_assert(object.index == 0x60c2 && object.sub == 1 && object.bits == 8);
}

Test(canopen, values_come_back_with_their_sign)
{
    const struct dpl_canopen_map map = {3, {{0x6077, 0, 16}, {0x6061, 0, 8}, {0x606c, 0, 32}}};
    const struct dpl_can_frame frame = {.length = 7,
                                        .data = {0x18, 0xfc, 0x88, 0x00, 0x00, 0x00, 0x80}};
    int32_t values[3];
    cr_assert_eq(dpl_canopen_map_size(&map), 7);
    cr_assert_eq(dpl_canopen_unpack(&map, &frame, values), 0);
    cr_assert_eq(values[0], -1000);
    cr_assert_eq(values[1], -120);
    cr_assert_eq(values[2], INT32_MIN);
    struct dpl_can_frame shorter = frame;
    shorter.length = 6;
    cr_assert_eq(dpl_canopen_unpack(&map, &shorter, values), -EPROTO);
}
