/* SPDX-License-Identifier: Apache-2.0 */
/* The set is read back by protoc: it decodes a message by the set alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>

#include "descriptor_set.h"
#include "pool_types.pb-c.h"

static struct dpl_bytes set;

static void teardown(void)
{
    dpl_bytes_finish(&set);
}

TestSuite(descriptor_set, .fini = teardown);

static void write_file(const char *name, const void *data, size_t n)
{
    FILE *file = fopen(name, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(data, 1, n, file), n);
    fclose(file);
}

/* What protoc prints of a message, by the set. */
static void decode(const ProtobufCMessage *message, char *ret_text, size_t size)
{
    char folder[] = "/tmp/descriptor_set.XXXXXX", path[64], command[400];
    uint8_t packed[4096];
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(dpl__descriptor_set(message->descriptor, &set), 0);
    snprintf(path, sizeof path, "%s/set", folder);
    write_file(path, set.data, set.n);
    snprintf(path, sizeof path, "%s/message", folder);
    write_file(path, packed, protobuf_c_message_pack(message, packed));
    snprintf(command, sizeof command,
             "protoc --descriptor_set_in=%s/set --decode=%s < %s/message 2>&1; rm -r %s", folder,
             message->descriptor->name, folder, folder);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    ret_text[fread(ret_text, 1, size - 1, pipe)] = '\0';
    pclose(pipe);
}

Test(descriptor_set, decodes_numbers_arrays_and_messages)
{
    char text[1024];
    float ranges[] = {1.5F, 0.25F};
    Doppel__Pose2 mount = DOPPEL__POSE2__INIT;
    mount.x = 0.125;
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    scan.start_angle = -2.0;
    scan.n_ranges = 2;
    scan.ranges = ranges;
    scan.mount = &mount;
    decode(&scan.base, text, sizeof text);
    cr_assert_str_eq(text, "start_angle: -2\nranges: 1.5\nranges: 0.25\nmount {\n  x: 0.125\n}\n",
                     "%s", text);
}

Test(descriptor_set, decodes_enums_by_their_names)
{
    char text[1024];
    Doppel__LocalizedPose pose = DOPPEL__LOCALIZED_POSE__INIT;
    pose.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST;
    pose.has_avatar = true;
    decode(&pose.base, text, sizeof text);
    cr_assert_str_eq(text, "state: LOCALIZER_LOST\nhas_avatar: true\n", "%s", text);
}

Test(descriptor_set, decodes_a_type_in_itself_texts_and_a_oneof)
{
    char text[1024];
    char note[] = "n", name[] = "leaf";
    char *notes[] = {note};
    PoolTypes__Leaf leaf;
    pool_types__leaf__init(&leaf);
    leaf.name = name;
    PoolTypes__Tree child = POOL_TYPES__TREE__INIT, *children[] = {&child};
    child.notes = notes;
    child.n_notes = 1;
    PoolTypes__Tree tree = POOL_TYPES__TREE__INIT;
    tree.children = children;
    tree.n_children = 1;
    tree.either_case = POOL_TYPES__TREE__EITHER_LEAF;
    tree.leaf = &leaf;
    decode(&tree.base, text, sizeof text);
    cr_assert_str_eq(text, "children {\n  notes: \"n\"\n}\nleaf {\n  name: \"leaf\"\n}\n", "%s",
                     text);
}
