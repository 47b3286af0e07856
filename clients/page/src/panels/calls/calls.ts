// SPDX-License-Identifier: Apache-2.0
// A lift under test: its shaft with the car, and which calls are lit on each floor.
import { liftOf, pressOf, storey, type Lift } from "../../data/lift";
import { inputsOf, put, whyNoHand, type Input } from "../../data/world";
import { canvasOf, h, panel, setClass, setText } from "../../ui/dom";
import { theme } from "../../ui/theme";
import { toast } from "../../ui/toast";
import type { Panel } from "../panel";

const ROW = 24;
/** s: so long a finger presses. */
const PRESS = 0.3;
const sign = (name: string, floor: number) => (/up/.test(name) ? "▲" : /down/.test(name) ? "▼" : String(floor));
/** Landings up, landings down, the car. */
const order = (name: string) => (/up/.test(name) ? 0 : /down/.test(name) ? 1 : 2);

function drawShaft(canvas: HTMLCanvasElement, lift: Lift, at: number | undefined, open: number) {
  const c = canvasOf(canvas);
  if (!c) { return; }
  const w = canvas.clientWidth, n = lift.floors.length;
  c.fillStyle = theme.bg0;
  c.fillRect(0, 0, w, n * ROW);
  c.strokeStyle = theme.line;
  for (let i = 0; i <= n; i++) { c.strokeRect(0.5, i * ROW + 0.5, w - 1, 0); }
  c.strokeRect(0.5, 0.5, w - 1, n * ROW - 1);
  if (at === undefined) { return; }
  const y = (n - 1 - at) * ROW + 3, left = w / 2 - 20, gap = open * 18;
  c.strokeStyle = theme.dim;
  c.beginPath();
  c.moveTo(w / 2, 0);
  c.lineTo(w / 2, y);
  c.stroke();
  c.fillStyle = theme.avatar;
  c.globalAlpha = 0.3;
  c.fillRect(left, y, 40, ROW - 5);
  c.globalAlpha = 1;
  c.strokeStyle = theme.avatar;
  c.lineWidth = 2;
  c.strokeRect(left, y, 40, ROW - 5);
  c.fillStyle = theme.text;
  c.fillRect(w / 2 - gap - 1.5, y + 2, 2, ROW - 9);
  c.fillRect(w / 2 + gap - 0.5, y + 2, 2, ROW - 9);
}

export const calls: Panel = {
  name: "calls",
  place: "left",
  width: 320,
  fits: (store) => liftOf(store) !== undefined,
  make({ store }) {
    const shaft = h("canvas", { class: "shaft", role: "img", "aria-label": "Shaft" }), floors = h("div", { class: "floors" }), lamps = h("div", { class: "lamps" });
    let key = "", lights: { path: string; element: HTMLElement; input?: Input }[] = [];
    const lamp = (name: string, floor: number, input?: Input) => {
      const words = `${name.replace(/_/g, " ")} ${floor}`;
      return input ? h("button", { class: "lamp", "aria-label": words, click: () => { put(store, input, true, PRESS).catch((why: Error) => toast(`${words}: ${why.message}`)); } }, sign(name, floor)) : h("span", { class: "lamp", title: words }, sign(name, floor));
    };
    return {
      element: panel("Calls", "landing, car", h("div", { class: "lift" }, floors, shaft, lamps)),
      update() {
        const lift = liftOf(store);
        if (!lift) { return; }
        const inputs = store.isRecording || !store.services.has("/world/put") ? [] : inputsOf(store), wanted = `${lift.topic.name} ${lift.floors.join()} ${inputs.length}`;
        if (wanted !== key) {
          key = wanted;
          lights = [];
          shaft.style.height = `${lift.floors.length * ROW}px`;
          const down = [...lift.floors].reverse(), groups = [...lift.calls].sort((a, b) => order(a.name) - order(b.name));
          floors.replaceChildren(...down.map((f) => h("span", {}, String(f))));
          lamps.replaceChildren(...down.map((f) => h("div", {}, ...groups.map(({ name, paths }) => {
            const path = paths.get(f), input = path ? pressOf(inputs, lift, path) : undefined;
            if (!path) { return h("span", { class: "lamp none" }); }
            const element = lamp(name, f, input);
            lights.push({ path, element, ...(input ? { input } : {}) });
            return element;
          }))));
        }
        const now = lift.topic.at(store.time) as Record<string, unknown> | undefined, height = storey(store, lift), at = lift.car ? now?.[lift.car] : undefined;
        for (const { path, element, input } of lights) {
          setClass(element, "lit", now?.[path] === true);
          if (!input) { continue; }
          const why = whyNoHand(store, input);
          element.setAttribute("aria-pressed", String(now?.[path] === true));
          element.setAttribute("aria-disabled", String(why !== ""));
          element.title = why || input.summary;
        }
        const floor = typeof at === "number" && height ? at / height : undefined, door = [...lift.topic.facts.keys()].find((p) => /door.*\/position$/.test(p));
        const span = door ? store.numbers(lift.topic.name, door)!.span() : [0, 0], open = door && span[1]! > 0 ? Number(now?.[door] ?? 0) / span[1]! : 0;
        [...floors.children].forEach((e, i) => setClass(e, "here", floor !== undefined && Math.round(floor) === lift.floors.length - 1 - i));
        drawShaft(shaft, lift, floor, Math.max(0, Math.min(1, open)));
        setText(shaft, floor === undefined ? "" : `the car is at floor ${floor.toFixed(1)}`);
      },
    };
  },
};
