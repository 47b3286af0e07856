// SPDX-License-Identifier: Apache-2.0
// Elements. Texts of a run become text nodes, never HTML.

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | boolean | ((e: never) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") { element.addEventListener(name, value as EventListener); }
    else if (typeof value === "string") { element.setAttribute(name, value); }
    else if (value) { element.setAttribute(name, ""); }
  }
  element.append(...children.filter((c): c is Node | string => c !== undefined && c !== false));
  return element;
}

/** Sets a text only when it differs: a selection in it stays. */
export function setText(element: Node, text: string) { if (element.textContent !== text) { element.textContent = text; } }

export function setClass(element: Element, name: string, on: boolean) { if (element.classList.contains(name) !== on) { element.classList.toggle(name, on); } }

/** A number with its unit in a dimmer colour. */
export function setValue(element: HTMLElement, value: string, unit: string) {
  const text = `${value}\u00a0${unit}`;
  if (element.dataset.shown === text) { return; }
  element.dataset.shown = text;
  element.replaceChildren(value, ...(unit ? [h("span", { class: "unit" }, ` ${unit}`)] : []));
}

/** A panel: its head with a title and what stands at the right, and a body. */
export function panel(title: string, right: Child = "", ...body: Child[]): HTMLElement {
  return h("section", { class: "panel", "aria-label": title }, h("header", { class: "head" }, h("h2", {}, title), h("div", { class: "right" }, right)), ...body);
}

/** Draws in device pixels, at most 2 a pixel; undefined: the canvas is not seen. */
export function canvasOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  const scale = Math.min(2, devicePixelRatio || 1), w = canvas.clientWidth, h = canvas.clientHeight;
  if (w === 0 || h === 0) { return undefined; }
  if (canvas.width !== Math.round(w * scale) || canvas.height !== Math.round(h * scale)) {
    canvas.width = Math.round(w * scale);
    canvas.height = Math.round(h * scale);
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, w, h);
  return context;
}
