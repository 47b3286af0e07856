// SPDX-License-Identifier: Apache-2.0
// Bags of a robot of ROS 2, by packages of others: ros2_bag.mjs write FOLDER makes one in two files, with all that a bag may have wrong;
// ros2_bag.mjs check FILE.mcap BAG compares what Doppel made of it, number by number.
import { CdrWriter, EncapsulationKind } from "@foxglove/cdr";
import rosmsg from "@foxglove/rosmsg";
import common from "@foxglove/rosmsg-msgs-common";
import { MessageWriter } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader, McapWriter } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import assert from "node:assert";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
const require = createRequire(path.join(process.cwd(), "x.js"));
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const EPOCH = 1700000000n * 1000000000n, LATE = 4000000n; // recorded 4 ms after they were measured
const N = 300, BEAMS = 180, STEP = Math.fround((2 * Math.PI) / BEAMS), START = Math.fround(-Math.PI);
const YAW = 0.5, LASER = { x: 0.2, y: 0.05 };
const ns = (i) => BigInt(i) * 100000000n;
const stamp = (i) => ({ sec: Number((EPOCH + ns(i)) / 1000000000n), nsec: Number((EPOCH + ns(i)) % 1000000000n) });
const turned = (yaw) => ({ x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) });
const zeros = (n) => new Float64Array(n);

// A circle in a room of 6 m x 4 m with a pillar in a corner. In "odom" the robot begins at 0, 0, 0.
const pose_of = (i) => { const a = (2 * Math.PI * i) / N; return { x: 0.8 * Math.sin(a), y: 0.8 * (1 - Math.cos(a)), theta: a }; };
function range_of(i, beam) {
  const { x, y, theta } = pose_of(i), c = Math.cos(theta), s = Math.sin(theta);
  const at = { x: 3 + x + c * LASER.x - s * LASER.y, y: 1.2 + y + s * LASER.x + c * LASER.y }, angle = theta + YAW + START + beam * STEP;
  const to = (from, way, size) => (way > 1e-9 ? (size - from) / way : way < -1e-9 ? -from / way : Infinity);
  const way = { x: Math.cos(angle), y: Math.sin(angle) };
  const [near_x, far_x, near_y, far_y] = [[4.5, "x"], [6, "x"], [2.8, "y"], [4, "y"]].map(([wall, axis]) => (wall - at[axis]) / way[axis]);
  const near = Math.max(Math.min(near_x, far_x), Math.min(near_y, far_y)), far = Math.min(Math.max(near_x, far_x), Math.max(near_y, far_y));
  return Math.min(to(at.x, way.x, 6), to(at.y, way.y, 4), near > 0 && near < far ? near : Infinity);
}
// what is no measurement: nothing came back, too near, too far
const ranges_of = (i) => Float32Array.from({ length: BEAMS }, (_, k) => (k === 3 ? Infinity : k === 4 ? 0.01 : k === 5 ? 31 : k === 6 ? NaN : range_of(i, k)));

const scan_of = (i, frame_id) => ({
  header: { stamp: stamp(i), frame_id }, angle_min: START, angle_max: START + (BEAMS - 1) * STEP, angle_increment: STEP, time_increment: 0,
  scan_time: 0.1, range_min: 0.05, range_max: 30, ranges: ranges_of(i), intensities: new Float32Array(BEAMS),
});
const big_scan = (scan) => {
  const out = new CdrWriter({ kind: EncapsulationKind.CDR_BE });
  out.int32(scan.header.stamp.sec).uint32(scan.header.stamp.nsec).string(scan.header.frame_id);
  for (const name of ["angle_min", "angle_max", "angle_increment", "time_increment", "scan_time", "range_min", "range_max"]) { out.float32(scan[name]); }
  return out.float32Array(scan.ranges, true).float32Array(scan.intensities, true).data;
};
const transform = (i, parent, child, x, y, z, rotation) =>
  ({ header: { stamp: stamp(i), frame_id: parent }, child_frame_id: child, transform: { translation: { x, y, z }, rotation } });
