/**
 * Sequences of calls that a correct program would make, so that later calls find objects with
 * contents and draws reach the rasterizer.
 */
import type { Argument } from './call-list.ts';
import { type CallRecorder, refer } from './call-recorder.ts';
import { constants } from './constants.ts';
import { acceptedValues } from './enumerations.ts';
import type { KnownObject } from './known-objects.ts';
import { PAIRS } from './shader-sources.ts';
import { legalFormats } from './texture-formats.ts';

const GL = Object.fromEntries(
  `ARRAY_BUFFER ELEMENT_ARRAY_BUFFER STATIC_DRAW FRAMEBUFFER RENDERBUFFER TEXTURE_2D
  TEXTURE_CUBE_MAP TEXTURE_3D TEXTURE_2D_ARRAY TEXTURE_CUBE_MAP_POSITIVE_X COLOR_ATTACHMENT0
  DEPTH_ATTACHMENT RGBA UNSIGNED_BYTE FLOAT UNSIGNED_SHORT VERTEX_SHADER FRAGMENT_SHADER
  TRIANGLES POINTS TRANSFORM_FEEDBACK TRANSFORM_FEEDBACK_BUFFER UNIFORM_BUFFER
  INTERLEAVED_ATTRIBS ANY_SAMPLES_PASSED RGBA4 TEXTURE_MIN_FILTER NEAREST
  SYNC_GPU_COMMANDS_COMPLETE QUERY_RESULT_AVAILABLE`
    .split(/\s+/)
    .map((name) => [name, constants(name)[0]!]),
);

const VERTEX_COUNT = 36;

function defineBuffer(to: CallRecorder): KnownObject {
  const hasIndices = to.random.next() < 0.3;
  const buffer = to.create('createBuffer');
  buffer.hasIndices = hasIndices;
  const target = hasIndices ? GL.ELEMENT_ARRAY_BUFFER! : GL.ARRAY_BUFFER!;
  to.call('bindBuffer', [target, refer(buffer)]);
  const contents: Argument = hasIndices
    ? { view: 'Uint16Array', length: VERTEX_COUNT, values: [0, 1, 2, 2, 1, 3] }
    : { view: 'Float32Array', length: VERTEX_COUNT * 4, values: [-1, 0.5, 1, 0, 0.25] };
  to.call('bufferData', [target, contents, GL.STATIC_DRAW!]);
  return buffer;
}

function useBuffer(to: CallRecorder, hasIndices: boolean): KnownObject {
  const found = to.objects.find(
    'buffer',
    (buffer) => !buffer.isDeleted && buffer.hasIndices === hasIndices,
  );
  if (found !== null) return found;
  let buffer = defineBuffer(to);
  while (buffer.hasIndices !== hasIndices) buffer = defineBuffer(to);
  return buffer;
}

function defineTexture(to: CallRecorder): KnownObject {
  const { random } = to;
  const texture = to.create('createTexture');
  const isDeep = to.version === 2 && random.next() < 0.3;
  const target = isDeep
    ? random.pick([GL.TEXTURE_3D!, GL.TEXTURE_2D_ARRAY!])
    : random.pick([GL.TEXTURE_2D!, GL.TEXTURE_2D!, GL.TEXTURE_CUBE_MAP!]);
  texture.target = target;
  to.call('bindTexture', [target, refer(texture)]);
  const legal = legalFormats(to.version, to.maker.extensions).filter(
    ({ hasDepth }) => !hasDepth || target === GL.TEXTURE_2D,
  );
  const chosen = random.pick(legal);
  const edgePx = random.pick([1, 2, 4, 8]);
  const size = isDeep ? [edgePx, edgePx, 2] : [edgePx, edgePx];
  const pixels: Argument =
    random.next() < 0.3 || (chosen.hasDepth && to.version === 1)
      ? null
      : {
          view: chosen.view,
          length: edgePx * edgePx * 2 * chosen.elements + 8,
          values: [0, 1, 2, 3],
        };
  const { internalFormat, format, type } = chosen;
  if (to.version === 2 && chosen.isSized && random.next() < 0.4) {
    to.call(isDeep ? 'texStorage3D' : 'texStorage2D', [target, 1, internalFormat, ...size]);
  } else {
    const isCube = target === GL.TEXTURE_CUBE_MAP;
    for (let face = 0; face < (isCube ? 6 : 1); face++) {
      const image = isCube ? GL.TEXTURE_CUBE_MAP_POSITIVE_X! + face : target;
      const given = [image, 0, internalFormat, ...size, 0, format, type, pixels];
      to.call(isDeep ? 'texImage3D' : 'texImage2D', given);
    }
  }
  if (random.next() < 0.5) to.call('texParameteri', [target, GL.TEXTURE_MIN_FILTER!, GL.NEAREST!]);
  if (random.next() < 0.3) to.call('generateMipmap', [target]);
  return texture;
}

