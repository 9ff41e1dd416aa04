/**
 * Captures in a valid format that attack the reader: compression bombs in all containers, absurd
 * counts and sizes, lists that call each other. Each yields a frame or a RenderError, in time and
 * memory bounded by limits instead of by the sizes it claims.
 */
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { chooseGridShape, makeCoarseBinGrid, RenderError } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { DEFAULT_CAPTURE_LIMITS, readCalls, replayFrame } from '@tessera/gl/apitrace';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { LocalGpu } from '@tessera/local-gpu';
import { prepareFrame } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';

const MAX_BYTES = 64 * 2 ** 20;
/** Maximum CPU time for one capture, on a loaded machine and including the first compilation. */
const MOST_CPU_MS = 8_000;
const MOST_ARRAY_BYTES = 4 * MAX_BYTES;

const [TEXTURE_2D, TEXTURE_3D, RGBA, UNSIGNED_BYTE] = [0x0de1, 0x806f, 0x1908, 0x1401];
const [ARRAY_BUFFER, STATIC_DRAW, VERTEX_ARRAY, FLOAT] = [0x8892, 0x88e4, 0x8074, 0x1406];
const [TRIANGLES, COMPILE, UNSIGNED_INT] = [4, 0x1300, 0x1405];
const MOST = 2 ** 31 - 1;

function begin(): CaptureWriter {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 24, height: 16 }, null, 1);
}

function end(writer: CaptureWriter): Uint8Array {
  return writer.call('glXSwapBuffers', { dpy: 1, drawable: 7 }).finish('gzip');
}

function one(name: string, args: Parameters<CaptureWriter['call']>[1]): Uint8Array {
  return end(begin().call(name, args));
}

/** Returns a capture of a frame with a triangle in client memory and one further call. */
function drawing(name: string, args: Parameters<CaptureWriter['call']>[1]): Uint8Array {
  const pointer = new Uint8Array(Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0).buffer);
  const writer = begin()
    .call('glEnableClientState', { array: VERTEX_ARRAY })
    .call('glVertexPointer', { size: 3, type: FLOAT, stride: 0, pointer });
  return end(writer.call(name, args));
}

function upload(target: number, size: Record<string, number>): Record<string, number | null> {
  const format = { internalformat: RGBA, border: 0, format: RGBA, type: UNSIGNED_BYTE };
  return { target, level: 0, ...format, ...size, pixels: null };
}

/** Returns a capture with lists, each of which calls the previous one ten times. */
function multiplyingLists(): Uint8Array {
  const writer = begin().call('glNewList', { list: 1, mode: COMPILE });
  writer.call('glBegin', { mode: TRIANGLES }).call('glEnd').call('glEndList');
  for (let list = 2; list <= 40; list++) {
    writer.call('glNewList', { list, mode: COMPILE });
    for (let i = 0; i < 10; i++) writer.call('glCallList', { list: list - 1 });
    writer.call('glEndList');
  }
  return end(writer.call('glCallList', { list: 40 }));
}

function cyclicLists(): Uint8Array {
  const writer = begin();
  for (const list of [1, 2]) {
    writer.call('glNewList', { list, mode: COMPILE });
    for (let i = 0; i < 3; i++) writer.call('glCallList', { list: 3 - list });
    writer.call('glEndList');
  }
  return end(writer.call('glCallList', { list: 1 }));
}

function manyCalls(name: string, args: Parameters<CaptureWriter['call']>[1]): Uint8Array {
  const writer = begin();
  for (let i = 0; i < 100_000; i++) writer.call(name, args, i + 1);
  return end(writer);
}

function snappyBomb(): Uint8Array {
  // Announces 4 GB: a literal of one byte, then copies of 64 bytes encoded in 3.
  const block = [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0];
  for (let i = 0; i < 200_000; i++) block.push(0xfe, 1, 0);
  const length = new Uint8Array(Uint32Array.of(block.length).buffer);
  return Uint8Array.from([0x61, 0x74, ...length, ...block]);
}

/** Returns a capture whose stream is almost entirely one long blob of zeros. */
function bomb(compress: (stream: Uint8Array) => Uint8Array): Uint8Array {
  return compress(
    begin()
      .call('glFlush', { a: new Uint8Array(2 * MAX_BYTES) })
      .takeStream(),
  );
}

