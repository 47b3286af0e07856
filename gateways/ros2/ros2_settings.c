/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_settings.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define DOMAIN_MAX 232

/* Of the port numbers of a domain (DDSI-RTPS). */
#define PORT_BASE   7400
#define DOMAIN_GAIN 250

/* At the end each writer waits so long for a reader that does not answer. */
#define LINGER "<Internal><WriterLingerDuration>50ms</WriterLingerDuration></Internal>"
#define PARTICIPANTS                                                                               \
    "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</"                       \
    "MaxAutoParticipantIndex>"
#define LOOPBACK                                                                                   \
    "<General><Interfaces><NetworkInterface address=\"127.0.0.1\" multicast=\"false\"/>"           \
    "</Interfaces><AllowMulticast>false</AllowMulticast></General>"

static const struct dpl_place nowhere;

static const char *value_of(char *(*get)(const char *name), const char *name)
{
    const char *value = get(name);
    return value ? value : "";
}

static int read_domain(const char *text, unsigned *ret, struct dpl_diag *reterr)
{
    char *end;
    unsigned long domain = strtoul(text, &end, 10);
    if (*text && (*text < '0' || *text > '9' || *end || domain > DOMAIN_MAX)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "ROS_DOMAIN_ID is '%.32s': a number from 0 to %d is expected", text,
                        DOMAIN_MAX);
    }
    *ret = (unsigned)domain;
    return 0;
}

static int read_range(const char *text, enum ros2_range *ret, struct dpl_diag *reterr)
{
    static const char *const names[] = {[ROS2_NOBODY] = "OFF",
                                        [ROS2_THIS_MACHINE] = "LOCALHOST",
                                        [ROS2_SUBNET] = "SUBNET",
                                        [ROS2_AS_CYCLONE_SAYS] = "SYSTEM_DEFAULT"};
    *ret = ROS2_THIS_MACHINE;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && *text; i++) {
        if (strcasecmp(text, names[i]) == 0) {
            *ret = (enum ros2_range)i;
            return 0;
        }
    }
    return *text ? dpl_fail(reterr, -EINVAL, nowhere,
                            "ROS_AUTOMATIC_DISCOVERY_RANGE is '%.32s': OFF, LOCALHOST, SUBNET or "
                            "SYSTEM_DEFAULT is expected",
                            text)
                 : 0;
}

int ros2_settings_read(char *(*get)(const char *name), struct ros2_settings *ret,
                       struct dpl_diag *reterr)
{
    const char *distro = value_of(get, "ROS_DISTRO");
    struct ros2_settings settings = {.long_gids = strcmp(distro, "humble") == 0 ||
                                                  strcmp(distro, "galactic") == 0 ||
                                                  strcmp(distro, "foxy") == 0};
    int r = read_domain(value_of(get, "ROS_DOMAIN_ID"), &settings.domain, reterr);
    r = r < 0 ? r
              : read_range(value_of(get, "ROS_AUTOMATIC_DISCOVERY_RANGE"), &settings.range, reterr);
    if (r == 0 && strcmp(value_of(get, "ROS_LOCALHOST_ONLY"), "1") == 0 &&
        settings.range != ROS2_NOBODY) {
        settings.range = ROS2_THIS_MACHINE;
    }
    if (r == 0) {
        *ret = settings;
    }
    return r;
}

const char *ros2_settings_config(const struct ros2_settings *settings)
{
    static const char *const configs[] = {
        [ROS2_NOBODY] =
            "<Domain>" LOOPBACK "<Discovery>" PARTICIPANTS "</Discovery>" LINGER "</Domain>",
        [ROS2_THIS_MACHINE] =
            "<Domain>" LOOPBACK "<Discovery>" PARTICIPANTS
            "<Peers><Peer Address=\"127.0.0.1\"/></Peers></Discovery>" LINGER "</Domain>",
        [ROS2_SUBNET] = "<Domain><Discovery>" PARTICIPANTS "</Discovery>" LINGER "</Domain>",
        [ROS2_AS_CYCLONE_SAYS] = NULL,
    };
    return configs[settings->range];
}

/* Whether it is a socket that receives of the domain, at all addresses. */
static bool is_open_to_all(const struct ros2_settings *settings, int fd)
{
    struct sockaddr_in address = {.sin_family = AF_UNSPEC};
    socklen_t n = sizeof address;
    int type = 0;
    socklen_t n_type = sizeof type;
    unsigned first = PORT_BASE + DOMAIN_GAIN * settings->domain;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n_type) == 0 && type == SOCK_DGRAM &&
           getsockname(fd, (struct sockaddr *)&address, &n) == 0 && n == sizeof address &&
           address.sin_family == AF_INET && address.sin_addr.s_addr == htonl(INADDR_ANY) &&
           ntohs(address.sin_port) >= first && ntohs(address.sin_port) < first + DOMAIN_GAIN;
}

int ros2_settings_confine(const struct ros2_settings *settings)
{
    static const char device[] = "lo";
    if (settings->range != ROS2_NOBODY && settings->range != ROS2_THIS_MACHINE) {
        return 0;
    }
    DIR *folder = opendir("/proc/self/fd");
    int r = folder ? 0 : -errno;
    for (const struct dirent *entry; r == 0 && (entry = readdir(folder));) {
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && is_open_to_all(settings, fd) &&
            setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, sizeof device) < 0) {
            r = -errno;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return r;
}
