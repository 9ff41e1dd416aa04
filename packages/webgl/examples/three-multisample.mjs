/**
 * three.js: spikes drawn to a target with four samples per pixel, resolved and displayed through an
 * EffectComposer.
 */
import * as THREE from 'three';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';

/** Caption of the page that shows this program. */
export const title = 'three.js multisampling';

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);

  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x18242c);
  const camera = new THREE.PerspectiveCamera(45, canvas.width / canvas.height, 0.1, 40);
  camera.position.set(0, 0, 7);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(2, 4, 3);
  scene.add(sun, new THREE.AmbientLight(0x404850));

  const spikes = new THREE.Group();
  for (let part = 0; part < 24; part++) {
    const material = new THREE.MeshLambertMaterial({
      color: new THREE.Color().setHSL(part / 24, 0.8, 0.6),
    });
    const spike = new THREE.Mesh(new THREE.ConeGeometry(0.16, 2.6, 5), material);
    const angle = (part / 24) * Math.PI * 2;
    spike.position.set(Math.cos(angle) * 1.5, Math.sin(angle) * 1.5, Math.sin(part * 2.4) * 0.8);
    spike.rotation.set(0.3 * Math.cos(part), part, angle - Math.PI / 2);
    spikes.add(spike);
  }
  scene.add(spikes);

  const target = new THREE.WebGLRenderTarget(canvas.width, canvas.height, {
    type: THREE.HalfFloatType,
    samples: 4,
  });
  const composer = new EffectComposer(renderer, target);
  composer.addPass(new RenderPass(scene, camera));
  composer.addPass(new OutputPass());

  return (frame) => {
    spikes.rotation.set(0, 0, 0.1 + frame * 0.1);
    composer.render(1 / 60);
  };
}
