// SPDX-License-Identifier: Apache-2.0
// Reads a recording with readers of others: mcap_reader.mjs FILE.mcap BAG.json, where BAG.json is what `doppel bag info --json` says of it. Messages
// of Foxglove's types are decoded with Foxglove's definitions, the others with the schemas in the file.
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import { createRequire } from "node:module";
import { theirs } from "./foxglove_types.mjs";
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
const require = createRequire(path.join(process.cwd(), "x.js"));
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const bytes = fs.readFileSync(process.argv[2]);
const bag = JSON.parse(fs.readFileSync(process.argv[3]));
const decompressHandlers = await loadDecompressHandlers();
const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };

const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
const types = new Map(), count = {}, decoded = {};
function type_of(schema) {
  if (!types.has(schema.id)) {
    const own = schema.encoding === "protobuf" && protobuf.Root.fromDescriptor(protobuf.descriptor.FileDescriptorSet.decode(schema.data));
    types.set(schema.id, own && (schema.name.startsWith("foxglove.") ? theirs : own).lookupType(schema.name));
  }
  return types.get(schema.id);
}
const frames = new Set();
let last = 0n;
for await (const message of reader.readMessages({ validateCrcs: true })) {
  const channel = reader.channelsById.get(message.channelId), type = type_of(reader.schemasById.get(channel.schemaId));
  const value = type ? type.decode(message.data) : JSON.parse(new TextDecoder().decode(message.data));
  assert(message.logTime >= last);
  last = message.logTime;
  count[channel.topic] = (count[channel.topic] ?? 0) + 1;
  decoded[channel.topic] = { value, time: message.logTime };
  for (const { parentFrameId, childFrameId } of channel.topic === "/tf" ? value.transforms : []) { frames.add(`${parentFrameId} > ${childFrameId}`); }
}
for (const { topic, messages } of bag.topics) { assert.equal(count[topic] ?? 0, messages, topic); }
const names = [];
for await (const attachment of reader.readAttachments({ validateCrcs: true })) { names.push(attachment.name); }
assert.deepEqual(names, bag.attachments.map((a) => a.name));

const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers });
stream.append(new Uint8Array(bytes));
let n = 0;
for (let record; (record = stream.nextRecord()); ) { n += record.type === "Message"; }
assert(stream.done() && n === bag.messages);

// what a viewer shows is what the robot has sent
const { value: laser, time } = decoded["/LaserScanner/scan/LaserScan"], { value: scan } = decoded["/LaserScanner/scan"];
assert.equal(BigInt(laser.timestamp.seconds.toString()) * 1000000000n + BigInt(laser.timestamp.nanos), time);
assert.equal(laser.frameId, "base_link");
assert.equal(laser.pose.orientation.w ** 2 + laser.pose.orientation.z ** 2 > 0.999999, true);
assert.equal(laser.ranges.length, scan.ranges.length);
laser.ranges.forEach((range, i) => assert(scan.ranges[i] > 0 ? range === scan.ranges[i] : Number.isNaN(range)));
const { value: pose } = decoded["/WheelController/odometry/PoseInFrame"], { value: odometry } = decoded["/WheelController/odometry"];
assert.deepEqual([pose.frameId, pose.pose.position.x, pose.pose.position.y], ["odom", odometry.pose.x, odometry.pose.y]);
assert.deepEqual([...frames].sort(), ["map > office/avatar", "odom > base_link"]);
const { value: event } = decoded["/events"];
assert(event.name && event.message && event.level > 0);
console.log("all as it must be", n);
