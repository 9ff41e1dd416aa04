/**
 * Small frames of every kind that the service accepts: models, native frames of procedural scenes,
 * captures.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { cubeFrame, randomTrianglesFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { encodeNativeFrame } from '@tessera/wire/native-frame';
import { makeKnotModel } from '../launch/examples/knot-model.ts';
import type { ChaosFrame } from './chaos-client.ts';

/** A recorded program, used if it exists. It is not part of the repository. */
const CAPTURE = resolve(
  import.meta.dirname,
  '../../../shared/captures/texture/200x150/trace.trace',
);

const POLICIES = ['dynamic', 'static', 'dynamic-longest-first'];
const CHIPLETS = [1, 2, 4, 7];

/**
 * Makes the frames.
 *
 * @param hasCapture Whether to include a recorded capture, which takes longer than all other
 *   frames.
 */
export async function makeMixedFrames(hasCapture: boolean): Promise<ChaosFrame[]> {
  const model = await makeModelGlb();
  const knot = await makeKnotModel();
  const size = { widthPx: 128, heightPx: 96 };
  const native = [
    ['cube', cubeFrame(size)],
    ['random triangles', randomTrianglesFrame({ ...size, seed: 7, count: 150 })],
    ['terrain', terrainFrame({ ...size, triangles: 1152, seed: 3 })],
    ['textured quad', texturedQuadFrame(size)],
  ] as const;
  const frames: ChaosFrame[] = [];
  const add = (name: string, mediaType: string, body: Uint8Array, query: string) => {
    const number = frames.length;
    const policy = POLICIES[number % POLICIES.length];
    const chiplets = CHIPLETS[number % CHIPLETS.length];
    const timing = number % 2 === 0 ? 'functional' : 'cycle';
    const coupling = number % 4 === 1 ? 'exact' : 'none';
    const options = `chiplets=${chiplets}&policy=${policy}&timing=${timing}&coupling=${coupling}`;
    frames.push({ name, mediaType, body, query: `?${options}${query}` });
  };
  for (let round = 0; round < 3; round++) {
    const place = `&width=${128 + 32 * round}&height=${96 + 16 * round}`;
    add('model', 'model/gltf-binary', model, `${place}&bins=6`);
    add('knot', 'model/gltf-binary', knot, `${place}&bins=8`);
    for (const [name, frame] of native) {
      const type = 'application/vnd.tessera.frame+msgpack';
      add(name, type, encodeNativeFrame(frame), `&bins=${4 + 2 * round}`);
    }
    add('capture', 'application/vnd.apitrace', writeCapture(64 + 32 * round), '&frame=0');
  }
  if (hasCapture && existsSync(CAPTURE)) {
    const query = '?chiplets=4&policy=dynamic&timing=functional&frame=0';
    const body = readFileSync(CAPTURE);
    frames.push({ name: 'recorded', mediaType: 'application/vnd.apitrace', body, query });
  }
  return frames;
}

const VERTEX = 'attribute vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }';
const FRAGMENT = 'void main() { gl_FragColor = vec4(gl_FragCoord.xy / 128.0, 0.5, 1.0); }';
const COLOR_BUFFER_BIT = 0x4000;
const TRIANGLES = 4;
const FLOAT = 0x1406;

/**
 * Returns a capture of a program that clears the screen and draws a triangle over its lower left
 * corner.
 */
export function writeCapture(widthPx: number): Uint8Array {
  const corners = Float32Array.of(-1, -1, 1, -1, -1, 1);
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: widthPx, height: 64 }, null, 1)
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glCreateShader', { type: 0x8b30 }, 2)
    .call('glShaderSource', { shader: 1, count: 1, string: [VERTEX], length: null })
    .call('glShaderSource', { shader: 2, count: 1, string: [FRAGMENT], length: null })
    .call('glCompileShader', { shader: 1 })
    .call('glCompileShader', { shader: 2 })
    .call('glCreateProgram', {}, 3)
    .call('glAttachShader', { program: 3, shader: 1 })
    .call('glAttachShader', { program: 3, shader: 2 })
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glVertexAttribPointer', {
      index: 0,
      size: 2,
      type: FLOAT,
      normalized: false,
      stride: 0,
      pointer: new Uint8Array(corners.buffer),
    })
    .call('glClear', { mask: COLOR_BUFFER_BIT })
    .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish();
}
