/**
 * three.js: an EffectComposer with a half-float scene, bloom, a custom vignette pass, and the
 * output pass.
 */
import * as THREE from 'three';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { ShaderPass } from 'three/addons/postprocessing/ShaderPass.js';
import { UnrealBloomPass } from 'three/addons/postprocessing/UnrealBloomPass.js';

/** Caption of the page that shows this program. */
export const title = 'three.js post-processing';

const VIGNETTE = {
  uniforms: { tDiffuse: { value: null }, strength: { value: 1.1 } },
  vertexShader: `
    varying vec2 at;
    void main() {
      at = uv;
      gl_Position = vec4(position.xy, 0.0, 1.0);
    }`,
  fragmentShader: `
    uniform sampler2D tDiffuse;
    uniform float strength;
    varying vec2 at;
    void main() {
      vec2 away = at - 0.5;
      gl_FragColor = texture2D(tDiffuse, at) * (1.0 - strength * dot(away, away));
    }`,
};

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.toneMapping = THREE.ReinhardToneMapping;

  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(45, canvas.width / canvas.height, 0.1, 40);
  camera.position.set(0, 1.5, 7);
  camera.lookAt(0, 0, 0);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(2, 4, 3);
  scene.add(sun, new THREE.AmbientLight(0x303848));

  const lit = new THREE.MeshStandardMaterial({ color: 0x607d8b, roughness: 0.6 });
  const ring = new THREE.Group();
  for (let part = 0; part < 9; part++) {
    const angle = (part / 9) * Math.PI * 2;
    const glow = new THREE.MeshBasicMaterial({ color: new THREE.Color().setHSL(part / 9, 1, 0.5) });
    const isGlowing = part % 3 === 0;
    if (isGlowing) glow.color.multiplyScalar(12);
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(0.7, 0.7, 0.7), isGlowing ? glow : lit);
    mesh.position.set(Math.cos(angle) * 2.2, Math.sin(angle) * 1.4, 0);
    mesh.rotation.set(angle, angle * 0.5, 0);
    ring.add(mesh);
  }
  scene.add(ring);

  const composer = new EffectComposer(renderer);
  const size = new THREE.Vector2(canvas.width, canvas.height);
  composer.addPass(new RenderPass(scene, camera));
  composer.addPass(new UnrealBloomPass(size, 0.35, 0.3, 0.8));
  composer.addPass(new ShaderPass(VIGNETTE));
  composer.addPass(new OutputPass());

  return (frame) => {
    ring.rotation.set(0, frame * 0.1, 0);
    composer.render(1 / 60);
  };
}
