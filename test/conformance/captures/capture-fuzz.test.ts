/**
 * Damaged captures pass through the whole path: container, reader, replay, compiler, validation
 * and, for small frames, the chiplet. Each yields a frame or a RenderError in bounded time and
 * memory. TESSERA_FUZZ_MUTATIONS sets the number of captures (`npm run fuzz:captures`: 10,000) and
 * TESSERA_FUZZ_SEED the seed. A failure names the number of its capture.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { chooseGridShape, makeCoarseBinGrid, RenderError } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { DEFAULT_CAPTURE_LIMITS, readCalls, replayFrame } from '@tessera/gl/apitrace';
import { CaptureWriter, decompressStream, packChunk } from '@tessera/gl/capture-writer';
import { LocalGpu } from '@tessera/local-gpu';
import { prepareFrame } from '@tessera/multi-chiplet';
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';

const MUTATIONS = Number(process.env.TESSERA_FUZZ_MUTATIONS ?? 600);
const SEED = Number(process.env.TESSERA_FUZZ_SEED ?? 1);
/** Maximum CPU time of the whole process for one capture. */
const MOST_CPU_MS = 10_000;
const MAX_BYTES = 64 * 2 ** 20;
/** Memory for decompressed bytes, objects and the frame, and the same amount for garbage. */
const MOST_ARRAY_BYTES = 8 * MAX_BYTES;
/** Maximum number of pixels of a rendered frame. Larger frames are only prepared. */
const RENDERED_PIXELS = 4096;

const FOLDER = resolve(import.meta.dirname, '../../../../shared/captures');
const RECORDED = [
  'build',
  'bump',
  'effect2d',
  'texture',
  'ideas',
  'jellyfish',
  'terrain',
  'conditionals',
].map((name) => resolve(FOLDER, name, '200x150/trace.trace'));
const hasRecorded = RECORDED.every((path) => existsSync(path));

const COLOR_AND_DEPTH = 0x4100;
const [ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, STATIC_DRAW] = [0x8892, 0x8893, 0x88e4];
const [FLOAT, UNSIGNED_BYTE, RGBA, TEXTURE_2D] = [0x1406, 0x1401, 0x1908, 0x0de1];
const TRIANGLES = 4;

const VERTEX = `
attribute vec4 place; attribute vec2 at; uniform mat4 matrix; uniform vec3 lights[2]; varying vec2 uv;
void main() { uv = at * lights[1].xy; gl_Position = matrix * place; }`;
const FRAGMENT = `
uniform sampler2D image; varying vec2 uv;
void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; i++) { sum += texture2D(image, uv * float(i)); if (sum.a > 2.5) break; }
  if (uv.x > 0.9) discard;
  gl_FragColor = sum * 0.25;
}`;

