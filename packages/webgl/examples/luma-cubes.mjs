/**
 * luma.gl: a ring of instanced cubes with a uniform block, a depth buffer and a texture with
 * generated mipmaps.
 */
import { luma } from '@luma.gl/core';
import { CubeGeometry, DynamicTexture, Model } from '@luma.gl/engine';
import { webgl2Adapter } from '@luma.gl/webgl';

/** Caption of the page that shows this program. */
export const title = 'luma.gl cubes';

const COUNT = 24;

const scene = {
  name: 'scene',
  vs: `layout(std140) uniform sceneUniforms {
    float aspect;
    float turn;
  } scene;`,
  fs: '',
  uniformTypes: { aspect: 'f32', turn: 'f32' },
};

const vs = `#version 300 es
  in vec3 positions;
  in vec3 normals;
  in vec2 texCoords;
  in vec2 places;
  in vec3 colors;
  out vec3 normal;
  out vec2 uv;
  out vec3 color;

  mat3 turnY(float angle) {
    float c = cos(angle), s = sin(angle);
    return mat3(c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c);
  }

  mat3 turnX(float angle) {
    float c = cos(angle), s = sin(angle);
    return mat3(1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c);
  }

  void main() {
    mat3 own = turnY(places.x * 3.0 + scene.turn) * turnX(places.x * 2.0);
    vec3 center = turnY(places.x + scene.turn * 0.5) * vec3(0.0, places.y, 3.0);
    vec3 at = turnX(0.5) * (center + own * positions * 0.35);
    float depth = 7.0 - at.z;
    normal = own * normals;
    uv = texCoords;
    color = colors;
    gl_Position = vec4(at.x * 1.8 / scene.aspect, at.y * 1.8, (depth - 2.0) * 1.25 - 2.0, depth);
  }`;

const fs = `#version 300 es
  precision highp float;
  uniform sampler2D pattern;
  in vec3 normal;
  in vec2 uv;
  in vec3 color;
  out vec4 fragColor;

  void main() {
    float light = 0.35 + 0.65 * max(dot(normalize(normal), normalize(vec3(0.4, 0.8, 0.6))), 0.0);
    fragColor = vec4(color * texture(pattern, uv).rgb * light, 1.0);
  }`;

/** @param {{ canvas: HTMLCanvasElement, gl: WebGL2RenderingContext }} page */
export async function main({ canvas, gl }) {
  const device = await luma.attachDevice(gl, { adapters: [webgl2Adapter] });
  const places = new Float32Array(COUNT * 2);
  const colors = new Float32Array(COUNT * 3);
  for (let i = 0; i < COUNT; i++) {
    const angle = (i / COUNT) * 2 * Math.PI;
    places.set([angle, 0.9 * Math.sin(3 * angle)], i * 2);
    colors.set([0.6 + 0.4 * Math.sin(angle), 0.7, 0.6 + 0.4 * Math.cos(angle)], i * 3);
  }
  const pattern = new DynamicTexture(device, {
    data: makeChecks(32),
    mipmaps: true,
    sampler: { minFilter: 'linear', magFilter: 'linear', mipmapFilter: 'linear' },
  });
  await pattern.ready;

  const model = new Model(device, {
    vs,
    fs,
    modules: [scene],
    geometry: new CubeGeometry({ indices: true }),
    bufferLayout: [
      { name: 'places', format: 'float32x2', stepMode: 'instance' },
      { name: 'colors', format: 'float32x3', stepMode: 'instance' },
    ],
    attributes: { places: device.createBuffer(places), colors: device.createBuffer(colors) },
    instanceCount: COUNT,
    bindings: { pattern },
    parameters: { depthWriteEnabled: true, depthCompare: 'less-equal', cullMode: 'back' },
  });

  return (frame) => {
    model.shaderInputs.setProps({
      scene: { aspect: canvas.width / canvas.height, turn: 0.2 + frame * 0.1 },
    });
    const renderPass = device.beginRenderPass({ clearColor: [0.1, 0.12, 0.2, 1], clearDepth: 1 });
    model.draw(renderPass);
    renderPass.end();
    device.submit();
  };
}

function makeChecks(edge) {
  const data = new Uint8Array(edge * edge * 4).fill(255);
  for (let at = 0; at < edge * edge; at++) {
    const isDark = ((at >> 3) + (Math.floor(at / edge) >> 3)) % 2 === 0;
    data.fill(isDark ? 130 : 250, at * 4, at * 4 + 3);
  }
  return { data, width: edge, height: edge, format: 'rgba8unorm' };
}
