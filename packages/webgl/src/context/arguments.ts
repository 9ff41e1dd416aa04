/** Arguments of calls as WebIDL converts and checks them. */

import { GL } from '../interface/constants.ts';
import type { WebGLObject } from '../objects/webgl-object.ts';
import type { ContextCore } from './context-core.ts';

type ObjectClass<T extends WebGLObject> = abstract new (...rest: never[]) => T;

/**
 * A shader or program that a call may use, or `null` after an error.
 *
 * No object at all is a TypeError in WebGL 2 and INVALID_VALUE in WebGL 1, as edition 1.0.3 has it, which programs
 * outside of browsers are written for; the latest text has a TypeError in both.
 *
 * @throws {TypeError} If it is something else.
 */
export function requireObject<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): T | null {
  if (isMissing(core, caller, object)) return null;
  checkKind(caller, object, kind);
  if (object.owner === core && object.isDeleted) {
    core.raise(GL.INVALID_VALUE, caller, 'the object was deleted');
    return null;
  }
  return checkObject(core, caller, object, kind) ? object : null;
}

/** Whether an object is missing that WebGL 1 takes for one that is worth nothing; raises the error then. */
export function isMissing(core: ContextCore, caller: string, object: unknown): boolean {
  if (core.isWebGL2 || (object !== null && object !== undefined)) return false;
  core.raise(GL.INVALID_VALUE, caller, 'no object is given');
  return true;
}

/**
 * Whether an object is of this context and alive; raises the error where it is not.
 *
 * @throws {TypeError} If it is of another class.
 */
export function checkObject<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T,
  kind: ObjectClass<T>,
): boolean {
  checkKind(caller, object, kind);
  if (object.owner !== core) {
    core.raise(GL.INVALID_OPERATION, caller, 'the object belongs to another context');
    return false;
  }
  if (object.isDeleted) {
    core.raise(GL.INVALID_OPERATION, caller, 'the object was deleted');
    return false;
  }
  return true;
}

/**
 * Whether what a `delete…` is given is to be deleted: of this context, and not deleted before.
 *
 * @throws {TypeError} If it is of another class.
 */
export function isDeletable<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): object is T {
  if (object === null || object === undefined) return false;
  checkKind(caller, object, kind);
  if (object.owner !== core) {
    core.raise(GL.INVALID_OPERATION, caller, 'the object belongs to another context');
    return false;
  }
  return !object.isDeleted;
}

/**
 * Whether what an `is…` is given is such an object, of this context and alive.
 *
 * @throws {TypeError} If it is something else.
 */
export function isLiving<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): object is T {
  if (object === null || object === undefined) return false;
  checkKind(caller, object, kind);
  return object.owner === core && !object.isDeleted;
}

/** @throws {TypeError} If an object is of another class. */
function checkKind<T extends WebGLObject>(
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): asserts object is T {
  if (!(object instanceof kind)) {
    throw new TypeError(`${caller}: the argument is not a ${kind.name}`);
  }
}

/** An offset or size: WebIDL's `long long`. */
export function toLongLong(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isFinite(number) ? number + 0 : 0;
}

/** A number as 32-bit float, which is what the context keeps. */
export function toFloat(value: unknown): number {
  return Math.fround(Number(value));
}

/** The bytes of a view. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

export function isArrayBuffer(value: unknown): value is ArrayBufferLike {
  return (
    value instanceof ArrayBuffer ||
    value instanceof SharedArrayBuffer ||
    Object.prototype.toString.call(value) === '[object ArrayBuffer]'
  );
}
