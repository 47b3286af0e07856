// SPDX-License-Identifier: Apache-2.0
// A push with a force, or a pull at a body's handle, for a time of the world.
import type { Store } from "../../data/store";
import { put, wordsOf, type Input } from "../../data/world";
import { h, setClass } from "../../ui/dom";

const SECONDS = 0.5;
/** N/m and N s/m of a hand that pulls. */
const GRIP = [1000, 50];

/** "pulls its origin to x, y, z (m) with so many N/m and N s/m" */
export const isHandle = (i: Input) => i.size === 5 && i.channel.endsWith("/handle");

export class Push {
  private inputs: Input[] = [];
  private which = h("select", { "aria-label": "What is pushed", change: () => this.label() });
  private force = h("input", { inputmode: "decimal", value: "10" });
  private unit = h("span", { class: "unit" });
  private time = h("input", { inputmode: "decimal", value: String(SECONDS), "aria-label": "for so many s" });
  private button = h("button", { click: () => void this.push() }, "Push");
  readonly element = h("div", { class: "push", role: "group", "aria-label": "Push" }, this.which, h("div", { class: "line" }, this.force, this.unit, this.time, h("span", { class: "unit" }, "s"), this.button));

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
    this.unit.textContent = input?.unit ?? "";
    this.which.title = input?.summary ?? "";
    if (pulls) { this.force.value = [...(at ?? [0, 0, 0]).slice(0, 3).map((v) => v.toFixed(2)), ...GRIP].join(" "); } else if (wasPull) { this.force.value = "10"; }
    setClass(this.element, "pull", pulls);
    this.force.setAttribute("aria-label", pulls ? "to x, y, z in m, with N/m and N s/m" : `force in ${input?.unit ?? ""}`);
    this.button.textContent = pulls ? "Pull" : "Push";
  }

  private async push() {
    const { input, store, say } = this, texts = this.force.value.trim().split(/[\s,]+/), values = texts.map(Number), seconds = Number(this.time.value);
    if (!input) { return; }
    const words = wordsOf(input.channel), bad = texts.find((t, i) => t === "" || !Number.isFinite(values[i]));
    if (bad !== undefined) { say(`${words}: '${bad}' is no number in ${input.unit}`); return; }
    try {
      const when = await put(store, input, values.length === 1 ? values[0]! : values, seconds);
      say(`${words}: ${this.force.value} ${input.unit} for ${this.time.value} s${when}`);
    } catch (why) { say(`${words}: ${(why as Error).message}`); }
  }
}