const odometry_of = (i) => {
  const { x, y, theta } = pose_of(i);
  return { header: { stamp: stamp(i), frame_id: "odom" }, child_frame_id: "base_footprint",
    pose: { pose: { position: { x, y, z: 0 }, orientation: turned(theta) }, covariance: zeros(36) },
    twist: { twist: { linear: { x: 0.25, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0.125 } }, covariance: zeros(36) } };
};
const imu_of = (i) => ({ header: { stamp: stamp(i), frame_id: "imu" }, orientation: turned(0.25), orientation_covariance: zeros(9),
  angular_velocity: { x: 0.1, y: 0.2, z: 0.3 }, angular_velocity_covariance: zeros(9), linear_acceleration: { x: 1, y: 2, z: 9.81 }, linear_acceleration_covariance: zeros(9) });
const joints_of = (i) => ({ header: { stamp: stamp(i), frame_id: "" }, name: ["left", "right"], position: [i, -i], velocity: [1, -1], effort: [] });

// As a bag of rosbag2: a type with all that it refers to.
const named = (type) => type.replace("/", "/msg/");
function closure(type, found = []) {
  if (!found.some((one) => one.name === type)) {
    found.push({ ...common.ros2jazzy[type], name: type });
    for (const field of common.ros2jazzy[type].definitions) { if (field.isComplex) { closure(field.type, found); } }
  }
  return found;
}
async function bag_file(file) {
  const chunks = [];
  let at = 0n;
  const writable = { position: () => at, write: async (bytes) => { chunks.push(Buffer.from(bytes)); at += BigInt(bytes.length); } };
  const writer = new McapWriter({ writable }), channels = new Map();
  await writer.start({ profile: "ros2", library: "test" });
  return {
    async raw(topic, type, data, time) {
      if (!channels.has(topic)) {
        const text = type in common.ros2jazzy ? rosmsg.stringify(closure(type)) : "";
        const schemaId = await writer.registerSchema({ name: named(type), encoding: "ros2msg", data: new TextEncoder().encode(text) });
        channels.set(topic, await writer.registerChannel({ topic, schemaId, messageEncoding: "cdr", metadata: new Map([["offered_qos_profiles", ""]]) }));
      }
      await writer.addMessage({ channelId: channels.get(topic), sequence: 0, logTime: time + LATE, publishTime: time + LATE, data });
    },
    async put(topic, type, value, time) { await this.raw(topic, type, new MessageWriter(closure(type)).writeMessage(value), time); },
    async end() { await writer.end(); fs.writeFileSync(file, Buffer.concat(chunks)); },
  };
}

async function write(folder) {
  fs.mkdirSync(folder);
  const names = ["bag_0.mcap", "bag_1.mcap"];
  for (const [half, name] of names.entries()) {
    const bag = await bag_file(path.join(folder, name));
    for (let i = (half * N) / 2; i < ((half + 1) * N) / 2; i++) {
      const time = EPOCH + ns(i), { x, y, theta } = pose_of(i), LASER_SCAN = "sensor_msgs/LaserScan", TF = "tf2_msgs/TFMessage";
      if (i === 0) {
        await bag.put("/tf_static", TF, { transforms: [
          transform(0, "base_footprint", "base_link", 0, 0, 0.1, turned(0)),
          transform(0, "base_link", "laser", LASER.x, LASER.y, 0.3, turned(YAW)),
          transform(0, "base_link", "down", 0.1, 0, 0.3, { x: 1, y: 0, z: 0, w: 0 }),
          transform(0, "base_link", "tilted", 0.1, 0, 0.3, { x: 0, y: Math.sin(0.4), z: 0, w: Math.cos(0.4) }),
        ] }, time);
      }
      await bag.put("/odom", "nav_msgs/Odometry", odometry_of(i), time);
      await bag.put("/tf", TF, { transforms: [transform(i, "odom", "base_footprint", x, y, 0, turned(theta))] }, time);
      const scan = scan_of(i, "/laser");
      if (i % 2) { await bag.raw("/scan", LASER_SCAN, big_scan(scan), time); } else { await bag.put("/scan", LASER_SCAN, scan, time); }
      if (i % 100 === 0) {
        const whole = new MessageWriter(closure(LASER_SCAN)).writeMessage(scan);
        await bag.raw("/scan_cut", LASER_SCAN, i ? whole.subarray(0, whole.length - 900) : whole, time);
        await bag.put("/scan_down", LASER_SCAN, scan_of(i, "down"), time);
        await bag.put("/scan_tilted", LASER_SCAN, scan_of(i, "tilted"), time);
        await bag.put("/scan_lost", LASER_SCAN, scan_of(i, "nowhere"), time);
        await bag.raw("/camera/image", "sensor_msgs/Image", new Uint8Array([0, 1, 0, 0, 1, 2, 3, 4]), time);
      }
      await bag.put("/imu", "sensor_msgs/Imu", imu_of(i), time);
      await bag.put("/joint_states", "sensor_msgs/JointState", joints_of(i), time);
    }
    await bag.end();
  }
  fs.writeFileSync(path.join(folder, "metadata.yaml"), `rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n  relative_file_paths:\n${names.map((n) => `    - ${n}\n`).join("")}`);
}

