/**
 * Frames of several passes give the same result over sockets: an OpenGL program that draws to the
 * screen, a texture and the screen again, a native frame that draws twice into multisample targets
 * and resolves them, and one with a multisampled screen.
 */

import { createHash } from 'node:crypto';
import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type PipelineState,
  type Report,
  readNativeFrame,
  type SamplerState,
  toNativeJson,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { beforeAll, describe, expect, it } from 'vitest';
import { multisampledScreenFrame } from '../support/multisampled-screen.ts';
import { readPassesFrame, writePassesCapture } from '../support/passes-capture.ts';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

let url: string;

beforeAll(async () => {
  ({ url } = await startTestService({ workerCount: 4 }));
});

describe('a frame of several passes over sockets', () => {
  it.each(['functional', 'cycle'] as const)(
    'is the frame of one process, pixel for pixel (timing %s)',
    async (timing) => {
      const capture = writePassesCapture();
      const frame = readPassesFrame(capture);
      expect(frame.passes.map(({ loads }) => loads)).toEqual([
        undefined,
        undefined,
        ['color', 'depth'],
      ]);
      const images = new Set<string>();
      for (const chipletCount of [1, 3, 5]) {
        const local = await new LocalGpu({ chipletCount }).render(frame, {
          policy: 'dynamic',
          grid: { kind: 'bins', count: 6 },
          visibilityShader: 'minimal',
          timing,
        });
        const query = `?policy=dynamic&bins=6&visibility=minimal&chiplets=${chipletCount}&timing=${timing}`;
        const response = await postModel(url, capture, query, {
          'Content-Type': 'application/vnd.apitrace',
        });
        expect(response.status).toBe(200);
        const report = (await response.json()) as Report;
        expect(report.passes).toHaveLength(3);
        expect({ ...report, wall: null }).toEqual({ ...local.report, wall: null });
        images.add(report.image.sha256);
      }
      expect(images.size).toBe(1);
    },
  );
});

const FIRST_DRAW = { firstDraw: 0, drawCount: 1 };
const BOTH_DRAWS = { firstDraw: 0, drawCount: 2 };

/**
 * Returns a frame of overlapping rectangles with four samples per pixel. The second pass loads the
 * results of the first one.
 */
function makeSampledFrame(): Frame {
  const edgePx = 64;
  const initial = defaultPipelineState(edgePx, edgePx);
  const draw = (rect: readonly number[], z: number, given: Partial<PipelineState> = {}): Draw => ({
    programIndex: 0,
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {},
    textures: {},
    uniforms: { rect, z: [z] },
    state: { ...initial, depth: { ...initial.depth, isTestEnabled: true }, ...given },
  });
  const size = { widthPx: edgePx, heightPx: edgePx, levels: [], isMipmapGenerated: false };
  const many = { ...size, sampleCount: 4 };
  const target = {
    kind: 'images',
    colors: [{ textureIndex: 0 }],
    depthStencil: { textureIndex: 1 },
  } as const;
  const clear = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;
  const whole = { sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, widthPx: edgePx, heightPx: edgePx };
  const multisample = { isAlphaToCoverage: false, sampleMask: 0b0111 };
  const sampler: SamplerState = {
    wrapS: 'clamp-to-edge',
    wrapT: 'clamp-to-edge',
    magFilter: 'nearest',
    minFilter: 'nearest',
    mipmapFilter: 'none',
  };
  const shown = { map: { textureIndex: 2, sampler }, depths: { textureIndex: 3, sampler } };
  const head = '#version 300 es\nprecision highp float; uniform vec4 rect; uniform float z;';
  const vertexSource = `${head} void main() { vec2 at = vec2(gl_VertexID % 2, gl_VertexID / 2);
    gl_Position = vec4(mix(rect.xy, rect.zw, at), z, 1.0); }`;
  return {
    widthPx: edgePx,
    heightPx: edgePx,
    buffers: [],
    textures: [
      { sha256: '0', format: 'rgba16float', ...many },
      { sha256: '1', format: 'depth24unorm-stencil8', ...many },
      { sha256: '2', format: 'rgba16float', ...size },
      { sha256: '3', format: 'depth24unorm-stencil8', ...size },
    ],
    programs: [
      {
        vertexSource,
        fragmentSource: `${head} out vec4 color; void main() { color = vec4(z, 1.0 - z, rect.z, 1.0); }`,
      },
      {
        vertexSource,
        fragmentSource: `${head} uniform sampler2D map; uniform highp sampler2D depths; out vec4 color;
    void main() { ivec2 at = ivec2(gl_FragCoord); color = texelFetch(map, at, 0) * texelFetch(depths, at, 0).r; }`,
      },
    ],
    passes: [
      { clear, target, draws: [draw([-0.93, -0.81, 0.37, 0.52], 0.25)], queries: [FIRST_DRAW] },
      { clear, draws: [] },
      {
        clear,
        target,
        loads: ['color', 'depth', 'stencil'],
        draws: [
          draw([-0.33, -0.51, 0.97, 0.88], 0.75),
          draw([0.1, -1, 0.2, 1], 0, { multisample }),
        ],
        queries: [FIRST_DRAW, BOTH_DRAWS],
        copies: [
          { source: 0, ...whole, into: { textureIndex: 2 } },
          { source: 'depth-stencil', aspect: 'depth', ...whole, into: { textureIndex: 3 } },
        ],
      },
      { clear, draws: [{ ...draw([-1, -1, 1, 1], 0), programIndex: 1, textures: shown }] },
    ],
  };
}

