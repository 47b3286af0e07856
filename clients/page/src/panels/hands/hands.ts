// SPDX-License-Identifier: Apache-2.0
// A person's hands in a world: faults that are switched, loads, a robot that is carried, a body that is pushed. Which there are, the run says.
import { liftOf, pressOf } from "../../data/lift";
import type { Store } from "../../data/store";
import { heldIn, inputsOf, isGrip, put, whyNoHand, wordsOf, type Input } from "../../data/world";
import { h, panel, setClass, setText } from "../../ui/dom";
import { number } from "../../ui/format";
import type { Panel } from "../panel";
import { Carry } from "./carry";
import { isHandle, Push } from "./push";
import "./hands.css";

/** Not what somebody's use switches on ("laser/on"). */
const isFlag = (i: Input) => i.kind === "shared" && i.type === "flag" && !i.channel.endsWith("/on");
const isLoad = (i: Input) => i.kind === "input" && i.type === "number" && i.unit === "kg" && i.max !== undefined;
const isPlace = (i: Input) => i.kind === "request" && i.size === 3 && i.channel.endsWith("/place");
const isPush = (i: Input) => i.kind === "input" && ((i.size === 1 && /^N( m)?$/.test(i.unit)) || isHandle(i) || isGrip(i));
/** Faults of sensors are many, and come last. */
const order = (i: Input) => (/stuck_on$/.test(i.channel) ? 2 : /stuck_off$/.test(i.channel) ? 1 : 0);

/** What has its place here; calls of a lift have theirs. */
function mineOf(store: Store): Input[] {
  const lift = liftOf(store), inputs = inputsOf(store), calls = new Set(lift?.calls.flatMap(({ paths }) => [...paths.values()].map((p) => pressOf(inputs, lift, p)?.channel)));
  return inputs.filter((i) => i.commander === "" && !calls.has(i.channel) && (isFlag(i) || isLoad(i) || isPlace(i) || isPush(i)));
}

interface Row { element: HTMLElement; update(held: ReturnType<typeof heldIn>, why: string): void }
type Say = (text: string) => void;

function flagRow(store: Store, input: Input, say: Say): Row {
  const state = h("span", {}), words = wordsOf(input.channel);
  let isOn = false;
  const element = h("button", { class: "switch", click: () => { const on = !isOn; put(store, input, on).then((when) => say(`${words}: ${on ? "on" : "off"}${when}`), (why: Error) => say(`${words}: ${why.message}`)); } }, h("span", { class: "name" }, words), state);
  return { element, update(held, why) {
    const now = held.get(input.channel);
    isOn = now?.value === true;
    element.setAttribute("aria-pressed", String(isOn));
    element.setAttribute("aria-disabled", String(why !== ""));
    element.title = why || `${words}: ${input.summary}${now ? `, by ${now.who}` : ""}`;
    setClass(element, "on", isOn);
    setText(state, isOn ? "on" : "off");
  } };
}

function loadRow(store: Store, input: Input, say: Say): Row {
  const words = wordsOf(input.channel), unit = input.unit, most = input.max!, value = h("span", { class: "num" });
  const send = () => put(store, input, Number(slider.value)).then((when) => say(`${words}: ${slider.value} ${unit}${when}`), (why: Error) => { say(`${words}: ${why.message}`); store.changed(); });
  const slider = h("input", { type: "range", min: String(input.min ?? 0), max: String(most), step: "10", value: "0", "aria-label": `${words} in ${unit}`, input: () => setText(value, `${slider.value} of ${most} ${unit}`), change: () => void send() });
  return { element: h("label", { class: "share" }, words, slider, value), update(held, why) {
    const now = held.get(input.channel)?.value;
    if (document.activeElement !== slider || why) { slider.value = String(now ?? 0); }
    slider.disabled = why !== "";
    slider.title = why || input.summary;
    setText(value, `${number(Number(slider.value), 0)} of ${number(most, 0)} ${unit}`);
  } };
}

export const hands: Panel = {
  name: "hands",
  place: "left",
  fits: (store) => !store.isRecording && store.services.has("/world/put") && mineOf(store).length > 0,
  make({ store }) {
    const note = h("span", {}), why = h("p", { class: "why" }), said = h("p", { class: "why", role: "status", "aria-label": "What came of it in the world" });
    const flags = h("div", { class: "switches", role: "group", "aria-label": "Faults to switch" }), loads = h("div", { class: "loads" }), say: Say = (text) => setText(said, text);
    const carry = new Carry(store, say), push = new Push(store, say);
    let key = "", rows: Row[] = [];
    return {
      element: panel("World by hand", note, flags, loads, carry.element, push.element, why, said),
      update() {
        const mine = mineOf(store), wanted = mine.map((i) => i.channel).join(), reason = whyNoHand(store), held = heldIn(store);
        if (wanted !== key) {
          key = wanted;
          const switches = mine.filter(isFlag).sort((a, b) => order(a) - order(b)).map((i) => flagRow(store, i, say)), scales = mine.filter(isLoad).map((i) => loadRow(store, i, say));
          rows = [...switches, ...scales];
          flags.replaceChildren(...switches.map((r) => r.element));
          loads.replaceChildren(...scales.map((r) => r.element));
          flags.hidden = switches.length === 0;
          carry.offer(mine.filter(isPlace));
          push.offer(mine.filter(isPush));
        }
        setText(note, held.size ? `${held.size} held` : "");
        setText(why, reason);
        rows.forEach((r) => r.update(held, reason));
        carry.update(reason);
        push.update(reason);
      },
    };
  },
};
