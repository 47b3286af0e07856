// SPDX-License-Identifier: Apache-2.0
// Robot: solid amber. Avatar: a shell of which only the rim is drawn. Everything else: its own colour, less of it.
import * as THREE from "three";
import { theme } from "../../ui/theme";

export type Role = "robot" | "avatar" | "world";

/** Amber that looks like amber in both themes. */
export function amber(): THREE.Color { return new THREE.Color("#ffb02e").lerp(new THREE.Color(theme.real), theme.isLight ? 0.12 : 0); }

function rim(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    transparent: true, depthWrite: false, side: THREE.DoubleSide,
    uniforms: { colour: { value: new THREE.Color(theme.avatar) }, least: { value: theme.isLight ? 0.02 : 0.04 }, power: { value: theme.isLight ? 3.2 : 2.2 } },
    vertexShader: `varying vec3 n; varying vec3 v;
      void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); n = normalize(normalMatrix * normal); v = normalize(-p.xyz); gl_Position = projectionMatrix * p; }`,
    fragmentShader: `uniform vec3 colour; uniform float least; uniform float power; varying vec3 n; varying vec3 v;
      void main() { gl_FragColor = vec4(colour, least + 0.95 * pow(1.0 - abs(dot(normalize(n), normalize(v))), power)); }`,
  });
}

export function bodyMaterial(role: Role, colour: { r: number; g: number; b: number; a: number } | undefined, wireframe: boolean): THREE.Material {
  if (role === "avatar") { const m = rim(); m.wireframe = wireframe; return m; }
  if (role === "robot") { return new THREE.MeshLambertMaterial({ color: amber(), wireframe }); }
  const own = colour ? new THREE.Color().setRGB(colour.r, colour.g, colour.b, THREE.SRGBColorSpace) : new THREE.Color(theme.object);
  const grey = new THREE.Color(theme.object), isClear = (colour?.a ?? 1) < 0.99;
  return new THREE.MeshLambertMaterial({ color: own.lerp(grey, 0.55), wireframe, transparent: isClear, opacity: colour?.a ?? 1, depthWrite: !isClear });
}
