/**
 * Table of the supported extensions and what each one adds. Calls that accept formats or
 * enumerations of an extension check for it with `EnabledExtensions.isEnabled`.
 */

import { setDivisor } from '../calls/draws/attribute-calls.ts';
import { drawArrays, drawElements } from '../calls/draws/draw-calls.ts';
import {
  bindVertexArray,
  createVertexArray,
  deleteVertexArray,
  isVertexArray,
} from '../calls/draws/vertex-array-calls.ts';
import { setDrawBuffers } from '../calls/framebuffers/draw-buffer-calls.ts';
import { toLongLong } from '../context/arguments.ts';
import { type CallTable, CORE, type ContextObject } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import { fitDrawingBuffer } from '../interface/limits.ts';
import type { WebGLShader } from '../objects/webgl-program.ts';
import type { WebGLVertexArrayObject } from '../objects/webgl-vertex-array.ts';

/** Description of one extension. */
export interface ExtensionEntry {
  /** WebGL versions that offer the extension. */
  readonly versions: readonly (1 | 2)[];
  readonly calls?: CallTable;
  /** Name in GLSL's `#extension` directive. */
  readonly shaderName?: string;
  /** Further effect of enabling the extension. */
  readonly enable?: (core: ContextCore) => void;
  /** Extensions that are enabled together with this one. */
  readonly implies?: readonly string[];
}

/**
 * Returns whether the program has an active attribute that advances per vertex. Raises the error
 * otherwise.
 */
function hasVertexAttribute(core: ContextCore, caller: string): boolean {
  const { program, vertexArray } = core;
  // A disabled array has the same value for all vertices and instances, so it does not count.
  const vertexMask = vertexArray.enabledMask & ~vertexArray.instancedMask;
  if (program === null || (program.attributeMask & vertexMask) !== 0) return true;
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    'no enabled attribute array of the program has divisor 0',
  );
  return false;
}

const instancedCalls = {
  drawArraysInstancedANGLE(
    this: ContextObject,
    mode: number,
    first: number,
    count: number,
    instanceCount: number,
  ): void {
    const caller = 'drawArraysInstancedANGLE';
    if (!hasVertexAttribute(this[CORE], caller)) return;
    drawArrays(this[CORE], caller, mode >>> 0, first | 0, count | 0, instanceCount | 0);
  },
  drawElementsInstancedANGLE(
    this: ContextObject,
    mode: number,
    count: number,
    type: number,
    offset: number,
    instanceCount: number,
  ): void {
    const caller = 'drawElementsInstancedANGLE';
    if (!hasVertexAttribute(this[CORE], caller)) return;
    const start = toLongLong(offset);
    drawElements(this[CORE], caller, mode >>> 0, count | 0, type, start, instanceCount | 0);
  },
  vertexAttribDivisorANGLE(this: ContextObject, index: number, divisor: number): void {
    setDivisor(this[CORE], 'vertexAttribDivisorANGLE', index, divisor);
  },
};

const vertexArrayCalls = {
  createVertexArrayOES(this: ContextObject): WebGLVertexArrayObject {
    return createVertexArray(this[CORE]);
  },
  deleteVertexArrayOES(this: ContextObject, vertexArray: WebGLVertexArrayObject | null): void {
    deleteVertexArray(this[CORE], 'deleteVertexArrayOES', vertexArray);
  },
  isVertexArrayOES(this: ContextObject, vertexArray: WebGLVertexArrayObject | null): boolean {
    return isVertexArray(this[CORE], 'isVertexArrayOES', vertexArray);
  },
  bindVertexArrayOES(this: ContextObject, vertexArray: WebGLVertexArrayObject | null): void {
    bindVertexArray(this[CORE], 'bindVertexArrayOES', vertexArray);
  },
};

const drawBufferCalls = {
  drawBuffersWEBGL(this: ContextObject, buffers: Iterable<number>): void {
    setDrawBuffers(this[CORE], 'drawBuffersWEBGL', buffers);
  },
};

