/**
 * How the methods of a context come together: each topic is a table of functions whose `this` is the context, and
 * `installCalls` puts a table's functions on the prototype of a class, with the check of WebIDL for arguments that are
 * missing. What a context knows is in its core, behind a symbol, so that programs see methods and constants alone.
 */
import type { ContextCore } from './context-core.ts';

export const CORE = Symbol('core');

/** `this` of every call. */
export interface ContextObject {
  readonly [CORE]: ContextCore;
}

// biome-ignore lint/suspicious/noExplicitAny: methods of all signatures are in one table.
export type CallTable = Readonly<Record<string, (this: ContextObject, ...rest: any[]) => unknown>>;

/**
 * Puts calls on a prototype, enumerable as WebIDL has them.
 *
 * @param leastArguments Least number of arguments by name; calls that are not in it are left out.
 */
export function installCalls(
  prototype: object,
  calls: CallTable,
  leastArguments: Readonly<Record<string, number>>,
): void {
  for (const [name, call] of Object.entries(calls)) {
    const least = leastArguments[name];
    if (least === undefined) continue;
    Object.defineProperty(prototype, name, {
      value: least === 0 ? call : checkArguments(name, call, least),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/** A call that throws where arguments are missing. */
export function checkArguments(
  name: string,
  call: CallTable[string],
  least: number,
): CallTable[string] {
  const checked = function (this: ContextObject, ...rest: unknown[]): unknown {
    if (rest.length < least) {
      throw new TypeError(`${name}: ${least} arguments required, ${rest.length} present`);
    }
    return call.apply(this, rest);
  };
  Object.defineProperty(checked, 'name', { value: name });
  Object.defineProperty(checked, 'length', { value: least });
  return checked;
}

/** Constants are on the class and its prototype, and cannot be changed. */
export function installConstants(
  contextClass: { readonly prototype: object },
  constants: Readonly<Record<string, number>>,
): void {
  for (const [name, value] of Object.entries(constants)) {
    const property = { value, enumerable: true, configurable: false, writable: false };
    Object.defineProperty(contextClass, name, property);
    Object.defineProperty(contextClass.prototype, name, property);
  }
}
