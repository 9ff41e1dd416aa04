/** Extensions of draws and of their vertices. */
import { setDivisor } from '../calls/draws/attribute-calls.ts';
import { drawArrays, drawElements, hasVertexAttribute } from '../calls/draws/draw-calls.ts';
import {
  bindVertexArray,
  createVertexArray,
  deleteVertexArray,
  isVertexArray,
} from '../calls/draws/vertex-array-calls.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import { GL } from '../interface/constants.ts';
import type { WebGLVertexArrayObject } from '../objects/webgl-vertex-array.ts';
import { BOTH, type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';
import { multiDrawCalls } from './multi-draw.ts';

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
    drawArrays(this[CORE], caller, mode, first, count, instanceCount);
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
    drawElements(this[CORE], caller, mode, count, type, offset, instanceCount);
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

const provokingVertexCalls = {
  provokingVertexWEBGL(this: ContextObject, mode: number): void {
    const core = this[CORE];
    if (mode !== GL.FIRST_VERTEX_CONVENTION_WEBGL && mode !== GL.LAST_VERTEX_CONVENTION_WEBGL) {
      core.rejectEnum('provokingVertexWEBGL', 'provokeMode', mode);
    } else core.gl.raster.setProvokingVertex(mode);
  },
};

/** Extensions of draws. */
export const drawExtensions: ExtensionGroup = {
  ANGLE_instanced_arrays: { versions: FIRST, calls: instancedCalls },
  OES_element_index_uint: { versions: FIRST },
  OES_vertex_array_object: { versions: FIRST, calls: vertexArrayCalls },
  WEBGL_multi_draw: {
    versions: BOTH,
    calls: multiDrawCalls,
    shaderName: 'GL_ANGLE_multi_draw',
    implies: ['ANGLE_instanced_arrays'],
  },
  WEBGL_provoking_vertex: { versions: SECOND, calls: provokingVertexCalls },
};
