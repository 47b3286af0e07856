/* SPDX-License-Identifier: Apache-2.0 */
/* Who has a port, a name or a lock: here this process. */
#include "holder.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

static char text[DPL_HOLDER_TEXT];

static void expect_this_process(const char *told)
{
    char start[40];
    snprintf(start, sizeof start, "process %ld (", (long)getpid());
    cr_assert_eq(strncmp(told, start, strlen(start)), 0, "%s", told);
}

Test(holder, of_a_port_is_who_listens)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    uint16_t port = ntohs(address.sin_port);
    cr_assert_str_eq(dpl_holder_of_port(port, text), "another process");
    cr_assert_eq(listen(fd, 1), 0);
    expect_this_process(dpl_holder_of_port(port, text));
    close(fd);
}

Test(holder, of_a_name_is_who_has_bound_it)
{
    char name[40];
    snprintf(name, sizeof name, "doppel-test-%ld", (long)getpid());
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, name, strlen(name));
    socklen_t size = (socklen_t)(sizeof address.sun_family + 1 + strlen(name));
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    cr_assert_str_eq(dpl_holder_of_name(name, text), "another process");
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    expect_this_process(dpl_holder_of_name(name, text));
    close(fd);
}

Test(holder, of_a_file_is_who_has_locked_it)
{
    char name[] = "/tmp/doppel-holder-XXXXXX";
    int fd = mkstemp(name);
    cr_assert_str_eq(dpl_holder_of_file(name, text), "another process");
    cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
    struct stat info;
    cr_assert_eq(fstat(fd, &info), 0);
    if (major(info.st_dev) != 0) { /* a disk */
        expect_this_process(dpl_holder_of_file(name, text));
    }
    close(fd);
    unlink(name);
    cr_assert_str_eq(dpl_holder_of_file(name, text), "another process");
}
