// SPDX-License-Identifier: Apache-2.0
// Traces that a person makes: the last time as a recording, the run as a bench.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";
import { button, isLive, openLight, press, until, WAIT, write } from "./common.mjs";

const said = async (page, text) => { await until(page, (t) => new RegExp(t).test(document.querySelector("[aria-label='What was kept']")?.textContent), text.source); return text.exec(await page.getByLabel("What was kept").textContent()); };

async function recording(page, folder) {
  await until(page, () => !document.getElementById("save").hidden);
  await press(page, "Save the last 60 s");
  const [, seconds, name] = await said(page, /([\d.]+) s are in (last-1\.mcap)/), bytes = fs.readFileSync(`${folder}/${name}`);
  const reader = await McapIndexedReader.Initialize({ readable: { size: async () => BigInt(bytes.length), read: async (at, n) => bytes.subarray(Number(at), Number(at + n)) }, decompressHandlers: { zstd: (b, n) => decompress(b, new Uint8Array(Number(n))) } });
  const span = Number(reader.statistics.messageEndTime - reader.statistics.messageStartTime) / 1e9;
  assert.ok(Math.abs(span - Number(seconds)) < 0.2, `${span} s in the file, ${seconds} s said`);
  let n = 0;
  for await (const message of reader.readMessages()) { n += message.data.length > 0; }
  assert.ok(n > 100 && [...reader.channelsById.values()].some((c) => c.topic === "/RobotControl/values"));
}

async function bench(page, doppel, folder) {
  const field = "WheelController.SafeRadius in m";
  await press(page, "WheelController");
  await until(page, (f) => document.querySelector(`[aria-label="${f}"]`)?.disabled === false, field);
  await write(page, field, "0.31"); // put by hand: the bench does it at the same time
  await until(page, () => globalThis.doppel.store.properties.get("WheelController.SafeRadius").value === 0.31);
  await press(page, "Make a bench of this");
  const [, name] = await said(page, /s are repeated by (bench-1\.xml)/), file = `${folder}/${name}`;
  assert.match(fs.readFileSync(file, "utf8"), /<set_at at="[\d.]+ s" property="WheelController.SafeRadius">0.31</);
  assert.match(execFileSync(doppel, ["check", file], { encoding: "utf8" }), /0 errors, 0 warnings/);
  assert.match(execFileSync(doppel, ["bench", file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }), /ok {3}bench-1: repeated: all \d+ values/);
  await until(page, () => globalThis.doppel.store.topics.get("/run/state").at(globalThis.doppel.store.end).state === "running");
  // what cannot be repeated is said, and there is no file
  await press(page, "RobotControl");
  await press(page, "stop RobotControl");
  await until(page, () => document.querySelector("[aria-label='What came of it']")?.textContent.includes("stop: done"));
  await press(page, "Make a bench of this");
  await until(page, () => /a bench cannot repeat what was asked for by hand at .*: \/component\/stop/.test(document.querySelector(".toast")?.textContent));
  assert.ok(!fs.existsSync(`${folder}/bench-2.xml`));
}

export async function traces(address, doppel, folder) {
  const page = await openLight(address);
  await isLive(page);
  await recording(page, folder);
  await bench(page, doppel, folder);
  assert.deepEqual(page.complaints, []);
}
