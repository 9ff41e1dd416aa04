/** Replays recorded OpenGL functions on a `GlContext`. A function missing here is not supported. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { ARRAY_CALLS, findConventionalArray } from './array-calls.ts';
import { ASSEMBLY_CALLS } from './assembly-calls.ts';
import { ATI_SHADER_CALLS } from './ati-shader-calls.ts';
import { BUFFER_RANGE_CALLS } from './buffer-range-calls.ts';
import {
  blobOf,
  booleanOf,
  failCall,
  locationOf,
  numberOf,
  numbersOf,
  refuseCall,
  stringOf,
  takeFirst,
  takeNumbers,
  toNumber,
} from './call-arguments.ts';
import { CLEAR_BUFFER_CALLS } from './clear-buffer-calls.ts';
import { CONDITIONAL_CALLS } from './conditional-calls.ts';
import { makeDirectCalls } from './direct-calls.ts';
import { EVALUATOR_CALLS } from './evaluator-calls.ts';
import { FEEDBACK_CALLS } from './feedback-calls.ts';
import { FIXED_CALLS } from './fixed-calls.ts';
import { HALF_VERTEX_CALLS } from './half-vertex-calls.ts';
import { IMAGE_CALLS } from './image-calls.ts';
import { INCLUDE_CALLS, includeStrings } from './include-calls.ts';
import { INDEXED_TARGET_CALLS } from './indexed-target-calls.ts';
import { INTEGER_ATTRIBUTE_CALLS } from './integer-attribute-calls.ts';
import { joinShaderSource } from './join-shader-source.ts';
import { NUMBERED_CALLS } from './numbered-calls.ts';
import { PACKED_VERTEX_CALLS } from './packed-vertex-calls.ts';
import { PIXEL_CALLS } from './pixel-calls.ts';
import { type CallReplay, learnNames, type RecordedContext } from './recorded-names.ts';
import { SAMPLER_CALLS } from './sampler-calls.ts';
import { makeShaderObjectCalls } from './shader-object-calls.ts';
import { TEXTURE_CALLS } from './texture-calls.ts';
import { VERTEX_CALLS } from './vertex-calls.ts';
import { VIEWPORT_ARRAY_CALLS } from './viewport-array-calls.ts';

const MAP_PERSISTENT_BIT = 0x40;

const BUFFER_CALLS: Record<string, CallReplay> = {
  glGenBuffers: ({ gl, shared }, call) =>
    learnNames(shared.buffers, numbersOf(call, 'buffers'), (count) => gl.buffers.generate(count)),
  glDeleteBuffers: ({ gl, shared }, call) =>
    gl.buffers.remove(numbersOf(call, 'buffers').map((name) => shared.buffers.remove(name))),
  glBindBuffer: ({ gl, shared }, call) =>
    gl.buffers.bind(numberOf(call, 'target'), shared.buffers.get(numberOf(call, 'buffer'))),
  glBufferData: ({ gl }, call) => {
    const source = blobOf(call, 'data') ?? numberOf(call, 'size');
    gl.buffers.define(numberOf(call, 'target'), source, numberOf(call, 'usage'));
  },
  glBufferSubData: ({ gl }, call) => {
    const source = blobOf(call, 'data');
    if (source === null) return;
    gl.buffers.update(numberOf(call, 'target'), numberOf(call, 'offset'), source);
  },
  glBufferStorage: ({ gl }, call) => {
    const source = blobOf(call, 'data') ?? numberOf(call, 'size');
    gl.buffers.define(numberOf(call, 'target'), source, GL.DYNAMIC_DRAW);
  },
  glMapBuffer: (context, call) => {
    const target = numberOf(call, 'target');
    if (context.gl.buffers.map(target) !== null) rememberMapping(context, call, target);
  },
  glMapBufferRange: (context, call) => {
    const [target, offset, length] = takeNumbers(call, 'target', 'offset', 'length');
    const { buffers } = context.gl;
    const isPersistent = (numberOf(call, 'access') & MAP_PERSISTENT_BIT) !== 0;
    const mapped = isPersistent
      ? buffers.mapPersistently(target, offset, length)
      : buffers.map(target, offset, length);
    if (mapped !== null) rememberMapping(context, call, target);
  },
  // The tracer records the copy of a coherent mapping by another address than the program's, so
  // that only the flush after it says where it is.
  glFlushMappedBufferRange: (context, call) => {
    const { gl, unplacedCopy } = context;
    context.unplacedCopy = null;
    if (unplacedCopy === null) return;
    const [target, offset, length] = takeNumbers(call, 'target', 'offset', 'length');
    const source = blobOf(unplacedCopy, 'src');
    const buffer = gl.buffers.bound(target);
    const sizeBytes = buffer?.mapping?.sizeBytes ?? 0;
    if (source?.length !== length || offset < 0 || offset + length > sizeBytes) {
      return failCall(unplacedCopy, 'the destination is not in a mapped buffer');
    }
    buffer!.writeMapped(offset, source);
  },
  glUnmapBuffer: ({ gl, mappings }, call) => {
    const target = numberOf(call, 'target');
    const mapped = gl.buffers.bound(target);
    const index = mappings.findIndex(({ buffer }) => buffer === mapped);
    if (index >= 0) mappings.splice(index, 1);
    gl.buffers.unmap(target);
  },
  memcpy: (context, call) => {
    const source = blobOf(call, 'src');
    if (source === null) return;
    const address = numberOf(call, 'dest');
    const written = context.mappings.find(
      (live) =>
        live.buffer.mapping !== null &&
        address >= live.address &&
        address + source.length <= live.address + live.sizeBytes,
    );
    if (written === undefined) context.unplacedCopy = call;
    else written.buffer.writeMapped(address - written.address, source);
  },
};

const VERTEX_ARRAY_CALLS: Record<string, CallReplay> = {
  glGenVertexArrays: ({ gl, vertexArrays }, call) =>
    learnNames(vertexArrays, numbersOf(call, 'arrays'), (count) => gl.vertexArrays.generate(count)),
  glDeleteVertexArrays: ({ gl, vertexArrays }, call) =>
    gl.vertexArrays.remove(numbersOf(call, 'arrays').map((name) => vertexArrays.remove(name))),
  glBindVertexArray: ({ gl, vertexArrays }, call) =>
    gl.vertexArrays.bind(vertexArrays.get(numberOf(call, 'array'))),
  glEnableVertexAttribArray: ({ gl }, call) => gl.vertexArrays.enable(numberOf(call, 'index')),
  glDisableVertexAttribArray: ({ gl }, call) => gl.vertexArrays.disable(numberOf(call, 'index')),
  glVertexAttribDivisor: ({ gl }, call) =>
    gl.vertexArrays.setDivisor(numberOf(call, 'index'), numberOf(call, 'divisor')),
  glVertexAttribPointer: ({ gl }, call) =>
    gl.vertexArrays.setPointer(
      ...takeNumbers(call, 'index', 'size', 'type'),
      booleanOf(call, 'normalized'),
      numberOf(call, 'stride'),
      locationOf(call, 'pointer'),
    ),
};

/** GL_GEOMETRY_SHADER, GL_TESS_EVALUATION_SHADER, GL_TESS_CONTROL_SHADER, GL_COMPUTE_SHADER. */
const OTHER_STAGES: readonly number[] = [0x8dd9, 0x8e87, 0x8e88, 0x91b9];

