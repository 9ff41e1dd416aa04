/**
 * Depth of fragments and the depth test before shading. Depth is stored as a 24-bit unsigned normalised
 * integer, one int32 per sample.
 *
 * The depth of a fragment is computed here and nowhere else, so that the early test, the late test and
 * every chiplet see the same number.
 */
import type { CompareFunction, DepthState } from '@tessera/frame';
import { DEPTH_MAX } from './raster-record.ts';

/** Outcomes of a comparison of a new value with a stored one, as bits. */
const LESS = 1;
const EQUAL = 2;
const GREATER = 4;

const PASSING_OUTCOMES: Readonly<Record<CompareFunction, number>> = {
  never: 0,
  less: LESS,
  equal: EQUAL,
  'less-equal': LESS | EQUAL,
  greater: GREATER,
  'not-equal': LESS | GREATER,
  'greater-equal': EQUAL | GREATER,
  always: LESS | EQUAL | GREATER,
};

/** The outcomes that pass a comparison, as bits for {@link passesDepth}. */
export function passingOutcomes(compare: CompareFunction): number {
  return PASSING_OUTCOMES[compare];
}

/** Whether `depth` passes against `stored`. */
export function passesDepth(outcomes: number, depth: number, stored: number): boolean {
  return (outcomes & (depth < stored ? LESS : depth === stored ? EQUAL : GREATER)) !== 0;
}

/** Depth of the fragment `dx`, `dy` pixels from the origin of a depth plane, 0 to DEPTH_MAX. */
export function fragmentDepth(
  c: number,
  planeDx: number,
  planeDy: number,
  dx: number,
  dy: number,
): number {
  const z = c + planeDx * dx + planeDy * dy;
  // Written so that NaN gives 0.
  return z > 0 ? (Math.min(z, DEPTH_MAX) + 0.5) | 0 : 0;
}

/** When a draw's depth test takes place. */
export type DepthStage = 'none' | 'early' | 'late';

/**
 * Chooses the stage: before shading, unless the shader or the stencil test may still drop the
 * fragment or change its depth.
 */
export function chooseDepthStage(
  depth: DepthState,
  isStencilTested: boolean,
  shader: { readonly usesDiscard: boolean; readonly writesDepth: boolean },
): DepthStage {
  if (!depth.isTestEnabled && !isStencilTested) return 'none';
  if (isStencilTested || shader.usesDiscard || shader.writesDepth) return 'late';
  return 'early';
}
