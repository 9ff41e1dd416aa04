/** Rules of GL ES 3.0, section 4.1, one by one, on the kernel. */
import {
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  type BlendChannelState,
  type BlendEquation,
  type BlendFactor,
  type CompareFunction,
  defaultPipelineState,
  type PipelineState,
  type StencilFaceState,
  type StencilOperation,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import {
  type MergeResult,
  type Quad,
  runKernel,
  TARGET_QUADS,
} from '../../testing/merge-harness.ts';
import { makeMergeKey } from './merge-key.ts';

type Rgba = readonly [number, number, number, number];

const DEFAULT = defaultPipelineState(6, 4);
const RGBA_SLOTS = [0, 1, 2, 3];

interface Case {
  readonly state: Partial<PipelineState>;
  readonly color?: Rgba;
  readonly depth?: number;
  readonly mask?: number;
  readonly isFrontFacing?: boolean;
  /** Color stored in the target before the merge. */
  readonly storedColor?: Rgba;
  readonly storedDepth?: number;
  readonly storedStencil?: number;
  readonly slots?: readonly number[];
  readonly outputs?: readonly number[];
}

/** Merges one quad with equal lanes into quad 0 of a uniform target. */
function merge(given: Case): MergeResult {
  const { color = [0, 0, 0, 0], storedColor = [0, 0, 0, 0] } = given;
  const fill = (word: number) => new Array<number>(TARGET_QUADS * 4).fill(word);
  const outputs = given.outputs ?? color;
  const quad: Quad = {
    column: 0,
    row: 0,
    mask: given.mask ?? 15,
    isFrontFacing: given.isFrontFacing ?? true,
    depth: fill(given.depth ?? 0).slice(0, 4),
    outputs: outputs.map((value) => [value, value, value, value]),
  };
  const key = makeMergeKey({ ...DEFAULT, ...given.state }, given.slots ?? RGBA_SLOTS, false);
  const [r, g, b, a] = storedColor;
  return runKernel(key, [quad], {
    color: fill(r | (g << 8) | (b << 16) | (a << 24)),
    depth: fill(given.storedDepth ?? 0),
    stencil: fill(given.storedStencil ?? 0),
  });
}

function bytesOf(word: number): Rgba {
  return [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24];
}

describe('conversion of colors', () => {
  it.each([
    [0, 0],
    [1, 255],
    [0.5, 128],
    [0.1, 26],
    [-1, 0],
    [2, 255],
    [Infinity, 255],
    [-Infinity, 0],
    [Number.NaN, 0],
    [1 / 255, 1],
    [1.49 / 255, 1],
    [1.51 / 255, 2],
  ])('stores %d as %d', (value, expected) => {
    const result = merge({ state: {}, color: [value, value, value, value] });
    expect(bytesOf(result.color[0]!)).toStrictEqual([expected, expected, expected, expected]);
  });

  it('gives each 8-bit value back', () => {
    for (let value = 0; value < 256; value++) {
      const result = merge({ state: {}, color: [value / 255, 0, 0, 1] });
      expect(bytesOf(result.color[0]!)).toStrictEqual([value, 0, 0, 255]);
    }
  });

  it('reads channels that the program does not write as 0, 0, 0, 1', () => {
    const result = merge({ state: {}, slots: [1], outputs: [1] });
    expect(bytesOf(result.color[0]!)).toStrictEqual([0, 255, 0, 255]);
  });

  it('ignores the outputs of other targets', () => {
    const result = merge({ state: {}, slots: [0, 4, 5], outputs: [0, 1, 1] });
    expect(bytesOf(result.color[0]!)).toStrictEqual([0, 0, 0, 255]);
  });
});

describe('what is written', () => {
  it('is the covered lanes of the quad alone', () => {
    const result = merge({ state: {}, mask: 0b0110, color: [1, 1, 1, 1] });
    expect(result.color.slice(0, 5)).toStrictEqual([0, -1, -1, 0, 0]);
    expect([result.failed, result.passed]).toStrictEqual([0, 2]);
  });

  it.each([0, 1, 2, 3])('is not channel %d where its mask is off', (channel) => {
    const mask = [0, 1, 2, 3].map((c) => c !== channel) as [boolean, boolean, boolean, boolean];
    const storedColor: Rgba = [1, 2, 3, 4];
    const result = merge({ state: { colorMask: mask }, color: [1, 1, 1, 1], storedColor });
    const expected = [255, 255, 255, 255];
    expected[channel] = storedColor[channel]!;
    expect(bytesOf(result.color[0]!)).toStrictEqual(expected);
  });
});

const COMPARISONS: readonly [CompareFunction, boolean, boolean, boolean][] = [
  ['never', false, false, false],
  ['less', true, false, false],
  ['equal', false, true, false],
  ['less-equal', true, true, false],
  ['greater', false, false, true],
  ['not-equal', true, false, true],
  ['greater-equal', false, true, true],
  ['always', true, true, true],
];

describe('depth test', () => {
  it.each(COMPARISONS)('%s: below %s, equal %s, above %s', (compare, below, equal, above) => {
    const depth = { isTestEnabled: true, isWriteEnabled: true, compare };
    const stored = 0x800000;
    const cases = [
      [stored - 1, below],
      [stored, equal],
      [stored + 1, above],
      [0, below],
      [0xffffff, above],
    ] as const;
    for (const [incoming, isPassed] of cases) {
      const result = merge({
        state: { depth },
        depth: incoming,
        storedDepth: stored,
        color: [1, 1, 1, 1],
      });
      expect(result.depth[0]).toBe(isPassed ? incoming : stored);
      expect(result.color[0]).toBe(isPassed ? -1 : 0);
      expect([result.failed, result.passed]).toStrictEqual(isPassed ? [0, 4] : [4, 0]);
    }
  });

  it('writes nothing when it or its writes are off', () => {
    for (const [isTestEnabled, isWriteEnabled] of [
      [false, true],
      [true, false],
    ] as const) {
      const depth = { isTestEnabled, isWriteEnabled, compare: 'always' as const };
      expect(merge({ state: { depth }, depth: 5, storedDepth: 9 }).depth[0]).toBe(9);
    }
  });

  it.each([
    [0, 0],
    [1, 0xffffff],
    [0.5, 0x800000],
    [-3, 0],
    [7, 0xffffff],
    [Number.NaN, 0],
    [1 / 0xffffff, 1],
  ])('takes gl_FragDepth %d as %d', (value, expected) => {
    const depth = { isTestEnabled: true, isWriteEnabled: true, compare: 'always' as const };
    const result = merge({ state: { depth }, slots: [0, 32], outputs: [1, value], depth: 77 });
    expect(result.depth[0]).toBe(expected);
  });
});

const FACE: StencilFaceState = {
  compare: 'always',
  reference: 0,
  readMask: 255,
  writeMask: 255,
  onStencilFail: 'keep',
  onDepthFail: 'keep',
  onPass: 'keep',
};

function stencilState(front: Partial<StencilFaceState>, back: Partial<StencilFaceState> = front) {
  const stencil = {
    isTestEnabled: true,
    front: { ...FACE, ...front },
    back: { ...FACE, ...back },
  };
  return { stencil };
}

describe('stencil test', () => {
  it.each(COMPARISONS)('%s: below %s, equal %s, above %s', (compare, below, equal, above) => {
    for (const [reference, isPassed] of [
      [99, below],
      [100, equal],
      [101, above],
    ] as const) {
      const state = stencilState({ compare, reference, onPass: 'zero', onStencilFail: 'invert' });
      const result = merge({ state, storedStencil: 100, color: [1, 1, 1, 1] });
      expect(result.stencil[0]).toBe(isPassed ? 0 : 155);
      expect(result.color[0]).toBe(isPassed ? -1 : 0);
    }
  });

  it('compares under the read mask', () => {
    const state = stencilState({ compare: 'equal', reference: 0xf3, readMask: 0x0f });
    expect(merge({ state, storedStencil: 0x53 }).passed).toBe(4);
    expect(merge({ state, storedStencil: 0x54 }).passed).toBe(0);
  });

  it.each<[StencilOperation, number, number]>([
    ['keep', 100, 100],
    ['zero', 100, 0],
    ['replace', 100, 7],
    ['increment-clamp', 100, 101],
    ['increment-clamp', 255, 255],
    ['increment-wrap', 100, 101],
    ['increment-wrap', 255, 0],
    ['decrement-clamp', 100, 99],
    ['decrement-clamp', 0, 0],
    ['decrement-wrap', 100, 99],
    ['decrement-wrap', 0, 255],
    ['invert', 100, 155],
  ])('%s turns %d into %d, in each of the three outcomes', (operation, stored, expected) => {
    const never = { isTestEnabled: true, isWriteEnabled: true, compare: 'never' } as const;
    const reference = 7;
    const onFail = stencilState({ compare: 'never', reference, onStencilFail: operation });
    const onDepthFail = { ...stencilState({ reference, onDepthFail: operation }), depth: never };
    const onPass = stencilState({ reference, onPass: operation });
    for (const state of [onFail, onDepthFail, onPass]) {
      expect(merge({ state, storedStencil: stored }).stencil[0]).toBe(expected);
    }
  });

  it('writes under the write mask', () => {
    const state = stencilState({ reference: 0xff, writeMask: 0x3c, onPass: 'replace' });
    expect(merge({ state, storedStencil: 0x81 }).stencil[0]).toBe(0xbd);
  });

  it('follows the facing of the primitive', () => {
    const state = stencilState({ onPass: 'increment-wrap' }, { onPass: 'decrement-wrap' });
    expect(merge({ state, isFrontFacing: true, storedStencil: 5 }).stencil[0]).toBe(6);
    expect(merge({ state, isFrontFacing: false, storedStencil: 5 }).stencil[0]).toBe(4);
  });

  it('updates covered lanes alone', () => {
    const state = stencilState({ onPass: 'invert' });
    expect(merge({ state, mask: 0b1001 }).stencil.slice(0, 5)).toStrictEqual([255, 0, 0, 255, 0]);
  });
});

/** Returns a factor in double precision, by the specification's table. */
function factorOf(factor: BlendFactor, s: Rgba, s1: Rgba, d: Rgba, k: Rgba): Rgba {
  const all = (value: number): Rgba => [value, value, value, value];
  const invert = (rgba: Rgba) => rgba.map((value) => 1 - value) as unknown as Rgba;
  const saturate = Math.min(s[3], 1 - d[3]);
  const table: Record<BlendFactor, Rgba> = {
    zero: all(0),
    one: all(1),
    'src-color': s,
    'one-minus-src-color': invert(s),
    'dst-color': d,
    'one-minus-dst-color': invert(d),
    'src-alpha': all(s[3]),
    'one-minus-src-alpha': all(1 - s[3]),
    'dst-alpha': all(d[3]),
    'one-minus-dst-alpha': all(1 - d[3]),
    'constant-color': k,
    'one-minus-constant-color': invert(k),
    'constant-alpha': all(k[3]),
    'one-minus-constant-alpha': all(1 - k[3]),
    'src-alpha-saturate': [saturate, saturate, saturate, 1],
    'src1-color': s1,
    'one-minus-src1-color': invert(s1),
    'src1-alpha': all(s1[3]),
    'one-minus-src1-alpha': all(1 - s1[3]),
  };
  return table[factor];
}

function combine(equation: BlendEquation, s: number, sf: number, d: number, df: number): number {
  switch (equation) {
    case 'add':
      return s * sf + d * df;
    case 'subtract':
      return s * sf - d * df;
    case 'reverse-subtract':
      return d * df - s * sf;
    case 'min':
      return Math.min(s, d);
    case 'max':
      return Math.max(s, d);
  }
}

describe('blending', () => {
  const source: Rgba = [0.9, 0.31, 0.62, 0.7];
  const second: Rgba = [0.2, 0.85, 0.45, 0.35];
  const stored: Rgba = [51, 204, 102, 140];
  const constant: Rgba = [0.25, 0.75, 0.4, 0.6];
  const destination = stored.map((value) => value / 255) as unknown as Rgba;

  function expectBlend(color: BlendChannelState, alpha: BlendChannelState): void {
    const blend = { isEnabled: true, color, alpha, constant };
    const slots = [...RGBA_SLOTS, 34, 35, 36, 37];
    const outputs = [...source, ...second];
    const result = merge({ state: { blend }, slots, outputs, storedColor: stored });
    const bytes = bytesOf(result.color[0]!);
    for (let c = 0; c < 4; c++) {
      const state = c === 3 ? alpha : color;
      const sf = factorOf(state.source, source, second, destination, constant)[c]!;
      const df = factorOf(state.destination, source, second, destination, constant)[c]!;
      const exact = combine(state.equation, source[c]!, sf, destination[c]!, df);
      const expected = Math.min(Math.max(exact, 0), 1) * 255;
      expect(Math.abs(bytes[c]! - expected)).toBeLessThanOrEqual(0.5001);
    }
  }

  it.each(BLEND_FACTORS)('takes %s as the factor of source and destination', (factor) => {
    const replace: BlendChannelState = { equation: 'add', source: 'one', destination: 'zero' };
    expectBlend({ ...replace, source: factor }, { ...replace, source: factor });
    expectBlend(
      { ...replace, source: 'zero', destination: factor },
      { ...replace, source: 'zero', destination: factor },
    );
    expectBlend({ ...replace, source: factor }, replace);
    expectBlend(replace, { ...replace, source: factor });
  });

  it.each(BLEND_EQUATIONS)('combines by %s, for color and alpha apart', (equation) => {
    const weighted = { source: 'src-alpha', destination: 'one-minus-dst-color' } as const;
    expectBlend({ equation, ...weighted }, { equation: 'add', ...weighted });
    expectBlend({ equation: 'add', ...weighted }, { equation, ...weighted });
  });

  it('keeps the destination exactly where the source has no weight', () => {
    const keep: BlendChannelState = { equation: 'add', source: 'zero', destination: 'one' };
    const blend = { isEnabled: true, color: keep, alpha: keep, constant };
    for (let value = 0; value < 256; value++) {
      const storedColor: Rgba = [value, 255 - value, value, value];
      const result = merge({ state: { blend }, color: source, storedColor });
      expect(bytesOf(result.color[0]!)).toStrictEqual(storedColor);
    }
  });

  it('clamps source and constant before they are combined', () => {
    const double: BlendChannelState = {
      equation: 'subtract',
      source: 'one',
      destination: 'constant-color',
    };
    const blend = {
      isEnabled: true,
      color: double,
      alpha: double,
      constant: [9, 9, -9, 9],
    } as const;
    const result = merge({ state: { blend }, color: [7, 7, 7, 7], storedColor: stored });
    expect(bytesOf(result.color[0]!)).toStrictEqual([204, 51, 255, 115]);
  });
});