const PROGRAM_CALLS: Record<string, CallReplay> = {
  glCreateShader: ({ gl, shared }, call) => {
    const type = numberOf(call, 'type');
    const isTolerated = type === GL.GEOMETRY_SHADER && gl.rules.hasGeometryShaders;
    if (OTHER_STAGES.includes(type) && !isTolerated)
      refuseCall(call, `${nameOfEnum(type)} is not supported`);
    shared.programs.set(toNumber(call.result) ?? 0, gl.shaders.create(type));
  },
  glDeleteShader: ({ gl, shared }, call) =>
    gl.shaders.remove(shared.programs.get(numberOf(call, 'shader'))),
  glShaderSource: ({ gl, shared }, call) => {
    const shader = numberOf(call, 'shader');
    const source = joinShaderSource(call.args);
    if (source.includes('include')) shared.includes.sources.set(shader, source);
    else shared.includes.sources.delete(shader);
    gl.shaders.setSource(shared.programs.get(shader), source);
  },
  glCompileShader: (context, call) => {
    includeStrings(context, call, []);
    context.gl.shaders.compile(context.shared.programs.get(numberOf(call, 'shader')));
  },
  glCreateProgram: ({ gl, shared }, call) =>
    shared.programs.set(toNumber(call.result) ?? 0, gl.programs.create()),
  glDeleteProgram: ({ gl, shared }, call) =>
    gl.programs.remove(shared.programs.get(numberOf(call, 'program'))),
  glAttachShader: ({ gl, shared }, call) =>
    gl.programs.attach(
      shared.programs.get(numberOf(call, 'program')),
      shared.programs.get(numberOf(call, 'shader')),
    ),
  glDetachShader: ({ gl, shared }, call) =>
    gl.programs.detach(
      shared.programs.get(numberOf(call, 'program')),
      shared.programs.get(numberOf(call, 'shader')),
    ),
  glBindAttribLocation: ({ gl, shared }, call) =>
    gl.programs.bindLocation(
      shared.programs.get(numberOf(call, 'program')),
      numberOf(call, 'index'),
      stringOf(call, 'name'),
    ),
  glBindFragDataLocation: ({ gl, shared }, call) =>
    gl.programs.bindOutput(
      shared.programs.get(numberOf(call, 'program')),
      numberOf(call, 'color'),
      stringOf(call, 'name'),
    ),
  glLinkProgram: ({ gl, shared }, call) => {
    shared.uniformNames.delete(numberOf(call, 'program'));
    shared.blockNames.delete(numberOf(call, 'program'));
    gl.programs.link(shared.programs.get(numberOf(call, 'program')));
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
    gl.programs.use(name);
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
    learnNames(framebuffers, numbersOf(call, 'framebuffers'), (count) =>
      gl.framebuffers.generate(count),
    ),
  glDeleteFramebuffers: ({ gl, framebuffers }, call) =>
    gl.framebuffers.remove(
      numbersOf(call, 'framebuffers').map((name) => framebuffers.remove(name)),
    ),
  glBindFramebuffer: ({ gl, framebuffers }, call) =>
    gl.framebuffers.bind(numberOf(call, 'target'), framebuffers.get(numberOf(call, 'framebuffer'))),
  glGenRenderbuffers: ({ gl, shared }, call) =>
    learnNames(shared.renderbuffers, numbersOf(call, 'renderbuffers'), (count) =>
      gl.renderbuffers.generate(count),
    ),
  glDeleteRenderbuffers: ({ gl, shared }, call) =>
    gl.renderbuffers.remove(
      numbersOf(call, 'renderbuffers').map((name) => shared.renderbuffers.remove(name)),
    ),
  glBindRenderbuffer: ({ gl, shared }, call) =>
    gl.renderbuffers.bind(
      numberOf(call, 'target'),
      shared.renderbuffers.get(numberOf(call, 'renderbuffer')),
    ),
  glRenderbufferStorage: ({ gl }, call) =>
    gl.renderbuffers.setStorage(
      ...takeNumbers(call, 'target', 'internalformat', 'width', 'height'),
    ),
  glFramebufferTexture2D: ({ gl, shared }, call) =>
    gl.framebuffers.attachTexture(
      ...takeNumbers(call, 'target', 'attachment', 'textarget'),
      shared.textures.get(numberOf(call, 'texture')),
      numberOf(call, 'level'),
    ),
  glFramebufferRenderbuffer: ({ gl, shared }, call) =>
    gl.framebuffers.attachRenderbuffer(
      ...takeNumbers(call, 'target', 'attachment', 'renderbuffertarget'),
      shared.renderbuffers.get(numberOf(call, 'renderbuffer')),
    ),
  glDrawBuffer: ({ gl }, call) => {
    const isScreen = [GL.BACK, GL.FRONT, GL.FRONT_AND_BACK, GL.BACK_LEFT, GL.FRONT_LEFT];
    const buffer = numberOf(call, call.args.buf === undefined ? 'mode' : 'buf');
    if (gl.framebuffers.drawFramebuffer !== null) gl.framebuffers.setDrawBuffers([buffer]);
    else if (!isScreen.some((known) => known === buffer)) refuseCall(call, nameOfEnum(buffer));
  },
  glReadBuffer: ({ gl }, call) => {
    const buffer = numberOf(call, call.args.src === undefined ? 'mode' : 'src');
    gl.framebuffers.setReadBuffer(buffer);
  },
  glReadPixels: ({ gl }, call) => {
    // Reads into client memory need no replay: the capture has what the program did with them. Data
    // read into a buffer is not in the capture.
    if (gl.buffers.bound(GL.PIXEL_PACK_BUFFER) !== null)
      refuseCall(call, 'reading pixels into a buffer is not supported');
  },
};

/** Replays a switch. OpenGL 1.1 also accepts the names of client arrays here, as Mesa does. */
function switchArray(context: RecordedContext, call: CapturedCall, isEnabled: boolean): void {
  const { gl } = context;
  const capability = numberOf(call, 'cap');
  const array = findConventionalArray(context, capability);
  if (array !== null) gl.vertexArrays[isEnabled ? 'enable' : 'disable'](array);
  else gl.capabilities[isEnabled ? 'enable' : 'disable'](capability);
  if (capability === GL.BLEND) gl.raster.unsetTargetBlending();
}

const RASTER_CALLS: Record<string, CallReplay> = {
  glEnable: (context, call) => switchArray(context, call, true),
  glDisable: (context, call) => switchArray(context, call, false),
  glViewport: ({ gl }, call) =>
    gl.raster.setViewport(...takeNumbers(call, 'x', 'y', 'width', 'height')),
  glScissor: ({ gl }, call) =>
    gl.raster.setScissor(...takeNumbers(call, 'x', 'y', 'width', 'height')),
  glDepthRange: ({ gl }, call) => gl.raster.setDepthRange(...takeFirst(call, 2)),
  glDepthRangef: ({ gl }, call) => gl.raster.setDepthRange(...takeFirst(call, 2)),
  glCullFace: ({ gl }, call) => gl.raster.setCullFace(...takeFirst(call, 1)),
  glFrontFace: ({ gl }, call) => gl.raster.setFrontFace(...takeFirst(call, 1)),
  glPolygonOffset: ({ gl }, call) => gl.raster.setPolygonOffset(...takeFirst(call, 2)),
  glClipControl: ({ gl }, call) =>
    gl.raster.setClipControl(numberOf(call, 'origin'), numberOf(call, 'depth')),
  glPolygonMode: ({ gl }, call) =>
    gl.raster.setPolygonMode(numberOf(call, 'face'), numberOf(call, 'mode')),
  glLineStipple: ({ gl }, call) =>
    gl.raster.setLineStipple(numberOf(call, 'factor'), numberOf(call, 'pattern')),
  glLineWidth: ({ gl }, call) => gl.raster.setLineWidth(...takeFirst(call, 1)),
  glPointSize: ({ gl }, call) => gl.fixed.setPointSize(...takeFirst(call, 1)),
  glDepthFunc: ({ gl }, call) => gl.raster.setDepthFunction(...takeFirst(call, 1)),
  glDepthMask: ({ gl }, call) => gl.raster.setDepthMask(booleanOf(call, 'flag')),
  glColorMask: ({ gl }, call) =>
    gl.raster.setColorMask(
      booleanOf(call, 'red'),
      booleanOf(call, 'green'),
      booleanOf(call, 'blue'),
      booleanOf(call, 'alpha'),
    ),
  glStencilFunc: ({ gl }, call) =>
    gl.raster.setStencilFunction(gl.raster.activeStencilFaces, ...takeFirst(call, 3)),
  glActiveStencilFace: ({ gl }, call) => gl.raster.setActiveStencilFace(...takeFirst(call, 1)),
  glStencilFuncSeparate: ({ gl }, call) => gl.raster.setStencilFunction(...takeFirst(call, 4)),
  glStencilFuncSeparateATI: ({ gl }, call) => {
    const [front, back, reference, mask] = takeFirst(call, 4);
    gl.raster.setStencilFunction(GL.FRONT, front, reference, mask);
    gl.raster.setStencilFunction(GL.BACK, back, reference, mask);
  },
  glStencilMask: ({ gl }, call) =>
    gl.raster.setStencilMask(gl.raster.activeStencilFaces, ...takeFirst(call, 1)),
  glStencilMaskSeparate: ({ gl }, call) => gl.raster.setStencilMask(...takeFirst(call, 2)),
  glStencilOp: ({ gl }, call) =>
    gl.raster.setStencilOperations(gl.raster.activeStencilFaces, ...takeFirst(call, 3)),
  glStencilOpSeparate: ({ gl }, call) => gl.raster.setStencilOperations(...takeFirst(call, 4)),
  glBlendColor: ({ gl }, call) => gl.raster.setBlendColor(...takeFirst(call, 4)),
  glBlendEquation: ({ gl }, call) => {
    const [equation] = takeFirst(call, 1);
    gl.raster.setBlendEquations(equation, equation);
  },
  glBlendEquationSeparate: ({ gl }, call) => gl.raster.setBlendEquations(...takeFirst(call, 2)),
  glBlendFunc: ({ gl }, call) => {
    const [source, destination] = takeFirst(call, 2);
    gl.raster.setBlendFactors(source, destination, source, destination);
  },
  glBlendFuncSeparate: ({ gl }, call) => gl.raster.setBlendFactors(...takeFirst(call, 4)),
  glClearColor: ({ gl }, call) => gl.raster.setClearColor(...takeFirst(call, 4)),
  glClearDepth: ({ gl }, call) => gl.raster.setClearDepth(...takeFirst(call, 1)),
  glClearDepthf: ({ gl }, call) => gl.raster.setClearDepth(...takeFirst(call, 1)),
  glClearStencil: ({ gl }, call) => gl.raster.setClearStencil(...takeFirst(call, 1)),
};

const CALLS: Readonly<Record<string, CallReplay>> = {
  ...BUFFER_CALLS,
  ...VERTEX_ARRAY_CALLS,
  ...TEXTURE_CALLS,
  ...PROGRAM_CALLS,
  ...FRAMEBUFFER_CALLS,
  ...RASTER_CALLS,
  ...ARRAY_CALLS,
  ...NUMBERED_CALLS,
  ...VERTEX_CALLS,
  ...FIXED_CALLS,
  ...PIXEL_CALLS,
  ...EVALUATOR_CALLS,
  ...IMAGE_CALLS,
  ...ASSEMBLY_CALLS,
  ...ATI_SHADER_CALLS,
  ...BUFFER_RANGE_CALLS,
  ...CLEAR_BUFFER_CALLS,
  ...CONDITIONAL_CALLS,
  ...FEEDBACK_CALLS,
  ...INCLUDE_CALLS,
  ...INTEGER_ATTRIBUTE_CALLS,
  ...PACKED_VERTEX_CALLS,
  ...HALF_VERTEX_CALLS,
  ...SAMPLER_CALLS,
  ...INDEXED_TARGET_CALLS,
  ...VIEWPORT_ARRAY_CALLS,
  ...makeShaderObjectCalls(PROGRAM_CALLS),
};

const REPLAYS: ReadonlyMap<string, CallReplay> = new Map(
  Object.entries({ ...CALLS, ...makeDirectCalls(CALLS) }),
);

/**
 * Returns the replay of a function, also for its extension names; `null` if it is not supported.
 */
export function findReplay(functionName: string): CallReplay | null {
  const plainName = functionName.replace(/(?:ARB|EXT|OES|ANGLE|APPLE|ATI|MESA)$/, '');
  return REPLAYS.get(functionName) ?? REPLAYS.get(plainName) ?? null;
}

function rememberMapping({ gl, mappings }: RecordedContext, call: CapturedCall, target: number) {
  const address = toNumber(call.result) ?? 0;
  const buffer = gl.buffers.bound(target);
  const sizeBytes = buffer?.mapping?.sizeBytes;
  if (buffer === null || sizeBytes === undefined || address === 0) return;
  mappings.push({ buffer, address, sizeBytes });
}
