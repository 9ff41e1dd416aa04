import {
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  type BlendChannelState,
  COMPARE_FUNCTIONS,
  defaultPipelineState,
  type PipelineState,
  STENCIL_OPERATIONS,
  type StencilFaceState,
} from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  QUADS_PER_ROW,
  type Quad,
  runKernel,
  TARGET_QUADS,
  type Targets,
} from '../../testing/merge-harness.ts';
import { type MergeKey, makeMergeKey, mergeKeyString } from './merge-key.ts';
import { type MergedPixel, mergeFragment } from './merge-reference.ts';

const { fround } = Math;

function runReference(key: MergeKey, quads: readonly Quad[], targets: Targets) {
  const pixels = targets.color.map(
    (color, index): MergedPixel => ({
      color,
      depth: targets.depth[index]!,
      stencil: targets.stencil[index]!,
    }),
  );
  let failed = 0;
  let passed = 0;
  for (const quad of quads) {
    for (let lane = 0; lane < 4; lane++) {
      if ((quad.mask & (1 << lane)) === 0) continue;
      const pixel = pixels[(quad.row * QUADS_PER_ROW + quad.column) * 4 + lane]!;
      const outputs = quad.outputs.map((lanes) => fround(lanes[lane]!));
      const { isFrontFacing } = quad;
      const fragment = { outputs, depth: quad.depth[lane]!, isFrontFacing };
      if (mergeFragment(key, fragment, pixel)) passed++;
      else failed++;
    }
  }
  return {
    color: pixels.map((pixel) => pixel.color),
    depth: pixels.map((pixel) => pixel.depth),
    stencil: pixels.map((pixel) => pixel.stencil),
    failed,
    passed,
  };
}

const byte = fc.integer({ min: 0, max: 255 });
const anyFace: fc.Arbitrary<StencilFaceState> = fc.record({
  compare: fc.constantFrom(...COMPARE_FUNCTIONS),
  reference: byte,
  readMask: fc.oneof(fc.constant(255), byte),
  writeMask: fc.oneof(fc.constant(255), byte),
  onStencilFail: fc.constantFrom(...STENCIL_OPERATIONS),
  onDepthFail: fc.constantFrom(...STENCIL_OPERATIONS),
  onPass: fc.constantFrom(...STENCIL_OPERATIONS),
});
const anyChannelState: fc.Arbitrary<BlendChannelState> = fc.record({
  equation: fc.constantFrom(...BLEND_EQUATIONS),
  source: fc.constantFrom(...BLEND_FACTORS),
  destination: fc.constantFrom(...BLEND_FACTORS),
});
const unit = fc.double({ min: -0.25, max: 1.25, noNaN: true });
const anyState: fc.Arbitrary<PipelineState> = fc
  .record({
    depth: fc.record({
      isTestEnabled: fc.boolean(),
      isWriteEnabled: fc.boolean(),
      compare: fc.constantFrom(...COMPARE_FUNCTIONS),
    }),
    stencil: fc.record({ isTestEnabled: fc.boolean(), front: anyFace, back: anyFace }),
    blend: fc.record({
      isEnabled: fc.boolean(),
      color: anyChannelState,
      alpha: anyChannelState,
      constant: fc.tuple(unit, unit, unit, unit),
    }),
    logicOperation: fc.option(fc.integer({ min: 0, max: 15 }), { nil: null }),
    colorMask: fc.oneof(
      fc.constant([true, true, true, true] as const),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
    ),
  })
  .map((chosen) => ({ ...defaultPipelineState(6, 4), ...chosen }));
const anyOutputValue = fc.oneof(
  { weight: 5, arbitrary: fc.float({ min: -0.25, max: 1.25, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 510 }).map((n) => n / 510) },
  { weight: 1, arbitrary: fc.float() },
);
/** Few values, so that every comparison occurs. */
const anyDepth = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffffff }));
const lanesOf = (lane: fc.Arbitrary<number>) => fc.array(lane, { minLength: 4, maxLength: 4 });
const targetOf = (lane: fc.Arbitrary<number>) =>
  fc.array(lane, { minLength: TARGET_QUADS * 4, maxLength: TARGET_QUADS * 4 });
const anyTargets = fc.record({
  color: targetOf(fc.integer()),
  depth: targetOf(anyDepth),
  stencil: targetOf(fc.oneof(fc.constantFrom(0, 1, 254, 255), byte)),
});
const quadsWith = (outputCount: number) =>
  fc.array(
    fc.record({
      column: fc.integer({ min: 0, max: QUADS_PER_ROW - 1 }),
      row: fc.integer({ min: 0, max: 1 }),
      mask: fc.integer({ min: 0, max: 15 }),
      isFrontFacing: fc.boolean(),
      depth: lanesOf(anyDepth),
      outputs: fc.array(lanesOf(anyOutputValue), {
        minLength: outputCount,
        maxLength: outputCount,
      }),
    }),
    { minLength: 0, maxLength: 12 },
  );
const outputSlots = fc.constantFrom(
  ...[[0, 1, 2, 3], [0, 1, 2, 3, 32], [32], [], [0, 2], [1, 3, 4, 5]],
  ...[
    [0, 1, 2, 3, 34, 35, 36, 37],
    [0, 34, 36],
  ],
);

describe('merge kernel', () => {
  it('gives bit for bit what the reference gives, whatever state, quads and targets', () => {
    fc.assert(
      fc.property(
        anyState,
        outputSlots.chain((slots) => fc.tuple(fc.constant(slots), quadsWith(slots.length))),
        anyTargets,
        (state, [slots, quads], targets) => {
          const key = makeMergeKey(state, slots, false);
          expect(runKernel(key, quads, targets)).toStrictEqual(runReference(key, quads, targets));
        },
      ),
      { numRuns: 600 },
    );
  });

  it('leaves depth alone when it was tested and written before shading', () => {
    const base = defaultPipelineState(6, 4);
    const state = { ...base, depth: { ...base.depth, isTestEnabled: true } };
    const key = makeMergeKey(state, [0], true);
    const stored = new Array(TARGET_QUADS * 4).fill(7);
    const quad = { column: 1, row: 1, mask: 5, isFrontFacing: true, depth: [9, 9, 9, 9] };
    const result = runKernel(key, [{ ...quad, outputs: [[1, 1, 1, 1]] }], {
      color: stored.map(() => 0),
      depth: stored,
      stencil: stored,
    });
    expect(result.depth).toStrictEqual(stored);
    expect([result.failed, result.passed]).toStrictEqual([0, 2]);
    const opaqueRed = 0xff0000ff | 0;
    expect(result.color.slice(16, 20)).toStrictEqual([opaqueRed, 0, opaqueRed, 0]);
  });

  it('refuses early depth together with stencil', () => {
    const base = defaultPipelineState(6, 4);
    const state = { ...base, stencil: { ...base.stencil, isTestEnabled: true } };
    expect(() => makeMergeKey(state, [0], true)).toThrow('stencil');
  });

  it('has equal keys for equal code only', () => {
    const base = defaultPipelineState(6, 4);
    const key = (state: PipelineState) => mergeKeyString(makeMergeKey(state, [0, 1, 2, 3], false));
    expect(key({ ...base, viewport: { x: 1, y: 2, width: 3, height: 4 } })).toBe(key(base));
    expect(key({ ...base, blend: { ...base.blend, constant: [1, 0, 0, 0] } })).toBe(key(base));
    expect(key({ ...base, blend: { ...base.blend, isEnabled: true } })).not.toBe(key(base));
    expect(key({ ...base, colorMask: [true, true, true, false] })).not.toBe(key(base));
  });
});
