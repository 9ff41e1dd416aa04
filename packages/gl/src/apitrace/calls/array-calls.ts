/** Replays fixed-function vertex arrays, matrices and draws of arrays. */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { AttributeInputs } from '../../objects/vertex-arrays/vertex-array.ts';
import { transpose } from '../../state/fixed/matrix-stacks.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';
import {
  failCall,
  locationOf,
  numberOf,
  numbersOf,
  refuseCall,
  takeFirst,
  takeNumbers,
  toNumber,
} from './call-arguments.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

/** GL_INDEX_ARRAY, the array of color indices, which contexts with RGBA colors do not read. */
const INDEX_ARRAY = 0x8077;

const CONVENTIONAL_ARRAYS: ReadonlyMap<number, string> = new Map([
  [GL.VERTEX_ARRAY, 'gl_Vertex'],
  [GL.NORMAL_ARRAY, 'gl_Normal'],
  [GL.COLOR_ARRAY, 'gl_Color'],
  [GL.SECONDARY_COLOR_ARRAY, 'gl_SecondaryColor'],
  [GL.FOG_COORD_ARRAY, 'gl_FogCoord'],
  [FIXED.EDGE_FLAG_ARRAY, 'gl_EdgeFlag'],
]);

const CONVENTIONAL_CALLS: Record<string, CallReplay> = {
  glClientActiveTexture: (context, call) => {
    context.clientUnit = numberOf(call, 'texture') - GL.TEXTURE0;
  },
  glEnableClientState: (context, call) => {
    const array = numberOf(call, 'array');
    if (array === INDEX_ARRAY) return;
    if (array === GL.PRIMITIVE_RESTART_NV) context.gl.capabilities.enable(GL.PRIMITIVE_RESTART);
    else context.gl.vertexArrays.enable(conventionalArray(context, call));
  },
  glDisableClientState: (context, call) => {
    const array = numberOf(call, 'array');
    if (array === INDEX_ARRAY) return;
    if (array === GL.PRIMITIVE_RESTART_NV) context.gl.capabilities.disable(GL.PRIMITIVE_RESTART);
    else context.gl.vertexArrays.disable(conventionalArray(context, call));
  },
  glVertexPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Vertex', false),
  glNormalPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Normal', true),
  glColorPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Color', true),
  glSecondaryColorPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_SecondaryColor', true),
  glFogCoordPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_FogCoord', false),
  glEdgeFlagPointer: ({ gl }, call) =>
    gl.vertexArrays.setPointer(
      'gl_EdgeFlag',
      1,
      GL.UNSIGNED_BYTE,
      false,
      numberOf(call, 'stride'),
      locationOf(call, 'pointer'),
    ),
  glTexCoordPointer: ({ gl, clientUnit }, call) =>
    replayPointer(gl, call, `gl_MultiTexCoord${clientUnit}`, false),
  glMatrixMode: ({ gl }, call) => gl.matrices.setMode(numberOf(call, 'mode')),
  glLoadIdentity: ({ gl }) => gl.matrices.loadIdentity(),
  glLoadMatrixf: ({ gl }, call) => gl.matrices.load(matrixOf(call)),
  glLoadMatrixd: ({ gl }, call) => gl.matrices.load(matrixOf(call)),
  glMultMatrixf: ({ gl }, call) => gl.matrices.multiply(matrixOf(call)),
  glMultMatrixd: ({ gl }, call) => gl.matrices.multiply(matrixOf(call)),
  glLoadTransposeMatrixf: ({ gl }, call) => gl.matrices.load(transpose(matrixOf(call))),
  glLoadTransposeMatrixd: ({ gl }, call) => gl.matrices.load(transpose(matrixOf(call))),
  glMultTransposeMatrixf: ({ gl }, call) => gl.matrices.multiply(transpose(matrixOf(call))),
  glMultTransposeMatrixd: ({ gl }, call) => gl.matrices.multiply(transpose(matrixOf(call))),
  glPushMatrix: ({ gl }) => gl.matrices.push(),
  glPopMatrix: ({ gl }) => gl.matrices.pop(),
  glTranslatef: ({ gl }, call) => gl.matrices.translate(...takeFirst(call, 3)),
  glTranslated: ({ gl }, call) => gl.matrices.translate(...takeFirst(call, 3)),
  glScalef: ({ gl }, call) => gl.matrices.scale(...takeFirst(call, 3)),
  glScaled: ({ gl }, call) => gl.matrices.scale(...takeFirst(call, 3)),
  glRotatef: ({ gl }, call) => gl.matrices.rotate(...takeFirst(call, 4)),
  glRotated: ({ gl }, call) => gl.matrices.rotate(...takeFirst(call, 4)),
  glOrtho: ({ gl }, call) => gl.matrices.ortho(...takeFirst(call, 6)),
  glFrustum: ({ gl }, call) => gl.matrices.frustum(...takeFirst(call, 6)),
};

