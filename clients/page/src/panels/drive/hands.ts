// SPDX-License-Identifier: Apache-2.0
// What a person's hands want: the dead man's switch (a key, a button that is held, a shoulder of a gamepad), and forward and turn of -1 to 1.

export interface Wish { isHeld: boolean; forward: number; turn: number }

const KEYS: Record<string, [number, number]> = {
  KeyW: [1, 0], ArrowUp: [1, 0], KeyS: [-1, 0], ArrowDown: [-1, 0], KeyA: [0, 1], ArrowLeft: [0, 1], KeyD: [0, -1], ArrowRight: [0, -1],
};
/** Of a gamepad whose layout the browser knows: others may have anything there. */
const SHOULDERS = [4, 5, 6, 7];
const connected = () => [...navigator.getGamepads()].filter((p) => p !== null && p.connected) as Gamepad[];
/** Of a stick that nobody touches. */
const DEAD = 0.12;

const one = (v: number) => Math.max(-1, Math.min(1, v));
const stick = (v: number | undefined) => (v === undefined || Math.abs(v) < DEAD ? 0 : one(v));

export class Hands {
  /** Keys count only while this is true. */
  isOn = false;
  private down = new Set<string>();
  private isPressed = false;
  /** The gamepad whose shoulders were open since all was released: one that is held from before counts when it is pressed again. */
  private opened: number | undefined;

  /** `letGo`: at once, when a switch opens or the page is left. */
  constructor(private letGo: () => void) {
    document.addEventListener("keydown", (e) => this.key(e), { capture: true });
    document.addEventListener("keyup", (e) => this.up(e), { capture: true });
    for (const gone of ["blur", "pagehide", "gamepaddisconnected"]) { addEventListener(gone, () => this.release()); }
    document.addEventListener("visibilitychange", () => { if (document.hidden) { this.release(); } });
  }

  /** A button that works as the switch while it is held. */
  attach(button: HTMLElement) {
    const press = (on: boolean) => { this.isPressed = on; if (!on) { this.letGo(); } };
    button.addEventListener("pointerdown", (e) => { button.setPointerCapture(e.pointerId); press(true); });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) { button.addEventListener(end, () => press(false)); }
  }

  /** All switches are open until they are pressed again. */
  release() {
    this.down.clear();
    this.isPressed = false;
    this.opened = undefined;
    this.letGo();
  }

  /** What a gamepad is good for here. */
  gamepad(): string {
    const pads = connected(), strange = pads.find((p) => p.mapping !== "standard");
    return strange && !pads.some((p) => p.mapping === "standard") ? `The browser does not know the buttons of this gamepad, which does not drive: ${strange.id}` : "A gamepad: a shoulder button and the left stick.";
  }

  wish(): Wish {
    const isHeld = this.isOn && (this.down.has("Shift") || this.isPressed);
    const pad = this.isOn ? this.heldPad() : undefined;
    if (!isHeld && !pad) { return { isHeld: false, forward: 0, turn: 0 }; }
    const keys = [...this.down].map((code) => KEYS[code]), sum = (i: 0 | 1) => keys.reduce((all, k) => all + (k?.[i] ?? 0), 0);
    return { isHeld: true, forward: one((isHeld ? sum(0) : 0) - stick(pad?.axes[1])), turn: one((isHeld ? sum(1) : 0) - stick(pad?.axes[0])) };
  }

  private heldPad(): Gamepad | undefined {
    const pad = connected().find((p) => p.mapping === "standard"), isHeld = pad !== undefined && SHOULDERS.some((i) => pad.buttons[i]?.pressed);
    if (!isHeld) { this.opened = pad?.index; }
    return isHeld && this.opened === pad.index ? pad : undefined;
  }

  private key(e: KeyboardEvent) {
    const name = e.key === "Shift" ? "Shift" : e.code;
    if (!this.isOn || (name !== "Shift" && !(name in KEYS)) || (e.target as HTMLElement).matches("input:not([type=range]), select, textarea") || document.querySelector("dialog[open]")) { return; }
    if (!e.repeat) { this.down.add(name); }
    // the page's own keys are off while somebody drives
    if (this.down.has("Shift") && name !== "Shift") { e.preventDefault(); e.stopPropagation(); }
  }

  private up(e: KeyboardEvent) {
    const name = e.key === "Shift" ? "Shift" : e.code, isSwitch = this.down.delete(name) && name === "Shift";
    if (isSwitch) { this.letGo(); }
  }
}