function defineProgram(to: CallRecorder): KnownObject {
  const { random } = to;
  const pair = random.pick(PAIRS.filter(({ version }) => version <= to.version));
  const program = to.create('createProgram');
  program.pair = pair;
  for (const [type, source] of [
    [GL.VERTEX_SHADER!, pair.vertex],
    [GL.FRAGMENT_SHADER!, pair.fragment],
  ] as const) {
    const shader = to.create('createShader', [type]);
    to.call('shaderSource', [refer(shader), source]);
    to.call('compileShader', [refer(shader)]);
    to.call('attachShader', [refer(program), refer(shader)]);
    if (random.next() < 0.3) to.call('deleteShader', [refer(shader)]);
  }
  pair.attributes.forEach(({ name }, index) => {
    if (random.next() < 0.8) to.call('bindAttribLocation', [refer(program), index, name]);
  });
  if (pair.varyings.length > 0 && random.next() < 0.7) {
    const varyings = { list: [random.pick(pair.varyings)] };
    to.call('transformFeedbackVaryings', [refer(program), varyings, GL.INTERLEAVED_ATTRIBS!]);
  }
  to.call('linkProgram', [refer(program)]);
  if (!pair.isLinkable) return program;
  program.locations = new Map();
  for (const { name, setter } of pair.uniforms) {
    const location = to.create('getUniformLocation', [refer(program), name]);
    location.setter = setter;
    program.locations.set(setter, location.result);
  }
  return program;
}

function isDrawable({ isDeleted, pair }: KnownObject): boolean {
  return !isDeleted && pair?.isLinkable === true;
}

function useProgram(to: CallRecorder): KnownObject {
  let program = to.objects.find('program', isDrawable);
  while (program === null || !isDrawable(program)) program = defineProgram(to);
  to.call('useProgram', [refer(program)]);
  return program;
}

function setUniforms(to: CallRecorder): void {
  const program = useProgram(to);
  for (const [setter, location] of program.locations!) {
    const isMatrix = setter.startsWith('uniformMatrix');
    const size = isMatrix
      ? [...setter.matchAll(/\d/g)].reduce((product, [digit]) => product * Number(digit), 1)
      : Number(/\d/.exec(setter)![0]);
    const elements = isMatrix && !setter.includes('x') ? size * size : size;
    const scalar = /(f|ui|i)v?$/.exec(setter)![1]!;
    const kind = { f: 'floats', i: 'integers', ui: 'unsigneds' }[scalar]!;
    const values = setter.endsWith('v')
      ? [to.maker.suitable(`${kind}${elements}`)]
      : [to.random.integer(0, 3)];
    to.call(setter, [{ ref: location }, ...(isMatrix ? [false] : []), ...values]);
  }
}

function setAttributes(to: CallRecorder, program: KnownObject): void {
  program.pair!.attributes.forEach(({ isInteger }, index) => {
    to.call('bindBuffer', [GL.ARRAY_BUFFER!, refer(useBuffer(to, false))]);
    if (isInteger) {
      const type = acceptedValues('integerType', 2, new Set())[5]!;
      to.call('vertexAttribIPointer', [index, 2, type, 0, 0]);
    } else {
      to.call('vertexAttribPointer', [index, to.random.integer(1, 4), GL.FLOAT!, false, 0, 0]);
    }
    to.call('enableVertexAttribArray', [index]);
  });
  for (const index of program.pair!.blocks.keys()) {
    to.call('uniformBlockBinding', [refer(program), index, index]);
    to.call('bindBufferBase', [GL.UNIFORM_BUFFER!, index, refer(useBuffer(to, false))]);
  }
}

function draw(to: CallRecorder): void {
  const program = useProgram(to);
  setAttributes(to, program);
  if (to.random.next() < 0.5) {
    to.call('bindBuffer', [GL.ELEMENT_ARRAY_BUFFER!, refer(useBuffer(to, true))]);
    const mode = to.maker.suitable('primitive');
    to.call('drawElements', [mode, to.random.integer(0, 24), GL.UNSIGNED_SHORT!, 0]);
  } else {
    to.suitable('drawArrays', ['primitive', 'first', 'count']);
  }
  if (to.version === 2 && to.random.next() < 0.3) {
    to.suitable('drawArraysInstanced', ['primitive', 'first', 'count', 'instances']);
  }
}

