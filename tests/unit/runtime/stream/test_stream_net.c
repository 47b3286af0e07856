/* SPDX-License-Identifier: Apache-2.0 */
/* Streams over loopback sockets, CAN and what listens: bytes, loss, reopening, closing. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "stream_open.h"
#include "stream_queue.h"
#include "stream_rig.h"

TestSuite(stream_net, .init = stream_begin, .fini = stream_end, .timeout = 20);

/* ---- CAN ---- */

Test(stream_net, a_can_interface_that_is_not_there_is_an_error_that_helps)
{
    struct dpl_diag diag;
    int err = open_stream("can:doppel-none", 0, &diag);
    cr_assert(err == -EAFNOSUPPORT || err == -ENODEV, "%d", err);
    cr_assert_str_eq(diag.text, err == -ENODEV ? "cannot open 'can:doppel-none': there is no such "
                                                 "CAN interface"
                                               : "cannot open 'can:doppel-none': this kernel has "
                                                 "no SocketCAN; use an slcan adapter");
    cr_assert_lt(open_stream("can:", 0, NULL), 0);
    cr_assert_lt(open_stream("can:a-name-longer-than-any", 0, NULL), 0);
}

/* A datagram socket stands for the interface: it keeps calls apart as that does. */
Test(stream_net, records_are_written_one_a_call)
{
    static struct dpl__stream_queue queue = {.record = DPL__CAN_RECORD_BYTES};
    uint8_t records[3 * DPL__CAN_RECORD_BYTES], back[100];
    int pair[2];
    memset(records, 7, sizeof records);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
    cr_assert_eq(dpl__stream_queue_put(&queue, records, sizeof records), 0);
    cr_assert_eq(dpl__stream_queue_flush(&queue, pair[0]), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(read(pair[1], back, sizeof back), DPL__CAN_RECORD_BYTES);
    }
    cr_assert_eq(read(pair[1], back, sizeof back), -1);
    cr_assert_eq(queue.n, 0);
    close(pair[0]);
    close(pair[1]);
}

/* ---- TCP ---- */

