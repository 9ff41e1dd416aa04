/** Tests of one sample of a fragment in the output merger, as the merge kernel decides them. */
import {
  type DepthTest,
  FRAGMENT_DEPTH_SLOT,
  SAMPLE_MASK_SLOT,
  type StencilTest,
} from '@tessera/frame';
import { PRIMITIVE_FLAGS, PRIMITIVE_RECORD } from '@tessera/shader/codegen';
import type { ObservedBin, ObservedQuad } from '../modes/fragment-probe.ts';
import { outputOfQuad } from '../modes/fragment-shading.ts';
import { compareValues } from '../output/merge/merge-reference.ts';
import { toDepth24 } from '../records/depth-24.ts';
import { readTargetPixel } from './target-pixel.ts';

const VECTOR_BYTES = 16;
/** Output slot of the alpha of the first color. */
const ALPHA_SLOT = 3;

/** Tests of a sample; `null` for a test that does not take place. */
export interface LateTests {
  readonly stencil: StencilTest | null;
  readonly depth: DepthTest | null;
}

/** Returns the tests of a sample before the fragment is merged. */
export function findLateTests(
  bin: ObservedBin,
  quad: ObservedQuad,
  lane: number,
  sample: number,
): LateTests {
  const { draw } = quad.binding;
  const { depth, stencil } = draw.draw.state;
  if (draw.depthStage !== 'late') return { stencil: null, depth: null };
  const held = readTargetPixel(bin, quad.x + (lane & 1), quad.y + (lane >> 1), sample);
  const stencilTest = stencil.isTestEnabled ? testStencil(bin, quad, held.stencil) : null;
  if (!depth.isTestEnabled || stencilTest?.isPassed === false) {
    return { stencil: stencilTest, depth: null };
  }
  const incoming = depthOfFragment(bin, quad, lane, sample);
  const isPassed = compareValues(depth.compare, incoming, held.depth);
  const depthTest = { depth: incoming, stored: held.depth, compare: depth.compare, isPassed };
  return { stencil: stencilTest, depth: depthTest };
}

/** Returns whether the multisample state or the shader removes a covered sample of a fragment. */
export function isSampleCut(
  { memory, layout }: ObservedBin,
  { binding, place }: ObservedQuad,
  lane: number,
  sample: number,
): boolean {
  if (layout.sampleCount === 1) return false;
  const { draw } = binding;
  const { outputSlots } = draw.program.fragment;
  const outputAt = (output: number) =>
    (outputOfQuad(memory, draw, place) + output * VECTOR_BYTES) / 4 + lane;
  const written = outputSlots.indexOf(SAMPLE_MASK_SLOT);
  if (written >= 0 && ((memory.i32[outputAt(written)]! >> sample) & 1) === 0) return true;
  const { multisample } = draw.draw.state;
  if (multisample === undefined) return false;
  if (((multisample.sampleMask >> sample) & 1) === 0) return true;
  const alpha = outputSlots.indexOf(ALPHA_SLOT);
  const isInteger = layout.targets[0]?.storage === 'integer';
  if (!multisample.isAlphaToCoverage || isInteger || alpha < 0) return false;
  // A sample is kept if alpha exceeds the middle of its part.
  return !(memory.f32[outputAt(alpha)]! > (sample + 0.5) / layout.sampleCount);
}

function testStencil(
  { memory }: ObservedBin,
  { binding, record }: ObservedQuad,
  stored: number,
): StencilTest {
  const { draw, primitivesPtr } = binding;
  const flagsAt = primitivesPtr + record * draw.attributes.recordBytes + PRIMITIVE_RECORD.flags;
  const isFront = (memory.i32[flagsAt >> 2]! & PRIMITIVE_FLAGS.frontFacing) !== 0;
  const { front, back } = draw.draw.state.stencil;
  const { reference, readMask, compare } = isFront ? front : back;
  const isPassed = compareValues(compare, reference & readMask, stored & readMask);
  return { reference, stored, readMask, compare, isPassed };
}

/** Returns the depth that the shader wrote, or that of the rasterizer. */
export function depthOfFragment(
  { memory, layout }: ObservedBin,
  { binding, place }: ObservedQuad,
  lane: number,
  sample: number,
): number {
  const { draw } = binding;
  const output = draw.program.fragment.outputSlots.indexOf(FRAGMENT_DEPTH_SLOT);
  if (output >= 0) {
    const at = outputOfQuad(memory, draw, place) + output * VECTOR_BYTES;
    return toDepth24(memory.f32[(at >> 2) + lane]!);
  }
  const depths = memory.quadDepthsPtr + (place * layout.sampleCount + sample) * VECTOR_BYTES;
  return memory.i32[(depths >> 2) + lane]!;
}