function defineFramebuffer(to: CallRecorder): void {
  const { random } = to;
  const framebuffer = to.create('createFramebuffer');
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, refer(framebuffer)]);
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) => !isDeleted && target === GL.TEXTURE_2D,
  );
  if (texture !== null && random.next() < 0.6) {
    const given = [GL.FRAMEBUFFER!, GL.COLOR_ATTACHMENT0!, GL.TEXTURE_2D!, refer(texture), 0];
    to.call('framebufferTexture2D', given);
  } else {
    const renderbuffer = to.create('createRenderbuffer');
    to.call('bindRenderbuffer', [GL.RENDERBUFFER!, refer(renderbuffer)]);
    to.call('renderbufferStorage', [GL.RENDERBUFFER!, GL.RGBA4!, 4, 4]);
    const given = [GL.FRAMEBUFFER!, GL.COLOR_ATTACHMENT0!, GL.RENDERBUFFER!, refer(renderbuffer)];
    to.call('framebufferRenderbuffer', given);
  }
  to.call('checkFramebufferStatus', [GL.FRAMEBUFFER!]);
}

/** Changes the images of a texture that already has images, which may be attached or drawn. */
function changeTexture(to: CallRecorder): void {
  const { random } = to;
  const texture = to.objects.find(
    'texture',
    ({ isDeleted, target }) => !isDeleted && target === GL.TEXTURE_2D,
  );
  if (texture === null) return;
  to.call('bindTexture', [GL.TEXTURE_2D!, refer(texture)]);
  const [x, y, edgePx] = [random.integer(0, 2), random.integer(0, 2), random.integer(1, 5)];
  const texels: Argument = { view: 'Uint8Array', length: 400, values: [255, 0, 128, 64] };
  const level = random.pick([0, 0, 0, 1]);
  switch (random.integer(0, 3)) {
    case 0: {
      const given = [GL.TEXTURE_2D!, level, GL.RGBA!, edgePx, edgePx, 0, GL.RGBA!];
      to.call('texImage2D', [...given, GL.UNSIGNED_BYTE!, random.pick([texels, null])]);
      break;
    }
    case 1: {
      const given = [GL.TEXTURE_2D!, level, x, y, edgePx, edgePx, GL.RGBA!, GL.UNSIGNED_BYTE!];
      to.call('texSubImage2D', [...given, texels]);
      break;
    }
    case 2:
      to.call('copyTexSubImage2D', [GL.TEXTURE_2D!, level, x, y, x - 1, y, edgePx, edgePx]);
      break;
    default:
      to.call('copyTexImage2D', [GL.TEXTURE_2D!, level, GL.RGBA!, x - 1, y, edgePx, edgePx, 0]);
  }
  if (random.next() < 0.2) to.call('generateMipmap', [GL.TEXTURE_2D!]);
}

/** Copies between two framebuffers, the first of which can have several samples per pixel. */
function blit(to: CallRecorder): void {
  const { random } = to;
  const targets = constants('READ_FRAMEBUFFER DRAW_FRAMEBUFFER');
  const format = random.pick(constants('RGBA8 RGBA8 RGB565 RGBA8I DEPTH24_STENCIL8'));
  const isDepth = format === constants('DEPTH24_STENCIL8')[0];
  const point = constants(isDepth ? 'DEPTH_STENCIL_ATTACHMENT' : 'COLOR_ATTACHMENT0')[0]!;
  for (const [index, target] of targets.entries()) {
    const framebuffer = to.create('createFramebuffer');
    const renderbuffer = to.create('createRenderbuffer');
    to.call('bindFramebuffer', [target, refer(framebuffer)]);
    to.call('bindRenderbuffer', [GL.RENDERBUFFER!, refer(renderbuffer)]);
    const samples = index === 0 ? random.pick([0, 0, 4]) : 0;
    to.call('renderbufferStorageMultisample', [GL.RENDERBUFFER!, samples, format, 6, 6]);
    to.call('framebufferRenderbuffer', [target, point, GL.RENDERBUFFER!, refer(renderbuffer)]);
  }
  if (random.next() < 0.4) to.call('bindFramebuffer', [random.pick(targets), null]);
  const [mask, nearest] = constants(`${isDepth ? 'DEPTH' : 'COLOR'}_BUFFER_BIT NEAREST`);
  const edgePx = random.pick([6, 6, 4]);
  to.call('blitFramebuffer', [0, 0, 6, 6, 0, 0, edgePx, edgePx, mask!, nearest!]);
}