static int listen_on(uint16_t port, uint16_t *ret_port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(fd, 4), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static void tcp_address(uint16_t port, char ret_address[32])
{
    snprintf(ret_address, 32, "tcp://127.0.0.1:%u", port);
}

/* A stream to a server. Returns the server's end of the connection. */
static int connect_over_tcp(int *ret_server, uint16_t *ret_port)
{
    char address[32];
    *ret_server = listen_on(0, ret_port);
    tcp_address(*ret_port, address);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    return accept(*ret_server, NULL, NULL);
}

Test(stream_net, carries_bytes_over_tcp)
{
    uint16_t port;
    int server, peer = connect_over_tcp(&server, &port);
    cr_assert_eq(write(peer, "hello", 5), 5);
    cr_assert(received(5));
    cr_assert_arr_eq(seen.bytes, "hello", 5);
    cr_assert_eq(dpl_stream_write(stream, "VV\n", 3), 0);
    char back[3];
    cr_assert_eq(read_for_long(peer, back, 3), 3);
    cr_assert_arr_eq(back, "VV\n", 3);
    close(peer);
    close(server);
}

Test(stream_net, reconnects_when_a_server_returns)
{
    uint16_t port;
    int server, peer = connect_over_tcp(&server, &port);
    close(server);
    close(peer);
    cr_assert(reached(&seen.n_lost, 1));
    cr_assert_str_eq(seen.why, "closed by the other end");
    server = listen_on(port, &port);
    cr_assert(reached(&seen.n_opened, 2));
    cr_assert_eq(seen.n_lost, 1);
    close(server);
}

Test(stream_net, says_why_nobody_answers_at_first)
{
    uint16_t port;
    char address[32], expected[100];
    close(listen_on(0, &port));
    tcp_address(port, address);
    struct dpl_diag diag;
    cr_assert_eq(open_stream(address, 0, &diag), -ECONNREFUSED);
    snprintf(expected, sizeof expected, "cannot open '%s': Connection refused", address);
    cr_assert_str_eq(diag.text, expected);
}

Test(stream_net, refuses_an_address_without_a_port)
{
    static const char *const wrong[] = {"tcp://host",       "tcp://host:",  "tcp://:80",
                                        "tcp://host:70000", "tcp://host:0", "tcp://host:8x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dpl_diag diag;
        cr_assert_eq(open_stream(wrong[i], 0, &diag), -EINVAL, "%s", wrong[i]);
        cr_assert_not_null(strstr(diag.text, wrong[i]));
    }
}

Test(stream_net, does_not_lose_the_last_command_when_it_closes_with_unread_input)
{
    uint16_t port;
    int server, peer = connect_over_tcp(&server, &port);
    cr_assert_eq(write(peer, "a scan", 6), 6);
    cr_assert_eq(dpl_stream_write(stream, "QT\n", 3), 0);
    dpl_stream_close(stream);
    stream = NULL;
    char back[3];
    cr_assert_eq(read_for_long(peer, back, 3), 3);
    cr_assert_arr_eq(back, "QT\n", 3);
    close(peer);
    close(server);
}

/* ---- listening ---- */

static void make_name(char ret_name[64])
{
    snprintf(ret_name, 64, "/tmp/doppel-listen-%ld", (long)getpid());
    unlink(ret_name);
}

static int open_slave(const char *name)
{
    int fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    cr_assert_geq(fd, 0, "%s", strerror(errno));
    return fd;
}

Test(stream_net, serves_one_peer_after_another_on_a_pty_of_its_own)
{
    char name[64], address[80], back[3];
    make_name(name);
    snprintf(address, sizeof address, "pty:%s", name);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert_eq(dpl_stream_write(stream, "x", 1), -ENOTCONN, "nobody is there");
    for (int i = 1; i <= 2; i++) {
        int slave = open_slave(name);
        cr_assert(reached(&seen.n_opened, i), "peer %d", i);
        seen.n = 0;
        cr_assert_eq(write(slave, "\0\r\xff", 3), 3);
        cr_assert(received(3));
        cr_assert_arr_eq(seen.bytes, "\0\r\xff", 3);
        cr_assert_eq(dpl_stream_write(stream, "\n\3\xff", 3), 0);
        cr_assert_eq(read_for_long(slave, back, 3), 3);
        cr_assert_arr_eq(back, "\n\3\xff", 3);
        cr_assert_eq(dpl_stream_write(stream, "old", 3), 0, "not read by this peer");
        close(slave);
        cr_assert(reached(&seen.n_lost, i), "peer %d", i);
    }
    dpl_stream_close(stream);
    stream = NULL;
    cr_assert_eq(access(name, F_OK), -1, "the link is left behind");
}

Test(stream_net, serves_one_peer_after_another_on_a_port)
{
    static const char *const schemes[] = {"listen", "tcp-listen"};
    uint16_t port;
    char address[32], back[2];
    close(listen_on(0, &port));
    for (int i = 0; i < 2; i++) {
        snprintf(address, sizeof address, "%s:%u", schemes[i], port);
        cr_assert_eq(open_stream(address, 0, NULL), 0, "%s", address);
        for (int j = 1; j <= 2; j++) {
            struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int peer = socket(AF_INET, SOCK_STREAM, 0);
            cr_assert_eq(connect(peer, (struct sockaddr *)&to, sizeof to), 0);
            cr_assert(reached(&seen.n_opened, 2 * i + j));
            seen.n = 0;
            cr_assert_eq(write(peer, "hi", 2), 2);
            cr_assert(received(2));
            cr_assert_eq(dpl_stream_write(stream, "ho", 2), 0);
            cr_assert_eq(read_for_long(peer, back, 2), 2);
            cr_assert_arr_eq(back, "ho", 2);
            close(peer);
            cr_assert(reached(&seen.n_lost, 2 * i + j));
        }
        dpl_stream_close(stream);
        stream = NULL;
    }
}

Test(stream_net, says_why_it_cannot_listen)
{
    struct dpl_diag diag;
    uint16_t port;
    char name[64], address[80];
    int server = listen_on(0, &port);
    snprintf(address, sizeof address, "listen:%u", port);
    cr_assert_eq(open_stream(address, 0, &diag), -EADDRINUSE);
    cr_assert_not_null(strstr(diag.text, address), "%s", diag.text);
    close(server);
    cr_assert_eq(open_stream("listen:70000", 0, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "expected listen:PORT"), "%s", diag.text);
    cr_assert_eq(open_stream("pty:", 0, &diag), -EINVAL);
    make_name(name);
    close(open(name, O_CREAT | O_WRONLY, 0600));
    snprintf(address, sizeof address, "pty:%s", name);
    cr_assert_eq(open_stream(address, 0, &diag), -EEXIST, "a file is not replaced");
    unlink(name);
}
