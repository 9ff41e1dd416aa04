/**
 * Named access on the window, as HTML defines it: the id of an element is a global name that
 * declarations of scripts override.
 */
import type { Document } from '@tessera/webgl/dom';

/** Prototype of the global object, whose properties any declaration of a script hides. */
const INHERITED = Object.getPrototypeOf(globalThis) as object;

/** Makes an element accessible by its id as a global name. */
export function nameElement(document: Document, id: string): void {
  if (id === '' || id in globalThis) return;
  const get = (): unknown => document.getElementById(id) ?? undefined;
  Object.defineProperty(INHERITED, id, { get, configurable: true });
}
