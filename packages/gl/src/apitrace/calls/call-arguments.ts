/** Reads arguments of recorded calls as the types that the API declares. */
import { RenderError } from '@tessera/frame';
import type { CapturedCall } from '../format/capture-reader.ts';
import { CapturedPointer, type CapturedValue } from '../format/captured-value.ts';

/**
 * Throws an error that names the call.
 *
 * @throws {RenderError} FRAME_INVALID.
 */
export function failCall(call: CapturedCall, what: string): never {
  throw new RenderError('FRAME_INVALID', `call ${call.number} (${call.name}): ${what}`);
}

/**
 * Throws an error that names the call.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED.
 */
export function refuseCall(call: CapturedCall, what: string): never {
  throw new RenderError('FRAME_UNSUPPORTED', `call ${call.number} (${call.name}): ${what}`);
}

/** Returns a value as a number: a boolean as 0 or 1, a pointer as its address, null as 0. */
export function toNumber(value: CapturedValue | undefined): number | null {
  if (value === null) return 0;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof CapturedPointer) return Number(value.address);
  return typeof value === 'bigint' ? Number(value) : null;
}

/** Returns an integer argument: an enumeration, a size or an object name. */
export function numberOf(call: CapturedCall, name: string): number {
  const value = toNumber(call.args[name]);
  return Number.isInteger(value) ? value! : failCall(call, `${name} is not an integer`);
}

/** Returns a numeric argument. */
export function floatOf(call: CapturedCall, name: string): number {
  return toNumber(call.args[name]) ?? failCall(call, `${name} is not a number`);
}

/** Returns a boolean argument. */
export function booleanOf(call: CapturedCall, name: string): boolean {
  return numberOf(call, name) !== 0;
}

/** Returns a string argument. */
export function stringOf(call: CapturedCall, name: string): string {
  const value = call.args[name];
  return typeof value === 'string' ? value : failCall(call, `${name} is not a string`);
}

/** Returns an argument as an array of numbers. A single number becomes an array of one. */
export function numbersOf(call: CapturedCall, name: string): number[] {
  const value = call.args[name];
  const members = Array.isArray(value) ? (value as readonly CapturedValue[]) : [value];
  return members.map((member) => toNumber(member) ?? failCall(call, `${name} holds no numbers`));
}

/** Returns an argument as bytes, or `null` if the program passed none. */
export function blobOf(call: CapturedCall, name: string): Uint8Array | null {
  const value = call.args[name];
  if (value instanceof Uint8Array) return value;
  return value === null ? null : failCall(call, `${name} is not a blob`);
}

/** Returns client memory as bytes, or an offset into a buffer as a number. */
export function locationOf(call: CapturedCall, name: string): number | Uint8Array {
  const value = call.args[name];
  return value instanceof Uint8Array ? value : numberOf(call, name);
}

/** Returns a key for a context or drawable, which is a pointer or a number; `null` for none. */
export function keyOf(value: CapturedValue | undefined): string | null {
  const address = value instanceof CapturedPointer ? value.address : toNumber(value);
  return address === null || address === 0 ? null : String(address);
}

/** Returns the integers of the named arguments, in the order of the names. */
export function takeNumbers<Names extends readonly string[]>(
  call: CapturedCall,
  ...names: Names
): { [K in keyof Names]: number } {
  return names.map((name) => numberOf(call, name)) as { [K in keyof Names]: number };
}

type Numbers<Count extends number, Taken extends number[] = []> = Taken['length'] extends Count
  ? Taken
  : Numbers<Count, [...Taken, number]>;

/**
 * Returns the first arguments by position, because their names differ between versions of the
 * headers.
 */
export function takeFirst<Count extends 1 | 2 | 3 | 4 | 5 | 6>(
  call: CapturedCall,
  count: Count,
): Numbers<Count> {
  const names = Object.keys(call.args);
  if (names.length < count)
    return failCall(call, `expected ${count} arguments, got ${names.length}`);
  return names.slice(0, count).map((name) => floatOf(call, name)) as Numbers<Count>;
}
