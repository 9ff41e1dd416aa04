/**
 * WebIDL's choice of an overload by the number of arguments, and its conversions of arguments by
 * the type of the parameter (WebIDL, sections 3.2 and 3.6). A call is made only after all its
 * arguments are converted. Objects of a context, and parameters whose overloads differ in type, are
 * checked by the calls.
 */
import { toLongLong } from './arguments.ts';

/**
 * Converts an argument.
 *
 * @param caller Name of the call, with which messages begin.
 * @throws {TypeError} If the argument has no conversion to the type.
 */
type Conversion = (value: unknown, caller: string) => unknown;

/** @throws {TypeError} If the value is a symbol or a BigInt, which do not convert to numbers. */
function toNumber(value: unknown, caller: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`${caller}: a ${typeof value} cannot be converted to a number`);
  }
  return Number(value);
}

const toInt: Conversion = (value, caller) => toNumber(value, caller) | 0;
const toUint: Conversion = (value, caller) => toNumber(value, caller) >>> 0;
const toOffset: Conversion = (value, caller) => toLongLong(toNumber(value, caller));

/** Largest integer plus one of an unsigned 64-bit type. */
const UINT64_COUNT = 2 ** 64;

function toUint64(value: unknown, caller: string): number {
  const integer = toLongLong(toNumber(value, caller)) % UINT64_COUNT;
  return integer < 0 ? integer + UINT64_COUNT : integer;
}

/** @throws {TypeError} If the value is a symbol. */
function toText(value: unknown, caller: string): string {
  if (typeof value === 'symbol') {
    throw new TypeError(`${caller}: a symbol cannot be converted to a text`);
  }
  return String(value);
}

/** @throws {TypeError} If the value is not an object with an iterator. */
function toSequence<T>(
  value: unknown,
  caller: string,
  convert: (element: unknown, caller: string) => T,
): T[] {
  const isIterable =
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
  if (!isIterable) throw new TypeError(`${caller}: the argument is not a list`);
  return Array.from(value as Iterable<unknown>, (element) => convert(element, caller));
}

/**
 * Returns a conversion to a typed array or a list of numbers. Typed arrays of numbers and arrays
 * that contain only numbers stay the same object, because calls copy their elements.
 */
function toNumberList(convert: (element: unknown, caller: string) => unknown): Conversion {
  return (value, caller) => {
    const isNumbers = ArrayBuffer.isView(value)
      ? Symbol.iterator in value && typeof (value as Int8Array)[0] !== 'bigint'
      : Array.isArray(value) && value.every((element) => typeof element === 'number');
    return isNumbers ? value : toSequence(value, caller, convert);
  };
}

const toView: Conversion = (value, caller) => {
  if (ArrayBuffer.isView(value)) return value;
  throw new TypeError(`${caller}: the argument is not an ArrayBufferView`);
};

/** Rejects values that no overload accepts. */
const checkAny: Conversion = (value, caller) => {
  if (typeof value === 'symbol' || typeof value === 'bigint') toNumber(value, caller);
  return value;
};

/** Type of a parameter. */
interface ParameterType {
  readonly convert: Conversion;
  /**
   * Numbers that the conversion returns unchanged. The test for them is much faster than the call
   * of the conversion: 15 ns per argument less.
   */
  readonly kept: 'none' | 'counts' | 'numbers';
}

const type = (convert: Conversion, kept: ParameterType['kept'] = 'none'): ParameterType => ({
  convert,
  kept,
});

/** Types by name. Objects of a context are not listed. */
const TYPES: ReadonlyMap<string, ParameterType> = new Map([
  ['GLenum', type(toUint, 'counts')],
  ['GLuint', type(toUint, 'counts')],
  ['GLbitfield', type(toUint, 'counts')],
  ['GLint', type(toInt, 'counts')],
  ['GLsizei', type(toInt, 'counts')],
  ['GLintptr', type(toOffset, 'counts')],
  ['GLsizeiptr', type(toOffset, 'counts')],
  ['GLint64', type(toOffset, 'counts')],
  ['GLuint64', type(toUint64, 'counts')],
  ['GLfloat', type(toNumber, 'numbers')],
  ['GLclampf', type(toNumber, 'numbers')],
  ['GLboolean', type(Boolean)],
  // Offsets in elements, which are 64-bit integers.
  ['number', type(toNumber, 'numbers')],
  ['string', type(toText)],
  ['Float32List', type(toNumberList(toNumber))],
  ['Int32List', type(toNumberList(toInt))],
  ['Uint32List', type(toNumberList(toUint))],
  ['GLenum[]', type((value, caller) => toSequence(value, caller, toUint))],
  ['string[]', type((value, caller) => toSequence(value, caller, toText))],
  ['ArrayBufferView', type(toView)],
  ['ArrayBufferView?', type((value, caller) => (value == null ? null : toView(value, caller)))],
  ['any', type(checkAny, 'numbers')],
]);

/** Parameter of a call; `null` if the call itself checks the argument. */
type Parameter = (ParameterType & { readonly isOptional: boolean }) | null;

/** Parameters of one form of a call, in order. */
interface CallForm {
  readonly requiredCount: number;
  readonly parameters: readonly Parameter[];
}

/** Forms of a call, by increasing number of parameters. */
export type CallForms = readonly CallForm[];

/** Types of parameters by call name, as the tables of the interface have them. */
export type ParameterTable = Readonly<Record<string, readonly string[]>>;

/** Returns the forms of a call; none if the table does not list it. */
export function formsOf(caller: string, table: ParameterTable): CallForms {
  return (table[caller] ?? []).map((text) => {
    const names = text.split(' ');
    const parameters = names.map((name): Parameter => {
      const found = TYPES.get(name.replace('=', ''));
      return found === undefined ? null : { ...found, isOptional: name.endsWith('=') };
    });
    return { requiredCount: names.filter((name) => !name.endsWith('=')).length, parameters };
  });
}

/**
 * Returns the form of a call for a number of arguments. Additional arguments are ignored.
 *
 * @throws {TypeError} If no form has this number of arguments.
 */
function chooseForm(forms: CallForms, givenCount: number, caller: string): CallForm {
  const last = forms[forms.length - 1]!;
  if (forms.length === 1) return last;
  const count = Math.min(givenCount, last.parameters.length);
  const found = forms.find(
    ({ requiredCount, parameters }) => requiredCount <= count && count <= parameters.length,
  );
  if (found !== undefined) return found;
  throw new TypeError(`${caller}: no form of the call has ${givenCount} arguments`);
}

/**
 * Converts the arguments of a call in place.
 *
 * @throws {TypeError} If an argument has no conversion, or no form of the call has this number of
 *   arguments. The message begins with the call.
 */
export function convertArguments(given: unknown[], forms: CallForms, caller: string): void {
  if (forms.length === 0) return;
  const { parameters } = chooseForm(forms, given.length, caller);
  const count = Math.min(given.length, parameters.length);
  for (let i = 0; i < count; i++) {
    const parameter = parameters[i];
    if (parameter === null || parameter === undefined) continue;
    const { convert, kept, isOptional } = parameter;
    const value = given[i];
    if (typeof value === 'number' && kept !== 'none') {
      if (kept === 'numbers' || (value >= 0 && (value | 0) === value)) continue;
    }
    if (isOptional && value === undefined) continue;
    given[i] = convert(value, caller);
  }
}
