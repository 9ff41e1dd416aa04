/** Sequences that create buffers, textures and programs with contents. */
import type { Argument } from '../calls/call-list.ts';
import { type CallRecorder, refer } from '../calls/call-recorder.ts';
import type { KnownObject } from '../calls/known-objects.ts';
import { PAIRS } from '../calls/shader-sources.ts';
import { legalFormats } from '../calls/texture-formats.ts';
import { GL } from './gl-constants.ts';

const VERTEX_COUNT = 36;

/** Creates a buffer of indices or of vertices. */
export function defineBuffer(to: CallRecorder): KnownObject {
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

/** Returns a buffer with contents of a kind, and creates it if there is none. */
export function useBuffer(to: CallRecorder, hasIndices: boolean): KnownObject {
  const found = to.objects.find(
    'buffer',
    (buffer) => !buffer.isDeleted && buffer.hasIndices === hasIndices,
  );
  if (found !== null) return found;
  let buffer = defineBuffer(to);
  while (buffer.hasIndices !== hasIndices) buffer = defineBuffer(to);
  return buffer;
}

/** Creates a texture and binds it to a target. */
export function createTexture(to: CallRecorder, target: number): KnownObject {
  const texture = to.create('createTexture');
  texture.target = target;
  to.call('bindTexture', [target, refer(texture)]);
  return texture;
}

/** Creates a texture with a level 0, of any kind and format. */
export function defineTexture(to: CallRecorder): KnownObject {
  const { random } = to;
  const isDeep = to.version === 2 && random.next() < 0.3;
  const target = isDeep
    ? random.pick([GL.TEXTURE_3D!, GL.TEXTURE_2D_ARRAY!])
    : random.pick([GL.TEXTURE_2D!, GL.TEXTURE_2D!, GL.TEXTURE_CUBE_MAP!]);
  const texture = createTexture(to, target);
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

/** Creates a program, which does not always link, and looks up its uniforms. */
export function defineProgram(to: CallRecorder): KnownObject {
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

/** Uses a program that links, and creates it if there is none. */
export function useProgram(to: CallRecorder): KnownObject {
  let program = to.objects.find('program', isDrawable);
  while (program === null || !isDrawable(program)) program = defineProgram(to);
  to.call('useProgram', [refer(program)]);
  return program;
}
