/** Vertex array objects of WebGL 2 and of OES_vertex_array_object. */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { WebGLVertexArrayObject } from '../../objects/webgl-vertex-array.ts';

type Given = WebGLVertexArrayObject | null;

/** Implements `createVertexArray` and `createVertexArrayOES`. */
export function createVertexArray(core: ContextCore): WebGLVertexArrayObject {
  return new WebGLVertexArrayObject(core, core.gl.vertexArrays.generate(1)[0]!);
}

/** Implements `deleteVertexArray` and `deleteVertexArrayOES`. */
export function deleteVertexArray(core: ContextCore, caller: string, vertexArray: Given): void {
  if (!isDeletable(core, caller, vertexArray, WebGLVertexArrayObject)) return;
  vertexArray.isDeleted = true;
  if (core.vertexArray === vertexArray) core.vertexArray = core.defaultVertexArray;
  core.gl.vertexArrays.remove([vertexArray.glName]);
}

/** Implements `isVertexArray` and `isVertexArrayOES`. */
export function isVertexArray(core: ContextCore, caller: string, vertexArray: Given): boolean {
  return isAlive(core, caller, vertexArray, WebGLVertexArrayObject) && vertexArray.wasBound;
}

/** Implements `bindVertexArray` and `bindVertexArrayOES`. */
export function bindVertexArray(core: ContextCore, caller: string, vertexArray: Given): void {
  if (vertexArray === null || vertexArray === undefined) {
    core.vertexArray = core.defaultVertexArray;
    core.gl.vertexArrays.bind(0);
    return;
  }
  if (!checkObject(core, caller, vertexArray, WebGLVertexArrayObject)) return;
  vertexArray.wasBound = true;
  core.vertexArray = vertexArray;
  core.gl.vertexArrays.bind(vertexArray.glName);
}

/** WebGL calls for vertex array objects. */
export const vertexArrayCalls = {
  createVertexArray(this: ContextObject): WebGLVertexArrayObject {
    return createVertexArray(this[CORE]);
  },
  deleteVertexArray(this: ContextObject, vertexArray: Given): void {
    deleteVertexArray(this[CORE], 'deleteVertexArray', vertexArray);
  },
  isVertexArray(this: ContextObject, vertexArray: Given): boolean {
    return isVertexArray(this[CORE], 'isVertexArray', vertexArray);
  },
  bindVertexArray(this: ContextObject, vertexArray: Given): void {
    bindVertexArray(this[CORE], 'bindVertexArray', vertexArray);
  },
};
