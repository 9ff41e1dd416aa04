/**
 * Renders hand-made frames on a simulated chiplet for tests: programs in ISA text, vertices as
 * lists of numbers.
 */

import { type ChipletSpec, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import {
  addCounters,
  type Counters,
  coarseBinCount,
  DEFAULT_VISIBILITY_SWITCHES,
  defaultPipelineState,
  makeCoarseBinGrid,
  type PassClear,
  type PipelineState,
  type PreparedDraw,
  type PreparedFrame,
  type ShaderProgram,
  type Timing,
  type Topology,
  type VisibilityShader,
  type VisibilitySwitches,
} from '@tessera/frame';
import { assemble } from '@tessera/shader/isa';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import type { VisibilityResult } from '../modes/visibility-mode.ts';

/**
 * Number of floats per vertex of {@link colorProgram}: position x, y, z, w, then four components to
 * interpolate.
 */
export const VERTEX_FLOATS = 8;

const POSITION_TEXT = [0, 1, 2, 3].flatMap((c) => [
  `input r${c}, ${c}, smooth`,
  `outf ${c}, r${c}`,
]);

/** Program that reads the position from slots 0 to 3 and varyings from slots 4 to 7. */
const VERTEX_TEXT = [
  '.stage vertex',
  ...POSITION_TEXT,
  ...[0, 1, 2, 3].flatMap((c) => [`input r4, ${c + 4}, smooth`, `outf ${c + 5}, r4`]),
].join('\n');

/** Bits of negative distances: bit 8, the first cull distance, if varying 3 is below one half. */
const CULL_TEXT = [
  'input r4, 7, smooth',
  'flt r5, r4, 0x3f000000',
  'selectI r6, r5, 0x00000100, 0x00000000',
  'outi 255, r6',
];

/** The same program, with varying 0 as the size of the point. */
const POINT_VERTEX_TEXT = [VERTEX_TEXT, 'input r4, 4, smooth', 'outf 4, r4'].join('\n');

/** Additional behavior of a fragment program that writes its varyings as the color. */
export type FragmentKind =
  | 'smooth'
  | 'flat'
  | 'discard-low-red'
  | 'depth-from-alpha'
  | 'loop-by-red'
  /** Interpolates at each sample. */
  | 'at-samples'
  /** Interpolates at each sample and discards those with low red. */
  | 'discard-at-samples'
  /** Adds the number of the sample to red. */
  | 'add-sample'
  /** Adds it and does as many rounds of a loop as red has whole numbers. */
  | 'loop-by-sample'
  /** Writes samples 0 and 2 only where alpha is below one half, elsewhere all but sample 0. */
  | 'mask-by-alpha'
  /** Writes the mask of the covered samples, a quarter each, as red. */
  | 'covered-as-red';

const HALF = '0x3f000000';
/**
 * Program that subtracts one from red until it is below one half: one round per whole number in
 * red.
 */
const LOOP_TEXT = [
  'loop',
  `flt r4, r0, ${HALF}`,
  'if r4',
  'exit 0',
  'endif',
  'fsub r0, r0, 0x3f800000',
  'endloop',
];

const DISCARD_TEXT = [`flt r4, r0, ${HALF}`, 'if r4', 'discard', 'endif'];
const ADD_SAMPLE_TEXT = ['builtin r4, sampleId', 'i2f r4, r4', 'fadd r0, r0, r4', 'outf 0, r0'];
const MASK_TEXT = [`flt r4, r3, ${HALF}`, 'selectI r5, r4, 0x00000005, 0x0000000e', 'outi 33, r5'];
const COVERED_TEXT = [
  'builtin r4, sampleMask',
  'i2f r4, r4',
  'fmul r4, r4, 0x3d800000',
  'outf 0, r4',
];
/** Texts after the color by kind. */
const TEXTS: Partial<Record<FragmentKind, readonly string[]>> = {
  'discard-low-red': DISCARD_TEXT,
  'discard-at-samples': DISCARD_TEXT,
  'depth-from-alpha': ['outf 32, r3'],
  'loop-by-red': LOOP_TEXT,
  'add-sample': ADD_SAMPLE_TEXT,
  'loop-by-sample': [...ADD_SAMPLE_TEXT, ...LOOP_TEXT],
  'mask-by-alpha': MASK_TEXT,
  'covered-as-red': COVERED_TEXT,
};

function interpolationOf(kind: FragmentKind): 'flat' | 'smooth' | 'sample' {
  if (kind === 'flat') return 'flat';
  return kind.endsWith('at-samples') ? 'sample' : 'smooth';
}

function fragmentText(kind: FragmentKind): string {
  const interpolation = interpolationOf(kind);
  return [
    '.stage fragment',
    ...[0, 1, 2, 3].flatMap((c) => [`input r${c}, ${c}, ${interpolation}`, `outf ${c}, r${c}`]),
    ...(TEXTS[kind] ?? []),
  ].join('\n');
}

/** Returns a program that draws its interpolated attribute. */
export function colorProgram(
  kind: FragmentKind,
  isPointSized = false,
  isCulledByAlpha = false,
): ShaderProgram {
  const cull = isCulledByAlpha ? CULL_TEXT : [];
  const full = isPointSized ? POINT_VERTEX_TEXT : VERTEX_TEXT;
  return {
    sha256: `${kind} ${isPointSized} ${isCulledByAlpha}`,
    vertex: assemble([full, ...cull].join('\n')),
    positionOnly: assemble(['.stage vertex', ...POSITION_TEXT, ...cull].join('\n')),
    fragment: assemble(fragmentText(kind)),
    attributes: [],
    uniforms: [],
    samplers: [],
    varyings: [],
    varyingComponentCount: 4,
    constantWords: 0,
  };
}

/** Draw of vertices in clip coordinates. */
export interface HarnessDraw {
  readonly topology?: Topology;
  /** Vertices with VERTEX_FLOATS floats each. */
  readonly vertices: readonly number[];
  readonly fragment?: FragmentKind;
  readonly isPointSized?: boolean;
  /** Whether a primitive is culled if alpha is below one half at all vertices. */
  readonly isCulledByAlpha?: boolean;
  /** Edge flags of the triangles; all edges are drawn without. */
  readonly edgeFlags?: readonly number[];
  readonly state?: Partial<PipelineState>;
}

/** Target, state and specification of a frame. */
export interface HarnessOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly columns?: number;
  readonly rows?: number;
  readonly fineBinPx?: number;
  readonly spec?: ChipletSpec;
  readonly visibilityShader?: VisibilityShader;
  readonly visibilitySwitches?: Partial<VisibilitySwitches>;
  readonly earlyBinId?: number | null;
  readonly timing?: Timing;
  readonly clear?: PassClear;
  readonly sampleCount?: number;
}

