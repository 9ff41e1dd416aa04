/** When the depth test of a draw takes place. */
import type { DepthState, MultisampleState } from '@tessera/frame';

/** Not at all, before shading in tile traversal, or after it in the output merger. */
export type DepthStage = 'none' | 'early' | 'late';

/** Whether samples may be dropped after shading. */
export function cutsCoverage(multisample: MultisampleState | undefined): boolean {
  return (
    multisample !== undefined && (multisample.isAlphaToCoverage || multisample.sampleMask !== 15)
  );
}

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
