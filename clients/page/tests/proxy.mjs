// SPDX-License-Identifier: Apache-2.0
// A network that can be stopped: passes bytes on to a server of this machine under another port, and knows when the page has published last.
import net from "node:net";

/** Calls `take` with the payload of each binary frame of a WebSocket that starts after the heads of HTTP. */
function binaryFrames(take) {
  let rest = Buffer.alloc(0), isOpen = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (!isOpen) {
      const at = rest.indexOf("\r\n\r\n"), head = rest.toString("latin1", 0, Math.max(0, at));
      if (at < 0 || !/upgrade: *websocket/i.test(head)) { rest = at < 0 ? rest : Buffer.alloc(0); return; }
      isOpen = true;
      rest = rest.subarray(at + 4);
    }
    while (rest.length >= 2) {
      const short = rest[1] & 127, mask = rest[1] & 128 ? 4 : 0, more = short === 126 ? 2 : short === 127 ? 8 : 0, from = 2 + more + mask;
      if (rest.length < from) { return; }
      const n = more === 2 ? rest.readUInt16BE(2) : more === 8 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < from + n) { return; }
      if ((rest[0] & 15) === 2) { take(mask ? rest.subarray(from, from + n).map((b, i) => b ^ rest[from - 4 + (i & 3)]) : rest.subarray(from, from + n)); }
      rest = rest.subarray(from + n);
    }
  };
}

/** `address` as the page is to open it; `last`: the run's time that had come when the page published last, and whether it wanted to move; while `stalls` is true nothing passes in either direction, and no connection ends. */
export async function proxyTo(address) {
  const to = new URL(address), self = { stalls: false, last: { time: 0, moves: false } }, waiting = [], ends = new Set();
  let now = 0;
  const server = net.createServer((page) => {
    const run = net.connect(Number(to.port), to.hostname), from = `${to.hostname}:${server.address().port}`;
    ends.add(page).add(run);
    const pass = (out, bytes) => { if (self.stalls) { waiting.push([out, bytes]); } else { out.write(bytes); } };
    const up = binaryFrames((m) => { if (m[0] === 1) { self.last = { time: now, moves: m[m.length - 1] === 1 }; } });
    const down = binaryFrames((m) => { if (m[0] === 2) { now = Number(m.readBigUInt64LE(1)) / 1e9; } });
    // heads of requests name the server that they ask for
    page.on("data", (bytes) => { if (!self.stalls) { up(bytes); } pass(run, bytes.subarray(0, 4).toString() === "GET " ? Buffer.from(bytes.toString("latin1").replaceAll(from, to.host), "latin1") : bytes); });
    run.on("data", (bytes) => { down(bytes); pass(page, bytes); });
    for (const [one, other] of [[page, run], [run, page]]) { one.on("error", () => other.destroy()); one.on("close", () => other.destroy()); }
  });
  await new Promise((done) => server.listen(0, to.hostname, done));
  self.address = address.replace(to.host, `${to.hostname}:${server.address().port}`);
  self.go = () => { self.stalls = false; for (const [out, bytes] of waiting.splice(0)) { out.write(bytes); } };
  self.close = () => server.close();
  /** Ends all connections, and takes no other. */
  self.cut = () => { server.close(); ends.forEach((end) => end.destroy()); };
  return self;
}
