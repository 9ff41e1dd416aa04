/**
 * Babylon.js: standard materials with uniform blocks, two lights, fog, and a procedural emissive
 * texture.
 */
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { MeshBuilder } from '@babylonjs/core/Meshes/meshBuilder.js';
import { Scene } from '@babylonjs/core/scene.js';

/** Caption of the page that shows this program. */
export const title = 'Babylon.js scene';

/** @param {{ gl: WebGL2RenderingContext }} page */
export async function main({ gl }) {
  const engine = new Engine(gl, false, { audioEngine: false, useHighPrecisionFloats: true });
  const scene = new Scene(engine);
  scene.clearColor = new Color4(0.15, 0.2, 0.3, 1);
  scene.fogMode = Scene.FOGMODE_LINEAR;
  scene.fogColor = new Color3(0.15, 0.2, 0.3);
  scene.fogStart = 8;
  scene.fogEnd = 16;
  const camera = new ArcRotateCamera('camera', -1.1, 1.1, 9, Vector3.Zero(), scene);
  camera.minZ = 0.5;
  camera.maxZ = 40;
  new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.5;
  new DirectionalLight('sun', new Vector3(-1, -2, 1), scene).intensity = 0.8;

  const ground = MeshBuilder.CreateGround('ground', { width: 14, height: 14 }, scene);
  ground.material = new StandardMaterial('stripes', scene);
  ground.material.diffuseTexture = makeStripes(scene, 32);
  ground.position.y = -1;
  const box = MeshBuilder.CreateBox('box', { size: 1.6 }, scene);
  box.material = paint(scene, 'red', new Color3(0.9, 0.25, 0.2));
  const sphere = MeshBuilder.CreateSphere('sphere', { diameter: 1.8, segments: 24 }, scene);
  sphere.material = paint(scene, 'blue', new Color3(0.2, 0.4, 0.9));
  sphere.position.set(2.2, 0, 0.6);
  const torus = MeshBuilder.CreateTorus(
    'torus',
    { diameter: 1.8, thickness: 0.5, tessellation: 32 },
    scene,
  );
  torus.material = paint(scene, 'green', new Color3(0.3, 0.8, 0.4));
  torus.position.set(-2.3, 0, -0.4);

  await scene.whenReadyAsync();
  return (frame) => {
    box.rotation.set(0.4, 0.3 + frame * 0.2, 0);
    torus.rotation.set(0.9, frame * 0.1, 0);
    scene.render();
  };
}

function paint(scene, name, color) {
  const material = new StandardMaterial(name, scene);
  material.diffuseColor = color;
  material.specularPower = 48;
  return material;
}

function makeStripes(scene, edge) {
  const texels = new Uint8Array(edge * edge * 4).fill(255);
  for (let at = 0; at < edge * edge; at++) {
    const isDark = Math.floor((at % edge) / 4) % 2 === 0;
    texels.set(isDark ? [90, 80, 70] : [200, 190, 170], at * 4);
  }
  return RawTexture.CreateRGBATexture(texels, edge, edge, scene, true, false);
}
