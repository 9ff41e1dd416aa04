import type { StencilFaceState } from '@tessera/frame';

/** Largest stencil value and mask: 8 bits. */
export const MAX_STENCIL = 255;

/** Returns the stencil state of one face in a new context. */
export function initialStencilFace(): StencilFaceState {
  return {
    compare: 'always',
    reference: 0,
    readMask: MAX_STENCIL,
    writeMask: MAX_STENCIL,
    onStencilFail: 'keep',
    onDepthFail: 'keep',
    onPass: 'keep',
  };
}
