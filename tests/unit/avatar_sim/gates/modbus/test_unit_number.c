/* SPDX-License-Identifier: Apache-2.0 */
/* Unit identifiers of masters on TCP: the number of a unit, or 0 and 255 for the server itself. */
#include "master_rig.h"

static struct rig rig;

/* Reads a holding register of the unit. The first byte of the answer: 3, or 0x83 and
 * *ret_exception.
 */
static int ask_unit(int fd, uint8_t unit, int *ret_exception)
{
    const uint8_t pdu[] = {3, 0, 1, 0, 1};
    rig_send(fd, pdu, sizeof pdu, unit);
    struct rig_answer answer = rig_hear(&rig, fd);
    *ret_exception = answer.bytes[0] == 0x83 ? answer.bytes[1] : 0;
    return answer.bytes[0];
}

Test(unit_number, unit_0_and_255_are_the_only_unit)
{
    rig_start(&rig);
    int fd = rig_connect(&rig), exception;
    const uint8_t put[] = {6, 0, 1, 0, 7};
    rig_send(fd, put, sizeof put, 255);
    cr_assert_eq(rig_hear(&rig, fd).bytes[0], 6);
    cr_assert_eq(rig_read(&rig, fd, 3, 1), 7, "unit 255 wrote into unit 1");
    cr_assert_eq(ask_unit(fd, 0, &exception), 3, "exception %d", exception);
    cr_assert_eq(ask_unit(fd, 255, &exception), 3, "exception %d", exception);
    cr_assert_eq(ask_unit(fd, 2, &exception), 0x83);
    cr_assert_eq(exception, 11);
    cr_assert_eq(ask_unit(fd, 254, &exception), 0x83);
    close(fd);
    rig_stop(&rig);
}

Test(unit_number, unit_0_and_255_of_several_are_refused)
{
    rig_start_text(&rig,
                   "<mechanism name='m' step_ms='2'>"
                   "<RigidObject name='a' mass='2'><BoxShape x='1' y='1' z='1'/></RigidObject>"
                   "<Modbus unit='1' name='p'><map table='holding' address='1'/></Modbus>"
                   "<Modbus unit='2' name='q'><map table='holding' address='1'/></Modbus>"
                   "</mechanism>",
                   0, 0);
    int fd = rig_connect(&rig), exception;
    cr_assert_eq(ask_unit(fd, 255, &exception), 0x83);
    cr_assert_eq(exception, 11);
    cr_assert_eq(ask_unit(fd, 0, &exception), 0x83);
    cr_assert_eq(ask_unit(fd, 2, &exception), 3, "exception %d", exception);
    close(fd);
    rig_stop(&rig);
}