const HOSTILE: readonly (readonly [what: string, make: () => Uint8Array, outcome: string])[] = [
  ['a bomb of snappy', snappyBomb, 'FRAME_INVALID'],
  ['a bomb of gzip', () => bomb(gzipSync), 'LIMIT_EXCEEDED'],
  [
    'a bomb of brotli',
    () => bomb((s) => brotliCompressSync(s, { params: { 1: 1 } })),
    'LIMIT_EXCEEDED',
  ],
  ['a bomb of zstandard', () => bomb(zstdCompressSync), 'LIMIT_EXCEEDED'],
  ['lists that call each other', cyclicLists, 'LIMIT_EXCEEDED'],
  ['lists that multiply', multiplyingLists, 'LIMIT_EXCEEDED'],
  ['names for two billion lists', () => one('glGenLists', { range: MOST }), 'LIMIT_EXCEEDED'],
  ['names of lists one by one', () => manyCalls('glGenLists', { range: 1 }), 'prepared'],
  [
    'two billion lists deleted',
    () => manyCalls('glDeleteLists', { list: 1, range: MOST }),
    'prepared',
  ],
  [
    'a texture without end',
    () => one('glTexImage2D', upload(TEXTURE_2D, { width: MOST, height: MOST })),
    'FRAME_UNSUPPORTED',
  ],
  [
    'a texture beyond the largest edge',
    () => one('glTexImage2D', upload(TEXTURE_2D, { width: 16384, height: 16384 })),
    'FRAME_UNSUPPORTED',
  ],
  [
    'a texture beyond memory',
    () => one('glTexImage2D', upload(TEXTURE_2D, { width: 8192, height: 8192 })),
    'LIMIT_EXCEEDED',
  ],
  [
    'a volume beyond memory',
    () => one('glTexImage3D', upload(TEXTURE_3D, { width: 2048, height: 2048, depth: 2048 })),
    'LIMIT_EXCEEDED',
  ],
  [
    'levels beyond memory',
    () =>
      end(
        begin().call('glBindTexture', { target: TEXTURE_2D, texture: 3 }).call('glTexStorage2D', {
          target: TEXTURE_2D,
          levels: 14,
          internalformat: 0x8058,
          width: 8192,
          height: 8192,
        }),
      ),
    'LIMIT_EXCEEDED',
  ],
  [
    'a renderbuffer without end',
    () =>
      end(
        begin()
          .call('glBindRenderbuffer', { target: 0x8d41, renderbuffer: 3 })
          .call('glRenderbufferStorage', {
            target: 0x8d41,
            internalformat: 0x8058,
            width: MOST,
            height: MOST,
          }),
      ),
    'FRAME_UNSUPPORTED',
  ],
  [
    'a buffer beyond memory',
    () =>
      end(
        begin()
          .call('glBindBuffer', { target: ARRAY_BUFFER, buffer: 2 })
          .call('glBufferData', {
            target: ARRAY_BUFFER,
            size: 2 ** 40,
            data: null,
            usage: STATIC_DRAW,
          }),
      ),
    'LIMIT_EXCEEDED',
  ],
  [
    'two billion vertices',
    () => drawing('glDrawArrays', { mode: TRIANGLES, first: 0, count: MOST }),
    'FRAME_UNSUPPORTED',
  ],
  [
    'two billion points of one vertex',
    () => one('glDrawArrays', { mode: 0, first: 0, count: MOST }),
    'LIMIT_EXCEEDED',
  ],
  [
    'two billion instances',
    () =>
      drawing('glDrawArraysInstanced', {
        mode: TRIANGLES,
        first: 0,
        count: 3,
        instancecount: MOST,
      }),
    'FRAME_INVALID',
  ],
  [
    'two billion indices',
    () =>
      drawing('glDrawElements', {
        mode: TRIANGLES,
        count: MOST,
        type: UNSIGNED_INT,
        indices: Uint8Array.of(1, 0, 0, 0),
      }),
    'FRAME_UNSUPPORTED',
  ],
  [
    'an index of four billion',
    () =>
      drawing('glDrawElements', {
        mode: TRIANGLES,
        count: 3,
        type: UNSIGNED_INT,
        indices: new Uint8Array(12).fill(255),
      }),
    'FRAME_UNSUPPORTED',
  ],
  [
    'a quad of two billion corners',
    () => drawing('glDrawArrays', { mode: 7, first: 0, count: MOST }),
    'LIMIT_EXCEEDED',
  ],
  [
    'a window without end',
    () =>
      end(
        begin()
          .call('glViewport', { x: 0, y: 0, width: MOST, height: MOST }, null, 1)
          .call('glClear', { mask: 0x4000 }),
      ),
    'FRAME_INVALID',
  ],
  [
    'a bitmap without end',
    () =>
      one('glBitmap', {
        width: MOST,
        height: MOST,
        xorig: 0,
        yorig: 0,
        xmove: 0,
        ymove: 0,
        bitmap: Uint8Array.of(255),
      }),
    'FRAME_UNSUPPORTED',
  ],
  [
    'a rectangle of pixels without end',
    () =>
      one('glDrawPixels', {
        width: MOST,
        height: MOST,
        format: RGBA,
        type: UNSIGNED_BYTE,
        pixels: Uint8Array.of(1),
      }),
    'FRAME_UNSUPPORTED',
  ],
  [
    'rows beyond memory',
    () =>
      end(
        begin()
          .call('glPixelStorei', { pname: 0x0cf2, param: MOST })
          .call('glTexImage2D', {
            ...upload(TEXTURE_2D, { width: 4, height: 4 }),
            pixels: new Uint8Array(64),
          }),
      ),
    'FRAME_UNSUPPORTED',
  ],
  ['matrices pushed without end', () => manyCalls('glPushMatrix', {}), 'prepared'],
  ['attributes pushed without end', () => manyCalls('glPushAttrib', { mask: 0xfffff }), 'prepared'],
  ['immediate mode without end', () => end(manyVertices()), 'prepared'],
];

function manyVertices(): CaptureWriter {
  const writer = begin().call('glBegin', { mode: 9 });
  for (let i = 0; i < 200_000; i++) writer.call('glVertex2f', { x: i % 7, y: i % 5 });
  return writer.call('glEnd');
}

describe('captures made to hurt', () => {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const reflection = reflectByCompiling(gpu.programs);

  function follow(file: Uint8Array): string {
    try {
      const limits = { ...DEFAULT_CAPTURE_LIMITS, maxDecompressedBytes: MAX_BYTES };
      const calls = readCalls(file, limits);
      const { frame } = replayFrame(calls, { reflection, frame: 0, maxBytes: MAX_BYTES });
      const { widthPx, heightPx } = frame;
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

  it.each(HOSTILE)('ends with %s', (_what, make, outcome) => {
    const file = make();
    const before = process.memoryUsage().arrayBuffers;
    const start = process.cpuUsage();
    const found = follow(file);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MOST_ARRAY_BYTES);
    expect(found).toBe(outcome);
  });
});
