// SPDX-License-Identifier: Apache-2.0
// Robot: solid amber. Avatar: a shell of which only the rim is drawn. Everything else: its own colour, less of it.
import * as THREE from "three";
import { theme } from "../../ui/theme";

export type Role = "robot" | "avatar" | "world";

/** Amber that looks like amber in both themes. */
export function amber(): THREE.Color { return new THREE.Color("#ffb02e").lerp(new THREE.Color(theme.real), theme.isLight ? 0.12 : 0); }

function rim(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    uniforms: { colour: { value: new THREE.Color(theme.avatar) }, least: { value: theme.isLight ? 0.02 : 0.04 }, power: { value: theme.isLight ? 3.2 : 2.2 } },
    vertexShader: `varying vec3 n; varying vec3 v;
      void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); n = normalize(normalMatrix * normal); v = normalize(-p.xyz); gl_Position = projectionMatrix * p; }`,
    fragmentShader: `uniform vec3 colour; uniform float least; uniform float power; varying vec3 n; varying vec3 v;
      void main() { gl_FragColor = vec4(colour, least + 0.95 * pow(1.0 - abs(dot(normalize(n), normalize(v))), power)); }`,
  });
}

/** An avatar with flat sides, of which no rim is seen: its dashed edges tell it. */
export function ghost(): THREE.Material {
  return new THREE.MeshBasicMaterial({ color: theme.avatar, transparent: true, opacity: 0.07, depthWrite: false });
}

interface Colour { r: number; g: number; b: number; a: number }

/** What the wire gives a robot whose world says no colour. */
export const isPlain = (c: Colour | undefined) => !c || (Math.abs(c.r - 1) < 0.01 && Math.abs(c.g - 0.69) < 0.01 && Math.abs(c.b - 0.18) < 0.01);

/** `isAlone`: there is no robot beside the avatar, which is a solid then. */
export function bodyMaterial(role: Role, colour: Colour | undefined, wireframe: boolean, isAlone = false): THREE.Material {
  if (role === "avatar" && isAlone) { return new THREE.MeshLambertMaterial({ color: new THREE.Color(theme.avatar).lerp(new THREE.Color(theme.object), 0.25), wireframe }); }
  if (role === "avatar") { const m = rim(); m.wireframe = wireframe; return m; }
  if (role === "robot" && isPlain(colour)) { return new THREE.MeshLambertMaterial({ color: amber(), wireframe, side: THREE.DoubleSide }); }
  const own = isPlain(colour) ? new THREE.Color(theme.object) : new THREE.Color().setRGB(colour!.r, colour!.g, colour!.b, THREE.SRGBColorSpace);
  const light = { h: 0, s: 0, l: 0 };
  if (!theme.isLight && own.getHSL(light).l < 0.12) { own.lerp(new THREE.Color(theme.wall), 0.7); } // black is not seen on dark
  const grey = new THREE.Color(theme.object), isClear = (colour?.a ?? 1) < 0.99;
  return new THREE.MeshLambertMaterial({ color: own.lerp(grey, role === "robot" ? 0.15 : 0.55), wireframe, transparent: isClear, opacity: colour?.a ?? 1, depthWrite: !isClear, side: THREE.DoubleSide });
}