/** Clear to transparent black at depth 1. */
export const BLACK: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };

/** Returns a frame of one pass. */
export function makeFrame(draws: readonly HarnessDraw[], options: HarnessOptions): PreparedFrame {
  const { widthPx, heightPx, columns = 1, rows = 1, fineBinPx = 64 } = options;
  const programs = draws.map((draw) =>
    colorProgram(draw.fragment ?? 'smooth', draw.isPointSized, draw.isCulledByAlpha),
  );
  const vertexBuffers = draws.map((draw, i) => ({
    sha256: String(i),
    bytes: new Uint8Array(Float32Array.from(draw.vertices).buffer),
  }));
  const flagged = draws.filter(({ edgeFlags }) => edgeFlags !== undefined);
  const flagBuffers = flagged.map(({ edgeFlags }, i) => ({
    sha256: `flags ${i}`,
    bytes: Uint8Array.from(edgeFlags!),
  }));
  const buffers = [...vertexBuffers, ...flagBuffers];
  const preparedDraws = draws.map((harnessDraw, i): PreparedDraw => {
    const { topology = 'triangles', vertices, state } = harnessDraw;
    const flagIndex = flagged.indexOf(harnessDraw);
    const attribute = (slot: number) => ({
      firstSlot: slot,
      componentCount: 4,
      scalarType: 'float' as const,
      source: {
        kind: 'buffer' as const,
        bufferIndex: i,
        offsetBytes: slot * 4,
        strideBytes: VERTEX_FLOATS * 4,
        componentType: 'float32' as const,
        componentCount: 4,
        isNormalized: false,
        instanceDivisor: 0,
      },
    });
    return {
      programIndex: i,
      topology,
      first: 0,
      count: vertices.length / VERTEX_FLOATS,
      indices: null,
      ...(flagIndex < 0
        ? {}
        : { edgeFlags: { bufferIndex: draws.length + flagIndex, offsetBytes: 0 } }),
      instanceCount: 1,
      attributes: [attribute(0), attribute(4)],
      constants: new Uint32Array(0),
      textures: [],
      state: { ...defaultPipelineState(widthPx, heightPx), ...state },
    };
  });
  return {
    commands: {
      sha256: '',
      grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows, fineBinPx),
      visibilityShader: options.visibilityShader ?? 'minimal',
      visibilitySwitches: { ...DEFAULT_VISIBILITY_SWITCHES, ...options.visibilitySwitches },
      earlyBinId: options.earlyBinId ?? null,
      spec: null,
      timing: options.timing ?? 'functional',
      buffers: buffers.map(({ sha256 }) => sha256),
      textures: [],
      programs: programs.map(({ sha256 }) => sha256),
      passes: [
        {
          clear: options.clear ?? BLACK,
          sampleCount: options.sampleCount,
          draws: preparedDraws,
          contents: null,
        },
      ],
    },
    buffers,
    textures: [],
    programs,
  };
}

