/**
 * Makes a draw for a clear inside a pass. It draws a rectangle over the whole target, writes the
 * clear values and passes every test. Scissor and write masks apply as for any clear (OpenGL ES
 * 2.0, section 4.2.3).
 */
import {
  type Draw,
  defaultPipelineState,
  type PipelineState,
  type ProgramSource,
  TEXTURE_FORMATS,
} from '@tessera/frame';
import type { RasterState } from '../../state/raster-state.ts';
import { isSigned, UNCLAMPED_TARGETS } from '../passes/color-stores.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';
import type { BufferIdentity } from '../passes/pass-attachments.ts';

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

type OutputType = 'vec4' | 'ivec4' | 'uvec4';

/** Uniforms with the clear values, by output type. */
const VALUE_NAMES = { vec4: 'color', ivec4: 'signedColor', uvec4: 'unsignedColor' } as const;
const TYPES_OF_KINDS = { depth: 'vec4', float: 'vec4', sint: 'ivec4', uint: 'uvec4' } as const;

/** Returns the type of each output, or `null` for a color without attachment. */
function outputTypes(colors: readonly (BufferIdentity | null)[]): readonly (OutputType | null)[] {
  return colors.map((color) => {
    if (color === null || color === 'screen') return color === null ? null : 'vec4';
    return TYPES_OF_KINDS[TEXTURE_FORMATS[color.format].kind];
  });
}

/**
 * Returns a program that writes the clear value to every color attachment, in the attachment's
 * type.
 */
function clearProgram(types: readonly (OutputType | null)[]): ProgramSource {
  if (types.every((type, i) => type === (i === 0 ? 'vec4' : null))) return CLEAR_PROGRAM;
  const used = new Set(types.filter((type) => type !== null));
  const outputs: string[] = [];
  const writes: string[] = [];
  for (const [location, type] of types.entries()) {
    if (type === null) continue;
    outputs.push(`layout(location = ${location}) out ${type} to${location};`);
    writes.push(`  to${location} = ${VALUE_NAMES[type]};`);
  }
  return {
    vertexSource: `#version 300 es
in vec2 corner;
void main() {
  gl_Position = vec4(corner, 0.0, 1.0);
}
`,
    fragmentSource: `#version 300 es
precision highp float;
precision highp int;
${[...used].map((type) => `uniform ${type} ${VALUE_NAMES[type]};`).join('\n')}
${outputs.join('\n')}
void main() {
${writes.join('\n')}
}
`,
  };
}

/** Returns the uniforms of the clear program. */
function clearValues(
  types: readonly (OutputType | null)[],
  { clearColor }: RasterState,
): Draw['uniforms'] {
  return {
    ...(types.includes('vec4') ? { color: [...clearColor] } : {}),
    ...(types.includes('ivec4') ? { signedColor: Int32Array.from(clearColor) } : {}),
    ...(types.includes('uvec4') ? { unsignedColor: Uint32Array.from(clearColor) } : {}),
  };
}

/** Returns the write masks of colors, whose values are not clamped. */
function masksOf(
  { colorMask, targetMasks }: RasterState,
  colors: readonly (BufferIdentity | null)[],
): Pick<PipelineState, 'colorMask' | 'colorTargets'> {
  if (targetMasks !== null) {
    const colorTargets = targetMasks.map((mask) => ({ isSourceClamped: false, colorMask: mask }));
    return { colorMask, colorTargets };
  }
  return { colorMask, ...(colors.some(isSigned) ? { colorTargets: UNCLAMPED_TARGETS } : {}) };
}

/** Corners of the view volume in x and y, as a strip of two counterclockwise triangles. */
const CORNERS = new Uint8Array(Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1).buffer);

/** Buffers that a clear writes. */
export interface ClearMask {
  readonly color: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
}

/**
 * Returns a draw that clears the buffers in `mask`.
 *
 * @param colors Color attachments of the target.
 */
export function makeClearDraw(
  mask: ClearMask,
  raster: RasterState,
  colors: readonly (BufferIdentity | null)[],
  widthPx: number,
  heightPx: number,
  assembler: FrameAssembler,
): Draw {
  const types: readonly (OutputType | null)[] = mask.color ? outputTypes(colors) : ['vec4'];
  const initial = defaultPipelineState(widthPx, heightPx);
  const stencilFace = {
    ...initial.stencil.front,
    reference: raster.clearStencil,
    writeMask: raster.stencilWriteMask,
    onPass: 'replace',
  } as const;
  return {
    programIndex: assembler.addProgram(clearProgram(types)),
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
    uniforms: clearValues(types, raster),
    textures: {},
    state: {
      ...initial,
      // Both ends of the depth range are the clear value, so every fragment has exactly that depth.
      depthRange: [raster.clearDepth, raster.clearDepth],
      scissor: raster.activeScissor(heightPx),
      depth: { isTestEnabled: mask.depth, isWriteEnabled: mask.depth, compare: 'always' },
      stencil: { isTestEnabled: mask.stencil, front: stencilFace, back: stencilFace },
      ...(mask.color ? masksOf(raster, colors) : { colorMask: [false, false, false, false] }),
    },
  };
}
