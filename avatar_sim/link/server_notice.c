/* SPDX-License-Identifier: Apache-2.0 */
/* What a server tells the people who run it. */
#include "server.h"

#include <stdarg.h>
#include <stdio.h>

void server_notice(struct server *server, enum server_notice kind, const char *format, ...)
{
    uint64_t held;
    if (!server->options.notice ||
        !dpl_peer_log_may(&server->notices[kind], dpl_monotonic_now(), &held)) {
        return;
    }
    char text[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof text && held > 0) {
        snprintf(text + n, sizeof text - (size_t)n, " (%llu lines like this were left out)",
                 (unsigned long long)held);
    }
    if (n >= 0) {
        server->options.notice(server->options.notice_user, text);
    }
}
