/**
 * Frames of which it is known what bounds them: one unit, memory or the link has much more to do
 * than everything else, by arithmetic.
 */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import type { BoundResource } from '@tessera/frame';
import { DEFAULT_INTERCONNECT, type InterconnectSpec } from '@tessera/multi-chiplet';
import type { MadeFrame } from '../validation/made-frames.ts';

/** Frame with the hardware that bounds it. */
export interface KnownBound {
  readonly made: MadeFrame;
  readonly spec: ChipletSpec;
  readonly interconnect: InterconnectSpec;
  readonly chipletCount: number;
  /** Resource that is known to bound the frame. */
  readonly resource: BoundResource;
}

const SPEC = DEFAULT_CHIPLET_SPEC;
const CHIPLETS = 4;
const SCREEN = { widthPx: 1024, heightPx: 1024 };
const CONSTANT = 'color = vec4(0.5);';
const CACHED_TEXELS = 32;
const STREAMED_TEXELS = 1024;
const LAYERS = [0, 0, 0, 0];

/** Joins the terms of a shader. */
function repeat(count: number, termOf: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => termOf(i)).join(' ');
}

/** Four layers of a constant color, with half of the default rate of the output merger. */
const FILL: MadeFrame = { ...SCREEN, fragment: CONSTANT, layers: LAYERS };

/** 512 dependent multiply-adds per fragment. */
const ALU: MadeFrame = {
  ...{ widthPx: 512, heightPx: 512 },
  fragment: `float x = gl_FragCoord.x; float y = gl_FragCoord.y;
${'x = x * 1.25 + y; y = y * 0.75 + x; '.repeat(256)} color = vec4(x, y, x, y);`,
};

/** 64 lookups per fragment in a texture that the first-level cache holds. */
const TEXTURE: MadeFrame = {
  widthPx: 512,
  heightPx: 512,
  fragment: `uint sum = 0u;
${repeat(64, (i) => `sum += texelFetch(image, (ivec2(gl_FragCoord.xy) + ${i}) & 31, 0).x;`)}
color = vec4(float(sum));`,
  texture: {
    edgeTexels: CACHED_TEXELS,
    format: 'r32uint',
    words: new Uint32Array(CACHED_TEXELS ** 2),
  },
};

/** Triangles of half a pixel, with one lookup of a corner per cycle. */
const VERTICES: MadeFrame = { widthPx: 256, heightPx: 256, squareEdgePx: 1, fragment: CONSTANT };

/** Layers that each read a texture of 16 MiB once, sixteen times the second-level cache. */
const MEMORY: MadeFrame = {
  widthPx: 256,
  heightPx: 256,
  fragment: `float sum = 0.0;
${repeat(16, (i) => `sum += texelFetch(image, ivec2(gl_FragCoord.xy) + ivec2(${(i & 3) * 256}, ${(i >> 2) * 256}), 0).x;`)}
color = vec4(sum);`,
  texture: {
    edgeTexels: STREAMED_TEXELS,
    format: 'rgba32float',
    words: new Float32Array(4 * STREAMED_TEXELS ** 2),
  },
  layers: LAYERS,
};

/** A constant color, whose pixels cross a link of 8 bytes per cycle. */
const LINK: MadeFrame = { ...SCREEN, fragment: CONSTANT };

const ON_DEFAULT = { spec: SPEC, interconnect: DEFAULT_INTERCONNECT, chipletCount: CHIPLETS };

/** Frames by name. */
export const KNOWN_BOUNDS: Readonly<Record<string, KnownBound>> = {
  fill: {
    ...{ ...ON_DEFAULT, made: FILL, resource: 'outputMerger' },
    spec: withSettings(SPEC, { outputQuadsPerCycle: SPEC.outputQuadsPerCycle / 2 }),
  },
  ALU: { ...ON_DEFAULT, made: ALU, resource: 'shaderCore' },
  texture: { ...ON_DEFAULT, made: TEXTURE, resource: 'textureUnit' },
  vertices: {
    ...{ ...ON_DEFAULT, made: VERTICES, resource: 'vertexFetch' },
    spec: withSettings(SPEC, { vertexLookupsPerCycle: 2 }),
  },
  memory: { ...ON_DEFAULT, made: MEMORY, resource: 'dram' },
  link: {
    ...{ ...ON_DEFAULT, made: LINK, resource: 'link' },
    interconnect: { ...DEFAULT_INTERCONNECT, bytesPerCycle: 8 },
  },
};
