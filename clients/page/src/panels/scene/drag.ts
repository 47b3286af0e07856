// SPDX-License-Identifier: Apache-2.0
// A body of a simulated world is dragged with the pointer: the world pulls it at the point where it was taken, and lets go 0.5 s after this page has said so last.
import * as THREE from "three";
import { gripOf, put, whyNoHand, wordsOf, type Input } from "../../data/world";
import type { Store } from "../../data/store";
import { theme } from "../../ui/theme";
import { toast } from "../../ui/toast";
import type { Things } from "./things";

const PERIOD_MS = 50;
const HOLD = 0.5; // s of the world's time

/** Pixels from the pointer. */
const NEAR = [0, 5, 10].flatMap((r) => (r ? [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [r * Math.cos((k * Math.PI) / 4), r * Math.sin((k * Math.PI) / 4)]) : [[0, 0]]));

interface Held { input: Input; frame: string; at: THREE.Vector3; to: THREE.Vector3; plane: THREE.Plane; isAsked: boolean }

export class Drag {
  isOn = false;
  /** From the point that is held to the pointer. */
  readonly line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ dashSize: 0.03, gapSize: 0.02, depthTest: false }));
  private held: Held | undefined;
  private ray = new THREE.Raycaster();

  constructor(private store: Store, private canvas: HTMLCanvasElement, private camera: THREE.Camera, private things: Things, private changed: () => void) {
    this.line.visible = false;
    this.line.frustumCulled = false;
    // before the camera hears of it
    canvas.addEventListener("pointerdown", (e) => this.take(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) { canvas.addEventListener(end, () => this.letGo()); }
    for (const gone of ["blur", "pagehide"]) { addEventListener(gone, () => this.letGo()); }
    setInterval(() => void this.pull(), PERIOD_MS);
  }

  toggle() {
    const why = whyNoHand(this.store);
    if (!this.isOn && why) { toast(why); return; }
    this.isOn = !this.isOn;
    this.letGo();
  }

  private aim(e: PointerEvent, dx = 0, dy = 0) {
    const box = this.canvas.getBoundingClientRect();
    this.ray.setFromCamera(new THREE.Vector2(((e.clientX + dx - box.left) / box.width) * 2 - 1, 1 - ((e.clientY + dy - box.top) / box.height) * 2), this.camera);
  }

  /** What is under the pointer, or near it: links are thin. */
  private find(e: PointerEvent) {
    for (const [dx, dy] of NEAR) {
      this.aim(e, dx, dy);
      const hit = this.things.pick(this.ray);
      if (hit) { return hit; }
    }
    return undefined;
  }

  private take(e: PointerEvent) {
    if (!this.isOn || e.button !== 0) { return; }
    const hit = this.find(e), input = hit && gripOf(this.store, hit.frame);
    if (!hit) { return; }
    const why = input ? whyNoHand(this.store, input) : `${hit.frame}: no force moves it`;
    if (!input || why) { toast(why); return; }
    e.stopImmediatePropagation();
    this.canvas.setPointerCapture(e.pointerId);
    const towards = this.camera.getWorldDirection(new THREE.Vector3());
    this.held = { input, frame: hit.frame, at: hit.local, to: hit.point, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(towards, hit.point), isAsked: false };
    this.canvas.dataset.held = hit.frame;
  }

  private move(e: PointerEvent) {
    if (!this.held) { return; }
    this.aim(e);
    const to = this.ray.ray.intersectPlane(this.held.plane, new THREE.Vector3());
    if (to) { this.held.to = to; }
    this.changed();
  }

  /** The next only after the answer: nothing waits in the network to pull later. */
  private async pull() {
    const { held, store } = this;
    if (!held || held.isAsked) { return; }
    held.isAsked = true;
    try {
      await put(store, held.input, [...held.at.toArray(), ...held.to.toArray(), 0].map((v) => Number(v.toFixed(4))), HOLD);
    } catch (why) {
      toast(`${wordsOf(held.input.channel)}: ${(why as Error).message}`);
      if (this.held === held) { this.held = undefined; }
    }
    held.isAsked = false;
    if (this.held !== held) { put(store, held.input, null).catch(() => undefined); }
  }

  private letGo() {
    const { held } = this;
    this.held = undefined;
    delete this.canvas.dataset.held;
    this.changed();
    if (held && !held.isAsked) { put(this.store, held.input, null).catch((why: Error) => toast(why.message)); }
  }

  /** Draws what is held. */
  show() {
    const from = this.held && this.things.worldOf(this.held.frame, this.held.at);
    this.line.visible = from !== undefined;
    if (!from) { return; }
    (this.line.material as THREE.LineDashedMaterial).color.set(theme.danger);
    this.line.geometry.setFromPoints([from, this.held!.to]);
    this.line.computeLineDistances();
  }
}
