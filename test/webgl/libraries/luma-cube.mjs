/** luma.gl: an animation loop on a canvas of its own, with a textured cube and a uniform buffer. */

import { luma } from '@luma.gl/core';
import {
  AnimationLoopTemplate,
  CubeGeometry,
  loadImageBitmap,
  Model,
  makeAnimationLoop,
} from '@luma.gl/engine';
import { webgl2Adapter } from '@luma.gl/webgl';

const vs = `#version 300 es
in vec4 positions;
in vec2 texCoords;
uniform appUniforms { vec4 angles; } app;
out vec2 uv;
void main() {
  float a = app.angles.x;
  float b = app.angles.y;
  vec4 p = positions * vec4(0.6, 0.6, 0.6, 1.0);
  p.xz = vec2(cos(a) * p.x + sin(a) * p.z, -sin(a) * p.x + cos(a) * p.z);
  p.yz = vec2(cos(b) * p.y + sin(b) * p.z, -sin(b) * p.y + cos(b) * p.z);
  gl_Position = vec4(p.x / app.angles.z, p.y, p.z * 0.4, 1.5 - 0.4 * p.z);
  uv = texCoords;
}`;
const fs = `#version 300 es
precision highp float;
uniform sampler2D wood;
in vec2 uv;
out vec4 color;
void main() {
  color = texture(wood, uv);
}`;

class Cube extends AnimationLoopTemplate {
  async onInitialize({ device }) {
    this.uniforms = device.createBuffer({ byteLength: 16, usage: 64 | 8 });
    const image = await loadImageBitmap(new URL('./files/crate.png', import.meta.url).href);
    const wood = device.createTexture({ data: image, mipLevels: 1 });
    this.model = new Model(device, {
      ...{ vs, fs, geometry: new CubeGeometry({ indices: true }) },
      bindings: { appUniforms: this.uniforms, wood },
      parameters: { depthWriteEnabled: true, depthCompare: 'less-equal', cullMode: 'back' },
    });
  }

  onRender({ device, aspect, time }) {
    const angles = [0.6 + time / 1000, 0.5, aspect, 0];
    this.uniforms.write(new Float32Array(angles));
    const renderPass = device.beginRenderPass({ clearColor: [0.1, 0.14, 0.2, 1], clearDepth: 1 });
    this.model.draw(renderPass);
    renderPass.end();
  }
}

const device = luma.createDevice({
  adapters: [webgl2Adapter],
  createCanvasContext: { width: innerWidth, height: innerHeight },
});
makeAnimationLoop(Cube, { device }).start();