const debugShaderCalls = {
  /** Returns the source itself, because chiplets run code compiled directly from it. */
  getTranslatedShaderSource(this: ContextObject, shader: WebGLShader): string {
    const core = this[CORE];
    const { compiledSource } = core.gl.shaders.find('getTranslatedShaderSource', shader.glName)!;
    return compiledSource ?? '';
  },
};

/** Calls of the extensions that headless-gl adds to WebGL. */
const resizeCalls = {
  resize(this: ContextObject, width: number, height: number): void {
    this[CORE].gl.targets.resize(...fitDrawingBuffer(width, height));
  },
};

const destroyCalls = {
  /** Ends the context. Its memory is free once the program has no reference to it. */
  destroy(this: ContextObject): void {
    this[CORE].loss?.destroy();
  },
};

const lossCalls = {
  loseContext(this: ContextObject): void {
    this[CORE].loss!.lose();
  },
  restoreContext(this: ContextObject): void {
    this[CORE].loss!.restore();
  },
};

function filterFloats({ gl }: ContextCore): void {
  gl.textures.filterRules.isFloat32Filterable = true;
}

function filterHalfFloats({ gl }: ContextCore): void {
  gl.textures.filterRules.isFloat16Filterable = true;
}

const BOTH = [1, 2] as const;
const FIRST = [1] as const;
const SECOND = [2] as const;

/** Supported extensions by canonical name. */
export const EXTENSIONS: ReadonlyMap<string, ExtensionEntry> = new Map<string, ExtensionEntry>([
  ['ANGLE_instanced_arrays', { versions: FIRST, calls: instancedCalls }],
  ['EXT_blend_minmax', { versions: FIRST }],
  ['EXT_color_buffer_float', { versions: SECOND }],
  ['EXT_color_buffer_half_float', { versions: BOTH }],
  ['EXT_float_blend', { versions: BOTH }],
  ['EXT_frag_depth', { versions: FIRST, shaderName: 'GL_EXT_frag_depth' }],
  ['EXT_sRGB', { versions: FIRST }],
  ['EXT_shader_texture_lod', { versions: FIRST, shaderName: 'GL_EXT_shader_texture_lod' }],
  ['EXT_texture_filter_anisotropic', { versions: BOTH }],
  ['OES_element_index_uint', { versions: FIRST }],
  ['OES_fbo_render_mipmap', { versions: FIRST }],
  ['OES_standard_derivatives', { versions: FIRST, shaderName: 'GL_OES_standard_derivatives' }],
  ['OES_texture_float', { versions: FIRST, implies: ['WEBGL_color_buffer_float'] }],
  ['OES_texture_float_linear', { versions: BOTH, enable: filterFloats }],
  ['OES_texture_half_float', { versions: FIRST, implies: ['EXT_color_buffer_half_float'] }],
  ['OES_texture_half_float_linear', { versions: FIRST, enable: filterHalfFloats }],
  ['OES_vertex_array_object', { versions: FIRST, calls: vertexArrayCalls }],
  ['WEBGL_color_buffer_float', { versions: FIRST }],
  ['WEBGL_debug_renderer_info', { versions: BOTH }],
  ['WEBGL_debug_shaders', { versions: BOTH, calls: debugShaderCalls }],
  ['WEBGL_depth_texture', { versions: FIRST }],
  [
    'WEBGL_draw_buffers',
    { versions: FIRST, calls: drawBufferCalls, shaderName: 'GL_EXT_draw_buffers' },
  ],
  ['WEBGL_lose_context', { versions: BOTH, calls: lossCalls }],
  ['STACKGL_resize_drawingbuffer', { versions: BOTH, calls: resizeCalls }],
  ['STACKGL_destroy_context', { versions: BOTH, calls: destroyCalls }],
]);
