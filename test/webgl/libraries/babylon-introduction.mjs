/**
 * Babylon.js: the scene of its introduction with a texture from a file, a shadow and an animation.
 */
import { Animation } from '@babylonjs/core/Animations/animation.js';
import '@babylonjs/core/Animations/animatable.js';
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Texture } from '@babylonjs/core/Materials/Textures/texture.js';
import { Color3 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { CreateBox } from '@babylonjs/core/Meshes/Builders/boxBuilder.js';
import { CreateGround } from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import { CreateSphere } from '@babylonjs/core/Meshes/Builders/sphereBuilder.js';
import { Scene } from '@babylonjs/core/scene.js';

const canvas = document.querySelector('canvas');
const engine = new Engine(canvas, true);

function createScene() {
  const scene = new Scene(engine);
  const camera = new ArcRotateCamera('camera', -1.1, 1.1, 9, new Vector3(0, 0.8, 0), scene);
  camera.attachControl(canvas, true);
  new HemisphericLight('light', new Vector3(0, 1, 0), scene).intensity = 0.6;
  const sun = new DirectionalLight('sun', new Vector3(-1, -2, 1), scene);
  sun.position = new Vector3(4, 8, -4);
  const shadows = new ShadowGenerator(256, sun);
  shadows.usePercentageCloserFiltering = true;

  const sphere = CreateSphere('sphere', { diameter: 2, segments: 24 }, scene);
  sphere.position.set(1.4, 1, 0);
  const red = new StandardMaterial('red', scene);
  red.diffuseColor = new Color3(0.9, 0.3, 0.25);
  sphere.material = red;
  const box = CreateBox('box', { size: 1.6 }, scene);
  box.position.set(-1.4, 0.8, 0);
  const wood = new StandardMaterial('wood', scene);
  wood.diffuseTexture = new Texture(new URL('./files/crate.png', import.meta.url).href, scene);
  box.material = wood;
  const ground = CreateGround('ground', { width: 8, height: 8 }, scene);
  ground.receiveShadows = true;
  shadows.addShadowCaster(sphere);
  shadows.addShadowCaster(box);
  Animation.CreateAndStartAnimation('turn', box, 'rotation.y', 60, 120, 0.5, 2, 1);
  return scene;
}

const scene = createScene();
engine.runRenderLoop(() => scene.render());
window.addEventListener('resize', () => engine.resize());