async function check(file) {
  const bytes = fs.readFileSync(file), readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: await loadDecompressHandlers() });
  const types = new Map(), seen = {};
  for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true })) {
    const { topic, schemaId } = reader.channelsById.get(channelId), schema = reader.schemasById.get(schemaId);
    if (!types.has(schemaId)) { types.set(schemaId, protobuf.Root.fromDescriptor(protobuf.descriptor.FileDescriptorSet.decode(schema.data)).lookupType(schema.name)); }
    (seen[topic] ??= []).push({ time: logTime, value: types.get(schemaId).toObject(types.get(schemaId).decode(data), { defaults: true, arrays: true }) });
  }
  const near = (a, b) => assert(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
  const at = (topic, i, n) => { assert.equal(seen[topic]?.length, n, topic); return seen[topic][i]; };
  for (let i = 0; i < N; i++) {
    const { time, value: scan } = at("/scan", i, N), { x, y, theta } = pose_of(i);
    assert.equal(time, ns(i));
    assert.deepEqual(Float32Array.from(scan.ranges), ranges_of(i).map((r, k) => (k >= 3 && k <= 6 ? 0 : r)));
    assert.deepEqual([scan.start_angle, scan.step_angle, scan.range_max], [START, STEP, 30]);
    near(scan.mount.x, LASER.x); near(scan.mount.y, LASER.y); near(scan.mount.theta, YAW);
    const { value: odometry } = at("/odom", i, N);
    assert.deepEqual([odometry.pose.x, odometry.pose.y, odometry.twist.linear, odometry.twist.angular], [x, y, 0.25, 0.125]);
    near(Math.sin(odometry.pose.theta - theta), 0);
    const { value: imu } = at("/imu", i, N);
    assert.deepEqual([imu.rate_x, imu.rate_y, imu.rate_z, imu.acceleration_x, imu.acceleration_z, imu.valid], [0.1, 0.2, 0.3, 1, 9.81, true]);
    near(imu.yaw, 0.25);
    const { value: joints } = at("/joint_states", i, N);
    assert.deepEqual([joints.position, joints.velocity, joints.effort], [[i, -i], [1, -1], []]);
  }
  const { value: down } = at("/scan_down", 1, 3), { value: lost } = at("/scan_lost", 1, 3);
  assert.deepEqual([down.start_angle, down.step_angle, lost.start_angle, lost.step_angle], [-START, -STEP, START, STEP]);
  near(down.mount.x, 0.1); near(lost.mount.x, 0);
  at("/scan_cut", 0, 1);
  assert(!seen["/scan_tilted"] && !seen["/camera/image"]);
  const frames = new Set(seen["/tf"].flatMap(({ value }) => value.transforms.map((t) => `${t.parent_frame_id} > ${t.child_frame_id}`)));
  assert.deepEqual([...frames].sort(), ["base_footprint > base_link", "base_link > down", "base_link > laser", "base_link > tilted", "odom > base_footprint"]);
  assert.equal(at("/scan/LaserScan", 0, N).value.pose.position.x, LASER.x);
  console.log("all as it must be");
}
await { write, check }[process.argv[2]](process.argv[3]);
