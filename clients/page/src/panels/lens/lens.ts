// SPDX-License-Identifier: Apache-2.0
// The deviation lens: robot and avatar seen from above, their deviation enlarged (place and heading alike), within the protection level.
import { apartOf, twinOf, type Value } from "../../data/facts";
import type { Store } from "../../data/store";
import { haloText } from "../../ui/chart";
import { canvasOf, h, setText } from "../../ui/dom";
import { number } from "../../ui/format";
import { theme } from "../../ui/theme";

const SIZE = 236, SCALE = 0.255, RADIUS = 175, FACTORS = [50, 20, 10, 5, 2, 1];

export class Lens {
  private canvas = h("canvas", { role: "img", "aria-label": "Deviation of the avatar from the robot" });
  private title = h("b", {});
  private words = h("span", { class: "dim" });
  readonly element = h("div", { class: "lens" }, this.canvas, this.title, this.words);

  /** `turn`: by which angle the picture is turned, so that it lies as the camera looks. */
  draw(store: Store, turn: number, isShown: boolean) {
    if (!twinOf(store)?.ex && apartOf(store, store.time)) { this.drawCentre(store, isShown); return; }
    const twin = twinOf(store), at = (v: Value | undefined) => { const n = v && store.value(v.topic, v.path); return typeof n === "number" ? n : undefined; };
    const ex = at(twin?.ex), ey = at(twin?.ey), heading = at(twin?.heading) ?? 0;
    this.element.hidden = !isShown || ex === undefined || ey === undefined;
    const c = this.element.hidden ? undefined : canvasOf(this.canvas);
    if (!c || ex === undefined || ey === undefined) { return; }
    const mm = Math.hypot(ex, ey) * 1000, factor = FACTORS.find((f) => mm * f * SCALE < 104) ?? 1, px = factor * SCALE, half = SIZE / 2;
    c.translate(half, half);
    c.beginPath();
    c.arc(0, 0, half - 1, 0, 7);
    c.fillStyle = theme.bg1;
    c.fill();
    c.save();
    c.clip();
    this.rings(c, px, half, at(twin?.limit));
    const avatar: [number, number] = [-(ex * Math.cos(turn) - ey * Math.sin(turn)) * 1000 * px, (ex * Math.sin(turn) + ey * Math.cos(turn)) * 1000 * px];
    outline(c, 0, 0, turn, theme.real, false);
    outline(c, avatar[0], avatar[1], turn - ((heading * Math.PI) / 180) * Math.min(factor, 20), theme.avatar, true);
    arrow(c, avatar[0], avatar[1]);
    c.restore();
    c.lineWidth = 1.5;
    c.strokeStyle = theme.dim;
    c.beginPath();
    c.arc(0, 0, half - 1, 0, 7);
    c.stroke();
    setText(this.title, `Deviation × ${factor}`);
    const side = (v: number, more: string, less: string) => `${number(Math.abs(v) * 1000, 1)} mm ${v < 0 ? less : more}`;
    setText(this.words, `robot ${side(ex, "ahead", "behind")}, ${side(ey, "left", "right")}, ${number(Math.abs(heading), 2)}°`);
    this.canvas.setAttribute("aria-label", `${this.title.textContent}: ${this.words.textContent}`);
  }

