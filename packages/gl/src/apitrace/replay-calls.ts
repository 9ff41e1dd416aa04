/** What each recorded OpenGL function does to a `GlContext`. A function that is not here is not supported. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../constants.ts';
import { FIXED } from '../fixed-constants.ts';
import { transpose } from '../state/matrix-stacks.ts';
import type { AttributeInputs } from '../state/vertex-array.ts';
import {
  blobOf,
  booleanOf,
  failCall,
  floatOf,
  locationOf,
  numberOf,
  numbersOf,
  refuseCall,
  stringOf,
  toNumber,
} from './call-arguments.ts';
import { joinShaderSource } from './list-shaders.ts';
import type { CallReplay, NameMap, RecordedContext } from './recorded-names.ts';
import { FIXED_CALLS } from './replay-fixed-calls.ts';
import { NUMBERED_CALLS } from './replay-numbered-calls.ts';
import { PIXEL_CALLS } from './replay-pixel-calls.ts';
import { makeShaderObjectCalls } from './replay-shader-objects.ts';
import { VERTEX_CALLS } from './replay-vertex-calls.ts';
import type { TraceCall } from './trace-reader.ts';
import type { TraceValue } from './trace-value.ts';

const BUFFER_CALLS: Record<string, CallReplay> = {
  glGenBuffers: ({ gl, shared }, call) =>
    learnNames(shared.buffers, numbersOf(call, 'buffers'), gl.genBuffers.bind(gl)),
  glDeleteBuffers: ({ gl, shared }, call) =>
    gl.deleteBuffers(numbersOf(call, 'buffers').map((name) => shared.buffers.remove(name))),
  glBindBuffer: ({ gl, shared }, call) =>
    gl.bindBuffer(numberOf(call, 'target'), shared.buffers.get(numberOf(call, 'buffer'))),
  glBufferData: ({ gl }, call) => {
    const source = blobOf(call, 'data') ?? numberOf(call, 'size');
    gl.bufferData(numberOf(call, 'target'), source, numberOf(call, 'usage'));
  },
  glBufferSubData: ({ gl }, call) => {
    const source = blobOf(call, 'data');
    if (source === null) return;
    gl.bufferSubData(numberOf(call, 'target'), numberOf(call, 'offset'), source);
  },
  glMapBuffer: (context, call) => {
    const target = numberOf(call, 'target');
    rememberMapping(context, call, target, context.gl.mapBuffer(target));
  },
  glMapBufferRange: (context, call) => {
    const target = numberOf(call, 'target');
    const bytes = context.gl.mapBufferRange(
      target,
      numberOf(call, 'offset'),
      numberOf(call, 'length'),
    );
    rememberMapping(context, call, target, bytes);
  },
  glFlushMappedBufferRange: () => {},
  glUnmapBuffer: ({ gl, mappings }, call) => {
    const target = numberOf(call, 'target');
    const index = mappings.findLastIndex((mapping) => mapping.target === target);
    if (index >= 0) mappings.splice(index, 1);
    gl.unmapBuffer(target);
  },
  memcpy: ({ mappings }, call) => {
    const source = blobOf(call, 'src');
    if (source === null) return;
    const address = numberOf(call, 'dest');
    const mapping = mappings.find(
      (live) =>
        address >= live.address && address + source.length <= live.address + live.bytes.length,
    );
    if (mapping === undefined) return failCall(call, 'the destination is not in a mapped buffer');
    mapping.bytes.set(source, address - mapping.address);
  },
};

const VERTEX_ARRAY_CALLS: Record<string, CallReplay> = {
  glGenVertexArrays: ({ gl, vertexArrays }, call) =>
    learnNames(vertexArrays, numbersOf(call, 'arrays'), gl.genVertexArrays.bind(gl)),
  glDeleteVertexArrays: ({ gl, vertexArrays }, call) =>
    gl.deleteVertexArrays(numbersOf(call, 'arrays').map((name) => vertexArrays.remove(name))),
  glBindVertexArray: ({ gl, vertexArrays }, call) =>
    gl.bindVertexArray(vertexArrays.get(numberOf(call, 'array'))),
  glEnableVertexAttribArray: ({ gl }, call) => gl.enableVertexAttribArray(numberOf(call, 'index')),
  glDisableVertexAttribArray: ({ gl }, call) =>
    gl.disableVertexAttribArray(numberOf(call, 'index')),
  glVertexAttribDivisor: ({ gl }, call) =>
    gl.vertexAttribDivisor(numberOf(call, 'index'), numberOf(call, 'divisor')),
  glVertexAttribPointer: ({ gl }, call) => {
    const componentCount = numberOf(call, 'size');
    if (componentCount === GL.BGRA) refuseCall(call, 'GL_BGRA components');
    gl.vertexAttribPointer(
      numberOf(call, 'index'),
      componentCount,
      numberOf(call, 'type'),
      booleanOf(call, 'normalized'),
      numberOf(call, 'stride'),
      locationOf(call, 'pointer'),
    );
  },
};

const CONVENTIONAL_ARRAYS: ReadonlyMap<number, string> = new Map([
  [GL.VERTEX_ARRAY, 'gl_Vertex'],
  [GL.NORMAL_ARRAY, 'gl_Normal'],
  [GL.COLOR_ARRAY, 'gl_Color'],
  [GL.SECONDARY_COLOR_ARRAY, 'gl_SecondaryColor'],
  [GL.FOG_COORD_ARRAY, 'gl_FogCoord'],
]);

/** Arrays, current values and matrices that GLSL 1.10 reads under names of its own. */
const CONVENTIONAL_CALLS: Record<string, CallReplay> = {
  glClientActiveTexture: (context, call) => {
    context.clientUnit = numberOf(call, 'texture') - GL.TEXTURE0;
  },
  glEnableClientState: (context, call) =>
    context.gl.enableVertexAttribArray(conventionalArray(context, call)),
  glDisableClientState: (context, call) =>
    context.gl.disableVertexAttribArray(conventionalArray(context, call)),
  glVertexPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Vertex', false),
  glNormalPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Normal', true),
  glColorPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_Color', true),
  glSecondaryColorPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_SecondaryColor', true),
  glFogCoordPointer: ({ gl }, call) => replayPointer(gl, call, 'gl_FogCoord', false),
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

const TEXTURE_CALLS: Record<string, CallReplay> = {
  glGenTextures: ({ gl, shared }, call) =>
    learnNames(shared.textures, numbersOf(call, 'textures'), gl.genTextures.bind(gl)),
  glDeleteTextures: ({ gl, shared }, call) =>
    gl.deleteTextures(numbersOf(call, 'textures').map((name) => shared.textures.remove(name))),
  glActiveTexture: ({ gl }, call) => gl.activeTexture(numberOf(call, 'texture')),
  glBindTexture: ({ gl, shared }, call) =>
    gl.bindTexture(numberOf(call, 'target'), shared.textures.get(numberOf(call, 'texture'))),
  glPixelStorei: ({ gl }, call) => gl.pixelStorei(numberOf(call, 'pname'), numberOf(call, 'param')),
  glTexImage2D: ({ gl }, call) => {
    if (numberOf(call, 'border') !== 0) refuseCall(call, 'texture borders');
    gl.texImage2D(numberOf(call, 'internalformat'), uploadOf(gl, call));
  },
  glTexSubImage2D: ({ gl }, call) =>
    gl.texSubImage2D(numberOf(call, 'xoffset'), numberOf(call, 'yoffset'), uploadOf(gl, call)),
  glTexParameteri: replayTexParameter('param'),
  glTexParameterf: replayTexParameter('param'),
  glTexParameteriv: replayTexParameter('params'),
  glTexParameterfv: replayTexParameter('params'),
  glGenerateMipmap: ({ gl }, call) => gl.generateMipmap(numberOf(call, 'target')),
};

const PROGRAM_CALLS: Record<string, CallReplay> = {
  glCreateShader: ({ gl, shared }, call) =>
    shared.programs.set(toNumber(call.result) ?? 0, gl.createShader(numberOf(call, 'type'))),
  glDeleteShader: ({ gl, shared }, call) =>
    gl.deleteShader(shared.programs.get(numberOf(call, 'shader'))),
  glShaderSource: ({ gl, shared }, call) =>
    gl.shaderSource(shared.programs.get(numberOf(call, 'shader')), joinShaderSource(call.args)),
  glCompileShader: ({ gl, shared }, call) =>
    gl.compileShader(shared.programs.get(numberOf(call, 'shader'))),
  glCreateProgram: ({ gl, shared }, call) =>
    shared.programs.set(toNumber(call.result) ?? 0, gl.createProgram()),
  glDeleteProgram: ({ gl, shared }, call) =>
    gl.deleteProgram(shared.programs.get(numberOf(call, 'program'))),
  glAttachShader: ({ gl, shared }, call) =>
    gl.attachShader(
      shared.programs.get(numberOf(call, 'program')),
      shared.programs.get(numberOf(call, 'shader')),
    ),
  glDetachShader: ({ gl, shared }, call) =>
    gl.detachShader(
      shared.programs.get(numberOf(call, 'program')),
      shared.programs.get(numberOf(call, 'shader')),
    ),
  glBindAttribLocation: ({ gl, shared }, call) =>
    gl.bindAttribLocation(
      shared.programs.get(numberOf(call, 'program')),
      numberOf(call, 'index'),
      stringOf(call, 'name'),
    ),
  glLinkProgram: ({ gl, shared }, call) => {
    shared.uniformNames.delete(numberOf(call, 'program'));
    gl.linkProgram(shared.programs.get(numberOf(call, 'program')));
  },
  glUseProgram: (context, call) => {
    const { gl, shared } = context;
    const recorded = numberOf(call, 'program');
    const name = shared.programs.get(recorded);
    const program = name === 0 ? null : gl.programs.find('useProgram', name);
    if (program !== null && !program.isLinked) {
      throw new RenderError(
        'SHADER_COMPILE_FAILED',
        `call ${call.number} (${call.name}): program ${recorded} did not link: ${program.log}`,
      );
    }
    context.currentProgram = recorded;
    gl.useProgram(name);
  },
  glGetUniformLocation: ({ shared }, call) => {
    const program = numberOf(call, 'program');
    const names = shared.uniformNames.get(program) ?? new Map<number, string>();
    names.set(toNumber(call.result) ?? -1, stringOf(call, 'name'));
    shared.uniformNames.set(program, names);
  },
};

const FRAMEBUFFER_CALLS: Record<string, CallReplay> = {
  glGenFramebuffers: ({ gl, framebuffers }, call) =>
    learnNames(framebuffers, numbersOf(call, 'framebuffers'), gl.genFramebuffers.bind(gl)),
  glDeleteFramebuffers: ({ gl, framebuffers }, call) =>
    gl.deleteFramebuffers(numbersOf(call, 'framebuffers').map((name) => framebuffers.remove(name))),
  glBindFramebuffer: ({ gl, framebuffers }, call) =>
    gl.bindFramebuffer(numberOf(call, 'target'), framebuffers.get(numberOf(call, 'framebuffer'))),
  glGenRenderbuffers: ({ gl, shared }, call) =>
    learnNames(
      shared.renderbuffers,
      numbersOf(call, 'renderbuffers'),
      gl.genRenderbuffers.bind(gl),
    ),
  glDeleteRenderbuffers: ({ gl, shared }, call) =>
    gl.deleteRenderbuffers(
      numbersOf(call, 'renderbuffers').map((name) => shared.renderbuffers.remove(name)),
    ),
  glBindRenderbuffer: ({ gl, shared }, call) =>
    gl.bindRenderbuffer(
      numberOf(call, 'target'),
      shared.renderbuffers.get(numberOf(call, 'renderbuffer')),
    ),
  glRenderbufferStorage: ({ gl }, call) =>
    gl.renderbufferStorage(...takeNumbers(call, 'target', 'internalformat', 'width', 'height')),
  glFramebufferTexture2D: ({ gl, shared }, call) =>
    gl.framebufferTexture2D(
      ...takeNumbers(call, 'target', 'attachment', 'textarget'),
      shared.textures.get(numberOf(call, 'texture')),
      numberOf(call, 'level'),
    ),
  glFramebufferRenderbuffer: ({ gl, shared }, call) =>
    gl.framebufferRenderbuffer(
      ...takeNumbers(call, 'target', 'attachment', 'renderbuffertarget'),
      shared.renderbuffers.get(numberOf(call, 'renderbuffer')),
    ),
  glDrawBuffer: (_context, call) => {
    const isScreen = [GL.BACK, GL.FRONT, GL.FRONT_AND_BACK, GL.BACK_LEFT, GL.FRONT_LEFT];
    const buffer = numberOf(call, call.args.buf === undefined ? 'mode' : 'buf');
    if (buffer !== GL.COLOR_ATTACHMENT0 && !isScreen.some((known) => known === buffer)) {
      refuseCall(call, nameOfEnum(buffer));
    }
  },
};

const RASTER_CALLS: Record<string, CallReplay> = {
  glEnable: ({ gl }, call) => gl.enable(numberOf(call, 'cap')),
  glDisable: ({ gl }, call) => gl.disable(numberOf(call, 'cap')),
  glViewport: ({ gl }, call) => gl.viewport(...takeNumbers(call, 'x', 'y', 'width', 'height')),
  glScissor: ({ gl }, call) => gl.scissor(...takeNumbers(call, 'x', 'y', 'width', 'height')),
  glDepthRange: ({ gl }, call) => gl.depthRange(...takeFirst(call, 2)),
  glDepthRangef: ({ gl }, call) => gl.depthRange(...takeFirst(call, 2)),
  glCullFace: ({ gl }, call) => gl.cullFace(...takeFirst(call, 1)),
  glFrontFace: ({ gl }, call) => gl.frontFace(...takeFirst(call, 1)),
  glPolygonOffset: ({ gl }, call) => gl.polygonOffset(...takeFirst(call, 2)),
  glPolygonMode: ({ gl }, call) => gl.polygonMode(numberOf(call, 'face'), numberOf(call, 'mode')),
  glLineWidth: ({ gl }, call) => gl.lineWidth(...takeFirst(call, 1)),
  glPointSize: ({ gl }, call) => gl.pointSize(...takeFirst(call, 1)),
  glDepthFunc: ({ gl }, call) => gl.depthFunc(...takeFirst(call, 1)),
  glDepthMask: ({ gl }, call) => gl.depthMask(booleanOf(call, 'flag')),
  glColorMask: ({ gl }, call) =>
    gl.colorMask(
      booleanOf(call, 'red'),
      booleanOf(call, 'green'),
      booleanOf(call, 'blue'),
      booleanOf(call, 'alpha'),
    ),
  glStencilFunc: ({ gl }, call) => gl.stencilFuncSeparate(GL.FRONT_AND_BACK, ...takeFirst(call, 3)),
  glStencilFuncSeparate: ({ gl }, call) => gl.stencilFuncSeparate(...takeFirst(call, 4)),
  glStencilMask: ({ gl }, call) => gl.stencilMaskSeparate(GL.FRONT_AND_BACK, ...takeFirst(call, 1)),
  glStencilMaskSeparate: ({ gl }, call) => gl.stencilMaskSeparate(...takeFirst(call, 2)),
  glStencilOp: ({ gl }, call) => gl.stencilOpSeparate(GL.FRONT_AND_BACK, ...takeFirst(call, 3)),
  glStencilOpSeparate: ({ gl }, call) => gl.stencilOpSeparate(...takeFirst(call, 4)),
  glBlendColor: ({ gl }, call) => gl.blendColor(...takeFirst(call, 4)),
  glBlendEquation: ({ gl }, call) => {
    const [equation] = takeFirst(call, 1);
    gl.blendEquationSeparate(equation, equation);
  },
  glBlendEquationSeparate: ({ gl }, call) => gl.blendEquationSeparate(...takeFirst(call, 2)),
  glBlendFunc: ({ gl }, call) => {
    const [source, destination] = takeFirst(call, 2);
    gl.blendFuncSeparate(source, destination, source, destination);
  },
  glBlendFuncSeparate: ({ gl }, call) => gl.blendFuncSeparate(...takeFirst(call, 4)),
  glClearColor: ({ gl }, call) => gl.clearColor(...takeFirst(call, 4)),
  glClearDepth: ({ gl }, call) => gl.clearDepth(...takeFirst(call, 1)),
  glClearDepthf: ({ gl }, call) => gl.clearDepth(...takeFirst(call, 1)),
  glClearStencil: ({ gl }, call) => gl.clearStencil(...takeFirst(call, 1)),
};

const DRAW_CALLS: Record<string, CallReplay> = {
  glClear: ({ gl }, call) => gl.clear(numberOf(call, 'mask')),
  glDrawArrays: ({ gl }, call) => {
    const inputs = inputsOf(gl);
    const numbers = takeNumbers(call, 'mode', 'first', 'count');
    gl.fixed.lists.submit(() => gl.drawArrays(...numbers, 1, inputs));
  },
  glMultiDrawArrays: ({ gl }, call) => {
    const inputs = inputsOf(gl);
    const mode = numberOf(call, 'mode');
    const counts = numbersOf(call, 'count');
    numbersOf(call, 'first').forEach((first, i) => {
      gl.fixed.lists.submit(() => gl.drawArrays(mode, first, counts[i] ?? 0, 1, inputs));
    });
  },
  glDrawArraysInstanced: ({ gl }, call) =>
    gl.drawArrays(...takeNumbers(call, 'mode', 'first', 'count'), instancesOf(call)),
  glDrawElements: replayDrawElements,
  glDrawRangeElements: replayDrawElements,
  glDrawElementsInstanced: replayDrawElements,
  glMultiDrawElements: ({ gl }, call) => {
    const { indices } = call.args;
    const counts = numbersOf(call, 'count');
    const locations = Array.isArray(indices) ? (indices as readonly TraceValue[]) : [];
    locations.forEach((location, i) => {
      const from = location instanceof Uint8Array ? location : (toNumber(location) ?? 0);
      drawElements(gl, numberOf(call, 'mode'), counts[i] ?? 0, numberOf(call, 'type'), from, 1);
    });
  },
  glInterleavedArrays: replayInterleavedArrays,
};

const REPLAYS: ReadonlyMap<string, CallReplay> = new Map(
  Object.entries({
    ...BUFFER_CALLS,
    ...VERTEX_ARRAY_CALLS,
    ...CONVENTIONAL_CALLS,
    ...TEXTURE_CALLS,
    ...PROGRAM_CALLS,
    ...FRAMEBUFFER_CALLS,
    ...RASTER_CALLS,
    ...DRAW_CALLS,
    ...NUMBERED_CALLS,
    ...VERTEX_CALLS,
    ...FIXED_CALLS,
    ...PIXEL_CALLS,
    ...makeShaderObjectCalls(PROGRAM_CALLS),
  }),
);

/** How to replay a function, also under the names it had as an extension; `null` if it is not supported. */
export function findReplay(functionName: string): CallReplay | null {
  const plainName = functionName.replace(/(?:ARB|EXT|OES|ANGLE|APPLE)$/, '');
  return REPLAYS.get(functionName) ?? REPLAYS.get(plainName) ?? null;
}

function learnNames(
  names: NameMap,
  recorded: readonly number[],
  generate: (count: number) => number[],
): void {
  const made = generate(recorded.length);
  recorded.forEach((name, i) => {
    names.set(name, made[i]!);
  });
}

function rememberMapping(
  { mappings }: RecordedContext,
  call: TraceCall,
  target: number,
  bytes: Uint8Array | null,
): void {
  const address = toNumber(call.result) ?? 0;
  if (bytes !== null && address !== 0) mappings.push({ target, address, bytes });
}

function conventionalArray({ clientUnit }: RecordedContext, call: TraceCall): string {
  const array = numberOf(call, 'array');
  if (array === GL.TEXTURE_COORD_ARRAY) return `gl_MultiTexCoord${clientUnit}`;
  return CONVENTIONAL_ARRAYS.get(array) ?? refuseCall(call, nameOfEnum(array));
}

function replayPointer(
  gl: RecordedContext['gl'],
  call: TraceCall,
  attribute: string,
  isNormalized: boolean,
): void {
  const isSized = 'size' in call.args;
  const defaultSize = attribute === 'gl_Normal' ? 3 : 1;
  gl.vertexAttribPointer(
    attribute,
    isSized ? numberOf(call, 'size') : defaultSize,
    numberOf(call, 'type'),
    isNormalized,
    numberOf(call, 'stride'),
    locationOf(call, 'pointer'),
  );
}

function matrixOf(call: TraceCall): number[] {
  const matrix = numbersOf(call, 'm');
  return matrix.length === 16 ? matrix : failCall(call, `${matrix.length} numbers of 16`);
}

function uploadOf(gl: RecordedContext['gl'], call: TraceCall) {
  const location = locationOf(call, 'pixels');
  const unpackBuffer = gl.buffers.bound(GL.PIXEL_UNPACK_BUFFER);
  let bytes: Uint8Array | null = null;
  if (typeof location !== 'number') bytes = location;
  else if (unpackBuffer !== null) bytes = unpackBuffer.share().subarray(location);
  else if (location !== 0) failCall(call, 'pixels are an address without a buffer');
  return {
    target: numberOf(call, 'target'),
    level: numberOf(call, 'level'),
    widthPx: numberOf(call, 'width'),
    heightPx: numberOf(call, 'height'),
    format: numberOf(call, 'format'),
    type: numberOf(call, 'type'),
    bytes,
  };
}

function replayTexParameter(argument: string): CallReplay {
  return ({ gl }, call) =>
    gl.texParameter(
      numberOf(call, 'target'),
      numberOf(call, 'pname'),
      numbersOf(call, argument)[0] ?? failCall(call, 'no parameter'),
    );
}

function replayDrawElements({ gl }: RecordedContext, call: TraceCall): void {
  drawElements(
    gl,
    ...takeNumbers(call, 'mode', 'count', 'type'),
    locationOf(call, 'indices'),
    instancesOf(call),
  );
}

function drawElements(
  gl: RecordedContext['gl'],
  mode: number,
  count: number,
  type: number,
  location: number | Uint8Array,
  instanceCount: number,
): void {
  const inputs = inputsOf(gl);
  let indices = location;
  if (gl.fixed.lists.isCompiling && typeof location === 'number') {
    const buffer = gl.buffers.bound(GL.ELEMENT_ARRAY_BUFFER);
    if (buffer !== null) indices = buffer.share().subarray(location);
  }
  gl.fixed.lists.submit(() => gl.drawElements(mode, count, type, indices, instanceCount, inputs));
}

/** A list keeps the vertices as they are when it is compiled. */
function inputsOf(gl: RecordedContext['gl']): AttributeInputs {
  return gl.fixed.lists.isCompiling ? gl.vertexArrays.pin() : gl.vertexArrays;
}

/** Components and types of the formats in their order: texture coordinates, colour, normal, vertex. */
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

function replayInterleavedArrays({ gl, clientUnit }: RecordedContext, call: TraceCall): void {
  const found = INTERLEAVED_FORMATS[numberOf(call, 'format') - FIXED.V2F];
  const [coordinates, color, hasNormal, vertex] =
    found ?? failCall(call, 'the format is not known');
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
      gl.disableVertexAttribArray(key);
      continue;
    }
    const from = typeof location === 'number' ? location + offset : location.subarray(offset);
    gl.vertexAttribPointer(key, components, type, key === 'gl_Color', stride, from);
    gl.enableVertexAttribArray(key);
    offset += bytes;
  }
}

/** Instances of a draw: the argument has two names, 1 without it. */
function instancesOf(call: TraceCall): number {
  const name = ['instancecount', 'primcount'].find((known) => known in call.args);
  return name === undefined ? 1 : numberOf(call, name);
}

/** Whole numbers of named arguments, as many as there are names. */
function takeNumbers<Names extends readonly string[]>(
  call: TraceCall,
  ...names: Names
): { [K in keyof Names]: number } {
  return names.map((name) => numberOf(call, name)) as { [K in keyof Names]: number };
}

type Numbers<Count extends number, Taken extends number[] = []> = Taken['length'] extends Count
  ? Taken
  : Numbers<Count, [...Taken, number]>;

/** The first arguments by position: their names differ between versions of the headers. */
function takeFirst<Count extends 1 | 2 | 3 | 4 | 6>(call: TraceCall, count: Count): Numbers<Count> {
  const names = Object.keys(call.args);
  if (names.length < count) return failCall(call, `${names.length} of ${count} arguments`);
  return names.slice(0, count).map((name) => floatOf(call, name)) as Numbers<Count>;
}
