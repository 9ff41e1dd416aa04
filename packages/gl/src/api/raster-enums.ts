/** Enumerations of fixed-function state and their values in a frame. */
import type {
  BlendEquation,
  BlendFactor,
  ClipDepth,
  ClipOrigin,
  CompareFunction,
  CullMode,
  StencilOperation,
} from '@tessera/frame';
import { GL } from './constants.ts';
import { FIXED } from './fixed-constants.ts';

/** Table that translates one kind of enumeration in both directions. */
export class EnumTable<Value> {
  readonly #valueByEnum: ReadonlyMap<number, Value>;
  readonly #enumByValue: ReadonlyMap<Value, number>;

  constructor(rows: readonly (readonly [number, Value])[]) {
    this.#valueByEnum = new Map(rows);
    this.#enumByValue = new Map(rows.map(([number, value]) => [value, number]));
  }

  find(number: number): Value | null {
    return this.#valueByEnum.get(number) ?? null;
  }

  enumOf(value: Value): number {
    return this.#enumByValue.get(value)!;
  }
}

/** Translation tables of fixed-function state. */
export const RASTER_ENUMS = {
  clipOrigin: new EnumTable<ClipOrigin>([
    [FIXED.LOWER_LEFT, 'lower-left'],
    [FIXED.UPPER_LEFT, 'upper-left'],
  ]),
  clipDepth: new EnumTable<ClipDepth>([
    [GL.NEGATIVE_ONE_TO_ONE, 'negative-one-to-one'],
    [GL.ZERO_TO_ONE, 'zero-to-one'],
  ]),
  compare: new EnumTable<CompareFunction>([
    [GL.NEVER, 'never'],
    [GL.LESS, 'less'],
    [GL.EQUAL, 'equal'],
    [GL.LEQUAL, 'less-equal'],
    [GL.GREATER, 'greater'],
    [GL.NOTEQUAL, 'not-equal'],
    [GL.GEQUAL, 'greater-equal'],
    [GL.ALWAYS, 'always'],
  ]),
  stencilOperation: new EnumTable<StencilOperation>([
    [0, 'zero'],
    [GL.KEEP, 'keep'],
    [GL.REPLACE, 'replace'],
    [GL.INCR, 'increment-clamp'],
    [GL.DECR, 'decrement-clamp'],
    [GL.INVERT, 'invert'],
    [GL.INCR_WRAP, 'increment-wrap'],
    [GL.DECR_WRAP, 'decrement-wrap'],
  ]),
  blendFactor: new EnumTable<BlendFactor>([
    [0, 'zero'],
    [1, 'one'],
    [GL.SRC_COLOR, 'src-color'],
    [GL.ONE_MINUS_SRC_COLOR, 'one-minus-src-color'],
    [GL.SRC_ALPHA, 'src-alpha'],
    [GL.ONE_MINUS_SRC_ALPHA, 'one-minus-src-alpha'],
    [GL.DST_ALPHA, 'dst-alpha'],
    [GL.ONE_MINUS_DST_ALPHA, 'one-minus-dst-alpha'],
    [GL.DST_COLOR, 'dst-color'],
    [GL.ONE_MINUS_DST_COLOR, 'one-minus-dst-color'],
    [GL.SRC_ALPHA_SATURATE, 'src-alpha-saturate'],
    [GL.CONSTANT_COLOR, 'constant-color'],
    [GL.ONE_MINUS_CONSTANT_COLOR, 'one-minus-constant-color'],
    [GL.CONSTANT_ALPHA, 'constant-alpha'],
    [GL.ONE_MINUS_CONSTANT_ALPHA, 'one-minus-constant-alpha'],
    [GL.SRC1_COLOR, 'src1-color'],
    [GL.ONE_MINUS_SRC1_COLOR, 'one-minus-src1-color'],
    [GL.SRC1_ALPHA, 'src1-alpha'],
    [GL.ONE_MINUS_SRC1_ALPHA, 'one-minus-src1-alpha'],
  ]),
  blendEquation: new EnumTable<BlendEquation>([
    [GL.FUNC_ADD, 'add'],
    [GL.FUNC_SUBTRACT, 'subtract'],
    [GL.FUNC_REVERSE_SUBTRACT, 'reverse-subtract'],
    [GL.MIN, 'min'],
    [GL.MAX, 'max'],
  ]),
  cullMode: new EnumTable<CullMode>([
    [GL.FRONT, 'front'],
    [GL.BACK, 'back'],
    [GL.FRONT_AND_BACK, 'front-and-back'],
  ]),
} as const;
