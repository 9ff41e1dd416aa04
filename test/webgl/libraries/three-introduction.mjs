/**
 * three.js: the cube of its introduction, in a canvas of the renderer, drawn in an animation loop.
 */
import * as THREE from 'three';

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(75, window.innerWidth / window.innerHeight, 0.1, 1000);

const renderer = new THREE.WebGLRenderer();
renderer.setSize(window.innerWidth, window.innerHeight);
renderer.setAnimationLoop(animate);
document.body.appendChild(renderer.domElement);

const geometry = new THREE.BoxGeometry(1, 1, 1);
const cube = new THREE.Mesh(geometry, new THREE.MeshNormalMaterial());
scene.add(cube);
camera.position.z = 2;

function animate(time) {
  cube.rotation.x = 0.5 + time / 2000;
  cube.rotation.y = 0.6 + time / 1000;
  renderer.render(scene, camera);
}