  /** Of a machine: its avatar's centre against its own, with the way of the last 2 s. */
  private drawCentre(store: Store, isShown: boolean) {
    this.element.hidden = !isShown;
    this.element.classList.add("centre");
    const c = isShown ? canvasOf(this.canvas) : undefined;
    if (!c) { return; }
    const way = Array.from({ length: 101 }, (_, i) => apartOf(store, store.time - 2 + i * 0.02)).filter((p) => p !== undefined), half = this.canvas.clientWidth / 2;
    const most = Math.max(1e-3, ...way.map((p) => Math.hypot(p.x, p.y))) * 1000, step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].find((s) => s * 2.4 > most) ?? 5000, px = (half - 16) / (3 * step);
    c.translate(half, half);
    c.beginPath();
    c.arc(0, 0, half - 1, 0, 7);
    c.fillStyle = theme.bg1;
    c.fill();
    c.strokeStyle = theme.line;
    c.font = "11px Inter, system-ui, sans-serif";
    c.textAlign = "center";
    for (let i = 1; i <= 3; i++) { c.beginPath(); c.arc(0, 0, i * step * px, 0, 7); c.stroke(); haloText(c, `${i * step} µm`, 0, i * step * px + 4, theme.dim); }
    c.strokeStyle = theme.avatar;
    c.lineWidth = 1.5;
    c.beginPath();
    way.forEach((p, i) => { const x = p.x * 1000 * px, y = -p.y * 1000 * px; if (i) { c.lineTo(x, y); } else { c.moveTo(x, y); } });
    c.stroke();
    const now = way[way.length - 1]!;
    c.fillStyle = theme.real;
    c.beginPath();
    c.arc(0, 0, 5, 0, 7);
    c.fill();
    c.setLineDash([3, 2]);
    c.beginPath();
    c.arc(now.x * 1000 * px, -now.y * 1000 * px, 8, 0, 7);
    c.stroke();
    c.setLineDash([]);
    c.strokeStyle = theme.dim;
    c.beginPath();
    c.arc(0, 0, half - 1, 0, 7);
    c.stroke();
    setText(this.title, "Centre, seen from above");
    setText(this.words, `avatar against machine, 2 s: ${number(Math.hypot(now.x, now.y) * 1000, 1)} µm`);
    this.canvas.setAttribute("aria-label", `${this.title.textContent}: ${this.words.textContent}`);
  }

  private rings(c: CanvasRenderingContext2D, px: number, half: number, limit: number | undefined) {
    const step = [2, 5, 10, 20, 50, 100, 200, 500].find((s) => s * px > 20) ?? 1000;
    c.lineWidth = 1;
    if (limit !== undefined) {
      c.beginPath();
      c.arc(0, 0, Math.min(limit * px, half * 2), 0, 7);
      c.fillStyle = `${theme.band}70`;
      c.fill();
      c.setLineDash([2, 3]);
      c.strokeStyle = theme.text;
      c.stroke();
      c.setLineDash([]);
    }
    c.strokeStyle = theme.line;
    for (let r = step; r * px < half; r += step) { c.beginPath(); c.arc(0, 0, r * px, 0, 7); c.stroke(); }
    c.font = "11px Inter, system-ui, sans-serif";
    c.textAlign = "center";
    for (let r = step * (RADIUS * SCALE > step * px ? 2 : 1); r * px < half - 4; r += step) { haloText(c, `${r} mm`, 0, r * px + 4, theme.dim); }
  }
}

function outline(c: CanvasRenderingContext2D, x: number, y: number, turn: number, colour: string, dashed: boolean) {
  const r = RADIUS * SCALE;
  c.save();
  c.translate(x, y);
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = 2;
  c.globalAlpha = dashed ? 0.16 : 0.32;
  c.beginPath();
  c.arc(0, 0, r, 0, 7);
  c.fill();
  c.globalAlpha = 1;
  c.setLineDash(dashed ? [6, 4] : []);
  c.stroke();
  c.beginPath();
  c.moveTo(0, 0);
  c.lineTo(r * Math.cos(turn), -r * Math.sin(turn));
  c.stroke();
  c.restore();
}

function arrow(c: CanvasRenderingContext2D, x: number, y: number) {
  const n = Math.hypot(x, y);
  c.fillStyle = theme.real;
  c.beginPath();
  c.arc(0, 0, 3.5, 0, 7);
  c.fill();
  if (n < 6) { return; }
  const u = x / n, v = y / n;
  c.strokeStyle = c.fillStyle = theme.text;
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(u * 4, v * 4);
  c.lineTo(x - u * 8, y - v * 8);
  c.stroke();
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - u * 10 - v * 5, y - v * 10 + u * 5);
  c.lineTo(x - u * 10 + v * 5, y - v * 10 - u * 5);
  c.fill();
}