const DRAW_CALLS: Record<string, CallReplay> = {
  glClear: ({ gl }, call) => gl.clears.clear(numberOf(call, 'mask')),
  glDrawArrays: ({ gl }, call) => {
    const inputs = inputsOf(gl);
    const numbers = takeNumbers(call, 'mode', 'first', 'count');
    gl.fixedFunctions.lists.submit(() => gl.draws.drawArrays(...numbers, 1, { inputs }));
  },
  glMultiDrawArrays: ({ gl }, call) => {
    const inputs = inputsOf(gl);
    const mode = numberOf(call, 'mode');
    const counts = numbersOf(call, 'count');
    numbersOf(call, 'first').forEach((first, i) => {
      gl.fixedFunctions.lists.submit(() =>
        gl.draws.drawArrays(mode, first, counts[i] ?? 0, 1, { inputs }),
      );
    });
  },
  glDrawArraysInstanced: ({ gl }, call) =>
    gl.draws.drawArrays(...takeNumbers(call, 'mode', 'first', 'count'), instancesOf(call)),
  glDrawElements: replayDrawElements,
  glDrawRangeElements: replayDrawElements,
  glDrawElementsInstanced: replayDrawElements,
  glMultiDrawElements: replayMultiDrawElements,
  glMultiModeDrawArraysIBM: ({ gl }, call) => {
    const inputs = inputsOf(gl);
    const [modes, firsts, counts] = ['mode', 'first', 'count'].map((name) => numbersOf(call, name));
    modes!.forEach((mode, i) => {
      gl.fixedFunctions.lists.submit(() =>
        gl.draws.drawArrays(mode, firsts![i] ?? 0, counts![i] ?? 0, 1, { inputs }),
      );
    });
  },
  glMultiModeDrawElementsIBM: replayMultiDrawElements,
  glDrawElementsBaseVertex: replayDrawElements,
  glDrawRangeElementsBaseVertex: replayDrawElements,
  glDrawElementsInstancedBaseVertex: replayDrawElements,
  glPrimitiveRestartIndex: replayRestartIndex,
  glPrimitiveRestartIndexNV: replayRestartIndex,
  glMultiDrawElementsBaseVertex: replayMultiDrawElements,
  glInterleavedArrays: replayInterleavedArrays,
};

/** Replay functions of fixed-function arrays, by function name. */
export const ARRAY_CALLS: Readonly<Record<string, CallReplay>> = {
  ...CONVENTIONAL_CALLS,
  ...DRAW_CALLS,
};

/** Returns the attribute of an array of fixed functions; `null` for another enumeration. */
export function findConventionalArray(
  { clientUnit }: RecordedContext,
  array: number,
): string | null {
  if (array === GL.TEXTURE_COORD_ARRAY) return `gl_MultiTexCoord${clientUnit}`;
  return CONVENTIONAL_ARRAYS.get(array) ?? null;
}

function conventionalArray(context: RecordedContext, call: CapturedCall): string {
  const array = numberOf(call, 'array');
  return findConventionalArray(context, array) ?? refuseCall(call, nameOfEnum(array));
}

function replayPointer(
  gl: RecordedContext['gl'],
  call: CapturedCall,
  attribute: string,
  isNormalized: boolean,
): void {
  const isSized = 'size' in call.args;
  const defaultSize = attribute === 'gl_Normal' ? 3 : 1;
  gl.vertexArrays.setPointer(
    attribute,
    isSized ? numberOf(call, 'size') : defaultSize,
    numberOf(call, 'type'),
    isNormalized,
    numberOf(call, 'stride'),
    locationOf(call, 'pointer'),
  );
}

function matrixOf(call: CapturedCall): number[] {
  const matrix = numbersOf(call, 'm');
  return matrix.length === 16
    ? matrix
    : failCall(call, `the matrix has ${matrix.length} of 16 numbers`);
}

function replayDrawElements({ gl }: RecordedContext, call: CapturedCall): void {
  drawElements(
    gl,
    ...takeNumbers(call, 'mode', 'count', 'type'),
    locationOf(call, 'indices'),
    instancesOf(call),
    'basevertex' in call.args ? numberOf(call, 'basevertex') : 0,
  );
}

