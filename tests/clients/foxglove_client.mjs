// SPDX-License-Identifier: Apache-2.0
// Checks the Foxglove gateway with the client of others: foxglove_client.mjs SERVER. Needs @foxglove/ws-protocol 0.8.0 and ws 8.23.0.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import net from "node:net";
const require = createRequire(path.join(process.cwd(), "x.js"));
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");

const server = spawn(process.argv[2], { stdio: ["pipe", "pipe", "inherit"] });
let printed = "";
server.stdout.on("data", (d) => (printed += d));
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
async function until(what, f, ms = 20000) {
  for (let t = 0; t < ms; t += 10) {
    if (f()) { return; }
    await wait(10);
  }
  fail(`no ${what}`);
}
function fail(text) { console.log("FAIL", text); server.kill(); process.exit(1); }
const check = (ok, text) => ok || fail(text);
await until("port", () => printed.includes("\n"));
const [port, look, control] = printed.trim().split(" ");

// a request to connect, by hand: what is answered
function knock(headers, where) {
  return new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      const all = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
        Host: `127.0.0.1:${port}`, "Sec-WebSocket-Protocol": "foxglove.websocket.v1", ...headers };
      socket.write(`GET ${where} HTTP/1.1\r\n` + Object.entries(all).filter(([, v]) => v).map(([k, v]) => `${k}: ${v}\r\n`).join("") + "\r\n");
    });
    let got = "";
    socket.on("data", (d) => { got += d.toString("latin1"); if (got.includes("\r\n")) { socket.destroy(); } });
    socket.on("error", () => {});
    socket.on("close", () => done(got.split("\r\n")[0]));
    setTimeout(() => socket.destroy(), 5000);
  });
}
const ok = /^HTTP\/1.1 101/;
check(ok.test(await knock({}, `/${look}`)), "look token");
check(ok.test(await knock({ Origin: "https://viewer.example" }, `/${control}`)), "any origin with the token");
check(ok.test(await knock({ "Sec-WebSocket-Protocol": "foxglove.sdk.v1" }, `/${look}`)), "sdk protocol");
for (const [headers, where, name] of [
  [{ Host: "evil.example" }, `/${look}`, "foreign host"], [{ Host: `127.0.0.1:${port}.evil.example` }, `/${look}`, "host with a prefix"],
  [{}, "/", "no token"], [{}, `/${"0".repeat(32)}`, "wrong token"], [{}, `/${look.slice(1)}`, "short token"],
  [{ "Sec-WebSocket-Protocol": "chat" }, `/${look}`, "other protocol"], [{ "Sec-WebSocket-Protocol": "" }, `/${look}`, "no protocol"],
]) {
  check(!ok.test(await knock(headers, where)), `${name} was let in`);
}
console.log("access ok");