describe('a frame with several samples a pixel over sockets', () => {
  it.each(['functional', 'cycle'] as const)(
    'is the frame of one process, pixel for pixel (timing %s)',
    async (timing) => {
      const frame = makeSampledFrame();
      const options = {
        policy: 'dynamic',
        grid: { kind: 'bins', count: 4 },
        visibilityShader: 'minimal',
        timing,
      } as const;
      const local = await new LocalGpu({ chipletCount: 3 }).render(frame, options);
      const query = `?policy=dynamic&bins=4&visibility=minimal&chiplets=3&timing=${timing}`;
      const response = await postModel(url, new TextEncoder().encode(toNativeJson(frame)), query, {
        'Content-Type': 'application/json',
      });
      const report = (await response.json()) as Report;
      expect(response.status, JSON.stringify(report)).toBe(200);
      expect(report.image).toEqual(local.report.image);
      expect(report.passes).toEqual(local.report.passes);
      const counts = report.passes.flatMap(({ queryCounts = [] }) => queryCounts);
      expect(counts).toHaveLength(3);
      expect(counts[2]).toBeGreaterThan(counts[1]!);
      expect(report.chiplets.map(({ counters }) => counters)).toEqual(
        local.report.chiplets.map(({ counters }) => counters),
      );
      expect(new Set(local.image.rgba).size).toBeGreaterThan(5);
    },
  );
});

function hashParts(parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

describe('a frame with a multisampled screen over sockets', () => {
  it.each([
    [4, { timing: 'functional' }],
    [4, { timing: 'cycle', coupling: 'none' }],
    [4, { timing: 'cycle', coupling: 'exact' }],
    [8, { timing: 'functional' }],
    [8, { timing: 'cycle', coupling: 'exact' }],
  ] as const)('of %i samples is the frame of one process: %o', async (samples, timing) => {
    const json = toNativeJson(multisampledScreenFrame(samples));
    const body = new TextEncoder().encode(json);
    const frame = readNativeFrame(JSON.parse(json), hashParts);
    const images = new Set<string>();
    for (const chipletCount of [1, 5]) {
      const local = await new LocalGpu({ chipletCount }).render(frame, {
        policy: 'dynamic',
        grid: { kind: 'bins', count: 6 },
        visibilityShader: 'minimal',
        ...timing,
      });
      const names = Object.entries({ ...timing, chiplets: String(chipletCount) });
      const options = new URLSearchParams(names.filter(([, value]) => value !== undefined));
      const query = `?policy=dynamic&bins=6&visibility=minimal&${options}`;
      const response = await postModel(url, body, query, { 'Content-Type': 'application/json' });
      const report = (await response.json()) as Report;
      expect(response.status, JSON.stringify(report)).toBe(200);
      expect({ ...report, wall: null }).toEqual({ ...local.report, wall: null });
      images.add(report.image.sha256);
    }
    expect(images.size).toBe(1);
  });
});
