/** ogl: a shadow map, polylines, an orbiting camera, and post-processing in two passes. */
import {
  Box,
  Camera,
  Color,
  Mesh,
  Orbit,
  Plane,
  Polyline,
  Post,
  Program,
  Renderer,
  Shadow,
  Torus,
  Transform,
  Vec3,
} from 'ogl';

const renderer = new Renderer({ dpr: 1, width: innerWidth, height: innerHeight });
const { gl } = renderer;
document.body.appendChild(gl.canvas);
gl.clearColor(0.8, 0.85, 0.95, 1);

const camera = new Camera(gl, { fov: 35, aspect: innerWidth / innerHeight });
camera.position.set(5, 4, 8);
const controls = new Orbit(camera, { target: new Vec3(0, 0.5, 0) });

const light = new Camera(gl, { left: -5, right: 5, bottom: -5, top: 5, near: 1, far: 20 });
light.position.set(3, 8, 4);
light.lookAt([0, 0, 0]);
const shadow = new Shadow(gl, { light, width: 512, height: 512 });

const vertex = /* glsl */ `
  attribute vec3 position;
  attribute vec3 normal;
  uniform mat4 modelMatrix;
  uniform mat4 viewMatrix;
  uniform mat4 projectionMatrix;
  uniform mat4 shadowViewMatrix;
  uniform mat4 shadowProjectionMatrix;
  varying vec3 vNormal;
  varying vec4 vLight;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vNormal = mat3(modelMatrix) * normal;
    vLight = shadowProjectionMatrix * shadowViewMatrix * world;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;
const fragment = /* glsl */ `
  precision highp float;
  uniform vec3 uColor;
  uniform sampler2D tShadow;
  varying vec3 vNormal;
  varying vec4 vLight;
  float unpackRGBA(vec4 v) {
    return dot(v, 1.0 / vec4(1.0, 255.0, 65025.0, 16581375.0));
  }
  void main() {
    vec3 at = vLight.xyz / vLight.w * 0.5 + 0.5;
    float depth = unpackRGBA(texture2D(tShadow, at.xy));
    float lit = step(at.z - 0.01, depth);
    float light = 0.35 + 0.65 * lit * max(dot(normalize(vNormal), normalize(vec3(3.0, 8.0, 4.0))), 0.0);
    gl_FragColor = vec4(uColor * light, 1.0);
  }`;
const scene = new Transform();
function add(geometry, color) {
  const program = new Program(gl, {
    vertex,
    fragment,
    uniforms: { uColor: { value: new Color(color) } },
  });
  const mesh = new Mesh(gl, { geometry, program });
  mesh.setParent(scene);
  shadow.add({ mesh });
  return mesh;
}
const floor = add(new Plane(gl, { width: 9, height: 9 }), '#d8c8a8');
floor.rotation.x = -Math.PI / 2;
const torus = add(
  new Torus(gl, { radius: 1, tube: 0.35, radialSegments: 16, tubularSegments: 32 }),
  '#d05a6a',
);
torus.position.y = 1.6;
for (let i = 0; i < 6; i++) {
  const box = add(new Box(gl, { width: 0.6, height: 0.5 + i * 0.2, depth: 0.6 }), '#4a88c8');
  box.position.set(2.6 * Math.cos(i), 0.25 + i * 0.1, 2.6 * Math.sin(i));
}

const points = Array.from({ length: 40 }, (_, i) => {
  const angle = i * 0.35;
  return new Vec3(1.8 * Math.cos(angle), 0.2 + i * 0.07, 1.8 * Math.sin(angle));
});
const line = new Polyline(gl, {
  points,
  uniforms: { uColor: { value: new Color('#207040') }, uThickness: { value: 4 } },
});
line.mesh.setParent(scene);

const post = new Post(gl);
post.addPass({
  fragment: /* glsl */ `
    precision highp float;
    uniform sampler2D tMap;
    varying vec2 vUv;
    void main() {
      vec2 step = vec2(2.0 / 640.0, 0.0);
      gl_FragColor = (texture2D(tMap, vUv - step) + texture2D(tMap, vUv) + texture2D(tMap, vUv + step)) / 3.0;
    }`,
});
post.addPass({
  fragment: /* glsl */ `
    precision highp float;
    uniform sampler2D tMap;
    varying vec2 vUv;
    void main() {
      vec4 color = texture2D(tMap, vUv);
      gl_FragColor = vec4(color.rgb * (1.0 - 0.8 * dot(vUv - 0.5, vUv - 0.5)), 1.0);
    }`,
});

requestAnimationFrame(update);
function update(time) {
  requestAnimationFrame(update);
  controls.update();
  torus.rotation.set(0.6, 0.4 + time * 0.001, 0);
  shadow.render({ scene });
  post.render({ scene, camera });
}
