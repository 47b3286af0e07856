/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the link: memory of one message, versions, packing. */
#include "link_codec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- memory of one message ---- */

static void *take(void *user, size_t size)
{
    struct link_codec *codec = user;
    size_t rounded = (size + 15u) & ~(size_t)15u;
    if (rounded < size || rounded > sizeof codec->arena - codec->used) {
        return NULL;
    }
    void *memory = codec->arena + codec->used;
    codec->used += rounded;
    return memory;
}

static void give_back(void *user, void *memory)
{
    (void)user;
    (void)memory; /* the next unpack takes everything back */
}

static ProtobufCMessage *unpack(struct link_codec *codec, const ProtobufCMessageDescriptor *type,
                                const void *frame, size_t size)
{
    ProtobufCAllocator allocator = {.alloc = take, .free = give_back, .allocator_data = codec};
    codec->used = 0;
    codec->version = 0;
    codec->name[0] = '\0';
    return size <= LINK_FRAME_MAX ? protobuf_c_message_unpack(type, &allocator, size, frame) : NULL;
}

/* ---- frames ---- */

static int finish(const struct link_codec *codec, const char *why, const char **reterr_why)
{
    if (codec->version != LINK_VERSION) {
        *reterr_why = "it is of another version of the protocol";
        return -EPROTONOSUPPORT;
    }
    *reterr_why = why;
    return why ? -EPROTO : 0;
}

/* The name of a client of another version, for who refuses it. */
static void keep_name(struct link_codec *codec, const Doppel__Link__ToServer *message)
{
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_HELLO &&
        !link_check_hello(message->hello)) {
        snprintf(codec->name, sizeof codec->name, "%s", message->hello->name);
    }
}

int link_unpack_to_server(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToServer **ret_message, const char **reterr_why)
{
    ProtobufCMessage *base = unpack(codec, &doppel__link__to_server__descriptor, frame, size);
    const Doppel__Link__ToServer *message = (const Doppel__Link__ToServer *)base;
    const char *why;
    if (!message) {
        *reterr_why = "it cannot be decoded";
        return -EPROTO;
    }
    codec->version = message->version;
    int err = finish(codec, link_check_to_server(message), &why);
    if (err < 0) {
        *reterr_why = why;
        keep_name(codec, message);
        return err;
    }
    *ret_message = message;
    return 0;
}

int link_unpack_to_client(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToClient **ret_message, const char **reterr_why)
{
    ProtobufCMessage *base = unpack(codec, &doppel__link__to_client__descriptor, frame, size);
    const Doppel__Link__ToClient *message = (const Doppel__Link__ToClient *)base;
    const char *why;
    if (!message) {
        *reterr_why = "it cannot be decoded";
        return -EPROTO;
    }
    codec->version = message->version;
    int err = finish(codec, link_check_to_client(message), &why);
    if (err < 0) {
        *reterr_why = why;
        return err;
    }
    *ret_message = message;
    return 0;
}

static int pack(struct link_codec *codec, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    if (size > sizeof codec->out) {
        return -EMSGSIZE;
    }
    return (int)protobuf_c_message_pack(message, codec->out);
}

int link_pack_to_server(struct link_codec *codec, Doppel__Link__ToServer *message)
{
    message->version = LINK_VERSION;
    return pack(codec, &message->base);
}

int link_pack_to_client(struct link_codec *codec, Doppel__Link__ToClient *message)
{
    message->version = message->version != 0 ? message->version : LINK_VERSION;
    return pack(codec, &message->base);
}
