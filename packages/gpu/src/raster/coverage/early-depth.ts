/** Choice of the stage at which a draw's depth test takes place. */
import type { DepthState, MultisampleState } from '@tessera/frame';

/**
 * Stage of the depth test: none, before shading in tile traversal, or after it in the output
 * merger.
 */
export type DepthStage = 'none' | 'early' | 'late';

/** Returns whether samples may be dropped after shading. */
export function cutsCoverage(
  multisample: MultisampleState | undefined,
  sampleCount: number,
): boolean {
  if (multisample === undefined) return false;
  const all = 2 ** sampleCount - 1;
  return multisample.isAlphaToCoverage || (multisample.sampleMask & all) !== all;
}

/**
 * Returns the stage of the depth test: before shading, unless the shader or the stencil test may
 * still drop the fragment or change its depth.
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
