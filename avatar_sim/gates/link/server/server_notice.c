/* SPDX-License-Identifier: Apache-2.0 */
/* What a server tells the people who run it. */
#include "server.h"

#include <stdarg.h>

void server_notice(struct server *server, enum server_notice kind, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    if (server->options.notice && dpl_peer_log_line(&server->notices[kind], dpl_monotonic_now(),
                                                    text, sizeof text, format, args)) {
        server->options.notice(server->options.notice_user, text);
    }
    va_end(args);
}
