/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody puts over all masters is what they read back. */
#include <math.h>

#include "master_rig.h"

static struct rig rig;

static void stop(void)
{
    rig_stop(&rig);
}

TestSuite(overruled, .fini = stop);

static void overrule(const char *path, double value)
{
    struct dpl_channel_want want = {.path = path, .put = true};
    int channel = dpl_world_channels_find(rig.channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    dpl_world_channels_overrule(rig.channels, (size_t)channel, value);
    dpl_sim_modbus_boundary(rig.server); /* from which on it is read */
}

static int coil(int fd, uint8_t address)
{
    struct rig_answer answer = RIG_ASK(&rig, fd, 1, 0, address, 0, 1);
    cr_assert(answer.n == 3 && answer.bytes[0] == 1);
    return answer.bytes[2];
}

Test(overruled, a_coil_reads_what_is_put_and_then_what_a_master_wrote)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    cr_assert_eq(coil(fd, 0), 0);
    overrule("m/brake/release", 1.0);
    cr_assert_eq(coil(fd, 0), 1);
    cr_assert_eq(coil(fd, 1), 0, "the coil beside it");
    overrule("m/brake/release", (double)NAN);
    cr_assert_eq(coil(fd, 0), 0);
    rig_write_coil(&rig, fd, 0, true);
    overrule("m/brake/release", 0.0);
    cr_assert_eq(coil(fd, 0), 0);
    overrule("m/brake/release", (double)NAN);
    cr_assert_eq(coil(fd, 0), 1);
    close(fd);
}

Test(overruled, a_coil_of_a_fault_reads_it_too)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    overrule("m/near/stuck_off", 1.0);
    cr_assert_eq(coil(fd, 1), 1);
    close(fd);
}

Test(overruled, a_register_reads_what_is_put_in_its_scale)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_write(&rig, fd, 0, 500);
    overrule("m/drive/setpoint", -0.25);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 65536 - 250);
    rig_write(&rig, fd, 0, 700);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 65536 - 250, "also after a master has written");
    overrule("m/drive/setpoint", 1e9);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), INT16_MAX, "at the end of the range");
    overrule("m/drive/setpoint", (double)NAN);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 700);
    close(fd);
}
