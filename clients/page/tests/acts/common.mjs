// SPDX-License-Identifier: Apache-2.0
// What the scenarios of acts.mjs share: a person at the keyboard, and a client without a page.
import assert from "node:assert";
import { open } from "../browser.mjs";

export const WAIT = { timeout: Number(process.env.ACTS_WAIT_MS ?? 90000) };
export const until = (page, test, arg) => page.waitForFunction(test, arg, WAIT);

/** A page that shows the graph: the 3-D view takes most of a processor that has no GPU. */
export function openLight(address, before = () => undefined) {
  return open(address, "dark", async (page) => {
    await page.addInitScript(() => { const timer = setInterval(() => { if (globalThis.doppel) { clearInterval(timer); globalThis.doppel.store.view = "graph"; globalThis.doppel.store.changed(); } }, 5); });
    await before(page);
  });
}

/** Presses a button as the keyboard does. */
export const button = (page, name) => page.getByRole("button", { name, exact: true }).first();
export const press = (page, name) => button(page, name).press("Enter", WAIT);

/** Writes into a field and ends with Enter. */
export async function write(page, label, text) {
  await page.getByLabel(label, { exact: true }).press("Control+a", WAIT);
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Walks by Tab to a button or a field, forwards or back, as a person would. */
export async function tabTo(page, wanted, role = "button, input, select") {
  for (let i = 0; i < 400; i++) {
    const way = await page.evaluate(([wanted, role]) => {
      const nameOf = (e) => e.getAttribute("aria-label") ?? e.textContent.trim(), at = document.activeElement;
      if (at.matches(role) && nameOf(at) === wanted) { return "there"; }
      const to = [...document.querySelectorAll(role)].find((e) => nameOf(e) === wanted && e.checkVisibility());
      return to ? (at.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab") : "missing";
    }, [wanted, role]);
    if (way === "there") { return; }
    if (way === "missing") { await page.waitForTimeout(100); } else { await page.keyboard.press(way); }
  }
  assert.fail(`the Tab key does not reach ${wanted}`);
}

/** Waits for a text within what the selector finds. */
export const shows = (page, where, text) => until(page, ([where, text]) => [...document.querySelectorAll(where)].some((e) => e.checkVisibility() && new RegExp(text).test(e.textContent)), [where, text.source]);
export const header = (page, text) => shows(page, ".top", text);
export const isLive = (page) => until(page, () => globalThis.doppel.store.link === "live" && globalThis.doppel.store.topics.get("/run/state")?.length > 0);

// ---- a state machine that reports itself
const REPORT = "/MachineControl/report";
export const present = (page) => page.evaluate((r) => { const t = globalThis.doppel.store.topics.get(r); return String(t?.message(t.length - 1)?.present); }, REPORT);
export const reaches = (page, state) => until(page, ([r, state]) => {
  const t = globalThis.doppel.store.topics.get(r);
  return new RegExp(state).test(String(t?.message(t.length - 1)?.present));
}, [REPORT, state]);
export const says = (page, text) => until(page, (t) => document.querySelector("[aria-label='What came of the last request']")?.textContent.includes(t), text);
/** Presses the button of a request when it is allowed. */
export async function ask(page, request) {
  await until(page, (r) => [...document.querySelectorAll(".request button")].some((b) => b.textContent === r && b.getAttribute("aria-disabled") === "false"), request);
  await press(page, request);
}
export const allowed = (page) => page.locator('.request button[aria-disabled="false"]').count();
export const REQUEST_ENABLE = [8, 2], MACHINE = "/MachineControl/MachineService/Request";

/** A client without a page. */
export function raw(address) {
  const [, host, token] = /^http:\/\/(.*?)\/#t=(.*)$/.exec(address), socket = new WebSocket(`ws://${host}/${token}`, ["foxglove.websocket.v1"]), services = new Map(), told = [];
  socket.binaryType = "arraybuffer";
  return new Promise((done) => {
    socket.onmessage = ({ data }) => {
      if (typeof data !== "string") { if (new DataView(data).getUint8(0) === 3) { told.push({ op: "done" }); } return; }
      const m = JSON.parse(data);
      for (const s of m.op === "advertiseServices" ? m.services : []) { services.set(s.name, s.id); }
      if (m.op === "serviceCallFailure" || m.op === "status") { told.push(m); }
      if (services.has("/component/reset")) { done(client); }
    };
    const client = {
      close: () => socket.close(),
      text: (message) => socket.send(JSON.stringify(message)),
      call(service, encoding, body) {
        const frame = Buffer.alloc(13);
        frame[0] = 2;
        frame.writeUInt32LE(services.get(service), 1);
        frame.writeUInt32LE(1, 5);
        frame.writeUInt32LE(encoding.length, 9);
        socket.send(Buffer.concat([frame, Buffer.from(encoding), Buffer.from(body)]));
      },
      /** The next answer. */
      async answer() {
        for (let i = 0; i < 2000 && told.length === 0; i++) { await new Promise((r) => setTimeout(r, 20)); }
        return told.shift() ?? assert.fail("no answer");
      },
    };
  });
}