/** Rendered image and counters. */
export interface HarnessResult {
  readonly widthPx: number;
  /** Colors of the samples; those of a pixel are consecutive. */
  readonly rgba: Uint8Array;
  /** Sums over all bins. */
  readonly counters: Counters;
  readonly visibility: VisibilityResult;
}

/** Renders all bins of pass 0 and composites them. */
export function renderFrameOnChiplet(
  frame: PreparedFrame,
  chiplet: SimulatedChiplet = new SimulatedChiplet(DEFAULT_CHIPLET_SPEC),
): HarnessResult {
  const { grid } = frame.commands;
  const resident = chiplet.admitFrame(frame);
  const visibility = chiplet.computeVisibility(resident, 0);
  const pixelBytes = 4 * (frame.commands.passes[0]!.sampleCount ?? 1);
  const rgba = new Uint8Array(grid.widthPx * grid.heightPx * pixelBytes);
  const counters: Counters = {};
  for (let bin = 0; bin < coarseBinCount(grid); bin++) {
    const part = chiplet.renderBin(resident, 0, bin, visibility.stream.bins[bin]!);
    const { x, y, width, height } = part.rect;
    for (let row = 0; row < height; row++) {
      const from = row * width * pixelBytes;
      rgba.set(
        part.colors[0]!.subarray(from, from + width * pixelBytes),
        ((y + row) * grid.widthPx + x) * pixelBytes,
      );
    }
    addCounters(counters, part.counters);
  }
  return { widthPx: grid.widthPx, rgba, counters, visibility };
}

/** Renders draws with both functions above. */
export function render(draws: readonly HarnessDraw[], options: HarnessOptions): HarnessResult {
  const chiplet = new SimulatedChiplet(options.spec ?? DEFAULT_CHIPLET_SPEC);
  return renderFrameOnChiplet(makeFrame(draws, options), chiplet);
}

/** Returns red, green, blue and alpha of a pixel, 0 to 255. */
export function pixelAt({ rgba, widthPx }: HarnessResult, x: number, y: number): number[] {
  return [...rgba.subarray((y * widthPx + x) * 4, (y * widthPx + x) * 4 + 4)];
}

/** Returns a vertex at pixel coordinates (y down) of a target, at device depth z with w = 1. */
export function vertexAt(
  target: { readonly widthPx: number; readonly heightPx: number },
  x: number,
  y: number,
  z: number,
  color: readonly [number, number, number, number] = [1, 1, 1, 1],
): number[] {
  return [(2 * x) / target.widthPx - 1, 1 - (2 * y) / target.heightPx, z, 1, ...color];
}

/** Returns a rectangle of pixels as two front-facing triangles. */
export function rectangle(
  target: { readonly widthPx: number; readonly heightPx: number },
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  z: number,
  color: readonly [number, number, number, number] = [1, 1, 1, 1],
): number[] {
  const [a, b, c, d] = [
    vertexAt(target, x0, y0, z, color),
    vertexAt(target, x0, y1, z, color),
    vertexAt(target, x1, y1, z, color),
    vertexAt(target, x1, y0, z, color),
  ];
  return [...a!, ...b!, ...c!, ...a!, ...c!, ...d!];
}
