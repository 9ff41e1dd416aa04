/**
 * three.js: a glTF model with a skin and an animation that `GLTFLoader` loads, with orbit controls,
 * a hemisphere light, a shadow and a grid.
 */
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setPixelRatio(window.devicePixelRatio);
renderer.setSize(window.innerWidth, window.innerHeight);
renderer.shadowMap.enabled = true;
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xa0a0a0);
scene.fog = new THREE.Fog(0xa0a0a0, 10, 50);
scene.add(new THREE.HemisphereLight(0xffffff, 0x8d8d8d, 2));
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(3, 6, 4);
sun.castShadow = true;
sun.shadow.mapSize.set(256, 256);
scene.add(sun);
const floor = new THREE.Mesh(
  new THREE.PlaneGeometry(40, 40),
  new THREE.MeshPhongMaterial({ color: 0xcbcbcb, depthWrite: false }),
);
floor.rotation.x = -Math.PI / 2;
floor.receiveShadow = true;
scene.add(floor, new THREE.GridHelper(10, 10, 0x606060, 0x808080));

const camera = new THREE.PerspectiveCamera(45, window.innerWidth / window.innerHeight, 0.1, 100);
camera.position.set(2, 3, 6);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1.2, 0);
controls.update();

const loader = new GLTFLoader();
loader.load(new URL('./files/tube.glb', import.meta.url).href, ({ scene: model, animations }) => {
  model.traverse((part) => {
    part.castShadow = true;
  });
  scene.add(model);
  const mixer = new THREE.AnimationMixer(model);
  mixer.clipAction(animations[0]).play();
  mixer.setTime(0.4);
  renderer.setAnimationLoop(() => {
    controls.update();
    renderer.render(scene, camera);
  });
});
