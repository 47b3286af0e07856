// SPDX-License-Identifier: Apache-2.0
// Steers runs with the client of others: run_control.mjs SCENARIO WS_URL. What it saw of time is printed as JSON lines.
import { createRequire } from "node:module";
import assert from "node:assert";
import path from "node:path";
const require = createRequire(path.join(process.cwd(), "x.js"));
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const view = (data) => (ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data));
const text = (data) => JSON.parse(new TextDecoder().decode(view(data)));
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
function typeOf(schema, name) {
  return protobuf.Root.fromDescriptor(protobuf.descriptor.FileDescriptorSet.decode(Buffer.from(schema, "base64"))).lookupType(name);
}

// a viewer: its newest message of each topic, and its calls
export async function connect(url) {
  const client = new FoxgloveClient({ ws: new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
  const v = { client, channels: new Map(), services: new Map(), newest: new Map(), history: [], status: [], open: new Map(), n: 0, graph: null };
  const subscribed = new Map();
  client.on("error", (e) => { throw e; });
  client.on("status", (s) => v.status.push(s.message));
  client.on("advertise", (all) => all.forEach((c) => v.channels.set(c.topic, c)));
  client.on("advertiseServices", (all) => all.forEach((s) => v.services.set(s.name, s)));
  client.on("connectionGraphUpdate", (g) => (v.graph = g));
  client.on("serviceCallResponse", (r) => v.open.get(r.callId)?.done(r));
  client.on("serviceCallFailure", (r) => v.open.get(r.callId)?.failed(new Error(r.message)));
  client.on("message", ({ subscriptionId, timestamp, data }) => {
    const { topic, type } = subscribed.get(subscriptionId);
    const message = type ? type.decode(view(data)) : text(data);
    v.newest.set(topic, message);
    v.history.push({ topic, t: Number(timestamp) / 1e9, message });
  });
  v.until = async (what, f, ms = 20000) => {
    for (let t = 0; t < ms; t += 5) {
      const value = f();
      if (value) { return value; }
      await wait(5);
    }
    assert(false, `no ${what}: ${JSON.stringify([...v.newest])} ${v.status}`);
  };
  v.listen = async (topic) => {
    const c = await v.until(topic, () => v.channels.get(topic));
    subscribed.set(client.subscribe(c.id), { topic, type: c.encoding === "protobuf" && typeOf(c.schema, c.schemaName) });
  };
  v.call = async (name, request = {}) => {
    const service = await v.until(name, () => v.services.get(name));
    const { encoding } = service.request, callId = ++v.n;
    const type = (format) => typeOf(format.schema, format.schemaName);
    const data = encoding === "json" ? new TextEncoder().encode(JSON.stringify(request)) : type(service.request).encode(type(service.request).create(request)).finish();
    const answer = await new Promise((done, failed) => {
      v.open.set(callId, { done, failed });
      client.sendServiceCallRequest({ serviceId: service.id, callId, encoding, data });
    });
    return encoding === "json" ? text(answer.data) : type(service.response).decode(view(answer.data));
  };
  v.refused = async (name, request, words) => {
    const why = await v.call(name, request).then(() => "done", (e) => e.message);
    assert(why.includes(words), `${name} ${JSON.stringify(request)}: ${why}`);
  };
  v.state = (what, f) => v.until(what, () => f(v.newest.get("/run/state")));
  await v.until("greeting", () => v.channels.size > 0);
  return v;
}
const near = (a, b) => Math.abs(a - b) < 1e-9;

// pause, 100 steps, 1 s of patrol (periods of 50 ms), all exact; who joins late sees it; what makes no sense is refused in words
async function time(url) {
  const v = await connect(url);
  await v.listen("/run/state");
  await v.listen("/RobotControl/values");
  await v.state("running", (s) => s?.state === "running" && s.can_pause && s.clock === "sim" && s.allow_control && !s.hardware);
  await wait(300);
  const paused = await v.call("/run/pause");
  await v.state("pause", (s) => s.state === "paused" && near(s.time_s, paused.time_s));
  const stepped = await v.call("/run/step", { cycles: 100 });
  const before = v.history.length;
  const run = await v.call("/run/run_for", { seconds: 1 });
  assert(near(stepped.time_s, paused.time_s + 100 * 0.05), `100 cycles: ${paused.time_s} to ${stepped.time_s}`);
  assert(near(run.time_s, stepped.time_s + 1), `1 s: ${stepped.time_s} to ${run.time_s}`);
  await v.state("pause", (s) => s.state === "paused" && near(s.time_s, run.time_s));
  await v.until("values", () => v.history.some((m) => m.topic === "/RobotControl/values" && near(m.t, run.time_s)));
  const seen = v.history.filter((m) => m.topic === "/RobotControl/values" && m.t > stepped.time_s + 1e-9).length;
  assert(seen === 20, `cycles in 1 s: ${seen} ${before}`);
  const late = await connect(url);
  await late.listen("/run/state");
  await late.listen("/run/components");
  await late.state("newest state", (s) => s && s.state === "paused" && near(s.time_s, run.time_s));
  const components = await late.until("components", () => late.newest.get("/run/components"));
  assert(components.find((c) => c.name === "RobotControl" && c.state === "ACTIVE" && c.period_s === 0.05), JSON.stringify(components));
  for (const [name, request, words] of [
    ["/run/step", {}, "needs 'cycles'"], ["/run/step", { cycles: 0 }, "cycles"], ["/run/step", { cycles: 1.5 }, "cycles"], ["/run/step", [], "no JSON object"],
    ["/run/run_for", { seconds: "soon" }, "seconds"], ["/run/run_for", { seconds: 1, more: 2 }, "takes no 'more'"], ["/run/rate", { rate: -1 }, "rate"],
    ["/run/pause", { cycles: 1 }, "takes no 'cycles'"], ["/component/stop", { component: "Nobody" }, "there is no component 'Nobody'"],
    ["/component/start", { component: "RobotControl" }, "RobotControl: cannot start in state ACTIVE"],
  ]) {
    await v.refused(name, request, words);
  }
  const odd = await v.call("/run/run_for", { seconds: 0.0137 });
  assert(near(odd.time_s, run.time_s + 0.0137), "an odd time");
  await v.call("/run/rate", { rate: 20 });
  await v.state("rate", (s) => s.rate === 20 && s.state === "paused");
  await v.call("/run/resume");
  await v.state("20 times real time", (s) => s.state === "running" && s.real_time_factor > 10);
  assert([...v.channels.keys()].some((t) => t.startsWith("/executors/periodic 50 ms")), "no executor");
  await late.listen([...v.channels.keys()].find((t) => t.startsWith("/executors/")));
  await late.until("an executor", () => [...late.newest].some(([t, e]) => t.startsWith("/executors/") && e.cycles > 100 && e.period_ms > 0));
  console.log("as alone until", (await v.call("/run/pause")).time_s);
  await v.call("/run/resume");
  await v.call("/component/stop", { component: "RobotControl" });
  await late.until("stopped", () => late.newest.get("/run/components").find((c) => c.name === "RobotControl").state === "INACTIVE");
  await v.call("/component/start", { component: "RobotControl" });
  await v.call("/component/reset", { component: "RobotControl" });
  await late.until("active", () => late.newest.get("/run/components").find((c) => c.name === "RobotControl").state === "ACTIVE");
  v.client.subscribeConnectionGraph();
  const graph = await v.until("graph", () => v.graph);
  const odometry = (list) => list.find((t) => t.name === "/WheelController/odometry");
  assert.deepEqual(odometry(graph.publishedTopics).publisherIds, ["WheelController"]);
  assert(odometry(graph.subscribedTopics).subscriberIds.includes("RobotControl"), JSON.stringify(graph.subscribedTopics));
  await v.call("/run/stop");
  await v.state("end", (s) => s.state === "ended");
}

// the hexafloat is enabled, homed and stopped by service calls, and what its component refuses is refused in words
async function hexafloat(url) {
  const v = await connect(url);
  const [enable, disable, home, stop] = [2, 3, 4, 7];
  const request = (kind) => v.call("/MachineControl/MachineService/Request", { kind });
  const reaches = async (what, f) => {
    for (let i = 0; i < 400; i++) {
      const status = await v.call("/MachineControl/MachineService/GetStatus");
      if (f(status)) { return; }
      await wait(10);
    }
    assert(false, what);
  };
  const [off, ready, motion] = [0, 2, 3];
  assert.equal(v.services.get("/MachineControl/MachineService/Request").request.schemaName, "doppel.MachineRequest");
  await reaches("idle", (s) => s.phase === off || s.phase === 1);
  await v.refused("/MachineControl/MachineService/Request", { kind: home }, "/MachineControl/MachineService/Request: refused: Operation not permitted");
  await request(enable);
  await reaches("enabled", (s) => s.phase === ready);
  await request(home);
  await reaches("moves", (s) => s.phase === motion);
  await reaches("homed", (s) => s.phase === ready);
  await request(home);
  await reaches("moves again", (s) => s.phase === motion);
  await request(stop);
  await reaches("stopped", (s) => s.phase === ready);
  await request(disable);
  await reaches("disabled", (s) => s.phase !== ready);
  const service = v.services.get("/MachineControl/MachineService/Request"), call = (encoding, data) => new Promise((done) => {
    v.open.set(++v.n, { done: () => done("done"), failed: (e) => done(e.message) });
    v.client.sendServiceCallRequest({ serviceId: service.id, callId: v.n, encoding, data });
  });
  assert((await call("protobuf", new Uint8Array([0xff, 0xff]))).includes("the bytes are no doppel.MachineRequest"));
  assert((await call("json", new Uint8Array([0x7b, 0x7d]))).includes("takes requests as protobuf"));
  await v.call("/run/stop");
}

// a published velocity drives the base, and is stopped 0.5 s after the last one; nobody else may publish meanwhile
async function teleop(url) {
  const v = await connect(url), other = await connect(url);
  for (const topic of ["/run/state", "/run/inputs", "/Teleop/values", "/log"]) { await v.listen(topic); }
  const input = (await v.until("inputs", () => v.newest.get("/run/inputs"))).find((i) => i.name === "/Teleop/velocity");
  const type = typeOf(input.schema, input.type);
  const to = (viewer, topic) => viewer.client.advertise({ topic, encoding: "protobuf", schemaName: input.type });
  const mine = to(v, input.name), his = to(other, input.name), nowhere = to(v, "/Teleop/nothing");
  const say = (viewer, channel, twist) => viewer.client.sendMessage(channel, type.encode(type.create({ twist, active: true })).finish());
  const values = () => v.history.filter((m) => m.topic === "/Teleop/values");
  for (let i = 0; i < 40; i++) {
    say(v, mine, { linear: 0.2, angular: 0 });
    await wait(50);
  }
  const sent = values().at(-1).t;
  await v.until("drive", () => values().at(-1).message.v === 0.2);
  const controller = await v.state("controller", (s) => s.controller);
  say(other, his, { linear: -0.2 });
  await other.until("refusal", () => other.status.some((s) => s.includes(`/Teleop/velocity: ${controller} publishes to it`)));
  say(v, nowhere, {});
  v.client.sendMessage(mine, new Uint8Array([0xff, 0xff]));
  await v.until("refusals", () => v.status.some((s) => s.includes("no input port '/Teleop/nothing'")) && v.status.some((s) => s.includes("/Teleop/velocity: the bytes are no doppel.VelocityCommand")));
  await v.until("stop", () => values().at(-1).message.v === 0);
  await v.state("nobody controls", (s) => s.controller === "");
  const first = values().find((m) => m.message.v === 0.2), end = values().findLast((m) => m.message.v !== 0);
  const last = await v.until("line", () => v.history.findLast((m) => m.topic === "/log" && m.message.message.includes("published nothing for 0.5 s: stopped")));
  assert(end.t > sent + 0.35 && end.t < sent + 0.75 && last.t > first.t, `last one at ${sent}, moved until ${end.t}, told at ${last.t}`);
  say(other, his, { linear: 0.1 });
  await v.until("drive", () => values().at(-1).message.v > 0);
  say(other, his, {}); // without a twist: of 0
  await v.until("stop", () => values().at(-1).message.v === 0);
  await v.call("/component/stop", { component: "Teleop" });
  say(other, his, { linear: 0.1 });
  await other.until("refusal", () => other.status.some((s) => s.includes("/Teleop/velocity: the component is not active")));
  await v.call("/run/stop");
}

// on the real clock time cannot be steered, and who may only look commands nothing; he may stop what moves no hardware
async function real(url) {
  const v = await connect(url);
  await v.listen("/run/state");
  const why = "the run is on the real clock: its time cannot be paused, stepped or paced";
  await v.state("state", (s) => s && s.clock === "real" && !s.can_pause && s.why_not === why && !s.allow_control && !s.hardware);
  for (const [name, request] of [["/run/pause"], ["/run/resume"], ["/run/step", { cycles: 1 }], ["/run/run_for", { seconds: 1 }], ["/run/rate", { rate: 1 }]]) {
    await v.refused(name, request, why);
  }
  await v.refused("/WheelController/WheelControllerService/StopWheel", {}, "needs the role control");
  await v.refused("/component/stop", { component: "RobotControl" }, "needs the role control");
  await v.call("/run/stop");
}

// a robot is carried, while it drives and while time stands; what the run commands is not taken from it; wrong things are refused in words
async function world(url) {
  const v = await connect(url), other = await connect(url), put = (channel, value, more) => v.call("/world/put", { channel, value, ...more });
  for (const topic of ["/run/hands", "/run/world_inputs", "/world/avatar/planar", "/log"]) { await v.listen(topic); }
  const inputs = await v.until("inputs", () => v.newest.get("/run/world_inputs")), of = (channel) => inputs.find((i) => i.channel === channel);
  assert.deepEqual([of("avatar/place").kind, of("avatar/place").size, of("avatar/place").commander], ["request", 3, ""]);
  assert.equal(of("avatar/LeftWheel/speed").commander, "a device of this run");
  const isAt = (x, y) => v.until(`robot at ${x}, ${y}`, () => { const at = v.newest.get("/world/avatar/planar")?.value; return at && Math.hypot(at[0] - x, at[1] - y) < 0.3; });
  assert((await put("avatar/place", [-6.9, 0, 0])).ok);
  await isAt(-6.9, 0);
  await v.call("/run/pause");
  await put("/world/avatar/place", [-6, 0, 1]); // a request is done while time stands, too
  await isAt(-6, 0);
  await v.call("/run/resume");
  for (const [channel, value, words, more] of [
    ["avatar/plce", [0, 0, 0], "there is no channel 'avatar/plce', did you mean 'avatar/place'?"], ["avatar/place", [0, 0], "takes 3 values, found 2"], ["avatar/place", 1, "takes 3 values, found 1"],
    ["avatar/place", "there", "a number, true or false, an array of them, or null is expected"], ["avatar/place", [0, 0, 0], "is a request: it is done once", { seconds: 1 }],
    ["avatar/planar", [0, 0, 0], "is an output of the world"], ["avatar/LeftWheel/speed", 1, "is commanded by a device of this run"], ["avatar/place", [-8, 0, 0], "something is in the way"],
    ["avatar/place", [0, 0, 0], "/world/put takes no 'much'", { much: 1 }]]) { await v.refused("/world/put", { channel, value, ...more }, words); }
  const flag = inputs.find((i) => i.kind === "shared" && i.type === "flag" && !i.commander).channel, holds = (f) => v.until("hands", () => f(v.newest.get("/run/hands") ?? []));
  await put(flag, true);
  await holds((all) => all.length === 1 && all[0].channel === flag && all[0].value === true && all[0].who);
  await put(flag, null);
  await holds((all) => all.length === 0);
  await put(flag, true, { seconds: 0.2 });
  await holds((all) => all.length === 0);
  await v.until("line", () => v.history.some((m) => m.topic === "/log" && m.message.message.includes(`puts ${flag}: true`)));
  await v.call("/run/control", { take: true });
  await other.refused("/world/put", { channel: "avatar/place", value: [-6.9, 0, 0] }, "controls the run");
  await v.call("/run/stop");
}

const scenarios = { time, hexafloat, teleop, real, world };
await scenarios[process.argv[2]](process.argv[3]);
console.log("all as it must be");
process.exit(0);
