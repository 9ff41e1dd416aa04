/**
 * A clear in the middle of a pass, as a draw: a rectangle over the whole target that writes the clear
 * values and passes every test. Scissor and write masks act on it as they act on clears (OpenGL ES 2.0,
 * section 4.2.3).
 */
import { type Draw, defaultPipelineState, type ProgramSource } from '@tessera/frame';
import type { RasterState } from '../state/raster-state.ts';
import type { FrameAssembler } from './frame-assembler.ts';

const CLEAR_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 100
attribute vec2 corner;
void main() {
  gl_Position = vec4(corner, 0.0, 1.0);
}
`,
  fragmentSource: `#version 100
precision highp float;
uniform vec4 color;
void main() {
  gl_FragColor = color;
}
`,
});

/** The corners of the view volume, as a strip of two counter-clockwise triangles. */
const CORNERS = new Uint8Array(Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1).buffer);

/** Which buffers a clear is for. */
export interface ClearMask {
  readonly color: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
}

export function makeClearDraw(
  mask: ClearMask,
  raster: RasterState,
  widthPx: number,
  heightPx: number,
  assembler: FrameAssembler,
): Draw {
  const initial = defaultPipelineState(widthPx, heightPx);
  const stencilFace = {
    ...initial.stencil.front,
    reference: raster.clearStencil,
    writeMask: raster.stencilWriteMask,
    onPass: 'replace',
  } as const;
  return {
    programIndex: assembler.addProgram(CLEAR_PROGRAM),
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {
      corner: {
        kind: 'buffer',
        bufferIndex: assembler.addBuffer(CORNERS),
        offsetBytes: 0,
        strideBytes: 8,
        componentType: 'float32',
        componentCount: 2,
        isNormalized: false,
        instanceDivisor: 0,
      },
    },
    uniforms: { color: [...raster.clearColor] },
    textures: {},
    state: {
      ...initial,
      // Both ends of the range are the clear value, so that is every fragment's depth, exactly.
      depthRange: [raster.clearDepth, raster.clearDepth],
      scissor: raster.activeScissor(heightPx),
      depth: { isTestEnabled: mask.depth, isWriteEnabled: mask.depth, compare: 'always' },
      stencil: { isTestEnabled: mask.stencil, front: stencilFace, back: stencilFace },
      colorMask: mask.color ? raster.colorMask : [false, false, false, false],
    },
  };
}
