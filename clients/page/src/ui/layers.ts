// SPDX-License-Identifier: Apache-2.0
// What the 3-D view shows, each with its key.

export type LayerName = "robot" | "avatar" | "laser" | "trails" | "error ribbon" | "lens" | "collision" | "frames" | "contacts" | "joints" | "wireframe";

export const LAYERS: { name: LayerName; key: string; start: boolean }[] = [
  { name: "robot", key: "1", start: true }, { name: "avatar", key: "2", start: true }, { name: "laser", key: "3", start: true },
  { name: "trails", key: "4", start: true }, { name: "error ribbon", key: "5", start: true }, { name: "lens", key: "6", start: true },
  { name: "collision", key: "7", start: false }, { name: "frames", key: "8", start: false }, { name: "contacts", key: "9", start: false },
  { name: "joints", key: "j", start: false }, { name: "wireframe", key: "0", start: false },
];

export class Layers {
  private on = new Set<LayerName>(LAYERS.filter((l) => l.start).map((l) => l.name));
  private listeners = new Set<() => void>();
  has(name: LayerName) { return this.on.has(name); }
  toggle(name: LayerName) {
    if (!this.on.delete(name)) { this.on.add(name); }
    this.listeners.forEach((f) => f());
  }
  /** Paths of things that are not shown, with what is in them. */
  readonly hidden = new Set<string>();
  hide(path: string, on: boolean) {
    if (on) { this.hidden.add(path); } else { this.hidden.delete(path); }
    this.listeners.forEach((f) => f());
  }
  isHidden(path: string) {
    for (const h of this.hidden) { if (path === h || path.startsWith(`${h}/`)) { return true; } }
    return false;
  }
  onChange(f: () => void) { this.listeners.add(f); }
}
