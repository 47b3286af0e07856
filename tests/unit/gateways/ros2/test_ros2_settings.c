/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "ros2_settings.h"

static const char *domain, *distro, *range, *localhost;

static char *look_up(const char *name)
{
    const char *value = strcmp(name, "ROS_DOMAIN_ID") == 0                   ? domain
                        : strcmp(name, "ROS_DISTRO") == 0                    ? distro
                        : strcmp(name, "ROS_AUTOMATIC_DISCOVERY_RANGE") == 0 ? range
                        : strcmp(name, "ROS_LOCALHOST_ONLY") == 0            ? localhost
                                                                             : NULL;
    return (char *)(uintptr_t)value;
}

Test(ros2_settings, stay_on_this_machine_unless_somebody_wants_more)
{
    struct ros2_settings settings;
    cr_assert_eq(ros2_settings_read(look_up, &settings, NULL), 0);
    cr_assert_eq(settings.domain, 0);
    cr_assert_eq(settings.range, ROS2_THIS_MACHINE);
    cr_assert_not(settings.long_gids);
    localhost = "0";
    cr_assert_eq(ros2_settings_read(look_up, &settings, NULL), 0);
    cr_assert_eq(settings.range, ROS2_THIS_MACHINE);
    range = "subnet";
    cr_assert_eq(ros2_settings_read(look_up, &settings, NULL), 0);
    cr_assert_eq(settings.range, ROS2_SUBNET);
    localhost = "1";
    cr_assert_eq(ros2_settings_read(look_up, &settings, NULL), 0);
    cr_assert_eq(settings.range, ROS2_THIS_MACHINE);
}

Test(ros2_settings, know_the_distribution_and_the_domain)
{
    struct ros2_settings settings;
    domain = "42";
    distro = "humble";
    cr_assert_eq(ros2_settings_read(look_up, &settings, NULL), 0);
    cr_assert_eq(settings.domain, 42);
    cr_assert(settings.long_gids);
}

Test(ros2_settings, name_what_is_wrong)
{
    struct ros2_settings settings;
    struct dpl_diag why = {0};
    domain = "233";
    cr_assert_eq(ros2_settings_read(look_up, &settings, &why), -EINVAL);
    cr_assert_str_eq(why.text, "ROS_DOMAIN_ID is '233': a number from 0 to 232 is expected");
    domain = NULL;
    range = "WORLD";
    cr_assert_eq(ros2_settings_read(look_up, &settings, &why), -EINVAL);
}

static void name_device(int fd, char ret_name[IF_NAMESIZE])
{
    socklen_t n = IF_NAMESIZE;
    ret_name[0] = '\0';
    cr_assert_eq(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, ret_name, &n), 0);
}

Test(ros2_settings, confine_the_sockets_of_the_domain_and_no_others)
{
    const struct ros2_settings settings = {.domain = 231, .range = ROS2_THIS_MACHINE};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}};
    char device[IF_NAMESIZE];
    int fds[2];
    for (int i = 0; i < 2; i++) {
        address.sin_port = htons((uint16_t)(7400 + 250 * 231 + (i == 0 ? 200 : 250)));
        fds[i] = socket(AF_INET, SOCK_DGRAM, 0);
        cr_assert_eq(bind(fds[i], (struct sockaddr *)&address, sizeof address), 0);
    }
    cr_assert_eq(ros2_settings_confine(&settings), 0);
    name_device(fds[0], device);
    cr_assert_str_eq(device, "lo");
    name_device(fds[1], device);
    cr_assert_str_eq(device, "");
}
