// SPDX-License-Identifier: Apache-2.0
// A chart over time with uPlot, in the colours of the theme: lines, a band under a limit, events, and the time that is shown.
import uPlot from "uplot";
import type { Series } from "../data/series";
import { onTheme, theme } from "./theme";

export interface Curve { label: string; series: Series; width: number; colour: () => string; dash?: number[]; band?: boolean }
export interface Mark { time: number; text: string }
/** A line at a height, with what it means. */
export interface Limit { value: number; text: string }
export interface ChartOptions { height: number; log?: boolean; marks?: () => Mark[]; onPick?(time: number): void; onHover?(time: number | undefined): void; cursors?: () => { A?: number; B?: number };
  limits?: () => Limit[]; labels?: (u: uPlot) => { curve: number; text: string }[]; said?: (value: number) => string }

const FONT = "11px Inter, system-ui, sans-serif";
const CELLS = 700;

/** Least and greatest of each pixel, so that no peak is lost; few points stay as they are. */
function thin(curve: Curve, times: number[], from: number, to: number): (number | null)[] {
  const { series } = curve, values: (number | null)[] = [];
  for (const t of times) {
    const i = series.topic.after(t) - 1;
    values.push(i >= 0 && t >= from && t <= to ? (series.values[i] ?? null) : null);
  }
  return values;
}

function timesOf(curves: Curve[], from: number, to: number): number[] {
  let best: number[] = [];
  for (const { series } of curves) {
    const a = series.topic.after(from - 1e-9), b = series.topic.after(to);
    if (b - a > best.length) { best = series.times.slice(a, b); }
  }
  if (best.length <= CELLS) { return best; }
  const step = best.length / CELLS;
  return Array.from({ length: CELLS }, (_, i) => best[Math.floor(i * step)]!).concat(best[best.length - 1]!);
}

/** A text that is read on a curve: with a halo in the colour of the panel. */
export function haloText(c: CanvasRenderingContext2D, text: string, x: number, y: number, colour = theme.text, halo = theme.bg1) {
  c.lineJoin = "round";
  c.lineWidth = 4 * (c.getTransform().a > 1.5 && c.font.startsWith("22") ? 2 : 1);
  c.strokeStyle = halo;
  c.strokeText(text, x, y);
  c.fillStyle = colour;
  c.fillText(text, x, y);
}

/** A number at an axis, with as few letters as it needs. */
function tick(value: number): string {
  const short = Number(value.toPrecision(4)), size = Math.abs(short);
  return (size !== 0 && (size < 0.001 || size >= 1e6) ? short.toExponential() : String(short)).replace(/-/g, "−");
}

/** The flag of a cursor, its middle at (x, y). */
export function drawFlag(c: CanvasRenderingContext2D, name: string, x: number, y: number, scale = 1) {
  c.fillStyle = theme.text;
  c.fillRect(x - 7 * scale, y - 7 * scale, 14 * scale, 14 * scale);
  c.fillStyle = theme.bg1;
  c.textAlign = "center";
  c.font = `600 ${11 * scale}px Inter, system-ui, sans-serif`;
  c.fillText(name, x, y + 4 * scale);
  c.font = FONT.replace("11px", `${11 * scale}px`);
}

export class Chart {
  private plot?: uPlot;
  private key = "";
  private curves: Curve[] = [];
  private shown = 0;
  readonly element = document.createElement("div");

  constructor(private options: ChartOptions) {
    this.element.className = "chart";
    onTheme(() => { this.key = ""; });
    this.element.addEventListener("dblclick", () => { this.key = ""; });
  }

  /** Draws the curves from..to, with a line at `now` when that is not the end. */
  draw(curves: Curve[], from: number, to: number, now: number) {
    const width = this.element.clientWidth, key = `${width} ${curves.map((c) => c.label + c.series.path).join()}`;
    if (width === 0) { return; }
    this.curves = curves;
    this.shown = now;
    if (key !== this.key) {
      this.key = key;
      this.make(width);
    }
    const times = timesOf(curves, from, to), least = this.options.log ? this.floor() : -Infinity;
    const data = curves.map((c) => thin(c, times, from, to).map((v) => (v === null ? null : Math.max(v, least))));
    this.plot!.batch(() => {
      this.plot!.setData([times, ...data] as uPlot.AlignedData, false);
      this.plot!.setScale("x", { min: from, max: Math.max(to, from + 1e-3) });
      this.plot!.setScale("y", this.range(data));
    });
  }

