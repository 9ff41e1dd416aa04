/** Conversion and checks of call arguments, as WebIDL defines them. */

import { GL } from '../interface/constants.ts';
import type { WebGLObject } from '../objects/webgl-object.ts';
import type { ContextCore } from './context-core.ts';

type ObjectClass<T extends WebGLObject> = abstract new (...rest: never[]) => T;

/**
 * Returns a shader or program that a call can use, or `null` after an error.
 *
 * @throws {TypeError} If the argument is missing or of another class.
 */
export function requireObject<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): T | null {
  checkKind(caller, object, kind);
  if (object.owner === core && object.isDeleted) {
    core.raise(GL.INVALID_VALUE, caller, 'the object is deleted');
    return null;
  }
  return checkObject(core, caller, object, kind) ? object : null;
}

/**
 * Returns whether an object belongs to this context and is not deleted. Raises the error otherwise.
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
    core.raise(GL.INVALID_OPERATION, caller, 'the object is deleted');
    return false;
  }
  return true;
}

/**
 * Returns whether the argument of a `delete…` call is to be deleted. Objects of other contexts
 * raise an error; deleted objects and `null` are ignored.
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
 * Returns whether the argument of an `is…` call belongs to this context and is not deleted.
 *
 * @throws {TypeError} If it is of another class.
 */
export function isAlive<T extends WebGLObject>(
  core: ContextCore,
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): object is T {
  if (object === null || object === undefined) return false;
  checkKind(caller, object, kind);
  return object.owner === core && !object.isDeleted;
}

/**
 * Checks the class of an object.
 *
 * @throws {TypeError} If the object is of another class.
 */
function checkKind<T extends WebGLObject>(
  caller: string,
  object: T | null | undefined,
  kind: ObjectClass<T>,
): asserts object is T {
  if (!(object instanceof kind)) {
    throw new TypeError(`${caller}: the argument is not a ${kind.name}`);
  }
}

/** Converts an offset or size as WebIDL converts to `long long`. */
export function toLongLong(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isFinite(number) ? number + 0 : 0;
}

/** Rounds a number to 32-bit float, the precision of context state. */
export function toFloat(value: unknown): number {
  return Math.fround(Number(value));
}

/** Largest 32-bit float. */
export const LARGEST_FLOAT = Math.fround(3.4028234663852886e38);

/** Replaces NaN and infinities, which frames cannot contain. */
export function toFinite(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.min(LARGEST_FLOAT, Math.max(-LARGEST_FLOAT, value));
}

/** Returns the bytes of a view. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Returns whether a value is an ArrayBuffer or SharedArrayBuffer of any realm. */
export function isArrayBuffer(value: unknown): value is ArrayBufferLike {
  return (
    value instanceof ArrayBuffer ||
    value instanceof SharedArrayBuffer ||
    Object.prototype.toString.call(value) === '[object ArrayBuffer]'
  );
}