/** Writes the uncompressed stream of a capture that uses calls of every kind. */
function writeStream(width: number, height: number): Uint8Array {
  const corners = Float32Array.of(-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const pointer = { type: FLOAT, normalized: false, stride: 0 };
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width, height }, null, 1)
    .call('glCreateShader', { type: 0x8b31 }, 1)
    .call('glCreateShader', { type: 0x8b30 }, 2)
    .call('glShaderSource', { shader: 1, count: 1, string: [VERTEX], length: null })
    .call('glShaderSource', { shader: 2, count: 1, string: [FRAGMENT], length: [FRAGMENT.length] })
    .call('glCompileShader', { shader: 1 })
    .call('glCompileShader', { shader: 2 })
    .call('glCreateProgram', {}, 3)
    .call('glAttachShader', { program: 3, shader: 1 })
    .call('glAttachShader', { program: 3, shader: 2 })
    .call('glBindAttribLocation', { program: 3, index: 0, name: 'place' })
    .call('glBindAttribLocation', { program: 3, index: 1, name: 'at' })
    .call('glLinkProgram', { program: 3 })
    .call('glUseProgram', { program: 3 })
    .call('glGetUniformLocation', { program: 3, name: 'matrix' }, 4)
    .call('glGetUniformLocation', { program: 3, name: 'lights' }, 5)
    .call('glUniformMatrix4fv', { location: 4, count: 1, transpose: false, value: identity })
    .call('glUniform3fv', { location: 5, count: 2, value: [1, 0.5, 1, 1, 1, 0.25] })
    .call('glGenTextures', { n: 1, textures: [9] })
    .call('glBindTexture', { target: TEXTURE_2D, texture: 9 })
    .call('glTexParameteri', { target: TEXTURE_2D, pname: 0x2801, param: 0x2703 })
    .call('glTexImage2D', {
      target: TEXTURE_2D,
      level: 0,
      internalformat: RGBA,
      width: 4,
      height: 4,
      border: 0,
      format: RGBA,
      type: UNSIGNED_BYTE,
      pixels: Uint8Array.from({ length: 64 }, (_, i) => i * 4),
    })
    .call('glGenerateMipmap', { target: TEXTURE_2D })
    .call('glGenBuffers', { n: 2, buffers: [11, 12] })
    .call('glBindBuffer', { target: ARRAY_BUFFER, buffer: 11 })
    .call('glBufferData', { target: ARRAY_BUFFER, size: 48, data: null, usage: STATIC_DRAW })
    .call('glMapBuffer', { target: ARRAY_BUFFER, access: 0x88b9 }, 0x10000)
    .call('memcpy', { dest: 0x10000, src: new Uint8Array(corners.buffer), n: 48 }, null, 1)
    .call('glUnmapBuffer', { target: ARRAY_BUFFER }, true)
    .call('glVertexAttribPointer', { index: 0, size: 4, ...pointer, pointer: null })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glBindBuffer', { target: ARRAY_BUFFER, buffer: 0 })
    .call('glVertexAttribPointer', {
      index: 1,
      size: 2,
      ...pointer,
      pointer: new Uint8Array(Float32Array.of(0, 0, 1, 0, 0, 1).buffer),
    })
    .call('glEnableVertexAttribArray', { index: 1 })
    .call('glBindBuffer', { target: ELEMENT_ARRAY_BUFFER, buffer: 12 })
    .call('glBufferData', {
      target: ELEMENT_ARRAY_BUFFER,
      size: 6,
      data: Uint8Array.of(0, 1, 2, 2, 1, 0),
      usage: STATIC_DRAW,
    })
    .call('glEnable', { cap: 0x0b71 })
    .call('glEnable', { cap: 0x0be2 })
    .call('glBlendFunc', { sfactor: 0x0302, dfactor: 0x0303 })
    .call('glScissor', { x: 2, y: 2, width: 20, height: 12 })
    .call('glClear', { mask: COLOR_AND_DEPTH })
    .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 })
    .call('glEnable', { cap: 0x0c11 })
    .call('glDrawElements', { mode: TRIANGLES, count: 6, type: UNSIGNED_BYTE, indices: null })
    .call('glClear', { mask: COLOR_AND_DEPTH })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .takeStream();
}

/**
 * Writes the uncompressed stream of a capture with fixed functions: a display list, immediate mode,
 * light, fog, a bitmap.
 */
