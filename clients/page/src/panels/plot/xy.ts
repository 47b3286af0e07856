// SPDX-License-Identifier: Apache-2.0
// One field over another, of the visible range alone: older points are dimmer, and a dot stands at the time that is shown.
import type { Curve } from "../../ui/chart";
import { canvasOf } from "../../ui/dom";
import { any } from "../../ui/format";
import { theme } from "../../ui/theme";

const LEFT = 44, FOOT = 18;

export function drawXY(canvas: HTMLCanvasElement, [first, second]: [Curve, Curve], from: number, to: number, now: number) {
  const c = canvasOf(canvas), topic = first.series.topic, points: [number, number][] = [];
  if (!c) { return; }
  for (let i = topic.after(from - 1e-9); i < topic.after(to); i++) {
    const x = first.series.values[i], y = second.series.at(topic.times[i]!);
    if (typeof x === "number" && y !== undefined) { points.push([x, y]); }
  }
  if (points.length === 0) { return; }
  const range = (k: 0 | 1) => { const all = points.map((p) => p[k]), low = Math.min(...all), high = Math.max(...all), pad = (high - low) * 0.06 || 0.5; return [low - pad, high + pad] as const; };
  const [x0, x1] = range(0), [y0, y1] = range(1), w = canvas.clientWidth - LEFT - 8, height = canvas.clientHeight - FOOT - 4;
  const at = ([x, y]: [number, number]): [number, number] => [LEFT + ((x - x0) / (x1 - x0)) * w, 4 + height - ((y - y0) / (y1 - y0)) * height];
  c.strokeStyle = theme.line;
  c.strokeRect(LEFT + 0.5, 4.5, w, height);
  c.fillStyle = theme.dim;
  c.font = "11px Inter, system-ui, sans-serif";
  c.textAlign = "right";
  for (const [v, y] of [[y1, 12], [y0, 4 + height]] as const) { c.fillText(any(Number(v.toPrecision(3))), LEFT - 5, y); }
  for (const [v, x] of [[x0, LEFT + 34], [x1, LEFT + w]] as const) { c.fillText(any(Number(v.toPrecision(3))), x, height + FOOT); }
  c.strokeStyle = theme.text;
  const step = Math.max(1, Math.floor(points.length / 1500));
  for (let i = step; i < points.length; i += step) {
    c.globalAlpha = 0.2 + (0.8 * i) / points.length;
    c.beginPath();
    c.moveTo(...at(points[i - step]!));
    c.lineTo(...at(points[i]!));
    c.stroke();
  }
  c.globalAlpha = 1;
  const x = first.series.at(now), y = second.series.at(now);
  if (x === undefined || y === undefined) { return; }
  c.fillStyle = first.colour();
  c.beginPath();
  c.arc(...at([x, y]), 4, 0, 7);
  c.fill();
}
