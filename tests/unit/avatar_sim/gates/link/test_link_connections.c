/* SPDX-License-Identifier: Apache-2.0 */
/* Peers that connect to the server of a world and say nothing, by real sockets: none keeps a file
 * descriptor of the server for ever, and none keeps clients out. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "link_stranger.h"
#include "server.h"

#define PEERS      100
#define PLACES     64 /* connections of a server: docs/reference/link.md */
#define PATIENCE_S 12

static char told[4096]; /* by the server */

static void note(void *user, const char *text)
{
    (void)user;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s\n", text);
}

/* The server gives a silent peer 1 s. */
static struct served begin(void)
{
    struct served served;
    told[0] = '\0';
    served.server = make_server((struct dpl_sim_server_options){.notice = note});
    cr_assert_eq(served.server->server->drop, 5 * DPL_S, "as it says in docs/reference/link.md");
    served.server->server->drop = DPL_S;
    start_serving(&served);
    return served;
}

static int connect_plainly(const struct served *served)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(dpl_sim_server_port(served->server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(fd, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* The handshake of ZeroMQ (ZMTP 3.0) by a DEALER, and then nothing. */
static void shake_hands(int fd)
{
    static const uint8_t greeting[64] = {0xff, [9] = 0x7f, 3, 0, 'N', 'U', 'L', 'L'};
    static const uint8_t ready[] = "\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06"
                                   "DEALER";
    uint8_t heard[64];
    cr_assert_eq(send(fd, greeting, sizeof greeting, MSG_NOSIGNAL), sizeof greeting);
    cr_assert_eq(recv(fd, heard, sizeof heard, MSG_WAITALL), sizeof heard);
    cr_assert_eq(send(fd, ready, sizeof ready - 1, MSG_NOSIGNAL), sizeof ready - 1);
    cr_assert_gt(recv(fd, heard, sizeof heard, 0), 0, "no READY of the server");
}

/* Whether the server has closed the connection; what it said before is dropped. */
static bool is_closed(int fd)
{
    uint8_t bytes[4096];
    ssize_t n;
    do {
        n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    } while (n > 0);
    return n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

static size_t count_closed(const int *fds, size_t n)
{
    size_t closed = 0;
    for (size_t i = 0; i < n; i++) {
        closed += is_closed(fds[i]);
    }
    return closed;
}

static void wait_until_closed(const int *fds, size_t n)
{
    dpl_ns until = monotonic() + PATIENCE_S * DPL_S;
    while (count_closed(fds, n) < n && monotonic() < until) {
        poll(NULL, 0, 10);
    }
    cr_assert_eq(count_closed(fds, n), n, "of %zu connections %zu are closed after %d s", n,
                 count_closed(fds, n), PATIENCE_S);
}

static void close_all(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        close(fds[i]);
    }
}

/* One says nothing at all, one only what ZeroMQ does for every socket. */
Test(link_connections, a_peer_that_says_nothing_is_closed_and_named, .timeout = 30)
{
    struct served served = begin();
    int fds[] = {connect_plainly(&served), connect_plainly(&served)};
    struct sockaddr_in own;
    char name[96];
    cr_assert_eq(getsockname(fds[0], (struct sockaddr *)&own, &(socklen_t){sizeof own}), 0);
    snprintf(name, sizeof name, "connection from 127.0.0.1:%u closed: no valid message for 1 s",
             ntohs(own.sin_port));
    shake_hands(fds[1]);
    wait_until_closed(fds, 2);
    close_all(fds, 2);
    cr_assert_eq(unserve(&served).closed, 2);
    cr_assert_not_null(strstr(told, name), "%s", told);
}

Test(link_connections, a_client_that_talks_keeps_its_connection, .timeout = 30)
{
    struct served served = begin();
    int silent = connect_plainly(&served);
    struct stranger stranger = connect_stranger(served.address);
    say_hello(&stranger);
    next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME);
    for (int i = 0; i < 7000 && !is_closed(silent); i += 20) {
        poll(NULL, 0, 20);
        channel_number(&stranger, "avatar/LeftWheel/speed");
    }
    cr_assert(is_closed(silent));
    for (int i = 0; i < 10; i++) { /* it is there for longer than the silent one was */
        poll(NULL, 0, 100);
        channel_number(&stranger, "avatar/LeftWheel/speed");
    }
    close(silent);
    leave(&stranger);
    struct dpl_sim_server_stats stats = unserve(&served);
    cr_assert_eq(stats.closed, 1);
    cr_assert_eq(stats.welcomed, 1);
    cr_assert_eq(stats.dropped, 0);
}

Test(link_connections, silent_peers_take_only_so_many_places_and_keep_no_client_out, .timeout = 30)
{
    struct served served = begin();
    int fds[PEERS];
    struct stranger first = connect_stranger(served.address);
    say_hello(&first);
    next(&first, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME);
    for (size_t i = 0; i < PEERS; i++) {
        fds[i] = connect_plainly(&served);
    }
    /* the client has one of the places */
    EVENTUALLY(count_closed(fds, PEERS) == PEERS - (PLACES - 1));
    cr_assert_not_null(strstr(told, "there are too many connections"), "%s", told);
    struct stranger second = connect_stranger(served.address);
    say_hello(&second);
    next(&second, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME);
    channel_number(&first, "avatar/LeftWheel/speed"); /* the first one is still served */
    EVENTUALLY(count_closed(fds, PEERS) == PEERS - (PLACES - 2));
    leave(&first);
    leave(&second);
    close_all(fds, PEERS);
    cr_assert_eq(unserve(&served).closed, PEERS - (PLACES - 2));
}