  private floor() { return 0.3; }

  private range(data: (number | null)[][]): { min: number; max: number } {
    let min = Infinity, max = -Infinity;
    for (const list of data) { for (const v of list) { if (v !== null) { min = Math.min(min, v); max = Math.max(max, v); } } }
    if (min > max) { return this.options.log ? { min: 1, max: 10 } : { min: 0, max: 1 }; }
    if (this.options.log) { return { min: Math.max(this.floor(), Math.min(min * 0.9, 1)), max: Math.max(max * 1.5, 10) }; }
    const size = Math.max(Math.abs(min), Math.abs(max)), pad = Math.max((max - min) * 0.08, size * 0.02) || 0.1; // noise of the last digits is no curve
    return { min: min - pad, max: max + pad };
  }

  private make(width: number) {
    this.plot?.destroy();
    const { height, log } = this.options, grid = { stroke: () => theme.line, width: 1 }, ticks = { show: false };
    const axis = { stroke: () => theme.dim, font: FONT, grid, ticks };
    this.plot = new uPlot({
      width, height, padding: [6, 16, 0, 0], legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false }, sync: { key: "time" } },
      scales: { x: { time: false, auto: false }, y: { distr: log ? 3 : 1, log: 10, auto: false } },
      axes: [
        { ...axis, size: 22, gap: 4, space: 46, values: (_, list) => list.map((v) => `${Number(v.toFixed(2))} s`) },
        { ...axis, size: this.options.said ? 52 : 36, gap: 5, space: 18, ...(log ? { splits: (u: uPlot) => (u.scales.y!.max! > 2000 ? [1, 10, 100, 1000, 10000] : [1, 3, 10, 30, 100, 300, 1000]).filter((v) => v >= u.scales.y!.min! && v <= u.scales.y!.max!), values: (_: uPlot, list: number[]) => list.map(this.options.said ?? String), filter: (_: uPlot, list: number[]) => list }
          : { size: (_: uPlot, texts: string[] | null) => Math.max(36, 12 + 6.2 * Math.max(0, ...(texts ?? []).map((t) => t.length))), values: (_: uPlot, list: number[]) => list.map(tick) }) },
      ],
      series: [{}, ...this.curves.map((c): uPlot.Series => ({ label: c.label, stroke: c.colour, width: c.width, points: { show: false }, ...(c.dash ? { dash: c.dash } : {}),
        ...(c.band ? { fill: () => `${theme.band}80`, fillTo: (_u: uPlot, _s: number, min: number) => min } : {}) }))],
      hooks: { drawClear: [(u) => this.drawUnder(u)], draw: [(u) => this.drawOver(u)], setCursor: [(u) => this.options.onHover?.((u.cursor.left ?? -1) < 0 ? undefined : u.posToVal(u.cursor.left!, "x"))] },
    }, [[0], ...this.curves.map(() => [null])] as unknown as uPlot.AlignedData, this.element);
    const over = this.plot.over, { onPick } = this.options;
    if (onPick) { over.addEventListener("click", (e) => onPick(this.plot!.posToVal(e.offsetX, "x"))); }
  }

  /** What lies between the cursors A and B. */
  private drawUnder(u: uPlot) {
    const { A, B } = this.options.cursors?.() ?? {}, { left, top, width, height } = u.bbox;
    if (A === undefined || B === undefined) { return; }
    const [from, to] = [A, B].map((t) => Math.max(left, Math.min(left + width, u.valToPos(t, "x", true)))).sort((a, b) => a - b) as [number, number];
    u.ctx.fillStyle = `${theme.bg2}b0`;
    u.ctx.fillRect(from, top, to - from, height);
  }

  private drawCursors(u: uPlot) {
    const c = u.ctx, scale = uPlot.pxRatio, { left, top, width, height } = u.bbox, at = this.options.cursors?.() ?? {};
    for (const name of ["A", "B"] as const) {
      const time = at[name], x = time === undefined ? -1 : u.valToPos(time, "x", true);
      if (time === undefined || x < left - 1 || x > left + width + 1) { continue; }
      c.strokeStyle = theme.text;
      c.lineWidth = scale;
      c.setLineDash([3 * scale, 3 * scale]);
      c.beginPath();
      c.moveTo(x, top);
      c.lineTo(x, top + height);
      c.stroke();
      c.setLineDash([]);
      for (const curve of this.curves) {
        const value = this.options.said ? curve.series.at(time) : undefined, isLate = x > left + width * 0.6;
        if (value === undefined) { continue; }
        const y = u.valToPos(Math.max(value, this.floor()), "y", true);
        c.fillStyle = curve.colour();
        c.beginPath();
        c.arc(x, y, 4 * scale, 0, 7);
        c.fill();
        c.textAlign = isLate ? "right" : "left";
        haloText(c, this.options.said!(value), x + (isLate ? -9 : 9) * scale, y + (isLate ? 14 : -6) * scale);
      }
      drawFlag(c, name, x, top + 7 * scale, scale);
    }
  }

  private drawLimits(u: uPlot) {
    const c = u.ctx, scale = uPlot.pxRatio, { left, top, width } = u.bbox;
    for (const { value, text } of this.options.limits?.() ?? []) {
      const y = u.valToPos(value, "y", true);
      if (y < top) { continue; }
      c.strokeStyle = theme.dim;
      c.lineWidth = scale;
      c.setLineDash([2 * scale, 3 * scale]);
      c.beginPath();
      c.moveTo(left, y);
      c.lineTo(left + width, y);
      c.stroke();
      c.setLineDash([]);
      c.textAlign = "left";
      haloText(c, text, left + width * 0.42, y - 5 * scale, theme.dim);
    }
  }

  private drawOver(u: uPlot) {
    const c = u.ctx, scale = uPlot.pxRatio, { left, top, width, height } = u.bbox, x = (t: number) => u.valToPos(t, "x", true);
    c.save();
    c.font = FONT.replace("11px", `${11 * scale}px`);
    c.lineWidth = scale;
    for (const mark of this.options.marks?.() ?? []) {
      const at = x(mark.time);
      if (at < left || at > left + width) { continue; }
      c.strokeStyle = c.fillStyle = theme.text;
      c.setLineDash([3 * scale, 3 * scale]);
      c.beginPath();
      c.moveTo(at, top + height);
      c.lineTo(at, top + 20 * scale);
      c.stroke();
      c.setLineDash([]);
      c.beginPath();
      c.moveTo(at, top + 16 * scale);
      c.lineTo(at - 4 * scale, top + 23 * scale);
      c.lineTo(at + 4 * scale, top + 23 * scale);
      c.fill();
      c.textAlign = at > left + width * 0.65 ? "right" : "left";
      haloText(c, mark.text, at + (c.textAlign === "right" ? -7 : 7) * scale, top + 26 * scale);
    }
    c.textAlign = "left";
    for (const { curve, text } of this.options.labels?.(u) ?? []) { this.label(u, curve, text); }
    this.drawLimits(u);
    this.drawCursors(u);
    if (this.shown < u.scales.x!.max! - 1e-6 && this.shown !== this.options.cursors?.().B) {
      c.strokeStyle = theme.text;
      c.lineWidth = scale;
      c.beginPath();
      c.moveTo(x(this.shown), top);
      c.lineTo(x(this.shown), top + height);
      c.stroke();
    }
    c.restore();
  }

  /** Names a curve where it has room: `curve` < 0: at its end, else at a fifth of the way. */
  private label(u: uPlot, curve: number, text: string) {
    const c = u.ctx, scale = uPlot.pxRatio, values = u.data[Math.abs(curve)] as (number | null)[], times = u.data[0];
    const i = curve < 0 ? values.length - 1 : Math.floor(values.length * 0.3), v = values[i];
    if (v === null || v === undefined) { return; }
    const right = u.bbox.left + u.bbox.width, isLate = curve < 0 || u.valToPos(times[i]!, "x", true) + c.measureText(text).width > right;
    c.textAlign = isLate ? "right" : "left";
    haloText(c, text, u.valToPos(times[i]!, "x", true) - (isLate ? 4 * scale : 0), u.valToPos(v, "y", true) + (curve < 0 ? 18 : -6) * scale, curve < 0 ? theme.text : theme.dim);
  }
}
