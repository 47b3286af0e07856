// SPDX-License-Identifier: Apache-2.0
// Looks into a run with the client of others: run_viewer.mjs WS_URL. Decodes what every channel sends, and prints the values of the Synchronizer
// with their stamps as JSON, and how the frames hang together.
import { createRequire } from "node:module";
import assert from "node:assert";
import path from "node:path";
const require = createRequire(path.join(process.cwd(), "x.js"));
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const client = new FoxgloveClient({ ws: new WebSocket(process.argv[2], [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const channels = new Map(), counts = {}, values = [], frames = {};
client.on("error", (e) => { throw e; });
client.on("advertise", (all) => {
  for (const channel of all) {
    const set = channel.schemaEncoding === "protobuf" && protobuf.descriptor.FileDescriptorSet.decode(Buffer.from(channel.schema, "base64"));
    const type = set && protobuf.Root.fromDescriptor(set).lookupType(channel.schemaName);
    channels.set(client.subscribe(channel.id), { topic: channel.topic, type });
  }
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic, type } = channels.get(subscriptionId), bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const message = type ? type.decode(bytes) : JSON.parse(new TextDecoder().decode(bytes));
  counts[topic] = (counts[topic] ?? 0) + 1;
  if (topic === "/Synchronizer/values") { values.push({ t: Number(timestamp) / 1e9, distance_mm: message.distance_mm }); }
  for (const { parent_frame_id: parent, child_frame_id: child, translation, rotation } of topic === "/tf" ? message.transforms : []) {
    assert((frames[child]?.parent ?? parent) === parent, `${child} has two parents`);
    frames[child] = { parent, x: translation.x, y: translation.y, yaw: 2 * Math.atan2(rotation.z, rotation.w) };
  }
  if (values.length === 400) {
    console.log(JSON.stringify({ channels: [...channels.values()].map((c) => c.topic), counts, values, frames }));
    process.exit(0);
  }
});
