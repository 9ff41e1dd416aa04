/**
 * Reads a capture that is generated while it is read and is longer than the permitted memory.
 * Prints the result as JSON. capture-memory.test.ts runs it in a separate process, whose memory it
 * reports:
 *
 *     node --max-old-space-size=48 test/conformance/captures/long-capture.ts \
 *       MEGABYTES snappy|gzip|brotli|zstandard
 */
import { createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import { reflectByCompiling } from '@tessera/gl';
import { readCallStream, replayFrameStream, summarizeCaptureStream } from '@tessera/gl/apitrace';
import { CaptureWriter, packChunk } from '@tessera/gl/capture-writer';
import { compileProgram } from '@tessera/shader';

const [TEXTURE_2D, RGBA, UNSIGNED_BYTE] = [0x0de1, 0x1908, 0x1401];
const [ARRAY_BUFFER, STATIC_DRAW, VERTEX_ARRAY, FLOAT] = [0x8892, 0x88e4, 0x8074, 0x1406];
const COLOR_AND_DEPTH = 0x4100;
const [TRIANGLES, TEXTURE_EDGE_PX] = [4, 512];
const MEGABYTE = 2 ** 20;
/** Size of the texture, buffers and smaller calls of one frame. */
const FRAME_BYTES = TEXTURE_EDGE_PX ** 2 * 4 + 2 * 2 ** 16;

/**
 * Writes a frame that uploads a texture of 1 MiB, creates a buffer, deletes the previous one and
 * draws from client memory.
 */
function writeFrame(writer: CaptureWriter, frame: number): void {
  const corners = new Uint8Array(Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0).buffer);
  const buffer = 100 + frame;
  writer
    .call('glClear', { mask: COLOR_AND_DEPTH })
    .call('glTexImage2D', {
      target: TEXTURE_2D,
      level: 0,
      internalformat: RGBA,
      width: TEXTURE_EDGE_PX,
      height: TEXTURE_EDGE_PX,
      border: 0,
      format: RGBA,
      type: UNSIGNED_BYTE,
      pixels: new Uint8Array(TEXTURE_EDGE_PX ** 2 * 4).fill(frame),
    })
    .call('glGenBuffers', { n: 1, buffers: [buffer] })
    .call('glBindBuffer', { target: ARRAY_BUFFER, buffer })
    .call('glBufferData', {
      target: ARRAY_BUFFER,
      size: 2 ** 16,
      data: new Uint8Array(2 ** 16),
      usage: STATIC_DRAW,
    })
    .call('glBindBuffer', { target: ARRAY_BUFFER, buffer: 0 })
    .call('glDeleteBuffers', { n: 1, buffers: [buffer - 1] });
  for (let i = 0; i < 200; i++) {
    writer
      .call('glColor4f', { red: (frame % 256) / 255, green: i / 256, blue: 0, alpha: 1 })
      .call('glVertexPointer', { size: 3, type: FLOAT, stride: 0, pointer: corners }, null, 1)
      .call('glDrawArrays', { mode: TRIANGLES, first: 0, count: 3 });
  }
  writer.call('glXSwapBuffers', { dpy: 1, drawable: 7 });
}

async function* makeStream(frames: number): AsyncGenerator<Uint8Array> {
  const writer = new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 32, height: 24 }, null, 1)
    .call('glEnableClientState', { array: VERTEX_ARRAY })
    .call('glBindTexture', { target: TEXTURE_2D, texture: 1 });
  for (let frame = 0; frame < frames; frame++) {
    writeFrame(writer, frame);
    yield writer.takeStream();
  }
}

async function* pack(
  stream: AsyncIterable<Uint8Array>,
  container: string,
): AsyncGenerator<Uint8Array> {
  if (container === 'snappy') {
    yield Uint8Array.of(0x61, 0x74);
    for await (const part of stream) {
      for (let at = 0; at < part.length; at += MEGABYTE) {
        yield packChunk(part.subarray(at, at + MEGABYTE));
      }
    }
    return;
  }
  const compress = {
    gzip: () => createGzip({ level: 1 }),
    brotli: () => createBrotliCompress({ params: { 1: 1 } }),
    zstandard: () => createZstdCompress(),
  };
  const compressor = compress[container as keyof typeof compress]();
  const writing = (async () => {
    for await (const part of stream) {
      if (compressor.write(part)) continue;
      await new Promise<void>((resolve) => {
        compressor.once('drain', resolve);
      });
    }
    compressor.end();
  })();
  yield* compressor;
  await writing;
}

const [megabytes, container] = [Number(process.argv[2]), process.argv[3]!];
const frames = Math.ceil((megabytes * MEGABYTE) / FRAME_BYTES);
let streamBytes = 0;
async function* measured(): AsyncGenerator<Uint8Array> {
  for await (const part of makeStream(frames)) {
    streamBytes += part.length;
    yield part;
  }
}
const startCpu = process.cpuUsage();
const { frame } = await replayFrameStream(readCallStream(pack(measured(), container)), {
  reflection: reflectByCompiling({ compile: compileProgram }),
  frame: frames - 1,
});
const { user, system } = process.cpuUsage(startCpu);
const summary = await summarizeCaptureStream(readCallStream(pack(makeStream(frames), container)));
process.stdout.write(
  JSON.stringify({
    streamBytes,
    replayCpuMs: Math.round((user + system) / 1000),
    frames: summary.frames.length,
    calls: summary.calls,
    draws: frame.passes[0]!.draws.length,
    frameBytes: frame.buffers.reduce((sum, { bytes }) => sum + bytes.length, 0),
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  }),
);
