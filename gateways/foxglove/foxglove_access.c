/* SPDX-License-Identifier: Apache-2.0 */
#include "foxglove_access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static int make_token(char ret_token[FOXGLOVE_TOKEN_MAX])
{
    unsigned char bytes[FOXGLOVE_TOKEN_MAX / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return -EIO;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(ret_token + 2 * i, 3, "%02x", bytes[i]);
    }
    return 0;
}

int foxglove_access_init(struct foxglove_access *access)
{
    int r = make_token(access->look);
    return r < 0 ? r : make_token(access->control);
}

bool foxglove_access_is_host(const struct foxglove_access *access, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char ours[64];
        snprintf(ours, sizeof ours, "%s:%d", names[i], access->port);
        if (strcmp(host, ours) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes the same time wherever the texts differ. */
static bool is_token(const char *token, const char *path)
{
    unsigned char differs = 0;
    if (path[0] != '/' || strlen(path + 1) != FOXGLOVE_TOKEN_MAX - 1) {
        return false;
    }
    for (size_t i = 0; i < FOXGLOVE_TOKEN_MAX - 1; i++) {
        differs |= (unsigned char)(token[i] ^ path[1 + i]);
    }
    return differs == 0 && token[0] != '\0';
}

static bool names_protocol(const char *protocols)
{
    for (const char *at = protocols; *at;) {
        size_t skip = strspn(at, ", "), n = strcspn(at + skip, ", ");
        at += skip;
        if ((n == 21 && strncmp(at, "foxglove.websocket.v1", n) == 0) ||
            (n == 15 && strncmp(at, "foxglove.sdk.v1", n) == 0)) {
            return true;
        }
        at += n;
    }
    return false;
}

enum dpl_role foxglove_access_role(const struct foxglove_access *access,
                                   const struct foxglove_knock *knock, const char **ret_why)
{
    *ret_why = "";
    if (!foxglove_access_is_host(access, knock->host)) {
        *ret_why = "the Host is not one of this server";
    } else if (!names_protocol(knock->protocols)) {
        *ret_why = "it speaks neither foxglove.websocket.v1 nor foxglove.sdk.v1";
    } else if (is_token(access->control, knock->path)) {
        return DPL_ROLE_CONTROL;
    } else if (is_token(access->look, knock->path)) {
        return DPL_ROLE_LOOK;
    } else {
        *ret_why = "the token is wrong";
    }
    return DPL_ROLE_NONE;
}

bool foxglove_access_may_read(const struct foxglove_access *access, const char *authorization)
{
    static const char word[] = "Bearer ";
    char path[FOXGLOVE_TOKEN_MAX + 2];
    if (strncmp(authorization, word, sizeof word - 1) != 0) {
        return false;
    }
    snprintf(path, sizeof path, "/%s", authorization + sizeof word - 1);
    return is_token(access->control, path) || is_token(access->look, path);
}
