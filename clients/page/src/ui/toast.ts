// SPDX-License-Identifier: Apache-2.0
// One line that says what came of a request; screen readers read it.
import { h } from "./dom";

let timer = 0;

export function toast(text: string) {
  const old = document.querySelector(".toast");
  const element = (old as HTMLElement | null) ?? document.body.appendChild(h("div", { class: "toast", role: "status" }));
  element.textContent = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => element.remove(), 5000);
}
