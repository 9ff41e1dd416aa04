/** ogl: lit boxes and spheres in a hierarchy, a texture from a file, and instanced geometry. */
import { Box, Camera, Geometry, Mesh, Program, Renderer, Sphere, Texture, Transform } from 'ogl';

const renderer = new Renderer({ dpr: 1, width: innerWidth, height: innerHeight });
const { gl } = renderer;
document.body.appendChild(gl.canvas);
gl.clearColor(0.93, 0.92, 0.88, 1);

const camera = new Camera(gl, { fov: 35 });
camera.position.set(0, 3, 9);
camera.lookAt([0, 0, 0]);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.perspective({ aspect: gl.canvas.width / gl.canvas.height });
}
addEventListener('resize', resize, false);
resize();

const texture = new Texture(gl);
const image = new Image();
image.onload = () => (texture.image = image);
image.src = new URL('./files/crate.png', import.meta.url).href;

const vertex = /* glsl */ `
  attribute vec3 position;
  attribute vec3 normal;
  attribute vec2 uv;
  uniform mat4 modelViewMatrix;
  uniform mat4 projectionMatrix;
  uniform mat3 normalMatrix;
  varying vec3 vNormal;
  varying vec2 vUv;
  void main() {
    vNormal = normalize(normalMatrix * normal);
    vUv = uv;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const textured = new Program(gl, {
  vertex,
  fragment: /* glsl */ `
    precision highp float;
    uniform sampler2D tMap;
    varying vec3 vNormal;
    varying vec2 vUv;
    void main() {
      float light = dot(normalize(vNormal), normalize(vec3(0.4, 0.8, 0.5)));
      gl_FragColor = vec4(texture2D(tMap, vUv).rgb + light * 0.25, 1.0);
    }`,
  uniforms: { tMap: { value: texture } },
});
const plain = new Program(gl, {
  vertex,
  fragment: /* glsl */ `
    precision highp float;
    varying vec3 vNormal;
    void main() {
      vec3 normal = normalize(vNormal);
      float light = dot(normal, normalize(vec3(0.4, 0.8, 0.5)));
      gl_FragColor = vec4(mix(vec3(0.1, 0.2, 0.5), vec3(0.5, 0.8, 0.9), light * 0.5 + 0.5), 1.0);
    }`,
});
const instanced = new Program(gl, {
  vertex: /* glsl */ `
    attribute vec3 position;
    attribute vec3 offset;
    attribute vec3 random;
    uniform mat4 modelViewMatrix;
    uniform mat4 projectionMatrix;
    uniform float uTime;
    varying vec3 vColor;
    void main() {
      vColor = random;
      vec3 at = position * (0.08 + 0.1 * random.x) + offset;
      at.y += 0.2 * sin(uTime + random.z * 6.3);
      gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
    }`,
  fragment: /* glsl */ `
    precision highp float;
    varying vec3 vColor;
    void main() {
      gl_FragColor = vec4(0.4 + 0.6 * vColor, 1.0);
    }`,
  uniforms: { uTime: { value: 0 } },
});

const scene = new Transform();
const crate = new Mesh(gl, { geometry: new Box(gl), program: textured });
crate.scale.set(1.6);
crate.setParent(scene);
const moon = new Mesh(gl, { geometry: new Sphere(gl, { radius: 0.4 }), program: plain });
moon.position.set(1.5, 0.4, 0);
moon.setParent(crate);

const count = 60;
const offset = new Float32Array(count * 3);
const random = new Float32Array(count * 3);
for (let i = 0; i < count; i++) {
  const angle = i * 2.399963;
  offset.set([4 * Math.cos(angle) * Math.sqrt(i / count), -1.2, 3 * Math.sin(angle)], i * 3);
  random.set([(i * 0.618) % 1, (i * 0.414) % 1, (i * 0.732) % 1], i * 3);
}
const { position, index } = new Box(gl).attributes;
const geometry = new Geometry(gl, {
  position: { size: 3, data: position.data },
  index: { data: index.data },
  offset: { instanced: 1, size: 3, data: offset },
  random: { instanced: 1, size: 3, data: random },
});
new Mesh(gl, { geometry, program: instanced }).setParent(scene);

requestAnimationFrame(update);
function update(time) {
  requestAnimationFrame(update);
  instanced.uniforms.uTime.value = time * 0.001;
  crate.rotation.y = 0.7 + time * 0.001;
  crate.rotation.x = 0.3;
  renderer.render({ scene, camera });
}
