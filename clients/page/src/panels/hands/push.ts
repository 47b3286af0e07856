// SPDX-License-Identifier: Apache-2.0
// A push with a force, at a joint or at the middle of a body, or a pull at a body's handle, for a time of the world.
import type { Store } from "../../data/store";
import { frameOf, isGrip, put, wordsOf, type Input } from "../../data/world";
import { h, setClass } from "../../ui/dom";
import { middleOf } from "../scene/things";

const SECONDS = 0.5;
/** Where a grip pulls to, so that it is the same force all the time, m. */
const FAR = 1e4;
const WAYS: Record<string, [number, number, number]> = { "+x": [1, 0, 0], "−x": [-1, 0, 0], "+y": [0, 1, 0], "−y": [0, -1, 0], up: [0, 0, 1], down: [0, 0, -1] };
/** N/m and N s/m of a hand that pulls. */
const GRIP = [1000, 50];

/** "pulls its origin to x, y, z (m) with so many N/m and N s/m" */
export const isHandle = (i: Input) => i.size === 5 && i.channel.endsWith("/handle");

export class Push {
  private inputs: Input[] = [];
  private which = h("select", { "aria-label": "What is pushed", change: () => this.label() });
  private way = h("select", { "aria-label": "direction" }, ...Object.keys(WAYS).map((w) => h("option", { value: w }, w)));
  private force = h("input", { inputmode: "decimal", value: "10" });
  private unit = h("span", { class: "unit" });
  private time = h("input", { inputmode: "decimal", value: String(SECONDS), "aria-label": "for so many s" });
  private button = h("button", { click: () => void this.push() }, "Push");
  readonly element = h("div", { class: "push", role: "group", "aria-label": "Push" }, this.which, h("div", { class: "line" }, this.way, this.force, this.unit, this.time, h("span", { class: "unit" }, "s"), this.button));

  constructor(private store: Store, private say: (text: string) => void) {}

  offer(inputs: Input[]) {
    this.inputs = inputs;
    this.which.replaceChildren(...inputs.map((i) => h("option", { value: i.channel }, wordsOf(i.channel))));
    this.element.hidden = inputs.length === 0;
    this.label();
  }

  update(why: string) {
    this.button.setAttribute("aria-disabled", String(why !== ""));
    this.button.title = why;
  }

  private get input() { return this.inputs.find((i) => i.channel === this.which.value); }

  private label() {
    const { input, store } = this, pulls = input !== undefined && isHandle(input), wasPull = this.unit.textContent === "";
    const frame = pulls ? [...store.frames.tracks.keys()].find((f) => f.endsWith(`/${input.channel.replace(/\/handle$/, "")}`)) : undefined, at = frame ? store.frames.inWorld(frame, store.time) : undefined;
    const unit = input && isGrip(input) ? "N" : input?.unit ?? "";
    this.unit.textContent = unit;
    this.way.hidden = !input || !isGrip(input);
    this.which.title = input?.summary ?? "";
    if (pulls) { this.force.value = [...(at ?? [0, 0, 0]).slice(0, 3).map((v) => v.toFixed(2)), ...GRIP].join(" "); } else if (wasPull) { this.force.value = "10"; }
    setClass(this.element, "pull", pulls);
    this.force.setAttribute("aria-label", pulls ? "to x, y, z in m, with N/m and N s/m" : `force in ${unit}`);
    this.button.textContent = pulls ? "Pull" : "Push";
  }

  /** A grip at the middle of the body whose pull is that force. Fails with the reason. */
  private far(input: Input, force: number): number[] {
    const { store } = this, frame = frameOf(store, input), middle = frame ? middleOf(store, frame) : undefined, at = frame && middle && store.frames.inWorld(frame, store.time);
    if (!middle || !at) { throw new Error("where it is, is not known yet"); }
    if (!(force > 0)) { throw new Error("a force above 0 N is expected, and its direction"); }
    return [...middle, ...WAYS[this.way.value]!.map((w, i) => at[i]! + FAR * w)].map((v) => Number(v.toFixed(4))).concat(force);
  }

  private async push() {
    const { input, store, say } = this, texts = this.force.value.trim().split(/[\s,]+/), values = texts.map(Number), seconds = Number(this.time.value);
    if (!input) { return; }
    const words = wordsOf(input.channel), bad = texts.find((t, i) => t === "" || !Number.isFinite(values[i]));
    if (bad !== undefined) { say(`${words}: '${bad}' is no number in ${this.unit.textContent || "m"}`); return; }
    try {
      const when = await put(store, input, isGrip(input) ? this.far(input, values[0]!) : values.length === 1 ? values[0]! : values, seconds);
      say(`${words}: ${this.force.value} ${this.unit.textContent} for ${this.time.value} s${when}`);
    } catch (why) { say(`${words}: ${(why as Error).message}`); }
  }
}
