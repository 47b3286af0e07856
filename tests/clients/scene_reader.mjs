// SPDX-License-Identifier: Apache-2.0
// Reads the scene of a recording with readers of others: scene_reader.mjs FILE.mcap TRACE.csv [FRAME=COLUMNS]... Every scene and every frame is
// decoded with Foxglove's definitions. Each thing is in a frame of the tree, whose poses at the stamps of the trace are those of the columns
// COLUMNS.true_x, true_y, true_theta. Prints how many things each role and layer has.
import { McapIndexedReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import { theirs } from "./foxglove_types.mjs";
import assert from "node:assert";
import fs from "node:fs";

const [, , file, trace, ...pairs] = process.argv;
const bytes = fs.readFileSync(file);
const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: await loadDecompressHandlers() });
const update = theirs.lookupType("foxglove.SceneUpdate"), transforms = theirs.lookupType("foxglove.FrameTransforms");
const layers = ["visual", "collision", "wall", "object", "joint", "contact", "trace"], roles = ["robot", "avatar", "world"];
const things = new Map(), live = new Set(), frames = new Map(), counts = {};

function look(entity) {
  const { layer, role, world } = Object.fromEntries(entity.metadata.map(({ key, value }) => [key, value]));
  assert(layers.includes(layer) && roles.includes(role) && world && entity.id && entity.frameId, JSON.stringify(entity));
  for (const shape of [...entity.cubes, ...entity.spheres, ...entity.cylinders, ...entity.lines, ...entity.triangles]) {
    const { x, y, z, w } = shape.pose.orientation;
    assert(Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-9 && shape.color.a > 0, entity.id);
    assert(!shape.size || (shape.size.x > 0 && shape.size.y > 0 && shape.size.z > 0), entity.id);
  }
  for (const { points, indices } of entity.triangles) {
    assert(indices.length % 3 === 0 && indices.every((i) => i < points.length) && points.length > 2, entity.id);
  }
  return `${role} ${layer}`;
}

for await (const message of reader.readMessages({ topics: ["/scene", "/scene/live", "/tf"], validateCrcs: true })) {
  const { topic } = reader.channelsById.get(message.channelId);
  if (topic === "/tf") {
    for (const one of transforms.decode(message.data).transforms) {
      const of = frames.get(one.childFrameId) ?? frames.set(one.childFrameId, { parent: one.parentFrameId, at: new Map() }).get(one.childFrameId);
      const time = BigInt(one.timestamp.seconds.toString()) * 1000000000n + BigInt(one.timestamp.nanos);
      assert(of.parent === one.parentFrameId && time === message.logTime, one.childFrameId);
      of.at.set(Number(time) / 1e9, one);
    }
    continue;
  }
  for (const entity of update.decode(message.data).entities) {
    const key = look(entity);
    if (topic === "/scene") {
      assert(!things.has(entity.id), `${entity.id} twice`);
      things.set(entity.id, entity);
      counts[key] = (counts[key] ?? 0) + 1;
    } else {
      live.add(key);
      assert(!things.has(entity.id) && entity.frameId === "map", entity.id);
    }
  }
}
for (const { id, frameId } of things.values()) { assert(frameId === "map" || frames.has(frameId), `${id}: nothing says where ${frameId} is`); }

// poses against the trace: its rows in which a component has just read them; a body that stands is sent each second only
const [head, ...rows] = trace === "-" ? [""] : fs.readFileSync(trace, "utf8").trim().split("\n");
const columns = head.split(",");
for (const pair of pairs) {
  const [frame, name] = pair.split("="), number = (end) => columns.indexOf(`${name}.true_${end}`);
  let n = 0, before = NaN;
  for (const row of rows) {
    const values = row.split(",").map(Number), one = frames.get(frame).at.get(values[0]), is_new = values[number("x")] !== before;
    before = values[number("x")];
    if (!one || !is_new) { continue; }
    const { x, y } = one.translation, { z, w } = one.rotation, off = 2 * Math.atan2(z, w) - values[number("theta")];
    assert(x === values[number("x")] && y === values[number("y")] && Math.abs(Math.sin(off / 2)) < 1e-6, `${frame} at ${values[0]}`);
    n++;
  }
  assert(n > 50, `${frame}: only ${n} poses are at stamps of the trace`);
}
for (const key of Object.keys(counts).sort()) { console.log(`${key} ${counts[key]}`); }
for (const key of [...live].sort()) { console.log(`live ${key}`); }
console.log("frames", [...frames.keys()].sort().join(" "));
