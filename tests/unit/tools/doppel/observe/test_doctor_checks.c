/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and clocks of a computer that is a folder. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_checks.h"

static char root[64];
static struct doctor doctor;

static void setup(void)
{
    strcpy(root, "/tmp/doctor.XXXXXX");
    cr_assert_not_null(mkdtemp(root));
    doctor = (struct doctor){.root = root, .findings = json_array()};
}

static void run(const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s", root, command);
    cr_assert_eq(system(line), 0);
}

static void teardown(void)
{
    run("rm -r ../$(basename $PWD)");
    json_decref(doctor.findings);
}

TestSuite(doctor_checks, .init = setup, .fini = teardown);

/* Whether there is a finding of this level whose text and remedy have these words. */
static bool finds(const char *level, const char *text, const char *remedy)
{
    size_t i;
    json_t *finding;
    json_array_foreach(doctor.findings, i, finding)
    {
        if (strcmp(json_string_value(json_object_get(finding, "level")), level) == 0 &&
            strstr(json_string_value(json_object_get(finding, "text")), text) &&
            strstr(json_string_value(json_object_get(finding, "remedy")), remedy)) {
            return true;
        }
    }
    return false;
}

Test(doctor_checks, tells_a_serial_device_that_is_slow_or_cannot_be_used)
{
    run("mkdir -p dev sys/bus/usb-serial/devices/ttyUSB0 && touch dev/ttyUSB0 dev/tty0 && "
        "ln -s nothing dev/ttyACM3 && echo 16 > sys/bus/usb-serial/devices/ttyUSB0/latency_timer");
    doctor_check_devices(&doctor);
    cr_assert(finds("ok", "/dev/ttyUSB0 can be used", ""));
    cr_assert(finds("warn", "ttyUSB0 holds back what it receives for 16 ms",
                    "echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer"));
    cr_assert(finds("fail", "/dev/ttyACM3: No such file", "usermod -aG dialout"));
    cr_assert_eq(doctor.counts[DOCTOR_FAIL], 1);
}

Test(doctor_checks, tells_a_can_that_is_down)
{
    run("mkdir -p sys/class/net/can0 && echo down > sys/class/net/can0/operstate");
    doctor_check_devices(&doctor);
    cr_assert(finds("warn", "can0 is down", "sudo ip link set can0 up"));
}

Test(doctor_checks, says_that_there_is_no_device)
{
    doctor_check_devices(&doctor);
    cr_assert(finds("ok", "no serial device", ""));
}

Test(doctor_checks, tells_a_slow_clock_and_a_processor_that_saves_power)
{
    run("mkdir -p sys/devices/system/clocksource/clocksource0 sys/devices/system/cpu/cpu0/cpufreq "
        "&& echo hpet > sys/devices/system/clocksource/clocksource0/current_clocksource && "
        "echo powersave > sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    doctor_check_clock(&doctor);
    cr_assert(finds("warn", "hpet, which is slow", "dmesg"));
    cr_assert(finds("warn", "(powersave)", "cpupower"));
}
