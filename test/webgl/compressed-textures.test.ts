/**
 * Compressed textures in frames: a service renders the pixels and the traffic of this process, and
 * chiplets hold and receive blocks, not decoded texels.
 */
import { createContext, createServiceContext } from '@tessera/webgl';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const EDGE_PX = 96;
const TEXTURE_EDGE_PX = 60;
/** DXT1, DXT5, signed RGTC2, BC7, BC6H, EAC, ETC2 with alpha, ASTC 5×4 and 12×12 in sRGB. */
const FORMATS = [0x83f0, 0x83f3, 0x8dbe, 0x8e8c, 0x8e8f, 0x9272, 0x9278, 0x93b1, 0x93dd];
const BLOCKS: Readonly<Record<number, readonly [width: number, height: number, bytes: number]>> = {
  33776: [4, 4, 8],
  37809: [5, 4, 16],
  37853: [12, 12, 16],
};
const EXTENSIONS = [
  'EXT_texture_compression_bptc',
  'EXT_texture_compression_rgtc',
  'WEBGL_compressed_texture_astc',
  'WEBGL_compressed_texture_etc',
  'WEBGL_compressed_texture_s3tc',
];

/** Returns blocks that differ, without those of ASTC that have the error color. */
function makeBlocks(format: number, edgePx: number): Uint8Array {
  const [width, height, blockBytes] = BLOCKS[format] ?? [4, 4, 16];
  const count = Math.ceil(edgePx / width) * Math.ceil(edgePx / height);
  const bytes = new Uint8Array(count * blockBytes);
  let state = format;
  for (let at = 0; at < bytes.length; at++) {
    state = (state * 1103515245 + 12345) >>> 0;
    bytes[at] = state >>> 16;
  }
  if (format >> 8 === 0x93) {
    for (let at = 0; at < bytes.length; at += 16) {
      bytes.set([0xfc, 0xfd, 255, 255, 255, 255, 255, 255], at);
    }
  }
  return bytes;
}

/** Uses a program that fills the viewport with the bound texture. */
function useTextureProgram(gl: WebGL2RenderingContext): void {
  const program = gl.createProgram();
  for (const [type, source] of [
    [
      gl.VERTEX_SHADER,
      `out vec2 at;
       void main() {
         at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
         gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
       }`,
    ],
    [
      gl.FRAGMENT_SHADER,
      `precision highp float; uniform sampler2D map; in vec2 at; out vec4 color;
       void main() { color = vec4(texture(map, at).rgb, 1.0); }`,
    ],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, `#version 300 es\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  for (const name of EXTENSIONS) gl.getExtension(name);
}

/** Binds a new texture with one level, given by a call. */
function bindTexture(gl: WebGL2RenderingContext, put: () => void): void {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  put();
}

/** Draws a square for each format. */
function drawSquares(gl: WebGL2RenderingContext): void {
  useTextureProgram(gl);
  const squarePx = EDGE_PX / 3;
  FORMATS.forEach((format, i) => {
    bindTexture(gl, () => {
      const bytes = makeBlocks(format, TEXTURE_EDGE_PX);
      const { TEXTURE_2D } = gl;
      gl.compressedTexImage2D(TEXTURE_2D, 0, format, TEXTURE_EDGE_PX, TEXTURE_EDGE_PX, 0, bytes);
    });
    gl.viewport((i % 3) * squarePx, Math.floor(i / 3) * squarePx, squarePx, squarePx);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  });
  expect(gl.getError()).toBe(gl.NO_ERROR);
}

describe('a service', { timeout: 120_000 }, () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
  }, 60_000);

  it.each([1, 5])('renders compressed textures as this process does, on %i chiplets', async (n) => {
    const here = createContext(EDGE_PX, EDGE_PX, {
      createWebGL2Context: true,
      gpu: { chipletCount: n, timing: 'cycle' },
    });
    drawSquares(here);
    const mine = here.frame();
    const colors = new Set(new Uint32Array(mine.image.rgba.slice().buffer));
    expect(colors.size).toBeGreaterThan(500);

    const service = { url, parameters: { chiplets: n, timing: 'cycle' } } as const;
    const there = createServiceContext(EDGE_PX, EDGE_PX, { createWebGL2Context: true, service });
    drawSquares(there);
    const its = await there.frame();
    expect(its.image.rgba).toEqual(mine.image.rgba);
    expect(its.report.totals).toEqual(mine.report!.totals);
    expect(its.report.chiplets).toEqual(mine.report!.chiplets);
    expect(its.report.link).toEqual(mine.report!.link);

    // The next frame names the same resources.
    there.drawArrays(there.TRIANGLES, 0, 3);
    const next = await there.frame();
    expect(next.sentBytes!.resources).toBe(0);
  });
});

describe('traffic', () => {
  const edgePx = 256;
  const textureEdgePx = 512;

  /** Returns the bytes that chiplets read from textures, and those of resources on the link. */
  function measure(put: (gl: WebGL2RenderingContext) => void): { read: number; sent: number } {
    const gl = createContext(edgePx, edgePx, {
      createWebGL2Context: true,
      antialias: false,
      gpu: { chipletCount: 2, timing: 'cycle' },
    });
    useTextureProgram(gl);
    bindTexture(gl, () => put(gl));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const { chiplets, link } = gl.frame().report!;
    const reads = chiplets.map(({ counters }) => counters['memory.textureBytesRead'] ?? 0);
    const sent = link.transfers.resources.bytes;
    return { read: reads.reduce((sum, bytes) => sum + bytes, 0), sent };
  }

  const measureBlocks = (format: number) =>
    measure((gl) => {
      const bytes = makeBlocks(format, textureEdgePx);
      gl.compressedTexImage2D(gl.TEXTURE_2D, 0, format, textureEdgePx, textureEdgePx, 0, bytes);
    });

  it('is that of the blocks', () => {
    const texels = measure((gl) => {
      const bytes = new Uint8Array(textureEdgePx ** 2 * 4);
      const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
      const size = [textureEdgePx, textureEdgePx] as const;
      gl.texImage2D(TEXTURE_2D, 0, RGBA, ...size, 0, RGBA, UNSIGNED_BYTE, bytes);
    });
    expect(texels.read).toBe(textureEdgePx ** 2 * 4);
    const [dxt5, dxt1, astc] = [0x83f3, 0x83f0, 0x93dd].map(measureBlocks);
    expect(dxt5!.read).toBe(texels.read / 4);
    expect(dxt1!.read).toBe(texels.read / 8);
    // 43×43 blocks of 16 bytes. Lines of memory are read by several bins and have padding.
    expect(astc!.read).toBeLessThan(texels.read / 6);
    const other = texels.sent - textureEdgePx ** 2 * 4;
    expect(dxt5!.sent - other).toBe(textureEdgePx ** 2);
    expect(dxt1!.sent - other).toBe(textureEdgePx ** 2 / 2);
    expect(astc!.sent - other).toBe(43 * 43 * 16);
  });
});
