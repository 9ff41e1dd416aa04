/**
 * Lists of WebGL calls as plain data, so that Tessera and a browser execute the same list. A call
 * refers to the result of an earlier call by its number.
 */
import { nameOfConstant } from './constants.ts';

/** Typed arrays that a list can contain. */
export const VIEW_NAMES = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'DataView',
] as const;

/** Name of a typed array. */
export type ViewName = (typeof VIEW_NAMES)[number];

/** Values that are not numbers, texts or WebGL objects. */
export type OddValue = 'undefined' | 'object' | 'array' | 'function' | 'symbol' | 'bigint' | 'date';

/** Classes of objects that contexts create. */
export const OBJECT_KINDS = [
  'buffer',
  'framebuffer',
  'program',
  'query',
  'renderbuffer',
  'sampler',
  'shader',
  'sync',
  'texture',
  'timerQuery',
  'transformFeedback',
  'vertexArray',
  'location',
] as const;

/** Class of objects that contexts create. */
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Argument of a call. Values that JSON cannot express are objects with a distinctive key. */
export type Argument =
  | null
  | boolean
  | number
  | string
  /** Number that JSON cannot express. */
  | { readonly number: 'NaN' | 'Infinity' | '-Infinity' | '-0' }
  | { readonly odd: OddValue }
  /** Result of the call with this result number. */
  | { readonly ref: number }
  /** Object of another context. */
  | { readonly foreign: ObjectKind }
  /** Typed array whose elements repeat `values`; `length` is in bytes for a `DataView`. */
  | { readonly view: ViewName; readonly length: number; readonly values: readonly number[] }
  | { readonly arrayBufferBytes: number }
  | { readonly list: readonly Argument[] }
  /** `ImageData` of this size. */
  | { readonly image: readonly [widthPx: number, heightPx: number] };

/** One call of a context, or of an extension object. */
export interface Call {
  readonly name: string;
  /** Extension whose object has the call; the context itself by default. */
  readonly extension?: string;
  readonly arguments: readonly Argument[];
  /** Number by which later calls refer to the result. */
  readonly result?: number;
}

/** Calls of one context, in order. */
export interface CallList {
  readonly version: 1 | 2;
  readonly attributes: {
    readonly alpha: boolean;
    readonly depth: boolean;
    readonly stencil: boolean;
    readonly preserveDrawingBuffer: boolean;
    readonly antialias: boolean;
  };
  readonly calls: readonly Call[];
}

const ODD_TEXTS: Readonly<Record<OddValue, string>> = {
  undefined: 'undefined',
  object: '{}',
  array: '[]',
  function: '(() => {})',
  symbol: "Symbol('s')",
  bigint: '7n',
  date: 'new Date(0)',
};

function formatArgument(argument: Argument): string {
  if (typeof argument === 'number') return nameOfConstant(argument);
  if (typeof argument !== 'object' || argument === null) return JSON.stringify(argument);
  if ('number' in argument) return argument.number;
  if ('odd' in argument) return ODD_TEXTS[argument.odd];
  if ('ref' in argument) return `o${argument.ref}`;
  if ('foreign' in argument) return `other.${argument.foreign}`;
  if ('arrayBufferBytes' in argument) return `new ArrayBuffer(${argument.arrayBufferBytes})`;
  if ('list' in argument) return `[${argument.list.map(formatArgument).join(', ')}]`;
  if ('image' in argument) return `new ImageData(${argument.image.join(', ')})`;
  const { view, length, values } = argument;
  return `new ${view}(${length})${values.some((value) => value !== 0) ? ` of ${values.join(', ')}` : ''}`;
}

/** Returns a call as JavaScript. Results are named `o1`, `o2` and so on. */
export function formatCall({ name, extension, arguments: given, result }: Call): string {
  const object = extension === undefined ? 'gl' : extension;
  const call = `${object}.${name}(${given.map(formatArgument).join(', ')})`;
  return result === undefined ? call : `o${result} = ${call}`;
}
