/** HTML's named access on the window: an element's id is a name of scripts, below all that they declare themselves. */
import type { Document } from '@tessera/webgl/dom';

/** The object that the global object inherits from, so that what scripts declare hides it. */
const INHERITED = Object.getPrototypeOf(globalThis) as object;

export function nameElement(document: Document, id: string): void {
  if (id === '' || id in globalThis) return;
  const get = (): unknown => document.getElementById(id) ?? undefined;
  Object.defineProperty(INHERITED, id, { get, configurable: true });
}