async function connect(token, protocol) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${token}`, [protocol]);
  const client = new FoxgloveClient({ ws: socket });
  const c = { client, socket, channels: [], services: [], messages: [], status: [], parameters: [], times: 0, info: null, calls: [], failures: [], graph: [], assets: [] };
  client.on("error", (e) => fail(`client: ${e.message ?? e}`));
  client.on("serverInfo", (e) => (c.info = e));
  client.on("advertise", (e) => c.channels.push(...e));
  client.on("advertiseServices", (e) => c.services.push(...e));
  client.on("message", (e) => c.messages.push(e));
  client.on("status", (e) => c.status.push(e));
  client.on("parameterValues", (e) => c.parameters.push(e));
  client.on("time", () => c.times++);
  client.on("serviceCallResponse", (e) => c.calls.push(e));
  client.on("serviceCallFailure", (e) => c.failures.push(e));
  client.on("connectionGraphUpdate", (e) => c.graph.push(e));
  client.on("fetchAssetResponse", (e) => c.assets.push(e));
  await until("advertise", () => c.channels.length === 2 && c.services.length === 1);
  return c;
}
const json = (m) => JSON.parse(new TextDecoder().decode(m.data));
const c = await connect(control, "foxglove.sdk.v1");
check(c.info.metadata.role === "control", "role");
const values = c.channels.find((x) => x.topic === "/A/values"), big = c.channels.find((x) => x.topic === "/A/big");
const id = c.client.subscribe(values.id);
await until("messages", () => c.messages.length > 30);
check(c.messages.every((m, i) => m.op === 1 && m.subscriptionId === id && BigInt(json(m).n) * 10_000_000n === m.timestamp && (i === 0 || json(m).n === json(c.messages[i - 1]).n + 1)), "messages");
await until("time", () => c.times > 3);
c.client.getParameters(["/A/gain"], "g");
await until("parameter", () => c.parameters.length === 1);
check(c.parameters[0].id === "g" && c.parameters[0].parameters[0].value === 2, "value");
c.client.setParameters([{ name: "/A/gain", value: 3.5 }], "s");
await until("parameter", () => c.parameters.length === 2);
check(c.parameters[1].parameters[0].value === 3.5, "set");
c.client.setParameters([{ name: "/A/gain", value: 11 }], "s");
await until("refusal", () => c.status.some((s) => s.message.includes("out of range")));
c.client.sendServiceCallRequest({ serviceId: c.services[0].id, callId: 7, encoding: "protobuf", data: new Uint8Array([9, 1, 2, 3, 4, 5, 6, 7, 8]) });
await until("call", () => c.calls.length === 1);
const echo = c.calls[0].data, echoed = ArrayBuffer.isView(echo) ? new Uint8Array(echo.buffer, echo.byteOffset, echo.byteLength) : new Uint8Array(echo);
check(c.calls[0].callId === 7 && echoed.length === 9 && echoed[8] === 8, "echo");
const out = c.client.advertise({ topic: "/cmd", encoding: "json", schemaName: "x" });
c.client.sendMessage(out, new TextEncoder().encode("{}"));
await until("publication", () => json(c.messages.at(-1)).published === 1);
c.client.subscribeConnectionGraph();
await until("graph", () => c.graph.length > 0 && c.graph.at(-1).subscribedTopics.some((t) => t.name === "/A/values"));
c.client.fetchAsset("package://x/mesh.stl", 5);
await until("asset", () => c.assets.length === 1);
check(c.assets[0].status === 1 && c.assets[0].error === "there is no such file", "asset");
const l = await connect(look, "foxglove.websocket.v1");
check(l.info.metadata.role === "look", "role");
l.client.setParameters([{ name: "/A/gain", value: 4 }], "x");
await until("refusal", () => l.status.some((s) => s.message.includes("role control")));
console.log("commands ok");

// a client that stops reading: everybody else is served, memory is flat, what is skipped is told
const rss = () => Number(require("fs").readFileSync(`/proc/${server.pid}/statm`, "latin1").split(" ")[1]) * 4;
l.client.subscribe(big.id);
await until("big", () => l.messages.length > 5);
l.socket.pause();
await wait(2000);
const before = rss(), n = c.messages.length;
await wait(6000);
check(c.messages.length - n > 200, "others are not served");
check(rss() - before < (Number(process.argv[3] ?? 4096)), `memory grows by ${rss() - before} KiB`);
l.socket.resume();
await until("what was skipped", () => l.status.some((s) => s.message.includes("skipped")));
console.log("slow reader ok:", l.status.find((s) => s.message.includes("skipped")).message);

c.socket.send("{"); c.socket.send("[]"); c.socket.send('{"op":"nonsense"}'); c.socket.send(Buffer.from([9])); c.socket.send(Buffer.from([2, 1]));
await until("answers", () => c.status.length >= 6);
const more = [];
for (let i = 0; i < 40; i++) {
  const w = new WebSocket(`ws://127.0.0.1:${port}/${look}`, ["foxglove.websocket.v1"]);
  w.on("error", () => {}); w.on("message", () => (w.isServed = true)); more.push(w);
}
await wait(1500);
check(more.filter((w) => w.isServed).length === 14, `16 clients: ${more.filter((w) => w.isServed).length + 2}`);
more.forEach((w) => w.terminate());
c.socket.send(Buffer.alloc(2 << 20, 1));
await until("close", () => c.socket.readyState === WebSocket.CLOSED);
console.log("limits ok");
l.client.close();
await wait(300);
server.stdin.end();
await until("end", () => server.exitCode !== null);
check(server.exitCode === 0 && printed.includes("listeners 0 0, loop closed"), printed);
console.log("end ok");
