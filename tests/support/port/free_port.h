/* SPDX-License-Identifier: Apache-2.0 */
/* A TCP port for a server of a test. */
#ifndef DOPPEL_TEST_FREE_PORT_H
#define DOPPEL_TEST_FREE_PORT_H

#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <criterion/criterion.h>

/* A port of the loopback interface that nobody uses now. It lies below those that the system gives
 * to clients (32768 and up), so that no client of another test takes it before the server does. */
static inline int free_port(void)
{
    enum { FIRST = 20000, N = 12000, STEP = 37 };
    for (int i = 0; i < N; i++) {
        int port = FIRST + (getpid() + i * STEP) % N;
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
        close(fd);
        if (bound == 0) {
            return port;
        }
    }
    cr_assert_fail("no free port");
    return -1;
}

#endif
