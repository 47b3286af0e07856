// SPDX-License-Identifier: Apache-2.0
// A line of the last seconds in a row, with a dot at its end.
import type { Series } from "../data/series";
import { canvasOf } from "./dom";
import { theme } from "./theme";

export function drawSpark(canvas: HTMLCanvasElement, series: Series | undefined, time: number, seconds: number) {
  const context = canvasOf(canvas);
  if (!context || !series) { return; }
  const to = series.topic.after(time), from = series.topic.after(time - seconds), step = Math.max(1, Math.floor((to - from) / 60));
  let low = Infinity, high = -Infinity;
  for (let i = from; i < to; i++) {
    const v = series.values[i];
    if (v !== null && v !== undefined) { low = Math.min(low, v); high = Math.max(high, v); }
  }
  if (low > high) { return; }
  const w = canvas.clientWidth - 4, h = canvas.clientHeight - 4, span = high - low;
  const x = (i: number) => ((series.times[i]! - time + seconds) / seconds) * w;
  const y = (v: number) => 2 + (span > 0 ? (1 - (v - low) / span) * h : h / 2);
  context.strokeStyle = theme.dim;
  context.lineWidth = 1;
  context.beginPath();
  let last: [number, number] | undefined;
  for (let i = from; i < to; i = i < to - 1 ? Math.min(i + step, to - 1) : to) {
    const v = series.values[i];
    if (v === null || v === undefined) { continue; }
    if (last) { context.lineTo(x(i), y(v)); } else { context.moveTo(x(i), y(v)); }
    last = [x(i), y(v)];
  }
  context.stroke();
  if (last) {
    context.fillStyle = theme.text;
    context.beginPath();
    context.arc(Math.min(last[0], w), last[1], 2, 0, 7);
    context.fill();
  }
}