function replayRestartIndex({ gl }: RecordedContext, call: CapturedCall): void {
  gl.draws.restartIndex = numberOf(call, 'index');
}

/** Replays several indexed draws, of one mode or of one mode each. */
function replayMultiDrawElements({ gl }: RecordedContext, call: CapturedCall): void {
  const { indices } = call.args;
  const modes = numbersOf(call, 'mode');
  const counts = numbersOf(call, 'count');
  const bases = 'basevertex' in call.args ? numbersOf(call, 'basevertex') : [];
  const locations = Array.isArray(indices) ? (indices as readonly CapturedValue[]) : [indices];
  locations.forEach((location, i) => {
    const from = location instanceof Uint8Array ? location : (toNumber(location) ?? 0);
    const mode = modes[i] ?? modes[0]!;
    drawElements(gl, mode, counts[i] ?? 0, numberOf(call, 'type'), from, 1, bases[i] ?? 0);
  });
}

function drawElements(
  gl: RecordedContext['gl'],
  mode: number,
  count: number,
  type: number,
  location: number | Uint8Array,
  instanceCount: number,
  baseVertex: number,
): void {
  const inputs = inputsOf(gl);
  let indices = location;
  if (gl.fixedFunctions.lists.isCompiling && typeof location === 'number') {
    const buffer = gl.buffers.bound(GL.ELEMENT_ARRAY_BUFFER);
    if (buffer !== null) indices = buffer.share().subarray(location);
  }
  gl.fixedFunctions.lists.submit(() =>
    gl.draws.drawElements(mode, count, type, indices, instanceCount, { inputs, baseVertex }),
  );
}

/**
 * Returns the inputs of a draw. A display list keeps the vertices as they are when it is compiled.
 */
function inputsOf(gl: RecordedContext['gl']): AttributeInputs {
  return gl.fixedFunctions.lists.isCompiling ? gl.vertexArrays.pin() : gl.vertexArrays;
}

/**
 * Component counts and types of interleaved formats: texture coordinates, color, normal, vertex.
 */
const INTERLEAVED_FORMATS: readonly (readonly [number, string, boolean, number])[] = [
  [0, '', false, 2],
  [0, '', false, 3],
  [0, '4ub', false, 2],
  [0, '4ub', false, 3],
  [0, '3f', false, 3],
  [0, '', true, 3],
  [0, '4f', true, 3],
  [2, '', false, 3],
  [4, '', false, 4],
  [2, '4ub', false, 3],
  [2, '3f', false, 3],
  [2, '', true, 3],
  [2, '4f', true, 3],
  [4, '4f', true, 4],
];

function replayInterleavedArrays({ gl, clientUnit }: RecordedContext, call: CapturedCall): void {
  const found = INTERLEAVED_FORMATS[numberOf(call, 'format') - FIXED.V2F];
  const [coordinates, color, hasNormal, vertex] =
    found ?? failCall(call, 'the interleaved format is unknown');
  const location = locationOf(call, 'pointer');
  const colorComponents = Number(color[0] ?? 0);
  const isByteColor = color === '4ub';
  const parts: readonly (readonly [string, number, number, number])[] = [
    [`gl_MultiTexCoord${clientUnit}`, coordinates, GL.FLOAT, coordinates * 4],
    [
      'gl_Color',
      colorComponents,
      isByteColor ? GL.UNSIGNED_BYTE : GL.FLOAT,
      isByteColor ? 4 : colorComponents * 4,
    ],
    ['gl_Normal', hasNormal ? 3 : 0, GL.FLOAT, hasNormal ? 12 : 0],
    ['gl_Vertex', vertex, GL.FLOAT, vertex * 4],
  ];
  const packedBytes = parts.reduce((sum, [, , , bytes]) => sum + bytes, 0);
  const stride = numberOf(call, 'stride') || packedBytes;
  let offset = 0;
  for (const [key, components, type, bytes] of parts) {
    if (components === 0) {
      gl.vertexArrays.disable(key);
      continue;
    }
    const from = typeof location === 'number' ? location + offset : location.subarray(offset);
    gl.vertexArrays.setPointer(key, components, type, key === 'gl_Color', stride, from);
    gl.vertexArrays.enable(key);
    offset += bytes;
  }
}

/** Returns the instance count of a draw. The argument has two names; without it the count is 1. */
function instancesOf(call: CapturedCall): number {
  const name = ['instancecount', 'instanceCount', 'primcount'].find((known) => known in call.args);
  return name === undefined ? 1 : numberOf(call, name);
}