function writeFixedStream(): Uint8Array {
  const writer = new CaptureWriter()
    .call('eglBindAPI', { api: 0x30a2 })
    .call('eglCreateContext', { dpy: 1, config: 1, share_context: null }, 0x500)
    .call('eglMakeCurrent', { dpy: 1, draw: 7, read: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 24, height: 16 }, null, 1)
    .call('glMatrixMode', { mode: 0x1701 })
    .call('glOrtho', { left: -1, right: 1, bottom: -1, top: 1, zNear: -1, zFar: 1 })
    .call('glMatrixMode', { mode: 0x1700 })
    .call('glPushMatrix')
    .call('glRotatef', { angle: 30, x: 0, y: 0, z: 1 })
    .call('glEnable', { cap: 0x0b50 })
    .call('glEnable', { cap: 0x4000 })
    .call('glLightfv', { light: 0x4000, pname: 0x1203, params: [0, 0, 1, 0] })
    .call('glGenLists', { range: 2 }, 1)
    .call('glNewList', { list: 1, mode: 0x1300 })
    .call('glBegin', { mode: 7 });
  for (const [x, y] of [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ] as const) {
    writer
      .call('glNormal3f', { nx: 0, ny: 0, nz: 1 })
      .call('glColor4ub', { red: 255, green: 128, blue: 0, alpha: 255 })
      .call('glVertex2f', { x, y });
  }
  return writer
    .call('glEnd')
    .call('glEndList')
    .call('glNewList', { list: 2, mode: 0x1300 })
    .call('glCallList', { list: 1 })
    .call('glEndList')
    .call('glClear', { mask: COLOR_AND_DEPTH })
    .call('glCallLists', { n: 2, type: UNSIGNED_BYTE, lists: Uint8Array.of(2, 1) })
    .call('glPopMatrix')
    .call('glPushAttrib', { mask: 0xfffff })
    .call('glDisable', { cap: 0x0b50 })
    .call('glEnable', { cap: 0x0b60 })
    .call('glFogf', { pname: 0x0b62, param: 0.5 })
    .call('glRectf', { x1: 0.5, y1: 0.5, x2: 0.75, y2: 0.75 })
    .call('glPopAttrib')
    .call('glDisable', { cap: 0x0b50 })
    .call('glRasterPos2f', { x: 0, y: 0 })
    .call('glBitmap', {
      width: 8,
      height: 2,
      xorig: 0,
      yorig: 0,
      xmove: 8,
      ymove: 0,
      bitmap: Uint8Array.of(0xaa, 0, 0, 0, 0x55, 0, 0, 0),
    })
    .call('eglSwapBuffers', { dpy: 1, surface: 7 })
    .takeStream();
}

const CONTAINERS: readonly ((stream: Uint8Array) => Uint8Array)[] = [
  (stream) => Buffer.concat([Uint8Array.of(0x61, 0x74), packChunk(stream)]),
  (stream) => gzipSync(stream, { level: 1 }),
  (stream) => brotliCompressSync(stream, { params: { 1: 1 } }),
  (stream) => zstdCompressSync(stream),
];

function mutate(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const mutated = Uint8Array.from(bytes);
  const anywhere = () => random.integer(0, mutated.length - 1);
  switch (random.integer(0, 4)) {
    case 0:
      return mutated.subarray(0, anywhere());
    case 1:
    case 2:
      for (let flips = random.integer(1, 4); flips > 0; flips--) {
        mutated[anywhere()]! ^= 1 << random.integer(0, 7);
      }
      return mutated;
    case 3:
      // Replaces a small length or number by a number of many bytes.
      return mutated.fill(0xff, ...rangeOf(anywhere(), random.integer(1, 9)));
    default:
      return mutated.copyWithin(anywhere(), ...rangeOf(anywhere(), 64));
  }
}

function rangeOf(start: number, length: number): [number, number] {
  return [start, start + length];
}

/** Small streams are rendered. Large and recorded streams are only prepared. */
const [SMALL, SMALL_FIXED, LARGE] = [writeStream(24, 16), writeFixedStream(), writeStream(96, 64)];

