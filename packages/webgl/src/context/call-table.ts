/**
 * Assembles the methods of a context. Each topic is a table of functions whose `this` is the
 * context. `installCalls` puts the functions of a table on the prototype of a class and adds
 * WebIDL's check for missing arguments and its conversions of the others. The state of a context is
 * its core, stored under a symbol, so that programs see only methods and constants.
 */
import { containFailure, isPrescribed } from './contain-failures.ts';
import type { ContextCore } from './context-core.ts';
import {
  type CallForms,
  convertArguments,
  formsOf,
  type ParameterTable,
} from './convert-arguments.ts';

/** Property of a context that holds its core. */
export const CORE = Symbol('core');

/** Names of the properties that {@link storeInTable} adds and deletes. */
const PLACEHOLDERS = ['first', 'second'] as const;

/** `this` of every call. */
export interface ContextObject {
  readonly [CORE]: ContextCore;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds methods of all signatures.
type AnyArguments = any[];

/** Calls by name. */
export type CallTable = Readonly<
  Record<string, (this: ContextObject, ...rest: AnyArguments) => unknown>
>;

/** Forms of the wrapped calls. */
const FORMS = new WeakMap<CallTable[string], CallForms>();

/**
 * Installs calls on a prototype as enumerable properties, as WebIDL requires.
 *
 * @param leastArguments Number of required arguments by call name. Calls that are not listed are
 *   not installed.
 */
export function installCalls(
  prototype: object,
  calls: CallTable,
  leastArguments: Readonly<Record<string, number>>,
  parameters: ParameterTable,
): void {
  for (const [name, call] of Object.entries(calls)) {
    const least = leastArguments[name];
    if (least === undefined) continue;
    Object.defineProperty(prototype, name, {
      value: checkArguments(name, call, least, formsOf(name, parameters)),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

/**
 * Wraps a call so that it receives converted arguments. The wrapped call throws only the exceptions
 * that WebIDL and WebGL prescribe.
 *
 * @param forms Forms of the call.
 * @throws {TypeError} The wrapped call, if arguments are missing or cannot be converted.
 */
export function checkArguments(
  name: string,
  call: CallTable[string],
  least: number,
  forms: CallForms,
): CallTable[string] {
  const checked = function (this: ContextObject, ...rest: unknown[]): unknown {
    if (rest.length < least) {
      throw new TypeError(`${name}: ${least} arguments required, but only ${rest.length} present`);
    }
    convertArguments(rest, forms, name);
    try {
      return call.apply(this, rest);
    } catch (error) {
      if (isPrescribed(name, error)) throw error;
      return containFailure(this?.[CORE], name, error);
    }
  };
  Object.defineProperty(checked, 'name', { value: name });
  Object.defineProperty(checked, 'length', { value: least });
  FORMS.set(checked, forms);
  return checked;
}

/** Returns the forms of a wrapped call. */
export function formsOfCall(checked: CallTable[string]): CallForms {
  return FORMS.get(checked) ?? [];
}

/**
 * Makes V8 store the properties of `object` in a hash table, which it does after a deletion. Adding
 * 1,000 properties copies the list of those before for each: 50 ms when a program starts, and 5 ms
 * with a hash table. V8 optimizes a prototype again when it is used.
 */
function storeInTable(object: object): void {
  Object.defineProperty(object, PLACEHOLDERS[0], { value: 0, configurable: true });
  Object.defineProperty(object, PLACEHOLDERS[1], { value: 0, configurable: true });
  for (const name of PLACEHOLDERS) Reflect.deleteProperty(object, name);
}

/** Installs constants on a class and its prototype as read-only properties. */
export function installConstants(
  contextClass: { readonly prototype: object },
  constants: Readonly<Record<string, number>>,
): void {
  storeInTable(contextClass);
  storeInTable(contextClass.prototype);
  for (const [name, value] of Object.entries(constants)) {
    const property = { value, enumerable: true, configurable: false, writable: false };
    Object.defineProperty(contextClass, name, property);
    Object.defineProperty(contextClass.prototype, name, property);
  }
}
