/** twgl.js: primitives with uniforms and a texture of an array, drawn with `drawObjectList`. */
import * as twgl from 'twgl.js';

const vertexShader = `
uniform mat4 u_worldViewProjection;
uniform vec3 u_lightWorldPos;
uniform mat4 u_world;
uniform mat4 u_viewInverse;
uniform mat4 u_worldInverseTranspose;
attribute vec4 position;
attribute vec3 normal;
attribute vec2 texcoord;
varying vec4 v_position;
varying vec2 v_texCoord;
varying vec3 v_normal;
varying vec3 v_surfaceToLight;
varying vec3 v_surfaceToView;
void main() {
  v_texCoord = texcoord;
  v_position = u_worldViewProjection * position;
  v_normal = (u_worldInverseTranspose * vec4(normal, 0)).xyz;
  v_surfaceToLight = u_lightWorldPos - (u_world * position).xyz;
  v_surfaceToView = (u_viewInverse[3] - (u_world * position)).xyz;
  gl_Position = v_position;
}`;
const fragmentShader = `
precision mediump float;
varying vec4 v_position;
varying vec2 v_texCoord;
varying vec3 v_normal;
varying vec3 v_surfaceToLight;
varying vec3 v_surfaceToView;
uniform vec4 u_lightColor;
uniform vec4 u_diffuseMult;
uniform sampler2D u_diffuse;
uniform vec4 u_specular;
uniform float u_shininess;
uniform float u_specularFactor;
void main() {
  vec4 diffuseColor = texture2D(u_diffuse, v_texCoord) * u_diffuseMult;
  vec3 normal = normalize(v_normal);
  vec3 toLight = normalize(v_surfaceToLight);
  vec3 halfVector = normalize(toLight + normalize(v_surfaceToView));
  float light = max(dot(normal, toLight), 0.0);
  float specular = light > 0.0 ? pow(max(dot(normal, halfVector), 0.0), u_shininess) : 0.0;
  gl_FragColor = vec4(
      (u_lightColor * (diffuseColor * (0.25 + light) + u_specular * specular * u_specularFactor)).rgb,
      diffuseColor.a);
}`;

const { m4 } = twgl;
const gl = document.querySelector('canvas').getContext('webgl');
const programInfo = twgl.createProgramInfo(gl, [vertexShader, fragmentShader]);
const shapes = [
  twgl.primitives.createCubeBufferInfo(gl, 2),
  twgl.primitives.createSphereBufferInfo(gl, 1, 24, 12),
  twgl.primitives.createPlaneBufferInfo(gl, 2, 2),
  twgl.primitives.createTruncatedConeBufferInfo(gl, 1, 0, 2, 24, 1),
  twgl.primitives.createCrescentBufferInfo(gl, 1, 1, 0.5, 0.1, 24),
  twgl.primitives.createCylinderBufferInfo(gl, 1, 2, 24, 2),
  twgl.primitives.createDiscBufferInfo(gl, 1, 24),
  twgl.primitives.createTorusBufferInfo(gl, 1, 0.4, 24, 12),
];
const textures = twgl.createTextures(gl, {
  checker: {
    mag: gl.NEAREST,
    min: gl.LINEAR,
    src: [255, 255, 255, 255, 192, 192, 192, 255, 192, 192, 192, 255, 255, 255, 255, 255],
  },
  crate: { src: new URL('./files/crate.png', import.meta.url).href, flipY: true },
});
const objects = [];
const drawObjects = [];
for (let i = 0; i < 24; i++) {
  const hue = (i * 0.15) % 1;
  const uniforms = {
    u_lightWorldPos: [1, 8, -30],
    u_lightColor: [1, 1, 1, 1],
    u_diffuseMult: [0.5 + 0.5 * Math.cos(hue * 6.3), 0.6, 0.5 + 0.5 * Math.sin(hue * 6.3), 1],
    u_specular: [1, 1, 1, 1],
    u_shininess: 50,
    u_specularFactor: 1,
    u_diffuse: i % 3 === 0 ? textures.crate : textures.checker,
    u_viewInverse: m4.identity(),
    u_world: m4.identity(),
    u_worldInverseTranspose: m4.identity(),
    u_worldViewProjection: m4.identity(),
  };
  drawObjects.push({ programInfo, bufferInfo: shapes[i % shapes.length], uniforms });
  const translation = [((i % 6) - 2.5) * 3, (Math.floor(i / 6) - 1.5) * 3, (i % 5) - 2];
  objects.push({ translation, ySpeed: 0.4 + i * 0.1, zSpeed: 0.2 + i * 0.05, uniforms });
}

function render(time) {
  const seconds = time * 0.001 + 1;
  twgl.resizeCanvasToDisplaySize(gl.canvas);
  gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(0.1, 0.12, 0.18, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const aspect = gl.canvas.clientWidth / gl.canvas.clientHeight;
  const projection = m4.perspective((30 * Math.PI) / 180, aspect, 0.5, 100);
  const camera = m4.lookAt([1, 4, -26], [0, 0, 0], [0, 1, 0]);
  const viewProjection = m4.multiply(projection, m4.inverse(camera));
  for (const { uniforms, translation, ySpeed, zSpeed } of objects) {
    const world = uniforms.u_world;
    m4.identity(world);
    m4.translate(world, translation, world);
    m4.rotateY(world, seconds * ySpeed, world);
    m4.rotateZ(world, seconds * zSpeed, world);
    uniforms.u_viewInverse = camera;
    m4.transpose(
      m4.inverse(world, uniforms.u_worldInverseTranspose),
      uniforms.u_worldInverseTranspose,
    );
    m4.multiply(viewProjection, world, uniforms.u_worldViewProjection);
  }
  twgl.drawObjectList(gl, drawObjects);
  requestAnimationFrame(render);
}
requestAnimationFrame(render);