describe('damaged captures', () => {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const reflection = reflectByCompiling(gpu.programs);

  /** Returns `rendered`, `prepared`, or the code of the error. */
  async function follow(file: Uint8Array): Promise<string> {
    try {
      const calls = readCalls(file, { ...DEFAULT_CAPTURE_LIMITS, maxDecompressedBytes: MAX_BYTES });
      const { frame } = replayFrame(calls, { reflection, frame: 0, maxBytes: MAX_BYTES });
      const { widthPx, heightPx } = frame;
      if (widthPx * heightPx <= RENDERED_PIXELS) {
        await gpu.render(frame);
        return 'rendered';
      }
      const { columns, rows } = chooseGridShape(32, widthPx, heightPx);
      prepareFrame(frame, {
        grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
        visibilityShader: 'minimal',
        timing: 'functional',
        programs: gpu.programs,
      });
      return 'prepared';
    } catch (error) {
      if (error instanceof RenderError) return error.code;
      throw error;
    }
  }

  /**
   * Processes `count` damaged copies of `streams`. Each must yield a frame or a RenderError within
   * the bounds.
   *
   * @returns Number of mutations per outcome.
   */
  async function followMutations(
    streams: readonly Uint8Array[],
    containers: typeof CONTAINERS,
    count: number,
  ): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    const before = process.memoryUsage().arrayBuffers;
    for (let number = 0; number < count; number++) {
      const random = seededRandom(SEED * 1_000_003 + number);
      const stream = random.pick(streams);
      const pack = random.pick(containers);
      const isContainerDamaged = random.integer(0, 2) === 0;
      const file = isContainerDamaged ? mutate(pack(stream), random) : pack(mutate(stream, random));
      const start = process.cpuUsage();
      let outcome: string;
      try {
        outcome = await follow(file);
      } catch (error) {
        throw new Error(`mutation ${number} of seed ${SEED}`, { cause: error });
      }
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000, `CPU time of mutation ${number}`).toBeLessThan(MOST_CPU_MS);
      const heldBytes = process.memoryUsage().arrayBuffers - before;
      expect(heldBytes, `bytes of arrays after mutation ${number}`).toBeLessThan(MOST_ARRAY_BYTES);
    }
    if (process.env.TESSERA_FUZZ_MUTATIONS !== undefined)
      process.stdout.write(`${JSON.stringify(outcomes)}\n`);
    return outcomes;
  }

  it('renders undamaged frames', async () => {
    for (const pack of CONTAINERS) expect(await follow(pack(SMALL))).toBe('rendered');
    expect(await follow(CONTAINERS[0]!(SMALL_FIXED))).toBe('rendered');
    expect(await follow(CONTAINERS[0]!(LARGE))).toBe('prepared');
  });

  it(
    `answers each of ${MUTATIONS} mutations with a frame or a RenderError`,
    async () => {
      const streams = [SMALL, SMALL_FIXED, LARGE];
      const outcomes = await followMutations(streams, CONTAINERS, MUTATIONS);
      // Most damage is detected. Some only affects texels, positions or shader constants, and a
      // frame remains.
      expect(outcomes.FRAME_INVALID).toBeGreaterThan(MUTATIONS / 4);
      expect(outcomes.prepared).toBeGreaterThan(0);
      expect(outcomes.rendered).toBeGreaterThan(0);
    },
    Math.max(120_000, MUTATIONS * 100),
  );

  describe.skipIf(!hasRecorded)('of real programs', () => {
    const readStreams = () => RECORDED.map((path) => decompressStream(readFileSync(path)));

    it('prepares undamaged frames', async () => {
      for (const stream of readStreams())
        expect(await follow(CONTAINERS[1]!(stream))).toBe('prepared');
    });

    // A tenth of the mutations, because these streams are large and most of their bytes are
    // vertices.
    const count = Math.ceil(MUTATIONS / 10);
    it(
      `answers each of ${count} mutations with a frame or a RenderError`,
      async () => {
        const outcomes = await followMutations(readStreams(), CONTAINERS.slice(0, 1), count);
        expect(outcomes.FRAME_INVALID).toBeGreaterThan(count / 4);
        expect(outcomes.prepared).toBeGreaterThan(0);
      },
      Math.max(120_000, count * 1000),
    );
  });
});