/** Transfers texels through buffers. */
function transferByBuffer(to: CallRecorder): void {
  const [pack, unpack] = constants('PIXEL_PACK_BUFFER PIXEL_UNPACK_BUFFER');
  const buffer = useBuffer(to, false);
  to.call('bindBuffer', [pack!, refer(buffer)]);
  to.call('readPixels', [0, 0, 4, 4, GL.RGBA!, GL.UNSIGNED_BYTE!, 0]);
  to.call('bindBuffer', [pack!, null]);
  to.call('bindBuffer', [unpack!, refer(buffer)]);
  const given = [GL.TEXTURE_2D!, 0, GL.RGBA!, 4, 4, 0, GL.RGBA!, GL.UNSIGNED_BYTE!, 16];
  to.call('texImage2D', given);
  to.call('bindBuffer', [unpack!, null]);
  const view: Argument = { view: 'Uint8Array', length: 16, values: [] };
  to.call('getBufferSubData', [GL.ARRAY_BUFFER!, 0, view]);
}

function readBack(to: CallRecorder): void {
  const pixels: Argument = { view: 'Uint8Array', length: 4 * 4 * 4, values: [] };
  to.call('readPixels', [0, 0, 4, 4, GL.RGBA!, GL.UNSIGNED_BYTE!, pixels]);
}

/** Unbinds objects whose state makes most calls fail. */
function restore(to: CallRecorder): void {
  to.call('bindFramebuffer', [GL.FRAMEBUFFER!, null]);
  for (let index = 0; index < 4; index++) to.call('disableVertexAttribArray', [index]);
  if (to.version === 1) return;
  to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, null]);
  for (const target of constants('PIXEL_PACK_BUFFER PIXEL_UNPACK_BUFFER')) {
    to.call('bindBuffer', [target, null]);
  }
  to.call('bindVertexArray', [null]);
  for (const parameter of constants('UNPACK_SKIP_PIXELS UNPACK_SKIP_ROWS UNPACK_ROW_LENGTH')) {
    to.call('pixelStorei', [parameter, 0]);
  }
}

function capture(to: CallRecorder): void {
  const program = useProgram(to);
  setAttributes(to, program);
  const feedback = to.create('createTransformFeedback');
  to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, refer(feedback)]);
  const buffer = to.create('createBuffer');
  buffer.hasIndices = false;
  to.call('bindBufferBase', [GL.TRANSFORM_FEEDBACK_BUFFER!, 0, refer(buffer)]);
  to.call('bufferData', [GL.TRANSFORM_FEEDBACK_BUFFER!, 1024, GL.STATIC_DRAW!]);
  to.call('beginTransformFeedback', [GL.POINTS!]);
  to.call('drawArrays', [GL.POINTS!, 0, to.random.integer(1, 8)]);
  if (to.random.next() < 0.3) to.call('pauseTransformFeedback', []);
  if (to.random.next() < 0.8) to.call('endTransformFeedback', []);
  if (to.random.next() < 0.7) {
    to.call('bindBufferBase', [GL.TRANSFORM_FEEDBACK_BUFFER!, 0, null]);
    to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, null]);
  }
}

function query(to: CallRecorder): void {
  const made = to.create('createQuery');
  to.call('beginQuery', [GL.ANY_SAMPLES_PASSED!, refer(made)]);
  if (to.random.next() < 0.5) draw(to);
  if (to.random.next() < 0.9) to.call('endQuery', [GL.ANY_SAMPLES_PASSED!]);
  to.call('getQueryParameter', [refer(made), GL.QUERY_RESULT_AVAILABLE!]);
}

function bindObjects(to: CallRecorder): void {
  const sampler = to.create('createSampler');
  to.call('bindSampler', [to.random.integer(0, 3), refer(sampler)]);
  const array = to.create('createVertexArray');
  to.call('bindVertexArray', [refer(array)]);
  to.create('fenceSync', [GL.SYNC_GPU_COMMANDS_COMPLETE!, 0]);
}

type Sequence = (to: CallRecorder) => unknown;

function repeat(weight: number, sequence: Sequence): readonly Sequence[] {
  return Array.from({ length: weight }, () => sequence);
}

/** Sequences, as often as their weight. */
const SEQUENCES: readonly Sequence[] = [
  ...repeat(3, defineBuffer),
  ...repeat(4, defineTexture),
  ...repeat(2, defineProgram),
  ...repeat(3, setUniforms),
  ...repeat(6, draw),
  ...repeat(2, defineFramebuffer),
  ...repeat(3, readBack),
  ...repeat(3, changeTexture),
  ...repeat(4, restore),
];
const SEQUENCES_OF_WEBGL2: readonly Sequence[] = [
  ...SEQUENCES,
  bindObjects,
  blit,
  capture,
  query,
  transferByBuffer,
];

/** Appends one valid sequence. */
export function appendSequence(to: CallRecorder): void {
  to.random.pick(to.version === 2 ? SEQUENCES_OF_WEBGL2 : SEQUENCES)(to);
}
