/** Arrays of 1D textures (OpenGL 3.0, section 3.9.1): the rows of an upload are layers. */
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { LocalGpu } from '@tessera/local-gpu';
import { compileProgram } from '@tessera/shader';
import { expect, it } from 'vitest';

const TEXTURE_1D_ARRAY = 0x8c18;
const RGBA8 = 0x8058;
const RGBA = 0x1908;
const UNSIGNED_BYTE = 0x1401;
const MIN_FILTER = 0x2801;
const MAG_FILTER = 0x2800;
const NEAREST = 0x2600;

const VERTEX = `#version 130
  in vec2 place; out vec2 at;
  void main() { gl_Position = vec4(place, 0, 1); at = place * 0.5 + 0.5; }`;
const FRAGMENT = `#version 130
  uniform sampler1DArray rows; in vec2 at; out vec4 color;
  void main() { color = texture(rows, vec2(at.x, floor(at.y * 3.0))) * float(textureSize(rows, 0).y) / 3.0; }`;

/** Texels of three layers of two texels each. */
const LAYERS = [
  ...[255, 0, 0, 255, 0, 255, 0, 255],
  ...[0, 0, 255, 255, 255, 255, 0, 255],
  ...[9, 9, 9, 255, 99, 99, 99, 255],
];

const CORNERS = new Uint8Array(Float32Array.of(-1, -1, 3, -1, -1, 3).buffer);
const target = TEXTURE_1D_ARRAY;
const size = { width: 2, height: 3 };
const texels = { format: RGBA, type: UNSIGNED_BYTE };

/** Starts a capture with a program and a texture of three layers. */
function start(): CaptureWriter {
  const writer = new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, ...size }, null, 1)
    .call('glCreateProgram', {}, 3);
  for (const [shader, type, source] of [
    [1, 0x8b31, VERTEX],
    [2, 0x8b30, FRAGMENT],
  ] as const) {
    writer
      .call('glCreateShader', { type }, shader)
      .call('glShaderSource', { shader, count: 1, string: [source], length: null })
      .call('glCompileShader', { shader })
      .call('glAttachShader', { program: 3, shader });
  }
  return writer
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glGenTextures', { n: 1, textures: [9] })
    .call('glBindTexture', { target, texture: 9 })
    .call('glTexParameteri', { target, pname: MIN_FILTER, param: NEAREST })
    .call('glTexParameteri', { target, pname: MAG_FILTER, param: NEAREST });
}

async function render(writer: CaptureWriter): Promise<number[]> {
  const pointer = { index: 0, size: 2, type: 0x1406, normalized: false, stride: 0 };
  writer
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glVertexAttribPointer', { ...pointer, pointer: CORNERS })
    .call('glDrawArrays', { mode: 4, first: 0, count: 3 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 });
  const reflection = reflectByCompiling({ compile: compileProgram });
  const { frame, errors } = replayFrame(readCalls(writer.finish()), { reflection, frame: 0 });
  expect(errors).toEqual([]);
  const { image } = await new LocalGpu({ chipletCount: 1 }).render(frame);
  // The lowest row, which shows layer 0, is the last one of an image.
  return [2, 1, 0].flatMap((row) => [...image.rgba.subarray(row * 8, row * 8 + 8)]);
}

it('shows the layers of an array of 1D textures', async () => {
  const image = { target, level: 0, internalformat: RGBA8, border: 0, ...size, ...texels };
  const writer = start().call('glTexImage2D', { ...image, pixels: Uint8Array.from(LAYERS) });
  expect(await render(writer)).toEqual(LAYERS);
});

it('replaces layers of storage', async () => {
  const place = { target, level: 0, xoffset: 0, width: 2, ...texels };
  const writer = start()
    .call('glTexStorage2D', { target, levels: 1, internalformat: RGBA8, ...size })
    .call('glTexSubImage2D', {
      ...place,
      ...{ yoffset: 0, height: 3, pixels: new Uint8Array(24).fill(255) },
    })
    .call('glTexSubImage2D', {
      ...place,
      ...{ yoffset: 1, height: 2, pixels: Uint8Array.from(LAYERS.slice(8)) },
    });
  expect(await render(writer)).toEqual([...new Array(8).fill(255), ...LAYERS.slice(8)]);
});

it('refuses copies of the screen', () => {
  const rect = { x: 0, y: 0, ...size, border: 0 };
  const writer = start().call('glCopyTexImage2D', {
    target,
    level: 0,
    internalformat: RGBA8,
    ...rect,
  });
  return expect(render(writer)).rejects.toThrow(/\(glCopyTexImage2D\): copies into arrays of 1D/);
});
