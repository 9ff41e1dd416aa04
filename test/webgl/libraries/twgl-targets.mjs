/**
 * twgl.js in WebGL 2: instances from a vertex array, a uniform block, a framebuffer with two color
 * attachments and depth, and a cube map.
 */
import * as twgl from 'twgl.js';

twgl.setDefaults({ attribPrefix: 'a_' });
const gl = document.querySelector('canvas').getContext('webgl2');
const { m4 } = twgl;

const scene = twgl.createProgramInfo(gl, [
  `#version 300 es
  in vec4 a_position;
  in vec3 a_normal;
  in mat4 a_instance;
  in vec3 a_color;
  uniform View { mat4 viewProjection; vec4 eye; };
  out vec3 v_normal;
  out vec3 v_color;
  out vec3 v_toEye;
  void main() {
    vec4 world = a_instance * a_position;
    v_normal = mat3(a_instance) * a_normal;
    v_color = a_color;
    v_toEye = eye.xyz - world.xyz;
    gl_Position = viewProjection * world;
  }`,
  `#version 300 es
  precision highp float;
  in vec3 v_normal;
  in vec3 v_color;
  in vec3 v_toEye;
  uniform samplerCube u_sky;
  layout(location = 0) out vec4 color;
  layout(location = 1) out vec4 normalOut;
  void main() {
    vec3 normal = normalize(v_normal);
    vec3 reflected = reflect(-normalize(v_toEye), normal);
    color = vec4(v_color * (0.3 + 0.7 * max(normal.y, 0.0)) + 0.4 * texture(u_sky, reflected).rgb, 1);
    normalOut = vec4(normal * 0.5 + 0.5, 1);
  }`,
]);
const screen = twgl.createProgramInfo(gl, [
  `#version 300 es
  in vec4 a_position;
  in vec2 a_texcoord;
  out vec2 v_texcoord;
  void main() {
    v_texcoord = a_texcoord;
    gl_Position = a_position;
  }`,
  `#version 300 es
  precision highp float;
  in vec2 v_texcoord;
  uniform sampler2D u_color;
  uniform sampler2D u_normal;
  out vec4 color;
  void main() {
    vec4 normal = texture(u_normal, v_texcoord);
    color = v_texcoord.x < 0.7 ? texture(u_color, v_texcoord) : vec4(normal.rgb, 1);
  }`,
]);

const count = 40;
const instances = new Float32Array(count * 16);
const colors = new Float32Array(count * 3);
for (let i = 0; i < count; i++) {
  const angle = i * 2.399963;
  const radius = 0.9 * Math.sqrt(i + 1);
  const world = m4.translation([
    radius * Math.cos(angle),
    Math.sin(i) * 0.7,
    radius * Math.sin(angle),
  ]);
  m4.rotateX(world, i * 0.7, world);
  m4.rotateZ(world, i * 1.1, world);
  instances.set(world, i * 16);
  colors.set([0.4 + 0.4 * Math.sin(i), 0.5, 0.4 + 0.4 * Math.cos(i * 2)], i * 3);
}
const cubes = twgl.createBufferInfoFromArrays(gl, {
  ...twgl.primitives.createTorusVertices(0.5, 0.22, 20, 12),
  instance: { numComponents: 16, data: instances, divisor: 1 },
  color: { numComponents: 3, data: colors, divisor: 1 },
});
const cubesArray = twgl.createVertexArrayInfo(gl, scene, cubes);
const quad = twgl.primitives.createXYQuadBufferInfo(gl);
const quadArray = twgl.createVertexArrayInfo(gl, screen, quad);
const view = twgl.createUniformBlockInfo(gl, scene, 'View');
const crate = new URL('./files/crate.png', import.meta.url).href;
const sky = twgl.createTexture(gl, {
  target: gl.TEXTURE_CUBE_MAP,
  src: [crate, crate, crate, crate, crate, crate],
});
const target = twgl.createFramebufferInfo(gl, [
  { format: gl.RGBA, type: gl.UNSIGNED_BYTE, min: gl.LINEAR, wrap: gl.CLAMP_TO_EDGE },
  { format: gl.RGBA, type: gl.UNSIGNED_BYTE, min: gl.NEAREST, wrap: gl.CLAMP_TO_EDGE },
  { format: gl.DEPTH_STENCIL },
]);

function render(timeMs) {
  const angle = 0.4 + timeMs * 0.001;
  twgl.bindFramebufferInfo(gl, target);
  gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(0.08, 0.1, 0.14, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const eye = [8 * Math.sin(angle), 4, 8 * Math.cos(angle)];
  const projection = m4.perspective(0.8, gl.canvas.width / gl.canvas.height, 0.5, 50);
  const camera = m4.inverse(m4.lookAt(eye, [0, 0, 0], [0, 1, 0]));
  twgl.setBlockUniforms(view, {
    viewProjection: m4.multiply(projection, camera),
    eye: [...eye, 1],
  });
  gl.useProgram(scene.program);
  twgl.setUniformBlock(gl, scene, view);
  twgl.setUniforms(scene, { u_sky: sky });
  twgl.setBuffersAndAttributes(gl, scene, cubesArray);
  twgl.drawBufferInfo(gl, cubesArray, gl.TRIANGLES, cubes.numElements, 0, count);

  twgl.bindFramebufferInfo(gl, null);
  gl.disable(gl.DEPTH_TEST);
  gl.useProgram(screen.program);
  twgl.setBuffersAndAttributes(gl, screen, quadArray);
  twgl.setUniforms(screen, { u_color: target.attachments[0], u_normal: target.attachments[1] });
  twgl.drawBufferInfo(gl, quadArray);
  requestAnimationFrame(render);
}
requestAnimationFrame(render);
