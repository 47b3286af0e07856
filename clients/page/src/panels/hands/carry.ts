// SPDX-License-Identifier: Apache-2.0
// A robot is lifted and put down elsewhere: the world says why it cannot be there.
import { bodies } from "../../data/facts";
import { yaw, type Pose } from "../../data/frames";
import type { Store } from "../../data/store";
import { put, whyNoHand, type Input } from "../../data/world";
import { ask } from "../../ui/dialog";
import { h, setText } from "../../ui/dom";
import { number } from "../../ui/format";

const DEGREE = Math.PI / 180;
const robotOf = (input: Input) => input.channel.split("/").at(-2)!;

/** Where it is now: the frame of its name, which avatars have in front of them. */
function poseOf(store: Store, robot: string): Pose | undefined {
  const { tracks } = store.frames, { robot: real, avatar } = bodies(store);
  const frame = [...tracks.keys()].find((f) => f.endsWith(`/${robot}`)) ?? avatar ?? real;
  return frame ? store.frames.inWorld(frame, store.time) : undefined;
}

export class Carry {
  readonly element = h("div", { class: "carry", role: "group", "aria-label": "Carry" });
  private buttons: { input: Input; button: HTMLButtonElement; at: HTMLElement }[] = [];

  constructor(private store: Store, private say: (text: string) => void) {}

  offer(places: Input[]) {
    this.buttons = places.map((input) => ({ input, at: h("span", { class: "num dim" }), button: h("button", { click: () => void this.carry(input) }, `Carry ${robotOf(input)} …`) }));
    this.element.replaceChildren(...this.buttons.map(({ button, at }) => h("div", { class: "line" }, button, at)));
    this.element.hidden = places.length === 0;
  }

  update(why: string) {
    for (const { input, button, at } of this.buttons) {
      const pose = poseOf(this.store, robotOf(input));
      button.setAttribute("aria-disabled", String(why !== ""));
      button.title = why || input.summary;
      setText(at, pose ? `${number(pose[0], 2)}, ${number(pose[1], 2)} m, ${number(yaw(pose) / DEGREE, 0)}°` : "");
    }
  }

  private async carry(input: Input) {
    const { store, say } = this, robot = robotOf(input), why = whyNoHand(store, input), pose = poseOf(store, robot);
    if (why) { say(why); return; }
    const round = (value: number) => Number(value.toFixed(3));
    const to = await ask(`Carry ${robot}`, "Where shall it be put down?", "Put down", [{ name: "x", unit: "m", value: round(pose?.[0] ?? 0) }, { name: "y", unit: "m", value: round(pose?.[1] ?? 0) },
      { name: "heading", unit: "°", value: round(pose ? yaw(pose) / DEGREE : 0) }]);
    if (!to) { return; }
    try {
      const when = await put(store, input, [to.x!, to.y!, to.heading! * DEGREE]);
      say(`${robot} is at ${number(to.x, 2)}, ${number(to.y, 2)} m${when}`);
    } catch (e) { say((e as Error).message); }
  }
}
